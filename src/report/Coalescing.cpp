//===- Coalescing.cpp - Sectors that accesses of a warp touch -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "report/Coalescing.h"

#include "llvm/Support/MathExtras.h"

#include <set>

using namespace tilewright;
using namespace tilewright::report;
using namespace tilewright::layout;
using transform::AxisInfo;
using transform::DimInfo;

namespace {

/// A run of neighbours in memory: what tells it from others, and the element's place in it.
struct InRun {
  std::vector<uint64_t> run;
  uint64_t element = 0;
};

InRun placeInRun(llvm::ArrayRef<uint64_t> coordinates, const AxisInfo &address, unsigned dim) {
  InRun result;
  for (auto [d, coordinate] : llvm::enumerate(coordinates)) {
    const DimInfo &info = address.dims[d];
    const uint64_t group = d == dim && info.contiguity > 1 ? info.contiguity : info.constancy;
    result.run.push_back(coordinate / group);
    if (d == dim && info.contiguity > 1)
      result.element = coordinate % group;
  }
  return result;
}

} // namespace

unsigned report::countNeighbours(const LinearLayout &layout, unsigned dim) {
  unsigned count = 1;
  auto isHeld = [&](uint64_t coordinate) {
    for (unsigned bit = 0; bit < layout.inBits(dims::Register); ++bit)
      if (layout.basis(dims::Register, bit) == coordinate << layout.outShift(Dim::tensor(dim)))
        return true;
    return false;
  };
  while (count < layout.outSize(Dim::tensor(dim)) && isHeld(count))
    count *= 2;
  return count;
}

WarpAccess report::describeWarpAccess(const LinearLayout &layout, const AxisInfo &address,
                                      unsigned dim, unsigned elements, unsigned elementBytes,
                                      unsigned sectorBytes) {
  std::set<std::vector<uint64_t>> sectors, seen;
  for (uint64_t lane = 0; lane < layout.inSize(dims::Lane); ++lane) {
    std::vector<uint64_t> coordinates;
    for (const DimValue &value :
         layout.apply({{dims::Register, 0}, {dims::Lane, lane}, {dims::Warp, 0}, {dims::Block, 0}}))
      coordinates.push_back(value.value);
    for (unsigned i = 0; i < elements; ++i, ++coordinates[dim]) {
      InRun at = placeInRun(coordinates, address, dim);
      std::vector<uint64_t> sector = at.run;
      at.run.push_back(at.element);
      seen.insert(at.run);
      sector.push_back(at.element * elementBytes / sectorBytes);
      sectors.insert(sector);
    }
  }
  WarpAccess access;
  access.elements = elements;
  access.bytes = seen.size() * elementBytes;
  access.sectors = sectors.size();
  access.leastSectors = llvm::divideCeil(access.bytes, sectorBytes);
  return access;
}
