//===- TrialJson.cpp - Trials as JSON -----------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "tune/TrialJson.h"

#include "llvm/ADT/STLExtras.h"

using namespace tilewright;
using namespace tilewright::tune;

static constexpr llvm::StringLiteral outcomes[] = {"measured", "failed", "wrong result"};

llvm::json::Object tune::toJson(const Trial &trial) {
  llvm::json::Object object{{"outcome", outcomes[size_t(trial.outcome)]}};
  if (trial.isMeasured())
    object["milliseconds"] = trial.milliseconds;
  if (trial.error) {
    object["message"] = llvm::json::fixUTF8(trial.error->message);
    object["remedy"] = llvm::json::fixUTF8(trial.error->remedy);
  }
  return object;
}

std::optional<Trial> tune::trialFromJson(const llvm::json::Object &object) {
  auto outcome = llvm::find(outcomes, object.getString("outcome").value_or(""));
  if (outcome == std::end(outcomes))
    return std::nullopt;
  Trial trial;
  trial.outcome = Trial::Outcome(outcome - std::begin(outcomes));
  if (!trial.isMeasured()) {
    trial.error = makeError(object.getString("message").value_or("").str(),
                            object.getString("remedy").value_or("").str());
    return trial;
  }
  auto milliseconds = object.getNumber("milliseconds");
  if (!milliseconds || *milliseconds < 0)
    return std::nullopt;
  trial.milliseconds = *milliseconds;
  return trial;
}

void tune::append(TuningResult &result, Trial trial) {
  if (trial.isMeasured() &&
      (!result.best || trial.milliseconds < result.trials[*result.best].milliseconds))
    result.best = result.trials.size();
  result.trials.push_back(std::move(trial));
}
