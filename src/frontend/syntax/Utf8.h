//===- Utf8.h - Code points in UTF-8 text ---------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SYNTAX_UTF8_H
#define TILEWRIGHT_FRONTEND_SYNTAX_UTF8_H

#include <cstdint>
#include <string>
#include <string_view>

namespace tilewright::frontend::utf8 {

struct Decoded {
  uint32_t codePoint = 0;
  /// How many bytes it takes; 0 if the bytes are not UTF-8.
  uint32_t length = 0;
};

/// The code point at byte `offset`. Surrogates are decoded too, since an escape in a
/// string literal can make them.
Decoded decode(std::string_view text, size_t offset);

/// Appends a code point, below 0x110000.
void append(std::string &out, uint32_t codePoint);

/// Whether a code point past ASCII may stand in a name. It takes all but spaces,
/// punctuation, symbols, private use and control characters, by Unicode block.
bool isIdentifier(uint32_t codePoint);

} // namespace tilewright::frontend::utf8

#endif // TILEWRIGHT_FRONTEND_SYNTAX_UTF8_H
