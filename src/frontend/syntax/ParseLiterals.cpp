//===- ParseLiterals.cpp - Grammar of numbers and strings ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/syntax/ParserImpl.h"
#include "frontend/syntax/StringLiteral.h"

#include <charconv>
#include <limits>

using namespace tilewright;
using namespace tilewright::frontend;

//===--------------------------------------------------------------------------===//
// Numbers
//===--------------------------------------------------------------------------===//

Expr *Parser::number() {
  Position begin = token().begin;
  std::string_view written = textOf(token());
  auto *node = arena.make<ConstantExpr>();
  std::string digits;
  digits.reserve(written.size());
  for (char c : written)
    if (c != '_')
      digits += c;

  int base = 10;
  size_t start = 0;
  if (digits.size() > 2 && digits[0] == '0' && (digits[1] | 0x20) > '9') {
    char mark = static_cast<char>(digits[1] | 0x20);
    base = mark == 'x' ? 16 : mark == 'o' ? 8 : mark == 'b' ? 2 : 10;
    start = base == 10 ? 0 : 2;
  }
  bool imaginary = base == 10 && (digits.back() | 0x20) == 'j';
  bool floating = base == 10 && digits.find_first_of(".eE") != std::string::npos;
  advance();
  if (imaginary || floating) {
    node->constant = imaginary ? ConstantKind::Imaginary : ConstantKind::Float;
    if (imaginary)
      digits.pop_back();
    auto result = std::from_chars(digits.data(), digits.data() + digits.size(), node->number);
    // Out of range is infinite in Python, or zero if the exponent is negative.
    if (result.ec == std::errc::result_out_of_range) {
      size_t exponent = digits.find_first_of("eE");
      bool tiny = exponent != std::string::npos && digits[exponent + 1] == '-';
      node->number = tiny ? 0 : std::numeric_limits<double>::infinity();
    }
    return finish(node, begin, 0);
  }
  node->constant = ConstantKind::Integer;
  auto result =
      std::from_chars(digits.data() + start, digits.data() + digits.size(), node->integer, base);
  if (result.ec == std::errc::result_out_of_range) {
    node->wide = true;
    node->text = arena.copy(digits);
  }
  return finish(node, begin, 0);
}

//===--------------------------------------------------------------------------===//
// Strings
//===--------------------------------------------------------------------------===//

/// Adjacent literals, joined.
Expr *Parser::strings() {
  Position begin = token().begin;
  size_t first = index;
  size_t count = 0;
  while (kind(count) == TokenKind::String)
    ++count;
  StringPrefix firstPrefix = StringPrefix::of(textOf(token()));
  StringParts parts;
  for (size_t i = 0; i < count; ++i) {
    const Token literal = token();
    advance();
    StringPrefix prefix = StringPrefix::of(textOf(literal));
    if (prefix.bytes != firstPrefix.bytes)
      return failAt(literal, "a bytes literal and a string literal stand side by side",
                    "make both bytes or both strings");
    uint32_t contentsBegin = literal.offset + prefix.begin;
    uint32_t contentsEnd = literal.offset + prefix.end;
    if (prefix.formatted) {
      Nesting nesting(*this);
      if (nesting.tooDeep())
        return nullptr;
      parts.formatted = true;
      if (!formatted(literal, contentsBegin, contentsEnd, prefix.raw, parts))
        return nullptr;
      continue;
    }
    EscapeError error;
    std::string_view contents = source.substr(contentsBegin, contentsEnd - contentsBegin);
    if (!decodeString(contents, prefix.raw, prefix.bytes, parts.text, error)) {
      bool sameLine = contents.substr(0, error.offset).find('\n') == std::string_view::npos;
      Position where = literal.begin;
      if (sameLine)
        where.column += prefix.begin + error.offset;
      return fail(where, sameLine ? error.length : 1, error.message,
                  "write the character itself, or two backslashes for a backslash");
    }
  }
  auto constant = [&]() -> ConstantExpr * {
    auto *node = arena.make<ConstantExpr>();
    node->constant = firstPrefix.bytes ? ConstantKind::Bytes : ConstantKind::String;
    node->text = arena.copy(parts.text);
    node->unicodePrefix = firstPrefix.unicode;
    return finish(node, begin, 0);
  };
  if (!parts.formatted)
    return constant();
  if (!parts.text.empty())
    parts.values.push_back(constant());
  // The text between the fields starts where the whole does, as in Python's tree.
  for (Expr *value : parts.values)
    if (value->kind == ExprKind::Constant) {
      value->begin = begin;
      value->end = lastEnd;
      static_cast<ConstantExpr *>(value)->unicodePrefix = firstPrefix.unicode;
    }
  index = first + count;
  auto *node = arena.make<JoinedStrExpr>();
  node->values = arena.copy(parts.values.data(), parts.values.size());
  return finish(node, begin, parts.height);
}
