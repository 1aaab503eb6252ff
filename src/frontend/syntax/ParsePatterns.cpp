//===- ParsePatterns.cpp - Grammar of match statements ------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/syntax/ParserImpl.h"

using namespace tilewright;
using namespace tilewright::frontend;

//===--------------------------------------------------------------------------===//
// The statement
//===--------------------------------------------------------------------------===//

/// `match` is a name unless the line goes on like a statement with a subject and a colon.
bool Parser::isMatchStatement() const {
  if (!at(TokenKind::Name) || textOf(token()) != "match")
    return false;
  switch (kind(1)) {
  case TokenKind::Colon:
  case TokenKind::Equal:
  case TokenKind::Dot:
  case TokenKind::Newline:
    return false;
  default:
    break;
  }
  size_t ahead = 1;
  while (kind(ahead) != TokenKind::Newline && kind(ahead) != TokenKind::EndOfFile &&
         kind(ahead) != TokenKind::Error)
    ++ahead;
  return kind(ahead) == TokenKind::Newline && kind(ahead - 1) == TokenKind::Colon &&
         kind(ahead + 1) == TokenKind::Indent;
}

Stmt *Parser::matchStatement() {
  const Position begin = token().begin;
  advance();
  auto *node = arena.make<MatchStmt>();
  const Position subjectBegin = token().begin;
  auto one = [&] { return at(TokenKind::Star) ? starExpression() : namedExpression(); };
  node->subject = one();
  if (node->subject && at(TokenKind::Comma))
    node->subject = tupleFrom(node->subject, subjectBegin, one);
  if (!node->subject || !expect(TokenKind::Colon, "':' after the subject of 'match'") ||
      !expect(TokenKind::Newline, "a line of its own for the first case") ||
      !expect(TokenKind::Indent, "an indented 'case'"))
    return nullptr;
  std::vector<MatchCase> stack;
  Gather<MatchCase> cases(*this, stack);
  while (!accept(TokenKind::Dedent))
    if (!matchCase(cases))
      return nullptr;
  node->cases = cases.take();
  return finishStmt(node, begin);
}

bool Parser::matchCase(Gather<MatchCase> &cases) {
  const Token owner = token();
  if (!at(TokenKind::Name) || textOf(owner) != "case")
    return unexpected("'case'"), false;
  advance();
  MatchCase one;
  one.pattern = casePatterns();
  if (!one.pattern || (accept(TokenKind::KwIf) && !(one.guard = namedExpression())) ||
      !block(one.body, "'case'", owner))
    return false;
  cases.add(one);
  return true;
}

Pattern *Parser::casePatterns() {
  const Position begin = token().begin;
  Pattern *first = starPattern();
  if (!first || (first->kind != PatternKind::Star && !at(TokenKind::Comma)))
    return first;
  Gather<Pattern *> patterns(*this, patternStack);
  patterns.add(first);
  if (!expect(TokenKind::Comma, "',' after a pattern with '*'") ||
      !patternList(TokenKind::Colon, patterns))
    return nullptr;
  Pattern *node = newPattern(PatternKind::Sequence);
  node->patterns = patterns.take();
  return finishPattern(node, begin);
}

//===--------------------------------------------------------------------------===//
// Patterns
//===--------------------------------------------------------------------------===//

Pattern *Parser::newPattern(PatternKind kind) {
  auto *node = arena.make<Pattern>();
  node->kind = kind;
  return node;
}

Pattern *Parser::finishPattern(Pattern *pattern, Position begin) {
  pattern->begin = begin;
  pattern->end = lastEnd;
  return pattern;
}

bool Parser::patternList(TokenKind closing, Gather<Pattern *> &patterns) {
  while (!at(closing) && !at(TokenKind::KwIf)) {
    Pattern *one = starPattern();
    if (!one)
      return false;
    patterns.add(one);
    if (!accept(TokenKind::Comma))
      break;
  }
  return true;
}

