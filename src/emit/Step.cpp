//===- Step.cpp - What back ends do, as tables --------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "emit/Step.h"

using namespace tilewright::emit;

void tilewright::emit::runSteps(llvm::ArrayRef<Step> steps, llvm::Module &module,
                                const StepInput &input, const StepLog &log) {
  for (const Step &step : steps) {
    if (step.when && !step.when(input))
      continue;
    step.run(module, input);
    if (log)
      log(std::string_view(step.name), module);
  }
}
