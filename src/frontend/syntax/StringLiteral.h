//===- StringLiteral.h - Values of string literals ------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SYNTAX_STRINGLITERAL_H
#define TILEWRIGHT_FRONTEND_SYNTAX_STRINGLITERAL_H

#include <cstdint>
#include <string>
#include <string_view>

namespace tilewright::frontend {

/// A string token taken apart: which prefixes it has and where its contents lie.
struct StringPrefix {
  bool raw = false;
  bool bytes = false;
  bool formatted = false;
  /// The prefix is a lower-case u.
  bool unicode = false;
  /// The contents, as offsets into the token.
  uint32_t begin = 0;
  uint32_t end = 0;

  /// `token` is a whole string token: prefix, quotes and contents.
  static StringPrefix of(std::string_view token);
};

/// An error in an escape sequence, and its position in the contents.
struct EscapeError {
  uint32_t offset = 0;
  uint32_t length = 0;
  const char *message = nullptr;
};

/// Appends the value of the contents of a literal to `out`: escapes resolved unless
/// `raw`, line breaks as '\n'. False, with `error` set, for an invalid escape.
bool decodeString(std::string_view contents, bool raw, bool bytes, std::string &out,
                  EscapeError &error);

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_SYNTAX_STRINGLITERAL_H
