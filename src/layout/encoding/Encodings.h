//===- Encodings.h - Distributed encodings as maps ------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A kernel's IR names layouts by a few parameters: `blocked`, `slice`, `linear`.
// Here each becomes the map it stands for; those of shared memory do so in
// SharedEncodings.h, those of matrix units in NvidiaMma.h, AmdWmma.h, AmdMfma.h and IntelDpas.h.
//
// Distributed layouts map (register, lane, warp, block) to (dim0, dim1, ...). All
// dimensions are always there, those that are not used with size 1. The sizes of the
// outputs are the shape of the tensor.
//
// A tile smaller than the tensor is repeated: further registers, the fastest dimension first. A
// larger one wraps around: the bits that point outside the tensor become zero (broadcast).
//
// Each `verify` function checks what a user may get wrong (support/Result.h). The other functions
// require that it succeeds.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LAYOUT_ENCODING_ENCODINGS_H
#define TILEWRIGHT_LAYOUT_ENCODING_ENCODINGS_H

#include "tilewright/layout/LinearLayout.h"
#include "tilewright/support/Result.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tilewright::layout {

/// How the blocks (CTAs) of a cluster share a tensor: for each bit of the block's number
/// its basis, one value a dimension, counted in blocks. A zero basis means that both
/// blocks hold the same. Empty: one block. [[1, 0]]: two blocks, each one half of dim0.
using ClusterBases = std::vector<std::vector<unsigned>>;

/// The shape: at least one dimension, not more than LinearLayout::MaxDims; all sizes
/// powers of two.
Result<void> verifyShape(std::span<const int64_t> shape);

/// For a tensor of `rank` dimensions: each basis has `rank` values, at most one of which
/// is not zero, and that is a power of two; in each dimension they are 1, 2, 4, ...
Result<void> verifyClusterBases(const ClusterBases &bases, unsigned rank);

/// `order` is a permutation of 0 .. rank-1. order[0] is the fastest dimension: the one
/// in which neighbours are contiguous.
Result<void> verifyOrder(std::span<const unsigned> order, unsigned rank);

struct Blocked {
  std::vector<unsigned> sizePerThread;
  std::vector<unsigned> threadsPerWarp;
  std::vector<unsigned> warpsPerCTA;
  std::vector<unsigned> order;
  ClusterBases cluster = {};

  unsigned rank() const { return static_cast<unsigned>(order.size()); }
  friend bool operator==(const Blocked &, const Blocked &) = default;
};

/// All lists have as many entries as the shape has, and are powers of two.
Result<void> verify(const Blocked &encoding, unsigned rank);

/// Each thread holds a tile of sizePerThread, a warp threadsPerWarp of them, a block
/// warpsPerCTA of those; within each, numbers count up along order[0] first. The
/// product of the three is the tile, repeated or wrapped as said above.
///
/// sizePerThread [1, 2], threadsPerWarp [2, 2], warpsPerCTA [1, 1], order [1, 0] on 2x8:
/// each cell is lane:register.
///
///     0:0 0:1 1:0 1:1 0:2 0:3 1:2 1:3
///     2:0 2:1 3:0 3:1 2:2 2:3 3:2 3:3
LinearLayout toLinearLayout(const Blocked &encoding, std::span<const int64_t> shape);

/// Operand A (opIdx 0: M x K) or B (1: K x N) of a product computed by scalar
/// multiply-adds, whose result has the layout `parent`: each thread holds in registers all
/// of K for the rows (or columns) of the result that it computes; lanes, warps and blocks
/// that differ along the other dimension of the result hold the same. There is no kWidth:
/// it must be 0. `parent` has been verified; with three dimensions the first is the batch.
Result<void> verifyOperand(const Blocked &parent, unsigned opIdx, unsigned kWidth);
LinearLayout operandLayout(const Blocked &parent, unsigned opIdx, unsigned kWidth,
                           std::span<const int64_t> shape);

/// The layout of a tensor that lacks dimension `dim` of the parent: a location holds
/// what it holds in the parent, seen along `dim`. `parent` is the parent's layout on the
/// slice's shape with a size of 1 put in at `dim` (sliceParentShape). Registers that
/// become duplicates are removed; lanes and warps stay, as broadcast.
LinearLayout slice(const LinearLayout &parent, unsigned dim);
std::vector<int64_t> sliceParentShape(std::span<const int64_t> shape, unsigned dim);

/// Bases given literally, as an encoding's field has them: each with one value a dimension.
using LiteralBases = std::vector<std::vector<unsigned>>;

/// A map by its bases.
struct Linear {
  LiteralBases registers, lanes, warps, blocks;

  friend bool operator==(const Linear &, const Linear &) = default;
};

/// Each basis has `rank` values (`rank` > 0). Taken together the bases must be a bijection
/// after zero ones are removed, each with at most one value that is not zero, and that a
/// power of two. With `generic` they must be surjective, and each basis of register, lane and
/// block has at most one value that is not zero, while those of warp may have several.
Result<void> verify(const Linear &encoding, unsigned rank, bool generic = false);

/// The map on a tensor of this shape. Where it is smaller, it is repeated in registers:
/// dimensions in the order in which registers first move along them, then the others, the
/// last one first. Where it is larger, registers that point outside are removed.
LinearLayout toLinearLayout(const Linear &encoding, std::span<const int64_t> shape);

/// `layout` made to cover exactly `shape` (sizes of its outputs, in their order): repeated
/// along input `in` where it is smaller, dimension order[0] first; wrapped around
/// where larger.
LinearLayout fitToShape(const LinearLayout &layout, std::span<const int64_t> shape,
                        std::span<const unsigned> order, Dim in);

/// The layout of one block, extended to a cluster of blocks: `inner` is given the shape of
/// one block's part (shapePerBlock).
LinearLayout withCluster(const LinearLayout &inner, const ClusterBases &cluster,
                         std::span<const int64_t> shape);
std::vector<int64_t> shapePerBlock(std::span<const int64_t> shape, const ClusterBases &cluster);

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_ENCODING_ENCODINGS_H
