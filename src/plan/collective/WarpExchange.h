//===- WarpExchange.h - Plans of exchanging values between warps ----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Reductions and scans come to a point where each warp has a *partial* value for each group of
// locations, and every thread wants the partials of all warps along the axis. One thread of each
// group stores; after one barrier each thread loads what the warps have stored. There is one
// word of scratch memory for each value, and no more.
//
// Offsets count elements of one operand. They are a linear map of the location: XOR of a part
// that depends on the thread, one that depends on the partial, and, in loads, one that depends
// on the warp whose value is wanted.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PLAN_COLLECTIVE_WARPEXCHANGE_H
#define TILEWRIGHT_PLAN_COLLECTIVE_WARPEXCHANGE_H

#include "plan/Namespaces.h"
#include "plan/collective/AxisView.h"
#include "target/ExchangeModel.h"
#include "tilewright/layout/ConversionPlan.h"

#include <cstdint>
#include <vector>

namespace tilewright::plan {

struct WarpExchange {
  /// Offsets at which a thread stores its partials, and from which it loads those of all warps.
  ThreadMap storeBases, loadBases;
  /// The part of each partial in stores and in loads, and that of each warp's value.
  std::vector<uint32_t> storeOffsets, loadOffsets, warpOffsets;
  /// Partials (of consecutive numbers) that are neighbours: one store takes them, and one load.
  unsigned partialVector = 1;
  /// Warps' values of one partial that are neighbours: one load takes them. One of the two
  /// vector sizes is 1.
  unsigned warpVector = 1;
  /// The threads that store, such that each value is stored once. Every thread of these has
  /// all partials that are stored at its offsets.
  ThreadCondition storing;
  /// Elements of scratch memory for one operand.
  uint64_t elements = 0;
};

/// The request of an exchange.
struct WarpExchangeRequest {
  /// Locations that differ by these have the same partial.
  F2Vectors constant;
  /// Directions along the axis, independent along it; the last `exchanged` are those between
  /// whose locations values are exchanged, the first the lowest bit of the number of a value.
  F2Vectors directions;
  unsigned exchanged = 0;
  /// Registers: partial k is that of the sum of those whose bit k has set.
  F2Vectors partials;
  /// log2 of the elements that one access takes at most.
  unsigned maxVectorBits = 0;
};

WarpExchange planWarpExchange(const AxisView &view, const WarpExchangeRequest &request);

} // namespace tilewright::plan

#endif // TILEWRIGHT_PLAN_COLLECTIVE_WARPEXCHANGE_H
