//===- LocationTable.h - Elements and hardware locations, listed ----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A layout written out: the element in every register of every thread, or at every offset of a
// shared memory. Views print it; the compiler works with the maps.
//
// Elements are numbered row-major: the last dimension of the tensor is the fastest.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VIEW_LOCATIONTABLE_H
#define TILEWRIGHT_VIEW_LOCATIONTABLE_H

#include "layout/encoding/CooperativeMatrix.h"
#include "tilewright/layout/LinearLayout.h"
#include "view/Namespaces.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace tilewright::view {

/// Marks a location without an element: padding, or a hole between elements.
inline constexpr int64_t NoElement = -1;
/// The most locations that a table has.
inline constexpr uint64_t MaxTableLocations = uint64_t(1) << 22;

/// The coordinates of element `element` of a tensor.
std::vector<uint64_t> coordinatesOf(int64_t element, std::span<const uint64_t> shape);

/// A register of a thread.
struct HardwareLocation {
  unsigned block = 0, warp = 0, lane = 0, reg = 0;
  friend bool operator==(const HardwareLocation &, const HardwareLocation &) = default;
};

/// The elements of a distributed layout.
class LocationTable {
public:
  /// All locations empty. An error if there are more than MaxTableLocations.
  static Result<LocationTable> create(std::vector<uint64_t> shape, unsigned registers,
                                      unsigned lanes, unsigned warps, unsigned blocks);
  /// (register, lane, warp, block) -> (dim0, dim1, ..), written out.
  static Result<LocationTable> of(const LinearLayout &map);
  /// Components as registers; padding holds no element.
  static Result<LocationTable> of(const CooperativeMatrix &matrix);

  /// The tensor's sizes.
  std::span<const uint64_t> shape() const { return sizes; }
  uint64_t elementCount() const;
  unsigned registers() const { return registerCount; }
  unsigned lanes() const { return laneCount; }
  unsigned warps() const { return warpCount; }
  unsigned blocks() const { return blockCount; }

  /// The element in a location, or NoElement.
  int64_t element(HardwareLocation location) const { return elements[index(location)]; }
  void setElement(HardwareLocation location, int64_t element) {
    elements[index(location)] = element;
  }

  /// For each element, the locations that hold it, the first block's first, in it the first
  /// warp's, lane's, register's.
  std::vector<std::vector<HardwareLocation>> owners() const;

private:
  LocationTable() = default;
  size_t index(HardwareLocation location) const {
    return ((size_t(location.block) * warpCount + location.warp) * laneCount + location.lane) *
               registerCount +
           location.reg;
  }

  std::vector<uint64_t> sizes;
  unsigned registerCount = 1, laneCount = 1, warpCount = 1, blockCount = 1;
  std::vector<int64_t> elements;
};

/// The elements of a layout of shared memory.
class OffsetTable {
public:
  /// (offset, block) -> (dim0, dim1, ..), written out. Where `offsetOf` is given, the map's
  /// offsets are an order only: what it puts at o lies at offsetOf(o), which grows with o.
  static Result<OffsetTable> of(const LinearLayout &map,
                                const std::function<uint64_t(uint64_t)> &offsetOf = {});

  std::span<const uint64_t> shape() const { return sizes; }
  uint64_t elementCount() const;
  /// Offsets of a block, holes included.
  uint64_t offsets() const { return offsetCount; }
  unsigned blocks() const { return blockCount; }
  /// Whether there are holes.
  bool hasHoles() const { return holes; }

  /// The element at an offset, or NoElement in a hole.
  int64_t element(unsigned block, uint64_t offset) const {
    return elements[block * offsetCount + offset];
  }

private:
  OffsetTable() = default;
  std::vector<uint64_t> sizes;
  uint64_t offsetCount = 1;
  unsigned blockCount = 1;
  bool holes = false;
  std::vector<int64_t> elements;
};

} // namespace tilewright::view

#endif // TILEWRIGHT_VIEW_LOCATIONTABLE_H
