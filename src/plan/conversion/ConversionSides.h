//===- ConversionSides.h - Both layouts of a conversion in source coordinates -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PLAN_CONVERSION_CONVERSIONSIDES_H
#define TILEWRIGHT_PLAN_CONVERSION_CONVERSIONSIDES_H

#include "plan/Namespaces.h"
#include "plan/shared/LayoutBases.h"
#include "tilewright/layout/ConversionPlan.h"

#include <optional>

namespace tilewright::plan {

/// The two sides of a conversion through memory. Elements are in coordinates of the source:
/// bit i is the i-th of those bits of (register, lane, warp) that are no copies. So
/// what src holds in one of those is a unit vector.
struct ConversionSides {
  LayoutBases src, dst;
  /// The number of coordinates.
  unsigned dimension = 0;
  /// The lane and warp bits of src that are redundant: threads in which one of
  /// them is set have nothing to store.
  ThreadParity copies;
  /// Whether all data stays in its warp.
  bool sameWarps = false;

  /// Nothing if dst needs an element that its block does not hold.
  static std::optional<ConversionSides> of(const LayoutBases &src, const LayoutBases &dst);
};

} // namespace tilewright::plan

#endif // TILEWRIGHT_PLAN_CONVERSION_CONVERSIONSIDES_H
