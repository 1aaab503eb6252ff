//===- ParseLiterals.cpp - Numbers, strings and f-strings ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/Lexer.h"
#include "frontend/ParserImpl.h"
#include "frontend/StringLiteral.h"

#include <charconv>
#include <limits>

using namespace tilewright;
using namespace tilewright::frontend;

namespace tilewright::frontend {

/// The pieces of one or more adjacent string literals: text, and fields of f-strings.
struct StringParts {
  std::string text; // not yet in a node
  std::vector<Expr *> values;
  unsigned height = 0;
  bool formatted = false;
};

} // namespace tilewright::frontend

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
      if (!formatted(literal, contentsBegin, contentsEnd, prefix.raw, false, parts))
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

/// Reads the contents of an f-string from byte `at` to `end`; or the format after ':' in
/// one of its fields, up to the '}' of the field.
bool Parser::formatted(const Token &literal, uint32_t &at, uint32_t end, bool raw, bool inFormat,
                       StringParts &parts) {
  auto positionOf = [&](uint32_t offset) {
    Position position = literal.begin;
    for (uint32_t i = literal.offset; i < offset; ++i) {
      ++position.column;
      if (source[i] == '\n')
        position = {position.line + 1, 1};
    }
    return position;
  };
  auto failHere = [&](uint32_t offset, const char *message, const char *remedy = "") {
    fail(positionOf(offset), 1, message, remedy);
    return false;
  };
  auto addText = [&](uint32_t from, uint32_t to) {
    EscapeError error;
    if (decodeString(source.substr(from, to - from), raw, false, parts.text, error))
      return true;
    fail(positionOf(from + error.offset), error.length, error.message);
    return false;
  };
  auto flushText = [&] {
    if (parts.text.empty())
      return;
    auto *constant = arena.make<ConstantExpr>();
    constant->constant = ConstantKind::String;
    constant->text = arena.copy(parts.text);
    parts.values.push_back(finish(constant, literal.begin, 0));
    parts.text.clear();
  };

  while (at < end) {
    // Text up to the next brace.
    uint32_t textBegin = at;
    while (at < end && source[at] != '{' && source[at] != '}') {
      // \N{name} would have a brace of its own; decodeString reports it.
      at += source[at] == '\\' && !raw && at + 1 < end && source[at + 1] == 'N' ? 2 : 1;
    }
    bool doubled = at + 1 < end && source[at] == source[at + 1] && !inFormat;
    if (!addText(textBegin, doubled ? at + 1 : at))
      return false;
    if (at >= end)
      break;
    if (doubled) {
      at += 2;
      continue;
    }
    if (source[at] == '}' && inFormat)
      return true;
    if (source[at] == '}')
      return failHere(at, "a '}' stands alone in an f-string", "write '}}' for a brace");

    // A field: find where its expression ends.
    uint32_t open = at++;
    uint32_t expressionBegin = at;
    std::string brackets;
    for (; at < end; ++at) {
      char c = source[at];
      char follower = at + 1 < end ? source[at + 1] : '\0';
      if (c == '\\')
        return failHere(at, "a backslash stands in the expression of an f-string",
                        "compute the value before the string");
      if (c == '#')
        return failHere(at, "a comment stands in the expression of an f-string", "remove it");
      if (c == '\'' || c == '"') {
        bool triple = follower == c && at + 2 < end && source[at + 2] == c;
        std::string closing(triple ? 3 : 1, c);
        size_t close = source.substr(0, end).find(closing, at + closing.size());
        if (close == std::string_view::npos)
          return failHere(at, "this string inside an f-string is never closed");
        at = static_cast<uint32_t>(close + closing.size() - 1);
      } else if (c == '(' || c == '[' || c == '{') {
        brackets += c;
      } else if (!brackets.empty() && (c == ')' || c == ']' || c == '}')) {
        brackets.pop_back();
      } else if (brackets.empty()) {
        if ((c == '!' || c == '=' || c == '<' || c == '>') && follower == '=')
          ++at;
        else if (c == '}' || c == '!' || c == ':' || c == '=')
          break;
      }
    }
    if (at >= end)
      return failHere(open, "this field of an f-string is never closed", "add '}'");
    uint32_t expressionEnd = at;
    if (source.substr(expressionBegin, expressionEnd - expressionBegin)
            .find_first_not_of(" \t\r\n\f") == std::string_view::npos)
      return failHere(open, "this field of an f-string is empty", "put an expression into it");

    auto *field = arena.make<FormattedValueExpr>();
    Lexer lexer(source, expressionBegin, expressionEnd, positionOf(expressionBegin));
    std::vector<Token> inner = lexer.run();
    Parser parser(source, std::move(inner), lexer.error(), arena);
    parser.depth = depth;
    field->value = parser.formattedExpression();
    if (!field->value) {
      failed = true;
      failure = parser.error();
      return false;
    }
    bool debugging = source[at] == '=';
    if (debugging) {
      ++at;
      while (at < end && (source[at] == ' ' || source[at] == '\t' || source[at] == '\n'))
        ++at;
      parts.text += source.substr(expressionBegin, at - expressionBegin);
    }
    flushText();
    if (at < end && source[at] == '!') {
      ++at;
      char conversion = at < end ? source[at] : '\0';
      if (conversion != 's' && conversion != 'r' && conversion != 'a')
        return failHere(at, "a conversion in an f-string is one of !s, !r and !a");
      field->conversion = conversion;
      ++at;
    }
    unsigned height = heightOf(field->value);
    if (at < end && source[at] == ':') {
      ++at;
      if (inFormat)
        return failHere(at, "f-string fields are nested too deeply",
                        "compute the format before the string");
      StringParts format;
      if (!formatted(literal, at, end, raw, true, format))
        return false;
      auto *node = arena.make<JoinedStrExpr>();
      if (!format.text.empty()) {
        auto *constant = arena.make<ConstantExpr>();
        constant->constant = ConstantKind::String;
        constant->text = arena.copy(format.text);
        format.values.push_back(finish(constant, literal.begin, 0));
      }
      node->values = arena.copy(format.values.data(), format.values.size());
      field->format = finish(node, literal.begin, format.height);
      if (!field->format)
        return false;
      height = std::max(height, heightOf(field->format));
    } else if (debugging && field->conversion == 0) {
      field->conversion = 'r';
    }
    if (at >= end || source[at] != '}')
      return failHere(open, "this field of an f-string is never closed", "add '}'");
    ++at;
    if (!finish(field, literal.begin, height))
      return false;
    parts.values.push_back(field);
    parts.height = std::max(parts.height, heightOf(field));
  }
  return true;
}

Expr *Parser::formattedExpression() {
  Expr *value = yieldOrStarExpressions();
  if (!value)
    return nullptr;
  if (!at(TokenKind::EndOfFile))
    return unexpected("the end of the f-string's field");
  return value;
}
