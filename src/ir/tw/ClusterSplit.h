//===- ClusterSplit.h - The parts of a tile that blocks have --------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A program that a cluster of blocks runs divides its tiles among them. For each bit of a block's
// rank in the cluster a split says which dimension of the tile it divides: the first bit of a
// dimension is the lowest of the part's number along it. So
//
//     {1}      two blocks have the left and the right half of a matrix
//     {0, 1}   four blocks have a quarter each; blocks 0 and 1 the upper ones, left
//     {-1}     both blocks have all of it
//
// In Triton's words the bases of CGALayout are [[0, 1]], [[1, 0], [0, 1]] and [[0, 0]].
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TW_CLUSTERSPLIT_H
#define TILEWRIGHT_IR_TW_CLUSTERSPLIT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace tilewright::tw {

/// A module that has it is the program of one block: its tiles are a block's parts.
inline constexpr llvm::StringLiteral distributedAttrName = "tw.distributed";

class ClusterSplit {
public:
  /// The part of a bit that divides nothing.
  static constexpr int32_t Nothing = -1;

  ClusterSplit() = default;
  explicit ClusterSplit(llvm::ArrayRef<int32_t> dims) : dims(dims) {}
  /// Every block has all of the tile.
  static ClusterSplit replicated(unsigned bits) {
    ClusterSplit split;
    split.dims.assign(bits, Nothing);
    return split;
  }

  llvm::ArrayRef<int32_t> getDims() const { return dims; }
  unsigned numBits() const { return dims.size(); }
  int32_t operator[](unsigned bit) const { return dims[bit]; }
  bool divides(int32_t dim) const { return llvm::is_contained(dims, dim); }
  /// The bits that divide nothing, as a mask of a rank.
  uint32_t copies() const { return bitsAlong(Nothing); }
  /// The bits that divide `dim`, as a mask of a rank.
  uint32_t bitsAlong(int32_t dim) const {
    uint32_t mask = 0;
    for (auto [bit, divided] : llvm::enumerate(dims))
      mask |= uint32_t(divided == dim) << bit;
    return mask;
  }

  /// The shape of the part that one block has of a tile of `shape`, whose sizes are large enough.
  llvm::SmallVector<int64_t> shapePerBlock(llvm::ArrayRef<int64_t> shape) const {
    llvm::SmallVector<int64_t> result(shape);
    for (int32_t dim : dims)
      if (dim != Nothing)
        result[dim] /= 2;
    return result;
  }
  /// The shape of the tile whose parts have `shape`.
  llvm::SmallVector<int64_t> shapeOfTile(llvm::ArrayRef<int64_t> shape) const {
    llvm::SmallVector<int64_t> result(shape);
    for (int32_t dim : dims)
      if (dim != Nothing)
        result[dim] *= 2;
    return result;
  }

  /// The split with dimension `dim` gone, or with one more before dimension `dim`, both divided by
  /// no bit; with dimension d called `newDims[d]`, Nothing for one that no bit divides any more.
  ClusterSplit withoutDim(int32_t dim) const;
  ClusterSplit withDim(int32_t dim) const;
  ClusterSplit renamed(llvm::ArrayRef<int32_t> newDims) const;

  friend bool operator==(const ClusterSplit &, const ClusterSplit &) = default;
  friend auto operator<=>(const ClusterSplit &a, const ClusterSplit &b) {
    return std::lexicographical_compare_three_way(a.dims.begin(), a.dims.end(), b.dims.begin(),
                                                  b.dims.end());
  }

private:
  llvm::SmallVector<int32_t, 3> dims;
};

inline ClusterSplit ClusterSplit::renamed(llvm::ArrayRef<int32_t> newDims) const {
  ClusterSplit result(*this);
  for (int32_t &dim : result.dims)
    if (dim != Nothing)
      dim = newDims[dim];
  return result;
}

inline ClusterSplit ClusterSplit::withoutDim(int32_t dim) const {
  ClusterSplit result(*this);
  for (int32_t &each : result.dims)
    each = each == dim ? Nothing : each > dim ? each - 1 : each;
  return result;
}

inline ClusterSplit ClusterSplit::withDim(int32_t dim) const {
  ClusterSplit result(*this);
  for (int32_t &each : result.dims)
    each += each >= dim;
  return result;
}

} // namespace tilewright::tw

#endif // TILEWRIGHT_IR_TW_CLUSTERSPLIT_H
