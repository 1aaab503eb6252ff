//===- Parser.cpp - Python source to a syntax tree ----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/syntax/Parser.h"

#include "frontend/syntax/Lexer.h"
#include "frontend/syntax/ParserImpl.h"

using namespace tilewright;
using namespace tilewright;
using namespace tilewright::frontend;

void Parser::advance() {
  const Token &taken = token();
  if (taken.length > 0)
    lastEnd = taken.end;
  if (index + 1 < tokens.size())
    ++index;
}

bool Parser::accept(TokenKind wanted) {
  if (!at(wanted))
    return false;
  advance();
  return true;
}

bool Parser::expect(TokenKind wanted, const char *what) {
  if (accept(wanted))
    return true;
  unexpected(what);
  return false;
}

std::nullptr_t Parser::fail(Position where, uint32_t length, std::string message,
                            std::string remedy) {
  if (!failed) {
    failed = true;
    failure = {where, length, std::move(message), std::move(remedy)};
  }
  return nullptr;
}

std::nullptr_t Parser::failAt(const Token &token, std::string message, std::string remedy) {
  return fail(token.begin, std::max<uint32_t>(token.length, 1), std::move(message),
              std::move(remedy));
}

std::nullptr_t Parser::failAt(const Expr *expr, std::string message, std::string remedy) {
  uint32_t length = expr->begin.line == expr->end.line ? expr->end.column - expr->begin.column : 1;
  return fail(expr->begin, std::max<uint32_t>(length, 1), std::move(message), std::move(remedy));
}

std::nullptr_t Parser::unexpected(const std::string &what, std::string remedy) {
  const Token &found = token();
  std::string description;
  switch (found.kind) {
  case TokenKind::Error:
    return fail(lexerError.where, lexerError.length, lexerError.message, lexerError.remedy);
  case TokenKind::EndOfFile:
    description = "the end of the file";
    break;
  case TokenKind::Newline:
    description = "the end of the line";
    break;
  case TokenKind::Indent:
    return failAt(found, "the line is indented, but no block starts here",
                  "give it the indentation of the line before");
  case TokenKind::Dedent:
    description = "the end of the block";
    break;
  case TokenKind::String:
    description = "a string";
    break;
  default:
    description = "'" + std::string(textOf(found)) + "'";
  }
  return failAt(found, "expected " + what + ", found " + description, std::move(remedy));
}

bool Parser::failDeep() {
  failAt(token(), "the code is nested too deeply",
         "give the inner parts names of their own, or move them into functions");
  return false;
}

const Module *frontend::parse(std::string_view source, Arena &arena, SyntaxError &error) {
  Lexer lexer(source);
  std::vector<Token> tokens = lexer.run();
  Parser parser(source, std::move(tokens), lexer.error(), arena);
  const Module *module = parser.module();
  if (module)
    return module;
  error = parser.error();
  // Inside a bracket that is never closed, the parser stumbles over what follows it.
  Position open = lexer.error().where;
  if (lexer.leftOpen() && open.line <= error.where.line &&
      (open.line < error.where.line || open.column < error.where.column))
    error = lexer.error();
  return nullptr;
}

Diagnostic frontend::toDiagnostic(const SyntaxError &error, std::string_view fileName,
                                  std::string_view source) {
  Diagnostic diagnostic;
  diagnostic.where = {std::string(fileName), static_cast<int>(error.where.line),
                      static_cast<int>(error.where.column), static_cast<int>(error.length)};
  diagnostic.message = error.message;
  diagnostic.remedy = error.remedy;
  diagnostic.sourceLine = std::string(sourceLineOf(source, diagnostic.where.line));
  return diagnostic;
}
