//===- SharedEncodings.h - Shared memory encodings as maps ----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Shared memory's layouts map (offset, block) to (dim0, dim1, ...); offset counts elements.
// Both inputs are always there. Other conventions are those of Encodings.h.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LAYOUT_ENCODING_SHAREDENCODINGS_H
#define TILEWRIGHT_LAYOUT_ENCODING_SHAREDENCODINGS_H

#include "layout/encoding/Encodings.h"

namespace tilewright::layout {

struct SwizzledShared {
  unsigned vec = 1;
  unsigned perPhase = 1;
  unsigned maxPhase = 1;
  std::vector<unsigned> order;
  ClusterBases cluster = {};

  unsigned rank() const { return static_cast<unsigned>(order.size()); }
  friend bool operator==(const SwizzledShared &, const SwizzledShared &) = default;
};

/// vec, perPhase and maxPhase are powers of two; order is a permutation.
Result<void> verify(const SwizzledShared &encoding, unsigned rank);

/// Rows along order[0], each of them swizzled: groups of `vec` elements of a row trade
/// places by XOR of the group's number with the row's phase, which is
/// (row / perPhase) mod maxPhase. Row and column are dimensions order[1] and order[0];
/// one-dimensional tensors are not swizzled.
LinearLayout toLinearLayout(const SwizzledShared &encoding, std::span<const int64_t> shape);

/// A map by its bases.
struct SharedLinear {
  LiteralBases offsets, blocks;
  /// Alignment of the memory's start, in bytes; a power of two.
  unsigned alignment = 16;

  friend bool operator==(const SharedLinear &, const SharedLinear &) = default;
};

/// Each basis has `rank` values (`rank` > 0); together they reach every element of the
/// tensor that they span. An element may lie at several offsets.
Result<void> verify(const SharedLinear &encoding, unsigned rank);
/// The shape is the one that the bases span: nothing is repeated or wrapped.
Result<void> verifyShape(const SharedLinear &encoding, std::span<const int64_t> shape);
LinearLayout toLinearLayout(const SharedLinear &encoding, std::span<const int64_t> shape);

/// A linear order of the elements with holes: after each intervals[i] elements come
/// paddings[i] elements that hold nothing (all powers of two). At a
/// multiple of several intervals all their paddings come.
///
/// intervals [2, 4], paddings [1, 2], offsets [[1], [2], [4]], e an element, . a hole:
///
///     e0 e1 . e2 e3 . . . e4 e5 . e6 e7
struct PaddedShared {
  std::vector<unsigned> intervals, paddings;
  /// The order without the holes.
  LiteralBases offsets, blocks;

  friend bool operator==(const PaddedShared &, const PaddedShared &) = default;
};

/// There is a padding for each interval, and no interval twice. Each basis of the order
/// has `rank` values (`rank` > 0), exactly one of which is not zero, and that is a power of
/// two; together they are a bijection.
Result<void> verify(const PaddedShared &encoding, unsigned rank);
/// As for SharedLinear.
Result<void> verifyShape(const PaddedShared &encoding, std::span<const int64_t> shape);
/// The order without the holes.
LinearLayout toLinearLayout(const PaddedShared &encoding, std::span<const int64_t> shape);
/// The position of the element at `offset` of that order: offset + the holes before it.
uint64_t paddedOffset(const PaddedShared &encoding, uint64_t offset);
/// Elements from the first to the last one's end for an order of `count` elements, the
/// holes between them included: what the memory must have room for. count > 0.
uint64_t paddedSize(const PaddedShared &encoding, uint64_t count);

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_ENCODING_SHAREDENCODINGS_H