/// The name of a pattern that takes anything; `_` binds nothing.
bool Parser::captureName(std::string_view &name) {
  if (!at(TokenKind::Name))
    return unexpected("a name"), false;
  name = textOf(token());
  if (name == "_")
    name = {};
  advance();
  return true;
}

Pattern *Parser::starPattern() {
  const Position begin = token().begin;
  if (!accept(TokenKind::Star))
    return pattern();
  Pattern *node = newPattern(PatternKind::Star);
  return captureName(node->name) ? finishPattern(node, begin) : nullptr;
}

Pattern *Parser::pattern() {
  const Position begin = token().begin;
  Pattern *inner = orPattern();
  if (!inner || !accept(TokenKind::KwAs))
    return inner;
  Pattern *node = newPattern(PatternKind::As);
  const Token name = token();
  if (!captureName(node->name))
    return nullptr;
  if (node->name.empty())
    return failAt(name, "`_` binds nothing", "give the pattern another name"), nullptr;
  node->patterns = arena.copy(&inner, 1);
  return finishPattern(node, begin);
}

Pattern *Parser::orPattern() {
  const Position begin = token().begin;
  Pattern *first = closedPattern();
  if (!first || !at(TokenKind::Bar))
    return first;
  Gather<Pattern *> choices(*this, patternStack);
  choices.add(first);
  while (accept(TokenKind::Bar)) {
    Pattern *next = closedPattern();
    if (!next)
      return nullptr;
    choices.add(next);
  }
  Pattern *node = newPattern(PatternKind::Or);
  node->patterns = choices.take();
  return finishPattern(node, begin);
}

Pattern *Parser::closedPattern() {
  Nesting nesting(*this);
  if (nesting.tooDeep())
    return nullptr;
  switch (kind()) {
  case TokenKind::Name:
    return namePattern();
  case TokenKind::LeftParen:
  case TokenKind::LeftBracket:
    return parenthesizedPattern();
  case TokenKind::LeftBrace:
    return mappingPattern();
  default:
    return literalPattern();
  }
}

Pattern *Parser::literalPattern() {
  const Position begin = token().begin;
  const bool isSingleton = at(TokenKind::KwNone) || at(TokenKind::KwTrue) || at(TokenKind::KwFalse);
  Pattern *node = newPattern(isSingleton ? PatternKind::Singleton : PatternKind::Value);
  node->value = literalExpression();
  return node->value ? finishPattern(node, begin) : nullptr;
}

Expr *Parser::literalExpression() {
  switch (kind()) {
  case TokenKind::KwNone:
  case TokenKind::KwTrue:
  case TokenKind::KwFalse:
  case TokenKind::String:
    return atom();
  case TokenKind::Minus:
  case TokenKind::Number:
    break;
  default:
    return unexpected("a pattern");
  }
  // A complex number is a sum of a real and an imaginary one.
  const Position begin = token().begin;
  Expr *left = signedNumber();
  if (!left || (!at(TokenKind::Plus) && !at(TokenKind::Minus)))
    return left;
  auto *node = arena.make<BinOpExpr>();
  node->op = at(TokenKind::Plus) ? BinaryOperator::Add : BinaryOperator::Sub;
  node->operatorAt = token().begin;
  advance();
  node->left = left;
  node->right = at(TokenKind::Number) ? number() : unexpected("an imaginary number");
  return node->right ? finish(node, begin, std::max(heightOf(left), heightOf(node->right)))
                     : nullptr;
}

Expr *Parser::signedNumber() {
  const Position begin = token().begin;
  if (!accept(TokenKind::Minus))
    return number();
  if (!at(TokenKind::Number))
    return unexpected("a number");
  auto *node = arena.make<UnaryOpExpr>();
  node->op = UnaryOperator::USub;
  node->operand = number();
  return node->operand ? finish(node, begin, heightOf(node->operand)) : nullptr;
}

Expr *Parser::nameOrAttribute() {
  const Position begin = token().begin;
  Expr *value = atom();
  while (value && at(TokenKind::Dot))
    value = attribute(value, begin);
  return value;
}

