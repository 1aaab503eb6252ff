//===- ParsePrimaries.cpp - Grammar of atoms, calls and subscripts ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/syntax/ParserImpl.h"

using namespace tilewright;
using namespace tilewright::frontend;

//===--------------------------------------------------------------------------===//
// Calls, subscripts, attributes
//===--------------------------------------------------------------------------===//

Expr *Parser::primary() {
  Position begin = token().begin;
  Expr *value = atom();
  while (value) {
    switch (kind()) {
    case TokenKind::Dot:
      value = attribute(value, begin);
      break;
    case TokenKind::LeftParen:
      value = call(value, begin);
      break;
    case TokenKind::LeftBracket:
      value = subscript(value, begin);
      break;
    default:
      return value;
    }
  }
  return nullptr;
}

Expr *Parser::attribute(Expr *value, Position begin) {
  advance();
  if (!at(TokenKind::Name))
    return unexpected("a name after '.'");
  auto *node = arena.make<AttributeExpr>();
  node->value = value;
  node->attribute = textOf(token());
  node->nameAt = token().begin;
  advance();
  return finish(node, begin, heightOf(value));
}

Expr *Parser::call(Expr *function, Position begin) {
  advance();
  auto *node = arena.make<CallExpr>();
  node->function = function;
  unsigned height = heightOf(function);
  GatherExprs arguments(*this);
  Gather<Keyword> keywords(*this, keywordStack);
  if (!callArguments(arguments, keywords, height))
    return nullptr;
  node->arguments = arguments.take();
  node->keywords = keywords.take();
  return finish(node, begin, std::max(height, arguments.height));
}

/// Reads up to and with the closing parenthesis; the opening one has been taken.
bool Parser::callArguments(GatherExprs &arguments, Gather<Keyword> &keywords, unsigned &height) {
  Position open = tokens[index - 1].begin;
  bool unpacked = false;
  while (!at(TokenKind::RightParen)) {
    Position begin = token().begin;
    if (accept(TokenKind::StarStar)) {
      Expr *value = expression();
      if (!value)
        return false;
      height = std::max(height, heightOf(value));
      keywords.add({{}, value, begin, lastEnd});
      unpacked = true;
    } else if (at(TokenKind::Name) && kind(1) == TokenKind::Equal) {
      std::string_view name = textOf(token());
      advance();
      advance();
      Expr *value = expression();
      if (!value)
        return false;
      height = std::max(height, heightOf(value));
      keywords.add({name, value, begin, lastEnd});
    } else if (accept(TokenKind::Star)) {
      if (unpacked)
        return fail(begin, 1, "a `*` argument follows a `**` argument", "put it before"), false;
      auto *starred = arena.make<StarredExpr>();
      starred->value = expression();
      if (!starred->value || !finish(starred, begin, heightOf(starred->value)))
        return false;
      arguments.add(starred);
    } else {
      Expr *value = namedExpression();
      if (!value)
        return false;
      if (keywords.size() > 0)
        return failAt(value, "a positional argument follows a keyword argument",
                      "put positional arguments first, or name this one"),
               false;
      if (atComprehension()) {
        auto *generator = arena.make<GeneratorExpExpr>();
        generator->element = value;
        unsigned below = heightOf(value);
        if (!comprehensions(generator->generators, below))
          return false;
        bool alone = arguments.size() == 0;
        if (!alone || !at(TokenKind::RightParen))
          return failAt(value, "a generator expression beside other arguments needs parentheses",
                        "put parentheses around it"),
                 false;
        advance();
        if (!finish(generator, open, below))
          return false;
        arguments.add(generator);
        return true;
      }
      arguments.add(value);
    }
    if (at(TokenKind::Equal))
      return failAt(token(), "only a name can stand before '=' in a call", "write `==` to compare"),
             false;
    if (!accept(TokenKind::Comma) && !at(TokenKind::RightParen))
      return unexpected("',' or ')' in the call"), false;
  }
  advance();
  return true;
}

Expr *Parser::subscript(Expr *value, Position begin) {
  advance();
  auto *node = arena.make<SubscriptExpr>();
  node->value = value;
  Position sliceBegin = token().begin;
  if (at(TokenKind::RightBracket))
    return unexpected("an index");
  node->slice = slice();
  if (!node->slice)
    return nullptr;
  if (at(TokenKind::Comma) || node->slice->kind == ExprKind::Starred) {
    GatherExprs elements(*this);
    elements.add(node->slice);
    while (accept(TokenKind::Comma) && !at(TokenKind::RightBracket)) {
      Expr *element = slice();
      if (!element)
        return nullptr;
      elements.add(element);
    }
    auto *tuple = arena.make<TupleExpr>();
    tuple->elements = elements.take();
    node->slice = finish(tuple, sliceBegin, elements.height);
    if (!node->slice)
      return nullptr;
  }
  if (!expect(TokenKind::RightBracket, "',' or ']' in the subscript"))
    return nullptr;
  return finish(node, begin, std::max(heightOf(value), heightOf(node->slice)));
}

