//===- Inference.h - Layouts of what ops make of a tensor -----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTG_INFERENCE_H
#define TILEWRIGHT_IR_TTG_INFERENCE_H

#include "ir/ttg/Dialect.h"

namespace tilewright::ttg {

/// The slice of `encoding`, a layout of tensors, that lacks dimension `axis`.
mlir::Attribute sliceOf(mlir::Attribute encoding, unsigned axis);

/// The encoding that consists of the bases of `map`, a layout from (register, lane, warp, block)
/// to (dim0, dim1, ..): linear, or generic_linear where it takes that. Null where neither
/// can: lanes are swizzled, or elements are left out.
mlir::Attribute encodingOf(mlir::MLIRContext *context, const layout::LinearLayout &map);

/// LayoutEncoding::inferTrans for any encoding that is linear on `shape`: the bases of its map
/// with their coordinates permuted.
mlir::Attribute transposeByBases(tt::LayoutEncoding encoding, llvm::ArrayRef<int64_t> shape,
                                 llvm::ArrayRef<int32_t> order);

/// Bases one after the other, permuted: coordinate i of the result is coordinate order[i].
llvm::SmallVector<unsigned> permuteBases(llvm::ArrayRef<unsigned> flat,
                                         llvm::ArrayRef<int32_t> order);

/// Dimensions from the fastest to the slowest, as a tensor's whose dimension i was order[i].
llvm::SmallVector<unsigned> permuteOrder(llvm::ArrayRef<unsigned> dims,
                                         llvm::ArrayRef<int32_t> order);

} // namespace tilewright::ttg

#endif // TILEWRIGHT_IR_TTG_INFERENCE_H