/// A name that takes anything, a value with a dot in its name, or a class with its parts.
Pattern *Parser::namePattern() {
  const Position begin = token().begin;
  if (kind(1) != TokenKind::Dot && kind(1) != TokenKind::LeftParen) {
    Pattern *node = newPattern(PatternKind::As);
    return captureName(node->name) ? finishPattern(node, begin) : nullptr;
  }
  Expr *value = nameOrAttribute();
  if (!value)
    return nullptr;
  if (at(TokenKind::LeftParen))
    return classPattern(value, begin);
  Pattern *node = newPattern(PatternKind::Value);
  node->value = value;
  return finishPattern(node, begin);
}

Pattern *Parser::classPattern(Expr *type, Position begin) {
  advance();
  Gather<Pattern *> positional(*this, patternStack);
  std::vector<std::string_view> attributes;
  std::vector<Pattern *> attributePatterns;
  while (!at(TokenKind::RightParen)) {
    const Token here = token();
    const bool isNamed = at(TokenKind::Name) && kind(1) == TokenKind::Equal;
    if (isNamed) {
      attributes.push_back(textOf(here));
      advance();
      advance();
    } else if (!attributes.empty()) {
      return failAt(here, "a pattern without a name follows one with a name",
                    "put it first, or name the attribute"),
             nullptr;
    }
    Pattern *one = pattern();
    if (!one)
      return nullptr;
    if (isNamed)
      attributePatterns.push_back(one);
    else
      positional.add(one);
    if (!accept(TokenKind::Comma))
      break;
  }
  if (!expect(TokenKind::RightParen, "',' or ')' after a pattern"))
    return nullptr;
  Pattern *node = newPattern(PatternKind::Class);
  node->value = type;
  node->patterns = positional.take();
  node->attributes = arena.copy(attributes.data(), attributes.size());
  node->attributePatterns = arena.copy(attributePatterns.data(), attributePatterns.size());
  return finishPattern(node, begin);
}

/// A sequence in parentheses or brackets. One pattern alone in parentheses is that pattern.
Pattern *Parser::parenthesizedPattern() {
  const Position begin = token().begin;
  const bool isParenthesis = at(TokenKind::LeftParen);
  const TokenKind closing = isParenthesis ? TokenKind::RightParen : TokenKind::RightBracket;
  advance();
  Gather<Pattern *> patterns(*this, patternStack);
  if (!patternList(closing, patterns))
    return nullptr;
  const bool endsInComma = kind(0) == closing && tokens[index - 1].kind == TokenKind::Comma;
  if (!expect(closing, isParenthesis ? "',' or ')' after a pattern" : "',' or ']' after a pattern"))
    return nullptr;
  if (isParenthesis && patterns.size() == 1 && !endsInComma &&
      patterns.back()->kind != PatternKind::Star)
    return patterns.back();
  Pattern *node = newPattern(PatternKind::Sequence);
  node->patterns = patterns.take();
  return finishPattern(node, begin);
}

Pattern *Parser::mappingPattern() {
  const Position begin = token().begin;
  advance();
  Pattern *node = newPattern(PatternKind::Mapping);
  GatherExprs keys(*this);
  Gather<Pattern *> patterns(*this, patternStack);
  while (!at(TokenKind::RightBrace)) {
    if (accept(TokenKind::StarStar)) {
      if (!captureName(node->name))
        return nullptr;
      accept(TokenKind::Comma);
      break;
    }
    Expr *key = at(TokenKind::Name) ? nameOrAttribute() : literalExpression();
    if (!key || !expect(TokenKind::Colon, "':' after the key"))
      return nullptr;
    Pattern *value = pattern();
    if (!value)
      return nullptr;
    keys.add(key);
    patterns.add(value);
    if (!accept(TokenKind::Comma))
      break;
  }
  if (!expect(TokenKind::RightBrace, "',' or '}' after a pattern"))
    return nullptr;
  node->keys = keys.take();
  node->patterns = patterns.take();
  return finishPattern(node, begin);
}
