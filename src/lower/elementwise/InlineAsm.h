//===- InlineAsm.h - Lowering of inline assembly --------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_ELEMENTWISE_INLINEASM_H
#define TILEWRIGHT_LOWER_ELEMENTWISE_INLINEASM_H

#include "ir/tt/Dialect.h"
#include "lower/core/builder/LoweringBuilder.h"

#include <string>

namespace tilewright::lower {

/// Returns why the assembly cannot be emitted for elements of these converted types, as the end of
/// a sentence; empty if it can, on a target that has inline assembly.
std::string checkInlineAsm(LoweringBuilder &e, tt::ElementwiseInlineAsmOp op,
                           mlir::TypeRange operandTypes, mlir::TypeRange resultTypes);

/// The assembly on the elements that a thread has of each operand: `count` elements of each result,
/// of these converted types. checkInlineAsm has found nothing.
llvm::SmallVector<llvm::SmallVector<mlir::Value>>
emitInlineAsm(LoweringBuilder &e, tt::ElementwiseInlineAsmOp op,
              llvm::ArrayRef<mlir::ValueRange> operands, mlir::TypeRange resultTypes,
              unsigned count);

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_ELEMENTWISE_INLINEASM_H
