//===- OpKinds.h - Loads, products and views among ops --------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The kinds of ops that passes over loops distinguish, whatever the dialect of the op.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTG_QUERY_OPKINDS_H
#define TILEWRIGHT_IR_TTG_QUERY_OPKINDS_H

#include "ir/ttg/Dialect.h"

namespace tilewright::ttg {

/// Whether the op multiplies matrices. Its first two operands are the factors.
bool isProduct(mlir::Operation *op);

/// Whether the op loads a tensor, through pointers or a block of a descriptor.
bool isLoad(mlir::Operation *op);

/// The bytes of one tile that `load`, see isLoad, loads.
uint64_t getTileBytes(mlir::Operation *load);

/// The layout of a descriptor's blocks in shared memory; null if hardware does not copy them.
SharedLayoutEncoding getBlockEncoding(mlir::Value descriptor);

/// Whether the op loads a block of a descriptor that hardware can load into one of several buffers,
/// each of which begins where its layout lets it.
bool isBufferedBlock(mlir::Operation *op);

/// Whether `value` is a constant all of whose elements are zero, of floats the positive one.
bool isZero(mlir::Value value);

/// Notes in the types of the views of `view` that their memory changes.
void makeViewsMutable(mlir::Value view);

} // namespace tilewright::ttg

#endif // TILEWRIGHT_IR_TTG_QUERY_OPKINDS_H
