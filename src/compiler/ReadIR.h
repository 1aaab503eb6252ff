//===- ReadIR.h - Kernels given as IR -------------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_COMPILER_READIR_H
#define TILEWRIGHT_COMPILER_READIR_H

#include "target/Target.h"
#include "tilewright/Compiler.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tilewright::compiler {

/// Parses and verifies a TTIR or TTGIR source. Null after an error: the parser and the verifiers
/// speak to the context's diagnostic handler, what is wrong besides is added to `diagnostics`.
mlir::OwningOpRef<mlir::ModuleOp> parseIR(mlir::MLIRContext &context, const Source &source,
                                          std::vector<Diagnostic> &diagnostics);

/// A copy of a source's module in which the kernel that the options name, or its only one, is the
/// only public function; it returns nothing, of which is warned where it did. Null after an error.
mlir::OwningOpRef<mlir::ModuleOp> selectKernel(mlir::ModuleOp parsed, const Source &source,
                                               const CompileOptions &options,
                                               std::vector<Diagnostic> &diagnostics);

/// The target of a TTGIR module: the one it names, which the options may repeat but not change;
/// the options' where it names none. Afterwards the module names its target and its warps.
/// Null after an error.
const target::Target *resolveTarget(mlir::ModuleOp module, const Source &source,
                                    const CompileOptions &options,
                                    std::vector<Diagnostic> &diagnostics);

} // namespace tilewright::compiler

#endif // TILEWRIGHT_COMPILER_READIR_H
