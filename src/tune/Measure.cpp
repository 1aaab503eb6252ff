//===- Measure.cpp - Configurations measured, one after the other -------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "tune/Measurement.h"
#include "tune/TrialJson.h"

#include "llvm/ADT/STLExtras.h"

using namespace tilewright;
using namespace tilewright::tune;

Expected<TuningResult> tune::measure(const OpenDevice &openDevice,
                                     std::span<const CompileResult> kernels,
                                     std::span<const runtime::ArgumentValue> arguments,
                                     const GridOf &gridOf, const MeasureOptions &options) {
  Measurement measurement(openDevice, arguments, options);
  if (auto opened = measurement.open(); !opened)
    return opened.error();
  TuningResult result;
  for (auto [index, kernel] : llvm::enumerate(kernels)) {
    append(result, measurement.run(index, kernel, gridOf(index)));
    if (options.onTrial)
      options.onTrial(index, result.trials.back());
    if (measurement.isBroken() && index + 1 < kernels.size())
      if (auto opened = measurement.open(); !opened)
        return opened.error();
  }
  return result;
}
