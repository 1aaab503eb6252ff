//===- TrialJson.cpp - Trials as JSON -----------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "tune/TrialJson.h"

#include <algorithm>
#include <iterator>

using namespace tilewright;
using namespace tilewright::tune;
using Json = nlohmann::ordered_json;

static constexpr std::string_view outcomes[] = {"measured", "failed", "wrong result", "skipped"};

Json tune::toJson(const Trial &trial) {
  Json object{{"outcome", outcomes[size_t(trial.outcome)]}};
  if (trial.isMeasured())
    object["milliseconds"] = trial.milliseconds;
  if (trial.error) {
    object["message"] = trial.error->message;
    object["remedy"] = trial.error->remedy;
  }
  return object;
}

std::optional<Trial> tune::trialFromJson(const Json &object) {
  const auto *outcome = std::ranges::find(outcomes, textMember(object, "outcome").value_or(""));
  if (outcome == std::end(outcomes))
    return std::nullopt;
  Trial trial;
  trial.outcome = Trial::Outcome(outcome - std::begin(outcomes));
  if (!trial.isMeasured()) {
    if (trial.outcome != Trial::Outcome::Skipped)
      trial.error = makeError(textMember(object, "message").value_or(""),
                              textMember(object, "remedy").value_or(""));
    return trial;
  }
  auto milliseconds = object.find("milliseconds");
  if (milliseconds == object.end() || !milliseconds->is_number() || milliseconds->get<double>() < 0)
    return std::nullopt;
  trial.milliseconds = milliseconds->get<double>();
  return trial;
}

std::optional<Json> tune::parseJson(std::string_view text) {
  Json value = Json::parse(text, /*cb=*/nullptr, /*allow_exceptions=*/false);
  return value.is_discarded() ? std::nullopt : std::optional(std::move(value));
}

std::string tune::textOf(const Json &value, int indentation) {
  return value.dump(indentation, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace);
}

std::optional<std::string> tune::textMember(const Json &object, const char *name) {
  if (!object.is_object())
    return std::nullopt;
  auto found = object.find(name);
  if (found == object.end() || !found->is_string())
    return std::nullopt;
  return found->get<std::string>();
}

void tune::append(TuningResult &result, Trial trial) {
  if (trial.isMeasured() &&
      (!result.best || trial.milliseconds < result.trials[*result.best].milliseconds))
    result.best = result.trials.size();
  result.trials.push_back(std::move(trial));
}
