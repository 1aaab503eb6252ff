//===- CoverParts.h - Parts of a cover that share nothing -----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The open decisions of a cover often fall into parts, each of which can be searched for itself:
// two needs are in one part if a way of one has the other, or if a limit has both. Needs that are
// met already connect nothing, nor do those that can be met for nothing:
//
//     roots: a, b      a: 5 {c} or 7 {d}      b: 1 {c} or 2 {e}      c: 0 {}
//
// has the parts {a, d} and {b, e}.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_LAYOUT_SOLVERS_COVERPARTS_H
#define TILEWRIGHT_TRANSFORM_LAYOUT_SOLVERS_COVERPARTS_H

#include "transform/layout/solvers/MinimumCover.h"

namespace tilewright::transform {

/// How far the search for a cover is.
struct CoverState {
  /// By way: it is not given up.
  std::vector<bool> isOpen;
  /// By need: it has to be met.
  std::vector<bool> isRequired;
  /// By need: the way that is taken for it, or noWay. Such a need is required.
  std::vector<WayId> taken;
  /// The cost of the taken ways.
  int64_t cost = 0;
};

/// A part of a problem as a problem of its own.
struct CoverPart {
  CoverProblem problem;
  /// The numbers of its needs and ways in the whole.
  std::vector<NeedId> needs;
  std::vector<WayId> ways;

  /// The ways of a cover of the whole that are ways of the part.
  std::vector<WayId> restrict(const std::vector<WayId> &whole) const;
};

class CoverParts {
public:
  /// `state` stays as it is while this is in use.
  CoverParts(const CoverProblem &problem, const CoverState &state);

  std::vector<CoverPart> parts;

  /// Makes a cover of the whole of the ways that are taken and those of the parts, which are in
  /// `ways`: adds the needs that are met for nothing.
  void complete(std::vector<WayId> &ways) const;

private:
  void findFreeWays();
  void findOpenNeeds();
  void divide();
  void addLimits();
  bool isBinding(const CoverLimit &limit, size_t left) const;
  size_t countTaken(const CoverLimit &limit) const;
  bool isMet(NeedId need) const { return state.taken[need] != noWay || freeWays[need] != noWay; }

  const CoverProblem &problem;
  const CoverState &state;
  std::vector<llvm::SmallVector<WayId, 4>> openWays;
  /// By need: a way that costs nothing and has only such needs, or needs that are met.
  std::vector<WayId> freeWays;
  /// By need: it is left to decide, or may become so.
  std::vector<bool> isLeft;
  /// By need: its part, and its number there.
  std::vector<size_t> partOf, numberOf;
};

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_LAYOUT_SOLVERS_COVERPARTS_H
