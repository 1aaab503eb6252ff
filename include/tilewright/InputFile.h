//===- InputFile.h - What a compilation reads besides its source ----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A kernel may use names of other files, which its source imports, and what these files mean may
// depend on variables of the environment. A result that is kept is stale when one of them changes:
// a file has another text, one that was not there has come, a variable has another value.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_INPUTFILE_H
#define TILEWRIGHT_INPUTFILE_H

#include <functional>
#include <optional>
#include <string>

namespace tilewright {

/// A file that was read, or looked for and not found.
struct InputFile {
  /// Relative to the current folder if the source's own name is relative and the file is inside of
  /// it; else absolute.
  std::string path;
  /// The SHA-256 of its text in hexadecimal digits; nothing if the file was not there.
  std::optional<std::string> sha256;

  bool operator==(const InputFile &) const = default;
};

/// A variable of the environment that a condition or a constant of a file asks for.
struct InputVariable {
  std::string name;
  /// Nothing if it was not set.
  std::optional<std::string> value;

  bool operator==(const InputVariable &) const = default;
};

/// Reads the text of the file of this path; nothing if there is none that can be read. May be
/// called by several threads at once.
using FileReader = std::function<std::optional<std::string>(const std::string &path)>;

} // namespace tilewright

#endif // TILEWRIGHT_INPUTFILE_H
