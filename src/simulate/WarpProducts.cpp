//===- WarpProducts.cpp - Matrix products of a warp ---------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "simulate/WarpProducts.h"

using namespace tilewright;
using namespace tilewright::simulate;
namespace dims = layout::dims;

std::vector<uint32_t> simulate::getPlaces(const layout::LinearLayout &map, bool inColumns) {
  const layout::Dim row = inColumns ? dims::Dim1 : dims::Dim0,
                    column = inColumns ? dims::Dim0 : dims::Dim1;
  std::vector<uint32_t> places;
  for (uint64_t warp = 0; warp < map.inSize(dims::Warp); ++warp)
    for (uint64_t lane = 0; lane < map.inSize(dims::Lane); ++lane)
      for (uint64_t reg = 0; reg < map.inSize(dims::Register); ++reg) {
        const uint64_t element =
            map.applyFlat(reg << map.inShift(dims::Register) | lane << map.inShift(dims::Lane) |
                          warp << map.inShift(dims::Warp));
        places.push_back(static_cast<uint32_t>(map.outValue(element, row) * map.outSize(column) +
                                               map.outValue(element, column)));
      }
  return places;
}

static ProductFragment fragmentOf(const layout::LinearLayout &map, unsigned elementBytes,
                                  bool inColumns, unsigned begin) {
  return {static_cast<unsigned>(map.inSize(dims::Register)), elementBytes, begin,
          getPlaces(map, inColumns)};
}

WarpProduct::WarpProduct(const target::MmaAtom &atom, unsigned aBytes, unsigned bBytes)
    : atom(atom), a(fragmentOf(atom.aOperand.map, aBytes, false, 0)),
      b(fragmentOf(atom.bOperand.map, bBytes, true, a.end())),
      sum(fragmentOf(atom.accumulatorOperand.map, target::bitsOf(atom.accumulator) / 8, false,
                     b.end())) {}
