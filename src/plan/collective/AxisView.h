//===- AxisView.h - A layout seen along one axis --------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Internal to the planning of reductions, scans and gathers: what each bit of a place moves
// along the axis, and what along the other dimensions.
//
// A *place* is a word: the bits of the register's number, then the lane's, then the warp's.
// Everything here is linear in it.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PLAN_COLLECTIVE_AXISVIEW_H
#define TILEWRIGHT_PLAN_COLLECTIVE_AXISVIEW_H

#include "layout/F2.h"
#include "layout/LinearLayout.h"
#include "plan/Namespaces.h"
#include "plan/conversion/ConversionPlan.h"
#include "support/Bits.h"

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
  uint64_t registerPart(uint64_t place) const { return place & (unit(registerBits) - 1); }
  uint64_t threadPart(uint64_t place) const { return place >> registerBits; }
  uint64_t lanePart(uint64_t place) const { return threadPart(place) & (unit(laneBits) - 1); }

  /// For each bit of the place the coordinate along the axis, and the packed coordinates in
  /// the other dimensions, with zeros where the axis is.
  F2Vectors axis, others;
  uint64_t axisOf(uint64_t place) const { return sumOf(axis, place); }
  uint64_t othersOf(uint64_t place) const { return sumOf(others, place); }
  /// All packed coordinates.
  uint64_t coordinatesOf(uint64_t place) const { return othersOf(place) | axisOf(place) << shift; }
  /// The packed coordinates that are `value` along the axis and 0 elsewhere.
  uint64_t alongAxis(uint64_t value) const { return value << shift; }

  /// LayoutBases that hold the same as place 0, a basis: differences of copies.
  F2Vectors copies() const;
  /// The bits of a place that are zero in exactly one place of each element.
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
