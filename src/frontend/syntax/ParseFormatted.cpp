//===- ParseFormatted.cpp - Grammar of f-strings ------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// To the lexer an f-string is one token, as in Python 3.11. Its fields are found here, and each
// goes through a lexer and a parser of its own.
//
//===--------------------------------------------------------------------------===//

#include "frontend/syntax/Lexer.h"
#include "frontend/syntax/ParserImpl.h"
#include "frontend/syntax/StringLiteral.h"

using namespace tilewright;
using namespace tilewright::frontend;

/// Reads the contents of one f-string.
class Parser::FormattedString {
public:
  FormattedString(Parser &parser, const Token &literal, uint32_t begin, uint32_t end, bool raw)
      : parser(parser), source(parser.source), literal(literal), at(begin), end(end), raw(raw) {}

  /// Up to the end; `inFormat`: of the format after a field's ':', up to the '}' of the field.
  bool read(StringParts &parts, bool inFormat);

private:
  bool has(char c) const { return at < end && source[at] == c; }
  Position positionOf(uint32_t offset) const;
  bool failAt(uint32_t offset, const char *message, const char *remedy = "");

  bool addText(uint32_t from, uint32_t to, StringParts &parts);
  void flushText(StringParts &parts);
  bool readField(StringParts &parts, bool inFormat);
  bool skipExpression(uint32_t open);
  bool skipString();
  Expr *parseExpression(uint32_t from, uint32_t to);
  bool readConversion(FormattedValueExpr &field);
  bool readFormat(FormattedValueExpr &field);

  Parser &parser;
  std::string_view source;
  const Token &literal;
  /// The next byte of the source.
  uint32_t at;
  uint32_t end;
  bool raw;
};

Position Parser::FormattedString::positionOf(uint32_t offset) const {
  Position position = literal.begin;
  for (uint32_t i = literal.offset; i < offset; ++i) {
    ++position.column;
    if (source[i] == '\n')
      position = {position.line + 1, 1};
  }
  return position;
}

bool Parser::FormattedString::failAt(uint32_t offset, const char *message, const char *remedy) {
  parser.fail(positionOf(offset), 1, message, remedy);
  return false;
}

//===--------------------------------------------------------------------------===//
// Text
//===--------------------------------------------------------------------------===//

bool Parser::FormattedString::addText(uint32_t from, uint32_t to, StringParts &parts) {
  EscapeError error;
  if (decodeString(source.substr(from, to - from), raw, /*bytes=*/false, parts.text, error))
    return true;
  parser.fail(positionOf(from + error.offset), error.length, error.message);
  return false;
}

/// Makes a node of the text before a field.
void Parser::FormattedString::flushText(StringParts &parts) {
  if (parts.text.empty())
    return;
  auto *constant = parser.arena.make<ConstantExpr>();
  constant->constant = ConstantKind::String;
  constant->text = parser.arena.copy(parts.text);
  parts.values.push_back(parser.finish(constant, literal.begin, 0));
  parts.text.clear();
}

bool Parser::FormattedString::read(StringParts &parts, bool inFormat) {
  while (at < end) {
    // Text up to the next brace.
    const uint32_t textBegin = at;
    while (at < end && source[at] != '{' && source[at] != '}') {
      // \N{name} would have a brace of its own; decodeString reports it.
      at += source[at] == '\\' && !raw && at + 1 < end && source[at + 1] == 'N' ? 2 : 1;
    }
    const bool doubled = at + 1 < end && source[at] == source[at + 1] && !inFormat;
    if (!addText(textBegin, doubled ? at + 1 : at, parts))
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
      return failAt(at, "a '}' stands alone in an f-string", "write '}}' for a brace");
    if (!readField(parts, inFormat))
      return false;
  }
  return true;
}

//===--------------------------------------------------------------------------===//
// Fields
//===--------------------------------------------------------------------------===//

/// Goes from a quotation mark to the last one of its string.
bool Parser::FormattedString::skipString() {
  const char quote = source[at];
  const bool triple = at + 2 < end && source[at + 1] == quote && source[at + 2] == quote;
  const std::string closing(triple ? 3 : 1, quote);
  const size_t close = source.substr(0, end).find(closing, at + closing.size());
  if (close == std::string_view::npos)
    return failAt(at, "this string inside an f-string is never closed");
  at = static_cast<uint32_t>(close + closing.size() - 1);
  return true;
}

