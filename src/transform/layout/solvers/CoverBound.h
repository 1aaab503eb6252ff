//===- CoverBound.h - A lower bound of what covers cost ---------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The bound of landmark cuts (MinimumCover.h): a dual ascent that takes the least cost of a cut off
// all of its ways, for as long as a required need cannot be met by ways that cost nothing.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_LAYOUT_SOLVERS_COVERBOUND_H
#define TILEWRIGHT_TRANSFORM_LAYOUT_SOLVERS_COVERBOUND_H

#include "transform/layout/solvers/CoverParts.h"
#include "transform/layout/solvers/MinimumCover.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>

namespace tilewright::transform {

/// Each need's and each way's place among the others.
struct CoverLinks {
  explicit CoverLinks(const CoverProblem &problem)
      : waysOf(problem.numNeeds), waysWith(problem.numNeeds), limitsOf(problem.numNeeds) {
    for (auto [number, way] : llvm::enumerate(problem.ways)) {
      waysOf[way.of].push_back(number);
      for (NeedId need : way.needs)
        waysWith[need].push_back(number);
    }
    for (auto [number, limit] : llvm::enumerate(problem.limits))
      for (NeedId need : limit.needs)
        limitsOf[need].push_back(number);
  }

  std::vector<llvm::SmallVector<WayId, 4>> waysOf, waysWith;
  std::vector<llvm::SmallVector<size_t, 1>> limitsOf;
};

/// The bound of what is still to be decided, and a cover that costs as much if no cut counted one
/// of its ways twice.
struct CoverAscent {
  int64_t bound = 0;
  bool isPossible = true;
  /// By way: what is left of its cost.
  std::vector<int64_t> rest;
  /// By need: when it was found that ways without cost do not meet it; never for those they do.
  std::vector<uint32_t> rank;
  struct Cut {
    int64_t cost;
    llvm::SmallVector<WayId, 8> ways;
  };
  std::vector<Cut> cuts;

  static constexpr uint32_t never = std::numeric_limits<uint32_t>::max();
  /// Whether ways without cost meet the need.
  bool isMet(NeedId need) const { return rank[need] == never; }
  /// Whether nothing of the way is left to pay.
  bool isFree(const CoverState &state, WayId way) const {
    return state.isOpen[way] && rest[way] == 0;
  }
};

class CoverBound {
public:
  CoverBound(const CoverProblem &problem, const CoverLinks &links)
      : problem(problem), links(links) {}

  /// The bound of the covers that `state` leaves. The ascent ends where it reaches `limit`.
  CoverAscent ascend(const CoverState &state, int64_t limit) const;

private:
  void rankNeeds(const CoverState &state, CoverAscent &ascent) const;
  enum class CutResult { Found, Outdated, Impossible };
  CutResult cut(const CoverState &state, CoverAscent &ascent, NeedId root) const;

  const CoverProblem &problem;
  const CoverLinks &links;
};

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_LAYOUT_SOLVERS_COVERBOUND_H
