//===- EncodingText.h - Printing, parsing and verification common to encodings -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_ENCODINGTEXT_H
#define TILEWRIGHT_IR_ENCODINGTEXT_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OpImplementation.h"

#include <string>
#include <vector>

namespace tilewright::ir {

/// `key = [1, 2]`
void printList(mlir::AsmPrinter &printer, llvm::StringRef key, llvm::ArrayRef<unsigned> list);

/// `key = [[1, 0], [2, 0]]`. Attributes store bases one after the other, `rank` values each.
void printBases(mlir::AsmPrinter &printer, llvm::StringRef key, llvm::ArrayRef<unsigned> bases,
                unsigned rank);

/// `, CGALayout = [[1, 0]]`, or nothing where there are no bases.
void printCluster(mlir::AsmPrinter &printer, llvm::ArrayRef<unsigned> bases, unsigned rank);

/// Bases as the layout library takes them, and back.
std::vector<std::vector<unsigned>> unflatten(llvm::ArrayRef<unsigned> flat, unsigned rank);
llvm::SmallVector<unsigned> flatten(const std::vector<std::vector<unsigned>> &bases);

/// Passes on what the layout library has to say against an encoding, whose name comes first;
/// success where it is "".
mlir::LogicalResult report(llvm::StringRef encoding, const std::string &complaint,
                           llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// Whether a tensor of `shape` has `rank` dimensions, as `encoding` needs, all of known sizes.
mlir::LogicalResult verifyRank(mlir::Attribute encoding, unsigned rank,
                               llvm::ArrayRef<int64_t> shape,
                               llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// The same, and whether all sizes are powers of two.
mlir::LogicalResult verifyShape(mlir::Attribute encoding, unsigned rank,
                                llvm::ArrayRef<int64_t> shape,
                                llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// "<encoding> cannot describe a tensor of shape 4x8: <complaint>", or success.
mlir::LogicalResult reportShape(mlir::Attribute encoding, llvm::ArrayRef<int64_t> shape,
                                const std::string &complaint,
                                llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

} // namespace tilewright::ir

#endif // TILEWRIGHT_IR_ENCODINGTEXT_H
