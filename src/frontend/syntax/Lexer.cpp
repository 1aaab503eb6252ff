//===- Lexer.cpp - Python source to tokens ------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/syntax/Lexer.h"

#include "frontend/syntax/Utf8.h"

#include <algorithm>
#include <array>
#include <utility>

using namespace tilewright;
using namespace tilewright::frontend;

namespace {

/// Python's own limits for both.
constexpr size_t maxBrackets = 200;
constexpr size_t maxIndentations = 100;

constexpr bool isDecimal(char c) { return c >= '0' && c <= '9'; }
constexpr bool isOctal(char c) { return c >= '0' && c <= '7'; }
constexpr bool isBinary(char c) { return c == '0' || c == '1'; }
constexpr bool isHexadecimal(char c) {
  return isDecimal(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
constexpr bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? char(c + ('a' - 'A')) : c; }

constexpr std::array<std::pair<std::string_view, TokenKind>, 35> keywords = {{
    {"False", TokenKind::KwFalse},
    {"None", TokenKind::KwNone},
    {"True", TokenKind::KwTrue},
    {"and", TokenKind::KwAnd},
    {"as", TokenKind::KwAs},
    {"assert", TokenKind::KwAssert},
    {"async", TokenKind::KwAsync},
    {"await", TokenKind::KwAwait},
    {"break", TokenKind::KwBreak},
    {"class", TokenKind::KwClass},
    {"continue", TokenKind::KwContinue},
    {"def", TokenKind::KwDef},
    {"del", TokenKind::KwDel},
    {"elif", TokenKind::KwElif},
    {"else", TokenKind::KwElse},
    {"except", TokenKind::KwExcept},
    {"finally", TokenKind::KwFinally},
    {"for", TokenKind::KwFor},
    {"from", TokenKind::KwFrom},
    {"global", TokenKind::KwGlobal},
    {"if", TokenKind::KwIf},
    {"import", TokenKind::KwImport},
    {"in", TokenKind::KwIn},
    {"is", TokenKind::KwIs},
    {"lambda", TokenKind::KwLambda},
    {"nonlocal", TokenKind::KwNonlocal},
    {"not", TokenKind::KwNot},
    {"or", TokenKind::KwOr},
    {"pass", TokenKind::KwPass},
    {"raise", TokenKind::KwRaise},
    {"return", TokenKind::KwReturn},
    {"try", TokenKind::KwTry},
    {"while", TokenKind::KwWhile},
    {"with", TokenKind::KwWith},
    {"yield", TokenKind::KwYield},
}};

/// For each first letter, the keywords that start with it: [first, last).
struct KeywordIndex {
  std::array<uint8_t, 128> first{};
  std::array<uint8_t, 128> last{};
  constexpr KeywordIndex() {
    for (size_t i = 0; i < keywords.size(); ++i) {
      auto letter = static_cast<unsigned char>(keywords[i].first[0]);
      if (last[letter] == 0)
        first[letter] = static_cast<uint8_t>(i);
      last[letter] = static_cast<uint8_t>(i + 1);
    }
  }
};
constexpr KeywordIndex keywordIndex;

TokenKind keywordOrName(std::string_view word) {
  auto letter = static_cast<unsigned char>(word[0]);
  if (letter < 128)
    for (size_t i = keywordIndex.first[letter]; i < keywordIndex.last[letter]; ++i)
      if (keywords[i].first == word)
        return keywords[i].second;
  return TokenKind::Name;
}

/// Whether the word may be the prefix of a string literal.
bool isStringPrefix(std::string_view word) {
  if (word.size() == 1) {
    char c = lower(word[0]);
    return c == 'r' || c == 'b' || c == 'u' || c == 'f';
  }
  if (word.size() == 2) {
    char a = lower(word[0]), b = lower(word[1]);
    return (a == 'r' && (b == 'b' || b == 'f')) || (b == 'r' && (a == 'b' || a == 'f'));
  }
  return false;
}

} // namespace

Lexer::Lexer(std::string_view text)
    : text(text), end(static_cast<uint32_t>(text.size())), indentations{{0, 0}} {
  if (text.starts_with("\xef\xbb\xbf")) {
    at = 3;
    lineStart = 3;
  }
}

Lexer::Lexer(std::string_view text, uint32_t offset, uint32_t end, Position start)
    : text(text), at(offset), end(end), line(start.line), lineStart(offset),
      firstColumn(start.column), inBracketsFromStart(true), indentations{{0, 0}} {}

std::vector<Token> Lexer::run() {
  // Kernel code has about one token every four bytes.
  tokens.reserve((end - at) / 4 + 16);
  if (text.size() >= UINT32_MAX)
    fail({1, 1}, 1, "the file is larger than 4 GiB", "split it");
  else if (inBracketsFromStart || startLine())
    while (next()) {
    }
  return std::move(tokens);
}

void Lexer::lineBreak() {
  if (peek() == '\r' && peek(1) == '\n')
    ++at;
  ++at;
  ++line;
  lineStart = at;
  firstColumn = 1;
}

void Lexer::emit(TokenKind kind, uint32_t length) {
  Position begin = position();
  tokens.push_back({kind, at, length, begin, {begin.line, begin.column + length}});
  at += length;
}

void Lexer::emitEmpty(TokenKind kind) { tokens.push_back({kind, at, 0, position(), position()}); }

bool Lexer::fail(Position where, uint32_t length, std::string message, std::string remedy) {
  failure = {where, length, std::move(message), std::move(remedy)};
  tokens.push_back({TokenKind::Error, at, length, where, {where.line, where.column + length}});
  return false;
}

/// Measures the indentation of the next line that has code in it.
bool Lexer::startLine() {
  while (true) {
    Indentation found{0, 0};
    for (;; ++at) {
      char c = peek();
      if (c == ' ') {
        ++found.column;
        ++found.altColumn;
      } else if (c == '\t') {
        found.column = (found.column / 8 + 1) * 8;
        ++found.altColumn;
      } else if (c == '\f') {
        found = {0, 0};
      } else {
        break;
      }
    }
    if (peek() == '#')
      while (at < end && peek() != '\n' && peek() != '\r')
        ++at;
    if (at >= end)
      return true;
    if (peek() == '\n' || peek() == '\r') {
      lineBreak();
      continue;
    }
    return indent(found);
  }
}

bool Lexer::indent(Indentation found) {
  const char *mixed = "tabs and spaces are mixed in the indentation";
  const char *mixedRemedy = "indent with spaces only";
  Indentation current = indentations.back();
  if (found.column == current.column) {
    if (found.altColumn != current.altColumn)
      return fail(position(), 1, mixed, mixedRemedy);
    return true;
  }
  if (found.column > current.column) {
    if (found.altColumn <= current.altColumn)
      return fail(position(), 1, mixed, mixedRemedy);
    if (indentations.size() >= maxIndentations)
      return fail(position(), 1, "blocks are nested more than 100 deep",
                  "move the inner blocks into functions");
    indentations.push_back(found);
    emitEmpty(TokenKind::Indent);
    return true;
  }
  while (found.column < indentations.back().column) {
    indentations.pop_back();
    emitEmpty(TokenKind::Dedent);
  }
  if (found.column != indentations.back().column)
    return fail(position(), 1, "the indentation matches no block around this line",
                "give the line the indentation of the block it belongs to");
  if (found.altColumn != indentations.back().altColumn)
    return fail(position(), 1, mixed, mixedRemedy);
  return true;
}

/// Reads one token, or a line break. False at the end of the text and after an error.
bool Lexer::next() {
  while (peek() == ' ' || peek() == '\t' || peek() == '\f')
    ++at;
  if (peek() == '#')
    while (at < end && peek() != '\n' && peek() != '\r')
      ++at;
  if (at >= end)
    return finish();
  char c = peek();
  if (c == '\n' || c == '\r') {
    if (inBracketsFromStart || !brackets.empty()) {
      lineBreak();
      return true;
    }
    emitEmpty(TokenKind::Newline);
    lineBreak();
    return startLine();
  }
  if (c == '\\')
    return joinLine();
  if (isLetter(c) || static_cast<unsigned char>(c) >= 0x80)
    return name();
  if (isDecimal(c) || (c == '.' && isDecimal(peek(1))))
    return number();
  if (c == '"' || c == '\'')
    return string(0);
  return punctuation();
}

bool Lexer::finish() {
  isLeftOpen = !brackets.empty();
  if (isLeftOpen)
    return fail(brackets.back().where, 1,
                std::string("'") + brackets.back().opening + "' is never closed",
                "add the closing bracket");
  if (!inBracketsFromStart) {
    if (!tokens.empty() && tokens.back().kind != TokenKind::Newline &&
        tokens.back().kind != TokenKind::Dedent)
      emitEmpty(TokenKind::Newline);
    for (; indentations.size() > 1; indentations.pop_back())
      emitEmpty(TokenKind::Dedent);
  }
  emitEmpty(TokenKind::EndOfFile);
  return false;
}

bool Lexer::joinLine() {
  if (peek(1) != '\n' && peek(1) != '\r')
    return fail(position(), 1, "a character follows the backslash that joins two lines",
                "end the line right after the backslash");
  ++at;
  lineBreak();
  if (at >= end)
    return fail(position(), 1, "the file ends after a backslash that joins two lines",
                "remove the backslash");
  return true;
}

uint32_t Lexer::identifierCharacter(uint32_t offset) const {
  if (offset >= end)
    return 0;
  char c = text[offset];
  if (isLetter(c) || isDecimal(c))
    return 1;
  if (static_cast<unsigned char>(c) < 0x80)
    return 0;
  utf8::Decoded decoded = utf8::decode(text.substr(0, end), offset);
  return decoded.length != 0 && utf8::isIdentifier(decoded.codePoint) ? decoded.length : 0;
}

bool Lexer::name() {
  uint32_t stop = at;
  while (uint32_t length = identifierCharacter(stop))
    stop += length;
  if (stop == at)
    return unknownCharacter();
  std::string_view word = text.substr(at, stop - at);
  if (stop < end && (text[stop] == '"' || text[stop] == '\'') && isStringPrefix(word))
    return string(static_cast<uint32_t>(word.size()));
  emit(keywordOrName(word), stop - at);
  return true;
}

/// Moves `at` over digits with single underscores between them.
bool Lexer::digits(bool (*accepts)(char), const char *what) {
  while (true) {
    if (!accepts(peek()))
      return fail(position(), 1, std::string("this is not a valid ") + what + " number",
                  "digits are missing here, or an underscore stands at an end");
    while (accepts(peek()))
      ++at;
    if (peek() != '_')
      return true;
    ++at;
  }
}

bool Lexer::number() {
  uint32_t begin = at;
  const char *what = "decimal";
  bool integer = true;
  if (peek() == '0' && (lower(peek(1)) == 'x' || lower(peek(1)) == 'o' || lower(peek(1)) == 'b')) {
    char base = lower(peek(1));
    at += 2;
    if (peek() == '_')
      ++at;
    what = base == 'x' ? "hexadecimal" : base == 'o' ? "octal" : "binary";
    if (!digits(base == 'x' ? isHexadecimal : base == 'o' ? isOctal : isBinary, what))
      return false;
    if (isDecimal(peek()))
      return fail(position(), 1,
                  std::string("this digit cannot stand in ") +
                      (base == 'o' ? "an octal" : "a binary") + " number");
  } else {
    if (peek() != '.' && !digits(isDecimal, what))
      return false;
    uint32_t integerEnd = at;
    if (peek() == '.') {
      integer = false;
      ++at;
      if (isDecimal(peek()) && !digits(isDecimal, what))
        return false;
    }
    bool sign = peek(1) == '+' || peek(1) == '-';
    if (lower(peek()) == 'e' && isDecimal(peek(sign ? 2 : 1))) {
      integer = false;
      at += sign ? 2 : 1;
      if (!digits(isDecimal, what))
        return false;
    }
    if (lower(peek()) == 'j') {
      integer = false;
      ++at;
    }
    std::string_view whole = text.substr(begin, integerEnd - begin);
    if (integer && whole.size() > 1 && whole[0] == '0' &&
        whole.find_first_not_of("0_") != std::string_view::npos) {
      at = begin;
      return fail(position(), static_cast<uint32_t>(whole.size()),
                  "a decimal number starts with a zero",
                  "leave the zeros out, or write 0o for an octal number");
    }
  }
  // Python lets some keywords follow at once, as in `1if x else 2`.
  if (identifierCharacter(at) != 0) {
    std::string_view rest = text.substr(at, end - at);
    constexpr std::string_view followers[] = {"and", "else", "for", "if", "in", "is", "or", "not"};
    if (std::none_of(std::begin(followers), std::end(followers),
                     [&](std::string_view word) { return rest.starts_with(word); }))
      return fail(position(), 1, std::string("this is not a valid ") + what + " number",
                  "put a space or an operator between the number and what follows it");
  }
  uint32_t length = at - begin;
  at = begin;
  emit(TokenKind::Number, length);
  return true;
}

bool Lexer::string(uint32_t prefixLength) {
  uint32_t beginOffset = at;
  Position begin = position();
  at += prefixLength;
  char quote = peek();
  bool triple = peek(1) == quote && peek(2) == quote;
  at += triple ? 3 : 1;
  while (true) {
    if (at >= end || (!triple && (peek() == '\n' || peek() == '\r')))
      return fail(begin, prefixLength + (triple ? 3 : 1),
                  triple ? "this string in triple quotes is never closed"
                         : "this string is not closed on its line",
                  triple ? "add the three closing quotes"
                         : "add the closing quote, or use triple quotes for several lines");
    char c = peek();
    if (c == '\\') {
      ++at;
      if (at >= end)
        continue;
      if (peek() == '\n' || peek() == '\r')
        lineBreak();
      else
        ++at;
    } else if (c == '\n' || c == '\r') {
      lineBreak();
    } else if (c == quote && (!triple || (peek(1) == quote && peek(2) == quote))) {
      at += triple ? 3 : 1;
      break;
    } else {
      ++at;
    }
  }
  tokens.push_back({TokenKind::String, beginOffset, at - beginOffset, begin, position()});
  return true;
}

bool Lexer::open(TokenKind kind, char opening) {
  if (brackets.size() >= maxBrackets)
    return fail(position(), 1, "brackets are nested more than 200 deep",
                "give the inner parts names of their own");
  brackets.push_back({opening, position()});
  emit(kind, 1);
  return true;
}

bool Lexer::close(TokenKind kind, char opening) {
  if (brackets.empty())
    return fail(position(), 1, std::string("'") + peek() + "' has no opening bracket",
                "remove it, or add the opening bracket");
  const Bracket &bracket = brackets.back();
  if (bracket.opening != opening) {
    std::string where =
        bracket.where.line == line ? "" : " on line " + std::to_string(bracket.where.line);
    return fail(position(), 1,
                std::string("'") + peek() + "' does not match the '" + bracket.opening + "'" +
                    where);
  }
  brackets.pop_back();
  emit(kind, 1);
  return true;
}

bool Lexer::unknownCharacter() {
  utf8::Decoded decoded = utf8::decode(text.substr(0, end), at);
  if (static_cast<unsigned char>(peek()) >= 0x80 && decoded.length == 0)
    return fail(position(), 1, "this byte is not UTF-8", "save the file as UTF-8");
  uint32_t length = std::max<uint32_t>(decoded.length, 1);
  std::string shown(text.substr(at, length));
  if (static_cast<unsigned char>(peek()) < 0x20 || peek() == 0x7f)
    return fail(position(), 1,
                "a control character (byte " + std::to_string(static_cast<int>(peek())) +
                    ") stands here",
                "remove it");
  return fail(position(), length, "the character '" + shown + "' has no meaning in Python here",
              "remove it");
}

bool Lexer::punctuation() {
  using enum TokenKind;
  auto take = [&](TokenKind kind, uint32_t length) {
    emit(kind, length);
    return true;
  };
  char second = peek(1), third = peek(2);
  // X, X= ; XX, XX=
  auto plain = [&](TokenKind single, TokenKind assign) {
    return second == '=' ? take(assign, 2) : take(single, 1);
  };
  switch (peek()) {
  case '(':
    return open(LeftParen, '(');
  case ')':
    return close(RightParen, '(');
  case '[':
    return open(LeftBracket, '[');
  case ']':
    return close(RightBracket, '[');
  case '{':
    return open(LeftBrace, '{');
  case '}':
    return close(RightBrace, '{');
  case ',':
    return take(Comma, 1);
  case ':':
    return plain(Colon, ColonEqual);
  case ';':
    return take(Semicolon, 1);
  case '.':
    return second == '.' && third == '.' ? take(Ellipsis, 3) : take(Dot, 1);
  case '~':
    return take(Tilde, 1);
  case '=':
    return plain(Equal, EqualEqual);
  case '+':
    return plain(Plus, PlusEqual);
  case '-':
    return second == '>' ? take(Arrow, 2) : plain(Minus, MinusEqual);
  case '*':
    if (second == '*')
      return third == '=' ? take(StarStarEqual, 3) : take(StarStar, 2);
    return plain(Star, StarEqual);
  case '/':
    if (second == '/')
      return third == '=' ? take(SlashSlashEqual, 3) : take(SlashSlash, 2);
    return plain(Slash, SlashEqual);
  case '%':
    return plain(Percent, PercentEqual);
  case '&':
    return plain(Amper, AmperEqual);
  case '|':
    return plain(Bar, BarEqual);
  case '^':
    return plain(Caret, CaretEqual);
  case '@':
    return plain(At, AtEqual);
  case '<':
    if (second == '<')
      return third == '=' ? take(LessLessEqual, 3) : take(LessLess, 2);
    return plain(Less, LessEqual);
  case '>':
    if (second == '>')
      return third == '=' ? take(GreaterGreaterEqual, 3) : take(GreaterGreater, 2);
    return plain(Greater, GreaterEqual);
  case '!':
    if (second == '=')
      return take(NotEqual, 2);
    return fail(position(), 1, "'!' has no meaning in Python here", "write `not`");
  default:
    return unknownCharacter();
  }
}
