//===- GlobalAccess.h - Tiles in global memory ------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_INTERPRET_GLOBALACCESS_H
#define TILEWRIGHT_INTERPRET_GLOBALACCESS_H

#include "interpret/Machine.h"

namespace tilewright::interpret {

/// Loads through each pointer whose mask holds; other elements are those of `other`, or undefined
/// where that is null. The result has the shape of the pointers.
TensorPtr loadElements(Machine &machine, mlir::Operation *op, const Tensor &pointers,
                       const Tensor *mask, const Tensor *other, mlir::Type element);

/// Stores where the mask holds.
void storeElements(Machine &machine, mlir::Operation *op, const Tensor &pointers,
                   const Tensor *mask, const Tensor &values);

/// The pointers to a block of a descriptor and which of them lie inside of the tensor.
struct BlockPlace {
  Tensor pointers, inside;
};
/// That of the block of `shape` that begins at `offsets`. A dimension for which `isChecked` is
/// false counts as without bounds.
BlockPlace placeBlock(const Descriptor &descriptor, llvm::ArrayRef<int64_t> shape,
                      llvm::ArrayRef<int64_t> offsets, mlir::MLIRContext *context,
                      llvm::ArrayRef<bool> isChecked = {});
/// That of rows with numbers of their own, from column `column` on.
BlockPlace placeRows(const Descriptor &descriptor, llvm::ArrayRef<int64_t> shape,
                     const Tensor &rows, int64_t column, mlir::MLIRContext *context);

/// The elements at a place; those outside are 0, or NaN where the descriptor says so.
TensorPtr loadBlock(Machine &machine, mlir::Operation *op, const Descriptor &descriptor,
                    const BlockPlace &place);

} // namespace tilewright::interpret

#endif // TILEWRIGHT_INTERPRET_GLOBALACCESS_H
