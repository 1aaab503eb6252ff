//===- WarpProducts.cpp - Matrix products of a warp ---------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "simulate/machine/WarpProducts.h"

#include "runtime/arrays/SmallFloat.h"

#include <bit>

using namespace tilewright;
using namespace tilewright::simulate;
using target::MmaType;
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

/// The format of numbers of at most 16 bits.
static runtime::SmallFloatFormat formatOf(MmaType type) {
  switch (type) {
  case MmaType::Bf16:
    return runtime::bfloat16;
  case MmaType::E4m3:
    return runtime::float8E4M3;
  case MmaType::E5m2:
    return runtime::float8E5M2;
  default:
    return runtime::float16;
  }
}

static double decode(MmaType type, uint64_t bits) {
  constexpr uint32_t bitsOfTf32 = ~uint32_t(0) << 13;
  if (type == MmaType::F32 || type == MmaType::Tf32)
    return std::bit_cast<float>(static_cast<uint32_t>(bits) &
                                (type == MmaType::Tf32 ? bitsOfTf32 : ~uint32_t(0)));
  return runtime::decode(formatOf(type), static_cast<uint16_t>(bits));
}

void simulate::multiplyRoundingOnce(const WarpExchange &exchange, const WarpProduct &product) {
  const target::MmaAtom &atom = product.atom;
  multiply(
      exchange, product, [&](uint64_t bits) { return decode(atom.a, bits); },
      [&](uint64_t bits) { return decode(atom.b, bits); },
      [&](uint64_t c, const double *a, const double *b) -> uint64_t {
        double sum = decode(atom.accumulator, c);
        for (unsigned i = 0; i < atom.k; ++i)
          sum += a[i] * b[i];
        if (atom.accumulator == MmaType::F32)
          return std::bit_cast<uint32_t>(static_cast<float>(sum));
        return runtime::encode(formatOf(atom.accumulator), sum);
      });
}
