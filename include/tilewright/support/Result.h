//===- Result.h - A value or an error message -----------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The return type of functions that may be given wrong input: `Result<T>` where they make a value,
// `Result<void>` where they only check.
//
//     Result<void> verifyOrder(std::span<const unsigned> order, unsigned rank) {
//       if (order.size() != rank)
//         return Failure("order has " + std::to_string(order.size()) + " entries, not ...");
//       return {};
//     }
//
//     Result<Plan> plan(const Request &request) {
//       if (Result<void> valid = verifyOrder(request.order, request.rank); !valid)
//         return Failure(valid.error());
//       ...
//     }
//
// This is the only error protocol of the libraries that do not know MLIR: layout, target, plan and
// view. Conventions:
//
// - The message is one sentence without a full stop: what is wrong, with the value that is.
// - It has no position. The caller knows where the input came from and attaches the source range
//   (a Diagnostic, or MLIR's diagnostics at an op or an attribute).
// - A result cannot be dropped: the compiler warns, and warnings are errors.
// - Arguments that no input can cause, only a mistake in the program, are assertions instead.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_SUPPORT_RESULT_H
#define TILEWRIGHT_SUPPORT_RESULT_H

#include <cassert>
#include <optional>
#include <string>
#include <utility>

namespace tilewright {

/// Becomes a failed Result of any type.
class [[nodiscard]] Failure {
public:
  /// `message` is not empty.
  explicit Failure(std::string message) : message(std::move(message)) {
    assert(!this->message.empty() && "a failure says what is wrong");
  }

private:
  template <typename T> friend class Result;
  std::string message;
};

template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : value(std::move(value)) {}
  Result(Failure failure) : message(std::move(failure.message)) {}

  explicit operator bool() const { return value.has_value(); }
  const T &operator*() const & {
    assert(value && "reading the value of a failed Result");
    return *value;
  }
  T &&operator*() && {
    assert(value && "reading the value of a failed Result");
    return std::move(*value);
  }
  const T *operator->() const {
    assert(value && "reading the value of a failed Result");
    return &*value;
  }
  /// The error; empty if there is a value.
  const std::string &error() const { return message; }

private:
  std::optional<T> value;
  std::string message;
};

/// Success, `Result<void>()` or `{}`, or what was wrong.
template <> class [[nodiscard]] Result<void> {
public:
  Result() = default;
  Result(Failure failure) : message(std::move(failure.message)) {}

  explicit operator bool() const { return message.empty(); }
  /// The error; empty on success.
  const std::string &error() const { return message; }

private:
  std::string message;
};

} // namespace tilewright

#endif // TILEWRIGHT_SUPPORT_RESULT_H