Expr *Parser::slice() {
  Position begin = token().begin;
  if (at(TokenKind::Star))
    return starExpression();
  Expr *lower = nullptr;
  if (!at(TokenKind::Colon)) {
    lower = namedExpression();
    if (!lower || !at(TokenKind::Colon))
      return lower;
  }
  advance();
  auto ends = [&] {
    return at(TokenKind::Colon) || at(TokenKind::Comma) || at(TokenKind::RightBracket);
  };
  auto *node = arena.make<SliceExpr>();
  node->lower = lower;
  if (!ends() && !(node->upper = expression()))
    return nullptr;
  if (accept(TokenKind::Colon) && !ends() && !(node->step = expression()))
    return nullptr;
  return finish(node, begin,
                std::max({heightOf(lower), heightOf(node->upper), heightOf(node->step)}));
}

//===--------------------------------------------------------------------------===//
// Atoms
//===--------------------------------------------------------------------------===//

Expr *Parser::atom() {
  Position begin = token().begin;
  auto constant = [&](ConstantKind kind) {
    advance();
    auto *node = simple<ConstantExpr>(begin);
    node->constant = kind;
    return node;
  };
  switch (kind()) {
  case TokenKind::Name: {
    auto *node = arena.make<NameExpr>();
    node->id = textOf(token());
    advance();
    return finish(node, begin, 0);
  }
  case TokenKind::Number:
    return number();
  case TokenKind::String:
    return strings();
  case TokenKind::KwNone:
    return constant(ConstantKind::None);
  case TokenKind::KwTrue:
    return constant(ConstantKind::True);
  case TokenKind::KwFalse:
    return constant(ConstantKind::False);
  case TokenKind::Ellipsis:
    return constant(ConstantKind::Ellipsis);
  case TokenKind::LeftParen:
    return parenthesized();
  case TokenKind::LeftBracket:
    return bracketed();
  case TokenKind::LeftBrace:
    return braced();
  case TokenKind::EqualEqual:
  case TokenKind::Equal:
    return unexpected("an expression", "remove the extra '='");
  default:
    return unexpected("an expression");
  }
}

Expr *Parser::parenthesized() {
  Nesting nesting(*this);
  if (nesting.tooDeep())
    return nullptr;
  Position begin = token().begin;
  advance();
  if (accept(TokenKind::RightParen))
    return simple<TupleExpr>(begin);
  if (at(TokenKind::KwYield)) {
    Expr *node = yield();
    return node && expect(TokenKind::RightParen, "')'") ? node : nullptr;
  }
  Expr *first = at(TokenKind::Star) ? starExpression() : namedExpression();
  if (!first)
    return nullptr;
  if (atComprehension()) {
    auto *node = arena.make<GeneratorExpExpr>();
    node->element = first;
    unsigned height = heightOf(first);
    if (!comprehensions(node->generators, height) || !expect(TokenKind::RightParen, "')'"))
      return nullptr;
    return finish(node, begin, height);
  }
  if (!at(TokenKind::Comma)) {
    if (first->kind == ExprKind::Starred && !at(TokenKind::Error))
      return failAt(first, "a starred expression stands alone in parentheses",
                    "add a comma to make it a tuple");
    return expect(TokenKind::RightParen, "')' or ','") ? first : nullptr;
  }
  GatherExprs elements(*this);
  elements.add(first);
  while (accept(TokenKind::Comma) && !at(TokenKind::RightParen)) {
    Expr *element = at(TokenKind::Star) ? starExpression() : namedExpression();
    if (!element)
      return nullptr;
    elements.add(element);
  }
  if (!expect(TokenKind::RightParen, "')' or ','"))
    return nullptr;
  auto *node = arena.make<TupleExpr>();
  node->elements = elements.take();
  return finish(node, begin, elements.height);
}

Expr *Parser::bracketed() {
  Nesting nesting(*this);
  if (nesting.tooDeep())
    return nullptr;
  Position begin = token().begin;
  advance();
  GatherExprs elements(*this);
  while (!at(TokenKind::RightBracket)) {
    Expr *element = at(TokenKind::Star) ? starExpression() : namedExpression();
    if (!element)
      return nullptr;
    if (atComprehension() && elements.size() == 0) {
      auto *node = arena.make<ListCompExpr>();
      node->element = element;
      unsigned height = heightOf(element);
      if (!comprehensions(node->generators, height) || !expect(TokenKind::RightBracket, "']'"))
        return nullptr;
      return finish(node, begin, height);
    }
    elements.add(element);
    if (!accept(TokenKind::Comma) && !at(TokenKind::RightBracket))
      return unexpected("',' or ']' in the list");
  }
  advance();
  auto *node = arena.make<ListExpr>();
  node->elements = elements.take();
  return finish(node, begin, elements.height);
}

