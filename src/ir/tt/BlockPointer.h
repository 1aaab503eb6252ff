//===- BlockPointer.h - Block pointers and the ops that make them ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A block pointer, `!tt.ptr<tensor<64x32xf16>>`, is a tensor in memory and the place of a block in
// it. `tt.load` and `tt.store` take it; triton-rewrite-tensor-pointer makes tensors of pointers of
// it before any pass looks at accesses.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TT_BLOCKPOINTER_H
#define TILEWRIGHT_IR_TT_BLOCKPOINTER_H

#include "ir/tt/Dialect.h"

namespace tilewright::tt {

/// Whether `type` is a block pointer.
bool isBlockPointer(mlir::Type type);

/// The pointer to one element of the tensor that `blockPointer` points into.
mlir::Type getBlockBaseType(mlir::Type blockPointer);

/// Whether `op`, a load or a store through a block pointer, has what such an access may have;
/// says what is wrong otherwise.
mlir::LogicalResult verifyBlockAccess(mlir::Operation *op);

} // namespace tilewright::tt

#define GET_OP_CLASSES
#include "ir/tt/BlockPointerOps.h.inc"

#endif // TILEWRIGHT_IR_TT_BLOCKPOINTER_H
