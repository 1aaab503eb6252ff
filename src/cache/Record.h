//===- Record.h - A compilation's result as bytes -------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_CACHE_RECORD_H
#define TILEWRIGHT_CACHE_RECORD_H

#include "cache/Key.h"

namespace tilewright::cache {

/// All of a result that went through, its warnings and notes too, but for the stages' times.
std::string writeResult(const CompileResult &result);
/// Nothing if the bytes are not a result's.
std::optional<CompileResult> readResult(std::string_view bytes);

/// The inputs of compilations of one request, the latest first.
using InputLists = std::vector<InputNames>;

std::string writeInputLists(const InputLists &lists);
std::optional<InputLists> readInputLists(std::string_view bytes);

} // namespace tilewright::cache

#endif // TILEWRIGHT_CACHE_RECORD_H