/// A dict, a set, or a comprehension of either.
Expr *Parser::braced() {
  Nesting nesting(*this);
  if (nesting.tooDeep())
    return nullptr;
  Position begin = token().begin;
  advance();
  bool isDict = at(TokenKind::RightBrace) || at(TokenKind::StarStar);
  // A dict's keys and values are gathered alternately, then taken apart.
  GatherExprs elements(*this);
  while (!at(TokenKind::RightBrace)) {
    Expr *value;
    if (isDict && accept(TokenKind::StarStar)) {
      value = binary(1);
      if (!value)
        return nullptr;
      elements.add(nullptr);
    } else {
      bool first = elements.size() == 0;
      Expr *element = at(TokenKind::Star) && !isDict ? starExpression() : namedExpression();
      if (!element)
        return nullptr;
      if (first && at(TokenKind::Colon))
        isDict = true;
      value = element;
      if (isDict) {
        if (!expect(TokenKind::Colon, "':' after the key"))
          return nullptr;
        value = expression();
        if (!value)
          return nullptr;
      }
      if (first && atComprehension()) {
        List<Comprehension> generators;
        unsigned height = std::max(heightOf(element), heightOf(value));
        if (!comprehensions(generators, height) || !expect(TokenKind::RightBrace, "'}'"))
          return nullptr;
        if (isDict) {
          auto *node = arena.make<DictCompExpr>();
          node->key = element;
          node->value = value;
          node->generators = generators;
          return finish(node, begin, height);
        }
        auto *node = arena.make<SetCompExpr>();
        node->element = element;
        node->generators = generators;
        return finish(node, begin, height);
      }
      if (isDict)
        elements.add(element);
    }
    elements.add(value);
    if (!accept(TokenKind::Comma) && !at(TokenKind::RightBrace))
      return unexpected(isDict ? "',' or '}' in the dict" : "',' or '}' in the set");
  }
  advance();
  if (!isDict) {
    auto *node = arena.make<SetExpr>();
    node->elements = elements.take();
    return finish(node, begin, elements.height);
  }
  auto *node = arena.make<DictExpr>();
  Exprs all = elements.take();
  std::vector<Expr *> keys, values;
  for (size_t i = 0; i < all.size(); i += 2) {
    keys.push_back(all[i]);
    values.push_back(all[i + 1]);
  }
  node->keys = arena.copy(keys.data(), keys.size());
  node->values = arena.copy(values.data(), values.size());
  return finish(node, begin, elements.height);
}

Expr *Parser::lambda() {
  Position begin = token().begin;
  advance();
  auto *node = arena.make<LambdaExpr>();
  unsigned height = 0;
  if (!parameters(TokenKind::Colon, /*annotated=*/false, node->parameters, height) ||
      !expect(TokenKind::Colon, "':' after the parameters of the lambda"))
    return nullptr;
  node->body = expression();
  return node->body ? finish(node, begin, std::max(height, heightOf(node->body))) : nullptr;
}

Expr *Parser::yield() {
  Position begin = token().begin;
  advance();
  if (accept(TokenKind::KwFrom)) {
    auto *node = arena.make<YieldFromExpr>();
    node->value = expression();
    return node->value ? finish(node, begin, heightOf(node->value)) : nullptr;
  }
  auto *node = arena.make<YieldExpr>();
  if (!endsList(kind())) {
    node->value = starExpressions();
    if (!node->value)
      return nullptr;
  }
  return finish(node, begin, heightOf(node->value));
}

Expr *Parser::yieldOrStarExpressions() {
  return at(TokenKind::KwYield) ? yield() : starExpressions();
}

bool Parser::comprehensions(List<Comprehension> &generators, unsigned &height) {
  Gather<Comprehension> all(*this, comprehensionStack);
  while (atComprehension()) {
    Comprehension one;
    one.isAsync = accept(TokenKind::KwAsync);
    advance();
    one.target = targetList();
    if (!one.target || !expect(TokenKind::KwIn, "'in' of the comprehension"))
      return false;
    one.iterable = disjunction();
    if (!one.iterable)
      return false;
    GatherExprs conditions(*this);
    while (accept(TokenKind::KwIf)) {
      Expr *condition = disjunction();
      if (!condition)
        return false;
      conditions.add(condition);
    }
    one.conditions = conditions.take();
    height = std::max({height, heightOf(one.target), heightOf(one.iterable), conditions.height});
    all.add(one);
  }
  generators = all.take();
  return true;
}
