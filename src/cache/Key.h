//===- Key.h - What an entry of the cache is for --------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A compilation is asked for by its *request*: source, options, compiler. What it makes of that
// depends on the files that the source imports as well, and which these are is known only when it
// has been compiled once. So there are two keys, as in the direct mode of ccache:
//
//   requestKey(source, options)         which lists of files such a compilation has read before
//   resultKey(request, files' hashes)   the result, for files of these contents
//
// The source's name is part of the request: locations, and so the code's line tables, have it.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_CACHE_KEY_H
#define TILEWRIGHT_CACHE_KEY_H

#include "tilewright/Compiler.h"

#include <array>
#include <compare>

namespace tilewright::cache {

/// 256 bits of BLAKE3.
struct Key {
  std::array<uint8_t, 32> bytes{};

  auto operator<=>(const Key &) const = default;
  /// 64 hexadecimal digits.
  std::string hex() const;
};

Key hashOf(std::string_view bytes);

/// Inputs of a result beside the request: Compilation::inputs and inputVariables.
struct Inputs {
  std::vector<InputFile> files;
  std::vector<InputVariable> variables;
};

/// The names alone.
struct InputNames {
  std::vector<std::string> files;
  std::vector<std::string> variables;

  bool operator==(const InputNames &) const = default;
};

Inputs inputsOf(const Compilation &compilation);
InputNames namesOf(const Inputs &inputs);
/// The files and variables of these names as they are now.
Inputs readInputs(const InputNames &names, const FileReader &reader);

/// `compiler` identifies the build (Identity.h).
Key requestKey(const Source &source, const CompileOptions &options, std::string_view compiler);

Key resultKey(const Key &request, const Inputs &inputs);

} // namespace tilewright::cache

#endif // TILEWRIGHT_CACHE_KEY_H