/// Goes to the end of the expression of the field that begins at `open`.
bool Parser::FormattedString::skipExpression(uint32_t open) {
  std::string brackets;
  for (; at < end; ++at) {
    const char c = source[at];
    const char follower = at + 1 < end ? source[at + 1] : '\0';
    if (c == '\\')
      return failAt(at, "a backslash stands in the expression of an f-string",
                    "compute the value before the string");
    if (c == '#')
      return failAt(at, "a comment stands in the expression of an f-string", "remove it");
    if (c == '\'' || c == '"') {
      if (!skipString())
        return false;
    } else if (c == '(' || c == '[' || c == '{') {
      brackets += c;
    } else if (!brackets.empty() && (c == ')' || c == ']' || c == '}')) {
      brackets.pop_back();
    } else if (brackets.empty()) {
      if ((c == '!' || c == '=' || c == '<' || c == '>') && follower == '=')
        ++at;
      else if (c == '}' || c == '!' || c == ':' || c == '=')
        return true;
    }
  }
  return failAt(open, "this field of an f-string is never closed", "add '}'");
}

Expr *Parser::FormattedString::parseExpression(uint32_t from, uint32_t to) {
  Lexer lexer(source, from, to, positionOf(from));
  std::vector<Token> tokens = lexer.run();
  Parser inner(source, std::move(tokens), lexer.error(), parser.arena);
  inner.depth = parser.depth;
  Expr *value = inner.formattedExpression();
  if (!value) {
    parser.failed = true;
    parser.failure = inner.error();
  }
  return value;
}

/// "!r"
bool Parser::FormattedString::readConversion(FormattedValueExpr &field) {
  ++at;
  const char conversion = at < end ? source[at] : '\0';
  if (conversion != 's' && conversion != 'r' && conversion != 'a')
    return failAt(at, "a conversion in an f-string is one of !s, !r and !a");
  field.conversion = conversion;
  ++at;
  return true;
}

/// ":>8", which may have fields of its own.
bool Parser::FormattedString::readFormat(FormattedValueExpr &field) {
  ++at;
  StringParts format;
  if (!read(format, /*inFormat=*/true))
    return false;
  flushText(format);
  auto *node = parser.arena.make<JoinedStrExpr>();
  node->values = parser.arena.copy(format.values.data(), format.values.size());
  field.format = parser.finish(node, literal.begin, format.height);
  return field.format;
}

bool Parser::FormattedString::readField(StringParts &parts, bool inFormat) {
  const uint32_t open = at++;
  const uint32_t begin = at;
  if (!skipExpression(open))
    return false;
  if (source.substr(begin, at - begin).find_first_not_of(" \t\r\n\f") == std::string_view::npos)
    return failAt(open, "this field of an f-string is empty", "put an expression into it");

  auto *field = parser.arena.make<FormattedValueExpr>();
  field->value = parseExpression(begin, at);
  if (!field->value)
    return false;
  const bool debugging = has('=');
  if (debugging) {
    ++at;
    while (has(' ') || has('\t') || has('\n'))
      ++at;
    parts.text += source.substr(begin, at - begin);
  }
  flushText(parts);
  if (has('!') && !readConversion(*field))
    return false;
  if (has(':')) {
    if (inFormat)
      return failAt(at + 1, "f-string fields are nested too deeply",
                    "compute the format before the string");
    if (!readFormat(*field))
      return false;
  } else if (debugging && field->conversion == 0) {
    field->conversion = 'r';
  }
  if (!has('}'))
    return failAt(open, "this field of an f-string is never closed", "add '}'");
  ++at;
  const unsigned height =
      std::max(heightOf(field->value), field->format ? heightOf(field->format) : 0);
  if (!parser.finish(field, literal.begin, height))
    return false;
  parts.values.push_back(field);
  parts.height = std::max(parts.height, heightOf(field));
  return true;
}

bool Parser::formatted(const Token &literal, uint32_t begin, uint32_t end, bool raw,
                       StringParts &parts) {
  return FormattedString(*this, literal, begin, end, raw).read(parts, /*inFormat=*/false);
}

Expr *Parser::formattedExpression() {
  Expr *value = yieldOrStarExpressions();
  if (!value)
    return nullptr;
  if (!at(TokenKind::EndOfFile))
    return unexpected("the end of the f-string's field");
  return value;
}
