//===- StringLiteral.cpp - Values of string literals --------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/syntax/StringLiteral.h"

#include "frontend/syntax/Utf8.h"

using namespace tilewright;
using namespace tilewright::frontend;

StringPrefix StringPrefix::of(std::string_view token) {
  StringPrefix prefix;
  uint32_t at = 0;
  for (; token[at] != '"' && token[at] != '\''; ++at) {
    switch (token[at] | 0x20) {
    case 'r':
      prefix.raw = true;
      break;
    case 'b':
      prefix.bytes = true;
      break;
    case 'f':
      prefix.formatted = true;
      break;
    default:
      // Python's tree marks the lower-case prefix only.
      prefix.unicode = token[at] == 'u';
    }
  }
  bool triple = token.size() >= at + 6 && token[at + 1] == token[at] && token[at + 2] == token[at];
  uint32_t quotes = triple ? 3 : 1;
  prefix.begin = at + quotes;
  prefix.end = static_cast<uint32_t>(token.size()) - quotes;
  return prefix;
}

static int hexadecimalDigit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  char letter = static_cast<char>(c | 0x20);
  return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

bool frontend::decodeString(std::string_view contents, bool raw, bool bytes, std::string &out,
                            EscapeError &error) {
  size_t at = 0;
  auto lineBreakAt = [&](size_t offset) -> size_t {
    if (contents[offset] == '\r')
      return offset + 1 < contents.size() && contents[offset + 1] == '\n' ? 2 : 1;
    return contents[offset] == '\n' ? 1 : 0;
  };
  auto fail = [&](size_t length, const char *message) {
    error = {static_cast<uint32_t>(at), static_cast<uint32_t>(length), message};
    return false;
  };
  // A value from an escape: a byte, or a code point in UTF-8.
  auto put = [&](uint32_t value) {
    if (bytes)
      out += static_cast<char>(value);
    else
      utf8::append(out, value);
  };
  auto hexadecimal = [&](size_t digits, const char *message) {
    uint32_t value = 0;
    for (size_t i = 0; i < digits; ++i) {
      int digit = at + 2 + i < contents.size() ? hexadecimalDigit(contents[at + 2 + i]) : -1;
      if (digit < 0)
        return fail(2 + i, message);
      value = value << 4 | static_cast<uint32_t>(digit);
    }
    if (value >= 0x110000)
      return fail(2 + digits, "this escape is past the last Unicode character");
    put(value);
    at += 2 + digits;
    return true;
  };

  while (at < contents.size()) {
    char c = contents[at];
    if (size_t length = lineBreakAt(at)) {
      out += '\n';
      at += length;
      continue;
    }
    if (bytes && static_cast<unsigned char>(c) >= 0x80)
      return fail(1, "a bytes literal can hold ASCII characters only");
    if (c != '\\' || raw || at + 1 >= contents.size()) {
      out += c;
      ++at;
      continue;
    }
    char escaped = contents[at + 1];
    if (size_t length = lineBreakAt(at + 1)) {
      at += 1 + length;
      continue;
    }
    switch (escaped) {
    case '\\':
    case '\'':
    case '"':
      out += escaped;
      break;
    case 'a':
      out += '\a';
      break;
    case 'b':
      out += '\b';
      break;
    case 'f':
      out += '\f';
      break;
    case 'n':
      out += '\n';
      break;
    case 'r':
      out += '\r';
      break;
    case 't':
      out += '\t';
      break;
    case 'v':
      out += '\v';
      break;
    case 'x':
      if (!hexadecimal(2, "\\x needs two hexadecimal digits"))
        return false;
      continue;
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7': {
      uint32_t value = 0;
      size_t digits = 0;
      for (; digits < 3 && at + 1 + digits < contents.size(); ++digits) {
        char digit = contents[at + 1 + digits];
        if (digit < '0' || digit > '7')
          break;
        value = value * 8 + static_cast<uint32_t>(digit - '0');
      }
      put(value);
      at += 1 + digits;
      continue;
    }
    case 'u':
    case 'U':
    case 'N':
      if (!bytes) {
        if (escaped == 'N')
          return fail(2, "escapes by character name (\\N{...}) are not read here");
        if (!hexadecimal(escaped == 'u' ? 4 : 8, escaped == 'u'
                                                     ? "\\u needs four hexadecimal digits"
                                                     : "\\U needs eight hexadecimal digits"))
          return false;
        continue;
      }
      [[fallthrough]];
    default:
      // Python keeps the backslash of an escape it does not know.
      out += '\\';
      ++at;
      continue;
    }
    at += 2;
  }
  return true;
}
