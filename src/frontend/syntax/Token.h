//===- Token.h - Tokens of Python source ----------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SYNTAX_TOKEN_H
#define TILEWRIGHT_FRONTEND_SYNTAX_TOKEN_H

#include "frontend/syntax/Ast.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace tilewright::frontend {

enum class TokenKind : uint8_t {
  EndOfFile,
  Newline,
  Indent,
  Dedent,
  /// The text cannot be read on from here; the lexer knows why.
  Error,
  Name,
  Number,
  String,
  // Keywords.
  KwFalse,
  KwNone,
  KwTrue,
  KwAnd,
  KwAs,
  KwAssert,
  KwAsync,
  KwAwait,
  KwBreak,
  KwClass,
  KwContinue,
  KwDef,
  KwDel,
  KwElif,
  KwElse,
  KwExcept,
  KwFinally,
  KwFor,
  KwFrom,
  KwGlobal,
  KwIf,
  KwImport,
  KwIn,
  KwIs,
  KwLambda,
  KwNonlocal,
  KwNot,
  KwOr,
  KwPass,
  KwRaise,
  KwReturn,
  KwTry,
  KwWhile,
  KwWith,
  KwYield,
  // Operators and delimiters.
  LeftParen,
  RightParen,
  LeftBracket,
  RightBracket,
  LeftBrace,
  RightBrace,
  Comma,
  Colon,
  ColonEqual,
  Semicolon,
  Dot,
  Ellipsis,
  Arrow,
  At,
  Equal,
  Plus,
  Minus,
  Star,
  StarStar,
  Slash,
  SlashSlash,
  Percent,
  Amper,
  Bar,
  Caret,
  Tilde,
  LessLess,
  GreaterGreater,
  Less,
  Greater,
  LessEqual,
  GreaterEqual,
  EqualEqual,
  NotEqual,
  // Augmented assignments, in the order of BinaryOperator.
  PlusEqual,
  MinusEqual,
  StarEqual,
  AtEqual,
  SlashEqual,
  PercentEqual,
  StarStarEqual,
  LessLessEqual,
  GreaterGreaterEqual,
  BarEqual,
  CaretEqual,
  AmperEqual,
  SlashSlashEqual,
};

struct Token {
  TokenKind kind = TokenKind::EndOfFile;
  /// The token's start in the text and its length, in bytes.
  uint32_t offset = 0;
  uint32_t length = 0;
  Position begin;
  Position end;
};

/// Why a text is not Python, or not the part of it that is read here.
struct SyntaxError {
  Position where;
  uint32_t length = 1;
  std::string message;
  std::string remedy;
};

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_SYNTAX_TOKEN_H
