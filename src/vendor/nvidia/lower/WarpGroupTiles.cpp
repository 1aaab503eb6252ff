//===- WarpGroupTiles.cpp - Tensors as tiles of wgmma -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/lower/WarpGroupTiles.h"

#include <algorithm>

using namespace tilewright;
using namespace tilewright::vendor::nvidia;
using layout::LinearLayout;
namespace dims = layout::dims;

/// log2 of the warps of a warpgroup, and the rows of an instruction.
static constexpr unsigned warpBits = 2, tileRows = 64;

RegisterTiles::RegisterTiles(const LinearLayout &layout) : layout(layout) {
  places.push_back(0);
  for (uint64_t basis : layout.bases(dims::Register))
    for (size_t i = 0, count = places.size(); i < count; ++i)
      places.push_back(places[i] ^ basis);
}

int RegisterTiles::find(uint64_t row, uint64_t column) const {
  if (row >= layout.outSize(dims::Dim0) || column >= layout.outSize(dims::Dim1))
    return -1;
  const uint64_t place = row << layout.outShift(dims::Dim0) | column << layout.outShift(dims::Dim1);
  auto found = std::ranges::find(places, place);
  return found == places.end() ? -1 : static_cast<int>(found - places.begin());
}

std::vector<unsigned> RegisterTiles::registersOf(const target::AtomOperand &operand, uint64_t row,
                                                 uint64_t column) const {
  std::vector<unsigned> registers;
  const LinearLayout &map = operand.map;
  for (uint64_t i = 0; i < map.inSize(dims::Register); ++i) {
    const uint64_t place = map.applyFlat(i << map.inShift(dims::Register));
    const int found =
        find(row + map.outValue(place, dims::Dim0), column + map.outValue(place, dims::Dim1));
    if (found < 0)
      return {};
    registers.push_back(found);
  }
  return registers;
}

bool RegisterTiles::hasThreadsOf(const target::AtomOperand &operand) const {
  for (layout::Dim in : {dims::Lane, dims::Warp})
    for (unsigned bit = 0; bit < operand.map.inBits(in); ++bit)
      for (layout::Dim out : {dims::Dim0, dims::Dim1})
        if (bit >= layout.inBits(in) ||
            layout.basis(in, bit, out) != operand.map.basis(in, bit, out))
          return false;
  return true;
}

Result<AccumulatorTiles> vendor::nvidia::tileAccumulator(const LinearLayout &layout,
                                                         const layout::nvidia::Mma &mma) {
  const uint64_t rows = layout.outSize(dims::Dim0), columns = layout.outSize(dims::Dim1);
  if (mma.warpsPerCTA[0] % (1 << warpBits) != 0)
    return Failure("four warps, which follow one another along M, do one instruction of wgmma, but "
                   "warpsPerCTA has " +
                   std::to_string(mma.warpsPerCTA[0]) + " there");
  if (rows < tileRows)
    return Failure("an instruction of wgmma has " + std::to_string(tileRows) +
                   " rows, but the result has " + std::to_string(rows));
  AccumulatorTiles tiles;
  tiles.columns = std::min<uint64_t>(mma.instrShape[1], columns);
  tiles.rowStep = uint64_t(mma.instrShape[0]) * mma.warpsPerCTA[0];
  tiles.columnStep = uint64_t(mma.instrShape[1]) * mma.warpsPerCTA[1];
  tiles.rowTiles = std::max<uint64_t>(1, rows / tiles.rowStep);
  tiles.columnTiles = std::max<uint64_t>(1, columns / tiles.columnStep);
  for (unsigned bit = 0; bit < layout.inBits(dims::Warp); ++bit) {
    const bool isInside = bit < warpBits;
    tiles.rowOfWarp.push_back(isInside ? 0 : layout.basis(dims::Warp, bit, dims::Dim0));
    tiles.columnOfWarp.push_back(isInside ? 0 : layout.basis(dims::Warp, bit, dims::Dim1));
  }
  return tiles;
}
