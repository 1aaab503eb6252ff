//===- Lexer.h - Python source to tokens ----------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The rules are those of the chapter "Lexical analysis" of the Python 3.11 language
// reference: indentation, joined lines, comments, names, numbers and strings. Values
// are not computed here: a token says only which bytes it covers.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SYNTAX_LEXER_H
#define TILEWRIGHT_FRONTEND_SYNTAX_LEXER_H

#include "frontend/syntax/Token.h"

#include <string_view>
#include <vector>

namespace tilewright::frontend {

class Lexer {
public:
  /// Reads all of `text`.
  explicit Lexer(std::string_view text);

  /// Reads the bytes from `offset` to `end` of `text`, which starts at `start`, as an
  /// expression in brackets: line breaks mean nothing. For the parts of f-strings.
  Lexer(std::string_view text, uint32_t offset, uint32_t end, Position start);

  /// The tokens, the last of them EndOfFile, or Error if the text could not be read to
  /// its end; `error()` then says why.
  std::vector<Token> run();

  const SyntaxError &error() const { return failure; }
  /// The error is a bracket that is still open at the end of the text.
  bool leftOpen() const { return isLeftOpen; }

private:
  struct Indentation {
    uint32_t column;    // a tab goes to the next multiple of 8
    uint32_t altColumn; // a tab is one column
  };
  struct Bracket {
    char opening;
    Position where;
  };

  char peek(uint32_t ahead = 0) const { return at + ahead < end ? text[at + ahead] : '\0'; }
  Position position() const { return {line, at - lineStart + firstColumn}; }
  void lineBreak();
  void emit(TokenKind kind, uint32_t length);
  void emitEmpty(TokenKind kind);
  bool fail(Position where, uint32_t length, std::string message, std::string remedy = {});

  bool startLine();
  bool indent(Indentation found);
  bool next();
  bool finish();
  bool joinLine();
  bool name();
  bool number();
  bool digits(bool (*accepts)(char), const char *what);
  bool string(uint32_t prefixLength);
  bool punctuation();
  bool open(TokenKind kind, char opening);
  bool close(TokenKind kind, char opening);
  bool unknownCharacter();
  /// The length of the identifier character at `offset`, 0 if there is none.
  uint32_t identifierCharacter(uint32_t offset) const;

  std::string_view text;
  uint32_t at = 0;
  uint32_t end = 0;
  uint32_t line = 1;
  uint32_t lineStart = 0;
  uint32_t firstColumn = 1; // of the byte at lineStart
  bool inBracketsFromStart = false;
  std::vector<Token> tokens;
  std::vector<Indentation> indentations;
  std::vector<Bracket> brackets;
  SyntaxError failure;
  bool isLeftOpen = false;
};

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_SYNTAX_LEXER_H
