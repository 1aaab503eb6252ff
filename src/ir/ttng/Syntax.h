//===- Syntax.h - Custom assembly directives of ttng ----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The functions that the `custom<..>` directives of the assembly formats call.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTNG_SYNTAX_H
#define TILEWRIGHT_IR_TTNG_SYNTAX_H

#include "mlir/IR/OpImplementation.h"

namespace tilewright::ttng {

using OptionalOperand = std::optional<mlir::OpAsmParser::UnresolvedOperand>;
using OperandList = llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand>;

/// `[%token]` where the op waits for a token and gives one, `[]` where it only gives one.
mlir::ParseResult parseToken(mlir::OpAsmParser &parser, OptionalOperand &dependence,
                             mlir::Type &token);
void printToken(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::Value dependence,
                mlir::Type token);

/// `, %barrier[%predicate]`, any number of times.
mlir::ParseResult parseBarriersAndPreds(mlir::OpAsmParser &parser, OperandList &barriers,
                                        OperandList &predicates);
void printBarriersAndPreds(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                           mlir::OperandRange barriers, mlir::OperandRange predicates);

} // namespace tilewright::ttng

#endif // TILEWRIGHT_IR_TTNG_SYNTAX_H
