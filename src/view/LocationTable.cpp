//===- LocationTable.cpp - Elements and hardware locations, listed ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "view/LocationTable.h"

#include <numeric>

namespace tilewright::view {

namespace {

std::vector<uint64_t> shapeOf(const LinearLayout &map) {
  std::vector<uint64_t> shape;
  for (SizedDim out : map.outs())
    shape.push_back(out.size());
  return shape;
}

uint64_t productOf(std::span<const uint64_t> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), uint64_t(1), std::multiplies<>());
}

/// The row-major number of a packed output, whose first dimension is in the lowest bits.
int64_t elementOf(const LinearLayout &map, uint64_t packed) {
  uint64_t number = 0;
  for (SizedDim out : map.outs()) {
    number = number * out.size() + (packed & (out.size() - 1));
    packed >>= out.bits;
  }
  return static_cast<int64_t>(number);
}

std::string tooMany() {
  return "the layout has more than " + std::to_string(MaxTableLocations) +
         " locations to write out";
}

} // namespace

std::vector<uint64_t> coordinatesOf(int64_t element, std::span<const uint64_t> shape) {
  std::vector<uint64_t> coordinates(shape.size());
  auto rest = static_cast<uint64_t>(element);
  for (size_t d = shape.size(); d-- > 0;) {
    coordinates[d] = rest % shape[d];
    rest /= shape[d];
  }
  return coordinates;
}

//===--------------------------------------------------------------------------===//
// LocationTable
//===--------------------------------------------------------------------------===//

Result<LocationTable> LocationTable::create(std::vector<uint64_t> shape, unsigned registers,
                                            unsigned lanes, unsigned warps, unsigned blocks) {
  uint64_t locations = 1;
  for (uint64_t count : {registers, lanes, warps, blocks}) {
    if (count > MaxTableLocations / locations)
      return Failure(tooMany());
    locations *= count;
  }
  LocationTable table;
  table.sizes = std::move(shape);
  table.registerCount = registers;
  table.laneCount = lanes;
  table.warpCount = warps;
  table.blockCount = blocks;
  table.elements.assign(locations, NoElement);
  return table;
}

Result<LocationTable> LocationTable::of(const LinearLayout &map) {
  if (map.totalInBits() > 32)
    return Failure(tooMany());
  auto sizeOf = [&](Dim dim) { return static_cast<unsigned>(map.inSize(dim)); };
  Result<LocationTable> created = create(shapeOf(map), sizeOf(dims::Register), sizeOf(dims::Lane),
                                         sizeOf(dims::Warp), sizeOf(dims::Block));
  if (!created)
    return created;
  LocationTable table = *std::move(created);
  LinearLayout ordered = map.transposeIns({dims::Register, dims::Lane, dims::Warp, dims::Block});
  for (size_t location = 0; location < table.elements.size(); ++location)
    table.elements[location] = elementOf(map, ordered.applyFlat(location));
  return table;
}

Result<LocationTable> LocationTable::of(const CooperativeMatrix &matrix) {
  auto columns = static_cast<uint64_t>(matrix.columns());
  Result<LocationTable> created = create({static_cast<uint64_t>(matrix.rows()), columns},
                                         static_cast<unsigned>(matrix.componentCount()),
                                         static_cast<unsigned>(matrix.subgroupSize()), 1, 1);
  if (!created)
    return created;
  LocationTable table = *std::move(created);
  for (unsigned lane = 0; lane < table.lanes(); ++lane)
    for (unsigned reg = 0; reg < table.registers(); ++reg)
      if (auto element = matrix.element(CooperativeMatrix::Location{lane, reg}))
        table.setElement({0, 0, lane, reg}, element->row * matrix.columns() + element->column);
  return table;
}

uint64_t LocationTable::elementCount() const { return productOf(sizes); }

std::vector<std::vector<HardwareLocation>> LocationTable::owners() const {
  std::vector<std::vector<HardwareLocation>> result(elementCount());
  HardwareLocation location;
  for (int64_t element : elements) {
    if (element != NoElement)
      result[static_cast<size_t>(element)].push_back(location);
    if (++location.reg < registerCount)
      continue;
    location.reg = 0;
    if (++location.lane < laneCount)
      continue;
    location.lane = 0;
    if (++location.warp < warpCount)
      continue;
    location.warp = 0;
    ++location.block;
  }
  return result;
}

//===--------------------------------------------------------------------------===//
// OffsetTable
//===--------------------------------------------------------------------------===//

uint64_t OffsetTable::elementCount() const { return productOf(sizes); }

Result<OffsetTable> OffsetTable::of(const LinearLayout &map,
                                    const std::function<uint64_t(uint64_t)> &offsetOf) {
  if (map.totalInBits() > 32)
    return Failure(tooMany());
  OffsetTable table;
  table.sizes = shapeOf(map);
  table.blockCount = static_cast<unsigned>(map.inSize(dims::Block));
  uint64_t ordered = map.inSize(dims::Offset);
  auto placed = [&](uint64_t offset) { return offsetOf ? offsetOf(offset) : offset; };
  table.offsetCount = placed(ordered - 1) + 1;
  if (table.offsetCount > MaxTableLocations / table.blockCount)
    return Failure(tooMany());
  table.holes = table.offsetCount > ordered;
  table.elements.assign(table.offsetCount * table.blockCount, NoElement);
  for (unsigned block = 0; block < table.blockCount; ++block)
    for (uint64_t offset = 0; offset < ordered; ++offset) {
      uint64_t in = offset << map.inShift(dims::Offset);
      if (map.hasIn(dims::Block))
        in |= uint64_t(block) << map.inShift(dims::Block);
      table.elements[block * table.offsetCount + placed(offset)] =
          elementOf(map, map.applyFlat(in));
    }
  return table;
}

} // namespace tilewright::view
