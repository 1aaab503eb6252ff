//===- TensorMemory.h - Tiles of tensor memory as maps --------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Tensor memory has 128 rows, of which a warp reaches the 32 of its number modulo 4, and columns of
// one word of 32 bits a row. An encoding is a map (row, column) -> (dim0, dim1). Columns are
// counted in elements here: several of them share a word where an element is narrower.
//
// Where the map takes a bit of a place to zero there are two meanings. A zero row of an accumulator
// of 64 rows, and a zero column of spread elements, is a hole: nothing of the tensor is there. The
// zero rows of scales are copies: hardware reads them in all four groups of rows.
//
// Sources: PTX ISA, "tcgen05: Data Path Layout Organization" (layouts B, D, F) and "Scale factor
// layouts"; Triton 3.6, tensorMemoryToLinearLayout.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LAYOUT_ENCODING_TENSORMEMORY_H
#define TILEWRIGHT_LAYOUT_ENCODING_TENSORMEMORY_H

#include "layout/encoding/Encodings.h"

namespace tilewright::layout::nvidia {

/// The inputs of the maps.
Dim rowDim();
Dim columnDim();

/// Rows of tensor memory, and those that one warp reaches.
inline constexpr unsigned tensorMemoryRows = 128;
inline constexpr unsigned rowsOfWarp = 32;

/// Blocks of blockM x blockN elements, one every `colStride` places of a row. blockM is 64 or 128.
/// A block of 64 rows takes 16 of each warp's 32 rows; the other 16 have the next block, if there
/// is one. With `twoBlocks`, which is for two blocks of a cluster that make one product, 64 rows
/// take 64 rows of memory in a row, and the other 64 have the right half of the columns.
struct TensorMemory {
  unsigned blockM = 128;
  unsigned blockN = 128;
  unsigned colStride = 1;
  bool twoBlocks = false;
  ClusterBases cluster = {};

  friend bool operator==(const TensorMemory &, const TensorMemory &) = default;
};

/// (row, column) -> (dim0, dim1) of one block's part of a tensor of `shape`, two powers of two that
/// the blocks divide. Blocks follow one another along columns, those of dim0 first.
LinearLayout toLinearLayout(const TensorMemory &encoding, std::span<const int64_t> shape);

/// The same for scales, of `shape` rows by groups along K, which have a byte each: 32 rows by 4 a
/// word, copied to all four groups of memory rows, then further rows, then further groups.
LinearLayout scalesToLinearLayout(std::span<const int64_t> shape);

} // namespace tilewright::layout::nvidia

#endif // TILEWRIGHT_LAYOUT_ENCODING_TENSORMEMORY_H
