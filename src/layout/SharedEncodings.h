//===- SharedEncodings.h - Layouts of shared memory -----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Shared memory's layouts map (offset, block) to (dim0, dim1, ...); offset counts elements.
// Conventions are those of Encodings.h.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LAYOUT_SHAREDENCODINGS_H
#define TILEWRIGHT_LAYOUT_SHAREDENCODINGS_H

#include "layout/Encodings.h"

namespace tilewright::layout {

/// Bases given literally.
struct SharedLinear {
  std::vector<std::vector<unsigned>> offsets, blocks;
  /// Of the memory's start, in bytes; a power of two.
  unsigned alignment = 16;
};

std::string verify(const SharedLinear &encoding, unsigned rank);
LinearLayout toLinearLayout(const SharedLinear &encoding, std::span<const int64_t> shape);

/// A linear order of the elements with holes: after each intervals[i] elements come
/// paddings[i] elements that hold nothing (all powers of two).
struct PaddedShared {
  std::vector<unsigned> intervals, paddings;
  /// The order without the holes.
  std::vector<std::vector<unsigned>> offsets, blocks;
};

std::string verify(const PaddedShared &encoding, unsigned rank);
/// The order without the holes.
LinearLayout toLinearLayout(const PaddedShared &encoding, std::span<const int64_t> shape);
/// Where the element at `offset` of that order lies: offset + the holes before it.
uint64_t paddedOffset(const PaddedShared &encoding, uint64_t offset);

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_SHAREDENCODINGS_H
