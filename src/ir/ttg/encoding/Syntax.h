//===- Syntax.h - Custom assembly directives of ttg -----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The functions that the `custom<..>` directives of the assembly formats call.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTG_ENCODING_SYNTAX_H
#define TILEWRIGHT_IR_TTG_ENCODING_SYNTAX_H

#include "mlir/IR/OpImplementation.h"

namespace tilewright::ttg {

/// `0, 16`
mlir::ParseResult parseOffsets(mlir::OpAsmParser &parser, mlir::DenseI32ArrayAttr &offsets);
void printOffsets(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                  mlir::DenseI32ArrayAttr offsets);

} // namespace tilewright::ttg

#endif // TILEWRIGHT_IR_TTG_ENCODING_SYNTAX_H
