//===- layouts.cpp - Layouts and plans of conversions -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The algebra and the planner without a compiler around them: which thread of one layout holds what
// another thread needs in another layout, and the cheapest way to bring it there on a GPU.
//
//   tilewright-layouts [TARGET ...]        by default one of each vendor
//
//===--------------------------------------------------------------------------===//

#include "tilewright/layout/ConversionPlan.h"
#include "tilewright/layout/LinearLayout.h"

#include <iostream>

using namespace tilewright;
using namespace tilewright::layout;
using namespace tilewright::plan;

int main(int argc, char **argv) {
  // The accumulator of a matrix instruction, 16 x 8: a lane has two neighbors in a row, and two
  // more eight rows below.
  Result<LinearLayout> fragment =
      LinearLayout::parse("{register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], "
                          "[2, 0], [4, 0]]} -> {dim0 = 16, dim1 = 8}");
  if (!fragment) {
    std::cerr << fragment.error() << '\n';
    return 1;
  }
  // Eight of them side by side in a warp's registers, four warps below each other: 64 x 64.
  LinearLayout tile = *fragment * LinearLayout::identity1D(8, dims::Register, dims::Dim1) *
                      LinearLayout::identity1D(4, dims::Warp, dims::Dim0);

  // What stores to memory want: eight neighbors of a row in a lane, eight lanes in a row.
  LinearLayout rows = LinearLayout::identity1D(8, dims::Register, dims::Dim1) *
                      LinearLayout::identity1D(8, dims::Lane, dims::Dim1) *
                      LinearLayout::identity1D(4, dims::Lane, dims::Dim0) *
                      LinearLayout::identity1D(4, dims::Warp, dims::Dim0) *
                      LinearLayout::identity1D(4, dims::Register, dims::Dim0);

  // From where an element is to where it has to be.
  LinearLayout conversion = tile.invertAndCompose(rows.transposeOuts({dims::Dim0, dims::Dim1}));
  std::cout << "register 2 of lane 0 of warp 0 goes to";
  for (DimValue at : conversion.apply({{dims::Register, 2}}))
    std::cout << ' ' << at.dim.name() << ' ' << at.value;
  std::cout << '\n';

  std::vector<std::string_view> targets(argv + 1, argv + argc);
  if (targets.empty())
    targets = {"cuda:90", "hip:gfx1201", "xpu:bmg"};
  for (std::string_view target : targets) {
    Result<ConversionPlan> plan = planConversion(tile, rows, /*elementBits=*/16, target);
    if (!plan) {
      std::cerr << target << ": " << plan.error() << '\n';
      return 1;
    }
    std::cout << target << ": cost " << plan->cost;
    if (plan->kind == ConversionPlan::Kind::Shuffles)
      std::cout << ", " << plan->shuffles.shuffleCount() << " shuffles";
    if (plan->kind == ConversionPlan::Kind::SharedMemory)
      std::cout << ", " << plan->shared.storeCount() << " " << plan->shared.storeAtomName() << ", "
                << plan->shared.loadCount() << " " << plan->shared.loadAtomName() << ", "
                << plan->shared.storeConflicts + plan->shared.loadConflicts << " bank conflicts";
    std::cout << '\n';
  }
  return 0;
}
