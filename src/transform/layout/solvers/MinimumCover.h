//===- MinimumCover.h - The cheapest way to meet needs --------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// An AND-OR graph. A *need* is met by one of its *ways*; a way has a cost and needs of its own, all
// of which have to be met. What costs least and meets the *roots*? A need that several ways have is
// met once and paid once.
//
//     roots: a, b       a: 5 {c}  or 7 {}       c: 3 {}       least: 5 + 3 + 1 = 9,
//                       b: 1 {c}  or 9 {}                      not 7 + 1 + 3 = 11
//
// Needs may depend on each other in circles; each of a circle is met if all of them are, as the
// values that a loop carries.
//
// Branch and bound. The bound is that of landmark cuts (M. Helmert, C. Domshlak, "Landmarks,
// critical paths and abstractions: what's the difference anyway?", ICAPS 2009), a dual ascent: as
// long as a root cannot be met by ways that cost nothing, there is a *cut*, a set of ways of which
// every cover has one. The least of their costs is added to the bound and taken off all of
// them. What remains of a way's cost tells how much more than the bound a cover with it costs: a
// way with which that is no less than the best cover known is given up. What is left to decide then
// is searched in parts that share nothing (CoverParts.h).
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_LAYOUT_SOLVERS_MINIMUMCOVER_H
#define TILEWRIGHT_TRANSFORM_LAYOUT_SOLVERS_MINIMUMCOVER_H

#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace tilewright::transform {

using NeedId = uint32_t;
using WayId = uint32_t;
inline constexpr WayId noWay = ~WayId(0);

struct CoverWay {
  NeedId of;
  int64_t cost = 0;
  llvm::SmallVector<NeedId, 3> needs;
};

/// Of these needs at most `count` may be met.
struct CoverLimit {
  llvm::SmallVector<NeedId> needs;
  unsigned count;
};

struct CoverProblem {
  size_t numNeeds = 0;
  std::vector<CoverWay> ways;
  std::vector<NeedId> roots;
  std::vector<CoverLimit> limits;

  NeedId addNeed() { return numNeeds++; }
};

struct Cover {
  /// For each need the way by which it is met, or noWay.
  std::vector<WayId> ways;
  int64_t cost = 0;
  /// No cover costs less than this; `cost`, if it is proved to be the least.
  int64_t bound = 0;
  bool isProved() const { return bound == cost; }
};

/// What the ways of a cover cost; nothing if it does not meet all it has to, or exceeds a limit.
std::optional<int64_t> costOfCover(const CoverProblem &problem, const std::vector<WayId> &ways);

/// The cheapest cover, or the best that is found after `maxNodes` nodes of the search of each part.
/// `known` is one that is known, in the form of Cover::ways. Nothing if there is none.
std::optional<Cover> findMinimumCover(const CoverProblem &problem, const std::vector<WayId> &known,
                                      size_t maxNodes);

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_LAYOUT_SOLVERS_MINIMUMCOVER_H
