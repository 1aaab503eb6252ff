//===- tilewright-ulp.cpp - The table of errors of docs/math.md ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
//   tilewright-ulp [STRIDE [COUNT [NAME..]]]
//
// prints, for each formula, the largest error found: over every STRIDE-th f32 (1 for all of
// them) for functions of one f32, and over COUNT random inputs for all others.
//
//===--------------------------------------------------------------------------===//

#include "FormulaAccuracy.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

using namespace tilewright::test;

int main(int argc, char **argv) {
  Sample sample;
  sample.stride = argc > 1 ? std::max(1l, std::atol(argv[1])) : 1009;
  sample.count = argc > 2 ? std::atol(argv[2]) : 1000000;
  std::vector<std::string> names(argv + std::min(argc, 3), argv + argc);
  std::printf("| function | f32: ulp | at | f64: ulp | at |\n|---|---|---|---|---|\n");
  for (const MeasuredFormula &formula : measuredFormulas()) {
    if (!names.empty() && std::ranges::find(names, formula.name) == names.end())
      continue;
    Accuracy single = measureSingle(formula.name, sample);
    Accuracy wide = measureDouble(formula.name, sample);
    std::printf("| %s | %.2f | %.9g, %.9g | %.2f | %.17g, %.17g |\n", formula.name.c_str(),
                single.ulps, single.x, single.y, wide.ulps, wide.x, wide.y);
    if (single.wrongLimits)
      std::printf("wrong limit, f32: %llu, first at %.9g, %.9g\n",
                  static_cast<unsigned long long>(single.wrongLimits), single.wrongX,
                  single.wrongY);
    if (wide.wrongLimits)
      std::printf("wrong limit, f64: %llu, first at %.17g, %.17g\n",
                  static_cast<unsigned long long>(wide.wrongLimits), wide.wrongX, wide.wrongY);
    std::fflush(stdout);
  }
}
