//===- Result.h - A value or an error message -----------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// What a function returns that may be given wrong input. The caller knows where the
// input came from and turns the text into a diagnostic with a place.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_SUPPORT_RESULT_H
#define TILEWRIGHT_SUPPORT_RESULT_H

#include <cassert>
#include <optional>
#include <string>
#include <utility>

namespace tilewright {

template <typename T> class Result {
public:
  Result(T value) : value(std::move(value)) {}
  /// `message` is one sentence without a full stop.
  static Result failure(std::string message) {
    Result result;
    result.message = std::move(message);
    return result;
  }

  explicit operator bool() const { return value.has_value(); }
  const T &operator*() const & {
    assert(value && "reading the value of a failed Result");
    return *value;
  }
  T &&operator*() && {
    assert(value && "reading the value of a failed Result");
    return std::move(*value);
  }
  const T *operator->() const { return &*value; }
  /// What was wrong; empty if there is a value.
  const std::string &error() const { return message; }

private:
  Result() = default;
  std::optional<T> value;
  std::string message;
};

} // namespace tilewright

#endif // TILEWRIGHT_SUPPORT_RESULT_H
