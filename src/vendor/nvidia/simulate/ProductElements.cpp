//===- ProductElements.cpp - Elements of the operands of products -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/simulate/ProductElements.h"

using namespace tilewright;
using namespace tilewright::simulate;
using target::MmaType;
namespace dims = layout::dims;

bool nvidia::isInteger(MmaType type) {
  return type == MmaType::S32 || type == MmaType::S8 || type == MmaType::U8;
}

int64_t nvidia::decodeInteger(MmaType type, uint64_t bits) {
  if (type == MmaType::S32)
    return static_cast<int32_t>(bits);
  return type == MmaType::U8 ? static_cast<int64_t>(bits) : static_cast<int8_t>(bits);
}

std::vector<uint32_t> nvidia::getPlaces(const layout::LinearLayout &map, bool inColumns) {
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
