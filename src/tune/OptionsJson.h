//===- OptionsJson.h - Options of a compilation as JSON -------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TUNE_OPTIONSJSON_H
#define TILEWRIGHT_TUNE_OPTIONSJSON_H

#include "tilewright/CompileOptions.h"

#include <nlohmann/json.hpp>

namespace tilewright::tune {

/// {"kernel": .., "num_warps": null, .., "launch": {"maxnreg": 128}}: the options that a plan has,
/// by the names of CompileOptions.def; of the launch options those that are set.
nlohmann::ordered_json toJson(const CompileOptions &options);

/// Reads what `toJson` writes. Throws an exception where something is missing or of the wrong kind,
/// as the accessors of nlohmann-json do.
CompileOptions optionsFromJson(const nlohmann::ordered_json &object);

/// The options that a plan has, as JSON in a line.
std::string textOf(const CompileOptions &options);

} // namespace tilewright::tune

#endif // TILEWRIGHT_TUNE_OPTIONSJSON_H
