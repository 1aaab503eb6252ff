//===- Inference.h - Layouts inferred for shape ops -----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTG_ENCODING_INFERENCE_H
#define TILEWRIGHT_IR_TTG_ENCODING_INFERENCE_H

#include "ir/ttg/Dialect.h"

namespace tilewright::ttg {

/// The slice of `encoding`, a layout of tensors, that lacks dimension `axis`.
mlir::Attribute sliceOf(mlir::Attribute encoding, unsigned axis);

/// The encoding that consists of the bases of `map`, a layout from (register, lane, warp, block)
/// to (dim0, dim1, ..): linear, or generic_linear where it takes that. Null where neither
/// can: lanes are swizzled, or elements are left out.
mlir::Attribute encodingOf(mlir::MLIRContext *context, const layout::LinearLayout &map);

/// The blocked encoding that has the map `map` on a tensor of its shape; null where there is none
/// for a single block.
BlockedEncodingAttr blockedEncodingOf(mlir::MLIRContext *context, const layout::LinearLayout &map);

/// The layout of a reshape from `from` in `layout` to shape `to` that moves no element,
/// row-major order being kept. This and the next three are a blocked encoding where one
/// describes it, and null where no encoding does.
mlir::Attribute inferReshape(llvm::ArrayRef<int64_t> from, mlir::Attribute layout,
                             llvm::ArrayRef<int64_t> to);

/// The layout of two tensors of `shape` in `layout` along a new last dimension of size 2: a
/// thread has both of what it had one of, in neighbouring registers.
mlir::Attribute inferJoin(llvm::ArrayRef<int64_t> shape, mlir::Attribute layout);

/// The layout of the halves of a tensor of `shape` in `layout` along its last dimension, of
/// size 2; null also where a thread has not both.
mlir::Attribute inferSplit(llvm::ArrayRef<int64_t> shape, mlir::Attribute layout);

/// The layout of two tensors of `shape` in `layout`, one after the other along dimension 0: a
/// thread has what it had of both.
mlir::Attribute inferCat(llvm::ArrayRef<int64_t> shape, mlir::Attribute layout);

/// The layout of the elements of bytes of `shape` in `layout` that hold two each, neighbours along
/// `axis`: a thread has both of each byte that it had. As Triton, it is a blocked encoding or one
/// of an operand where the axis is the fastest dimension of such a one, and bases otherwise; null
/// where no encoding describes it.
mlir::Attribute inferUnpack(llvm::ArrayRef<int64_t> shape, mlir::Attribute layout, unsigned axis);

/// The layout of shared memory of the type `from` in another shape of as many elements, rows
/// first: nvmma_shared where the row that lies together stays, else the bases; null where no
/// layout describes that, as with holes.
mlir::Attribute inferSharedReshape(MemDescType from, llvm::ArrayRef<int64_t> to);

/// LayoutEncoding::inferTrans for any encoding that is linear on `shape`: the bases of its map
/// with their coordinates permuted.
mlir::Attribute transposeByBases(tt::LayoutEncoding encoding, llvm::ArrayRef<int64_t> shape,
                                 llvm::ArrayRef<int32_t> order);

/// One value a dimension, permuted: value i of the result is value order[i].
std::vector<unsigned> permute(llvm::ArrayRef<unsigned> list, llvm::ArrayRef<int32_t> order);

/// The same with each basis.
layout::LiteralBases permuteBases(const layout::LiteralBases &bases, llvm::ArrayRef<int32_t> order);

/// Dimensions from the fastest to the slowest, as a tensor's whose dimension i was order[i].
std::vector<unsigned> permuteOrder(llvm::ArrayRef<unsigned> dims, llvm::ArrayRef<int32_t> order);

} // namespace tilewright::ttg

#endif // TILEWRIGHT_IR_TTG_ENCODING_INFERENCE_H
