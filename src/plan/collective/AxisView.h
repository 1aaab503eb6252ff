//===- AxisView.h - A layout along one axis -------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Internal to the planning of reductions, scans and gathers: what each bit of a location moves
// along the axis, and what along the other dimensions.
//
// A *location* is a word: the bits of the register's number, then the lane's, then the warp's.
// Everything here is linear in it.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PLAN_COLLECTIVE_AXISVIEW_H
#define TILEWRIGHT_PLAN_COLLECTIVE_AXISVIEW_H

#include "layout/F2.h"
#include "plan/Namespaces.h"
#include "support/Bits.h"
#include "tilewright/layout/ConversionPlan.h"
#include "tilewright/layout/LinearLayout.h"

#include <vector>

namespace tilewright::plan {

/// A linear map of a thread's number: the images of the bits of its lane, then its warp.
using ThreadMap = std::vector<uint64_t>;

class AxisView {
public:
  /// `layout` maps onto a tensor that has the dimension `axis`; its blocks are not looked at.
  AxisView(const LinearLayout &layout, Dim axis);

  unsigned registerBits, laneBits, warpBits, axisBits;
  unsigned threadBits() const { return laneBits + warpBits; }
  unsigned locationBits() const { return registerBits + threadBits(); }
  uint64_t registerPart(uint64_t location) const { return location & (unit(registerBits) - 1); }
  uint64_t threadPart(uint64_t location) const { return location >> registerBits; }
  uint64_t lanePart(uint64_t location) const { return threadPart(location) & (unit(laneBits) - 1); }

  /// For each bit of the location the coordinate along the axis, and the packed coordinates in
  /// the other dimensions, with zeros where the axis is.
  F2Vectors axis, others;
  uint64_t axisOf(uint64_t location) const { return sumOf(axis, location); }
  uint64_t othersOf(uint64_t location) const { return sumOf(others, location); }
  /// All packed coordinates.
  uint64_t coordinatesOf(uint64_t location) const {
    return othersOf(location) | axisOf(location) << shift;
  }
  /// The packed coordinates that are `value` along the axis and 0 elsewhere.
  uint64_t alongAxis(uint64_t value) const { return value << shift; }

  /// Locations that hold the same as location 0, a basis: differences of copies.
  F2Vectors copies() const;
  /// The bits of a location that are zero in exactly one location of each element.
  uint64_t freeBits() const;

  /// The parity of the bits `threads` of a thread's number.
  ThreadParity parityOf(uint64_t threads) const {
    return {static_cast<uint32_t>(threads & (unit(laneBits) - 1)),
            static_cast<uint32_t>(threads >> laneBits)};
  }

private:
  unsigned shift;
};

} // namespace tilewright::plan

#endif // TILEWRIGHT_PLAN_COLLECTIVE_AXISVIEW_H
