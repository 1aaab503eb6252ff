//===- GreedySolver.h - Layouts chosen one after the other ----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Solves a LayoutProblem in two steps and time proportional to its size, and tries again where that
// leaves much to save.
//
// Anchors, in program order. The layout of a fixed variable (a wide load above all) is its
// *anchor* and that of what is computed from it; where anchors meet, the one with the cheaper
// conversions wins. What depends on no fixed variable (addresses, masks, constants) has no anchor,
// nor has what is computed from staged variables alone.
//
// Versions, on demand. Users demand their operands in the layouts they have. A variable that is
// wanted in a layout is either computed in it (it then has a version in that layout, and demands
// its operands accordingly) or converted from another version, whichever is cheaper: converting a
// broadcast's operand instead of its result, or recomputing addresses, follows from the same
// comparison. What has no anchor is computed in the first layout wanted.
//
// That may be one in which threads repeat each other's work. So there are second tries: of the
// variables without an anchor, those that could be computed for much less in another layout of the
// program get it as their anchor, one after the other, if the whole then costs clearly less. They
// are few, and where nothing is dear there are none.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_LAYOUT_SOLVERS_GREEDYSOLVER_H
#define TILEWRIGHT_TRANSFORM_LAYOUT_SOLVERS_GREEDYSOLVER_H

#include "transform/layout/problem/LayoutProblem.h"

namespace tilewright::transform {

/// A solution that is right for `problem`.
LayoutSolution solveGreedily(LayoutProblem &problem);

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_LAYOUT_SOLVERS_GREEDYSOLVER_H
