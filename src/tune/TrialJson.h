//===- TrialJson.h - Trials as JSON ---------------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TUNE_TRIALJSON_H
#define TILEWRIGHT_TUNE_TRIALJSON_H

#include "tilewright/Tuner.h"

#include "llvm/Support/JSON.h"

namespace tilewright::tune {

/// {"outcome": "measured", "milliseconds": 0.25}, or {"outcome": "failed", "message": .., "remedy":
/// ..}.
llvm::json::Object toJson(const Trial &trial);

/// Reads what `toJson` writes; nothing if it is something else.
std::optional<Trial> trialFromJson(const llvm::json::Object &object);

/// Adds a trial, and notes if it is the quickest so far.
void append(TuningResult &result, Trial trial);

} // namespace tilewright::tune

#endif // TILEWRIGHT_TUNE_TRIALJSON_H
