//===- TrialJson.h - Trials as JSON ---------------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TUNE_TRIALJSON_H
#define TILEWRIGHT_TUNE_TRIALJSON_H

#include "tilewright/Tuner.h"

#include <nlohmann/json.hpp>

#include <string_view>

namespace tilewright::tune {

/// {"outcome": "measured", "milliseconds": 0.25}, or {"outcome": "failed", "message": .., "remedy":
/// ..}.
nlohmann::ordered_json toJson(const Trial &trial);

/// Reads what `toJson` writes; nothing if it is something else.
std::optional<Trial> trialFromJson(const nlohmann::ordered_json &object);

/// The text as JSON; nothing if it is none.
std::optional<nlohmann::ordered_json> parseJson(std::string_view text);

/// JSON as text, in one line or indented by so many columns. What is not UTF-8 is replaced.
std::string textOf(const nlohmann::ordered_json &value, int indentation = -1);

/// The member of an object that is a text; nothing for all else.
std::optional<std::string> textMember(const nlohmann::ordered_json &object, const char *name);

/// Adds a trial, and notes if it is the quickest so far.
void append(TuningResult &result, Trial trial);

} // namespace tilewright::tune

#endif // TILEWRIGHT_TUNE_TRIALJSON_H
