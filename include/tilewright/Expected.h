//===- Expected.h - A value or the error that prevented it ----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The public API throws no exceptions: what can fail returns `Expected<T>`, which
// holds either a `T` or the `Diagnostic` that says why there is none.
//
//   Expected<int> lines = countLines(path);
//   if (!lines)
//     return lines.error();
//   use(*lines);
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_EXPECTED_H
#define TILEWRIGHT_EXPECTED_H

#include "tilewright/Diagnostic.h"

#include <optional>
#include <utility>
#include <variant>

namespace tilewright {

template <typename T> class [[nodiscard]] Expected {
public:
  Expected(T value) : state(std::in_place_index<0>, std::move(value)) {}
  Expected(Diagnostic error) : state(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return state.index() == 0; }

  /// The value; to be asked for only after `operator bool` has said that there is one.
  T &operator*() { return *std::get_if<0>(&state); }
  const T &operator*() const { return *std::get_if<0>(&state); }
  T *operator->() { return std::get_if<0>(&state); }
  const T *operator->() const { return std::get_if<0>(&state); }

  /// The error; to be asked for only where there is no value.
  const Diagnostic &error() const { return *std::get_if<1>(&state); }

private:
  std::variant<T, Diagnostic> state;
};

/// Success, or the error.
template <> class [[nodiscard]] Expected<void> {
public:
  Expected() = default;
  Expected(Diagnostic error) : failure(std::move(error)) {}

  explicit operator bool() const { return !failure.has_value(); }
  const Diagnostic &error() const { return *failure; }

private:
  std::optional<Diagnostic> failure;
};

/// An error without a place in a source text.
inline Diagnostic makeError(std::string message, std::string remedy = {}) {
  Diagnostic diagnostic;
  diagnostic.message = std::move(message);
  diagnostic.remedy = std::move(remedy);
  return diagnostic;
}

/// An error about a whole file.
inline Diagnostic makeFileError(std::string file, std::string message, std::string remedy = {}) {
  Diagnostic diagnostic = makeError(std::move(message), std::move(remedy));
  diagnostic.where.file = std::move(file);
  return diagnostic;
}

} // namespace tilewright

#endif // TILEWRIGHT_EXPECTED_H
