//===- TensorMemory.cpp - Tiles of tensor memory as maps ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "layout/encoding/TensorMemory.h"

#include "support/Bits.h"

#include <algorithm>

namespace tilewright::layout::nvidia {

using layout::Dim;
using layout::LinearLayout;
namespace dims = layout::dims;

Dim rowDim() {
  static const Dim dim = Dim::get("row");
  return dim;
}

Dim columnDim() {
  static const Dim dim = Dim::get("column");
  return dim;
}

namespace {

/// A tile of `rows` x `columns` elements. `rowImages`: where the bits of a memory row lead, packed
/// for (dim0, dim1); `columnBits` bits of the column lead along dim1.
LinearLayout makeTile(unsigned rows, unsigned columns, unsigned columnBits,
                      std::span<const uint64_t> rowImages, unsigned colStride) {
  std::vector<uint64_t> bases(rowImages.begin(), rowImages.end());
  for (unsigned i = 1; i < colStride; i *= 2)
    bases.push_back(0);
  for (unsigned i = 0; i < columnBits; ++i)
    bases.push_back(uint64_t(rows) << i);
  const auto rowCount = static_cast<unsigned>(rowImages.size());
  const unsigned strideBits = log2Of(colStride);
  return LinearLayout::fromPacked(
      {SizedDim{rowDim(), rowCount}, SizedDim{columnDim(), strideBits + columnBits}},
      {SizedDim{dims::Dim0, log2Of(rows)}, SizedDim{dims::Dim1, log2Of(columns)}}, bases);
}

} // namespace

LinearLayout toLinearLayout(const TensorMemory &encoding, std::span<const int64_t> shape) {
  const std::vector<int64_t> own = shapePerBlock(shape, encoding.cluster);
  const auto ownRows = static_cast<unsigned>(own[0]), ownColumns = static_cast<unsigned>(own[1]);
  const unsigned blockN = std::min(encoding.blockN, ownColumns);
  unsigned rows = encoding.blockM, columns = blockN, columnBits = log2Of(blockN);
  std::vector<uint64_t> images;
  if (encoding.blockM == 64 && encoding.twoBlocks) {
    --columnBits;
    images = {1, 2, 4, 8, 16, 32, uint64_t(64) << columnBits};
  } else if (encoding.blockM == 64) {
    uint64_t spare = 0;
    if (ownRows > 64) {
      rows = 128;
      spare = 64;
    } else if (ownColumns > blockN) {
      columns = 2 * blockN;
      spare = uint64_t(64) << columnBits;
    }
    images = {1, 2, 4, 8, spare, 16, 32};
  } else {
    images = {1, 2, 4, 8, 16, 32, 64};
  }
  const LinearLayout tile = makeTile(rows, columns, columnBits, images, encoding.colStride);
  return tile * LinearLayout::identity1D(ownRows / rows, columnDim(), dims::Dim0) *
         LinearLayout::identity1D(ownColumns / columns, columnDim(), dims::Dim1);
}

LinearLayout scalesToLinearLayout(std::span<const int64_t> shape) {
  const auto rows = static_cast<unsigned>(shape[0]), groups = static_cast<unsigned>(shape[1]);
  const unsigned tileRows = std::min(rows, 32u), tileGroups = std::min(groups, 4u);
  // What a smaller tensor leaves of a tile is a hole.
  return LinearLayout::identity1D(tileRows, rowDim(), dims::Dim0) *
         LinearLayout::zeros1D(128 / tileRows, rowDim(), dims::Dim0) *
         LinearLayout::identity1D(tileGroups, columnDim(), dims::Dim1) *
         LinearLayout::zeros1D(4 / tileGroups, columnDim(), dims::Dim1) *
         LinearLayout::identity1D(rows / tileRows, columnDim(), dims::Dim0) *
         LinearLayout::identity1D(groups / tileGroups, columnDim(), dims::Dim1);
}

} // namespace tilewright::layout::nvidia
