//===- ParseCompounds.cpp - Grammar of compound statements --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/syntax/ParserImpl.h"

using namespace tilewright;
using namespace tilewright::frontend;

//===--------------------------------------------------------------------------===//
// Compound statements
//===--------------------------------------------------------------------------===//

/// The colon and the statements after it; `what` names their owner in errors.
bool Parser::block(Body &body, const char *what, const Token &owner) {
  uint32_t ownerLine = owner.begin.line;
  if (!at(TokenKind::Colon)) {
    bool assigns = at(TokenKind::Equal);
    return unexpected(std::string("':' after ") + what,
                      assigns ? "write `==` to compare" : "add the colon"),
           false;
  }
  advance();
  Gather<Stmt *> statements(*this, stmtStack);
  if (!accept(TokenKind::Newline)) {
    if (!simpleStatements(statements))
      return false;
    body = statements.take();
    return true;
  }
  if (!accept(TokenKind::Indent)) {
    if (at(TokenKind::Error))
      return unexpected(""), false;
    return failAt(token(),
                  std::string("an indented block is missing after ") + what + " on line " +
                      std::to_string(ownerLine),
                  "indent the statements that belong to it, or write `pass`"),
           false;
  }
  while (!accept(TokenKind::Dedent)) {
    if (at(TokenKind::EndOfFile))
      return unexpected("a statement"), false;
    if (!statement(statements))
      return false;
  }
  body = statements.take();
  return true;
}

bool Parser::elseBlock(Body &body) {
  if (!at(TokenKind::KwElse))
    return true;
  Token owner = token();
  advance();
  return block(body, "'else'", owner);
}

/// Also takes an elif, which is an if of its own.
Stmt *Parser::ifStatement() {
  Nesting nesting(*this);
  if (nesting.tooDeep())
    return nullptr;
  Token owner = token();
  advance();
  auto *node = arena.make<IfStmt>();
  node->test = namedExpression();
  if (!node->test || !block(node->body, "the condition of 'if'", owner))
    return nullptr;
  if (at(TokenKind::KwElif)) {
    Stmt *nested = ifStatement();
    if (!nested)
      return nullptr;
    node->orElse = arena.copy(&nested, 1);
  } else if (!elseBlock(node->orElse)) {
    return nullptr;
  }
  return finishStmt(node, owner.begin);
}

Stmt *Parser::whileStatement() {
  Token owner = token();
  advance();
  auto *node = arena.make<WhileStmt>();
  node->test = namedExpression();
  if (!node->test || !block(node->body, "the condition of 'while'", owner) ||
      !elseBlock(node->orElse))
    return nullptr;
  return finishStmt(node, owner.begin);
}

Stmt *Parser::forStatement() {
  Token owner = token();
  advance();
  auto *node = arena.make<ForStmt>();
  node->target = targetList();
  if (!node->target || !expect(TokenKind::KwIn, "'in' of the loop"))
    return nullptr;
  node->iterable = starExpressions();
  if (!node->iterable || !block(node->body, "the head of 'for'", owner) || !elseBlock(node->orElse))
    return nullptr;
  return finishStmt(node, owner.begin);
}

Stmt *Parser::tryStatement() {
  Token owner = token();
  advance();
  auto *node = arena.make<TryStmt>();
  if (!block(node->body, "'try'", owner))
    return nullptr;
  std::vector<ExceptHandler> handlers;
  while (at(TokenKind::KwExcept)) {
    Token handlerToken = token();
    ExceptHandler handler;
    handler.begin = handlerToken.begin;
    advance();
    const bool isStar = accept(TokenKind::Star);
    if (!handlers.empty() && isStar != node->isStar)
      return failAt(handlerToken, "`except` and `except*` stand in one `try`", "use one of them");
    node->isStar = isStar;
    if (isStar || !at(TokenKind::Colon)) {
      handler.type = expression();
      if (!handler.type)
        return nullptr;
      if (accept(TokenKind::KwAs)) {
        if (!at(TokenKind::Name))
          return unexpected("a name after 'as'");
        handler.name = textOf(token());
        advance();
      }
    }
    if (!block(handler.body, "'except'", handlerToken))
      return nullptr;
    handler.end = lastEnd;
    handlers.push_back(handler);
  }
  node->handlers = arena.copy(handlers.data(), handlers.size());
  if (!handlers.empty() && !elseBlock(node->orElse))
    return nullptr;
  if (at(TokenKind::KwFinally)) {
    Token finallyToken = token();
    advance();
    if (!block(node->finalBody, "'finally'", finallyToken))
      return nullptr;
  } else if (handlers.empty()) {
    return unexpected("'except' or 'finally' after the block of 'try'");
  }
  return finishStmt(node, owner.begin);
}

bool Parser::withItem(Gather<WithItem> &items) {
  WithItem item;
  item.context = expression();
  if (!item.context)
    return false;
  if (accept(TokenKind::KwAs)) {
    item.target = at(TokenKind::Star) ? starExpression() : primary();
    if (!item.target || !setContext(item.target, Context::Store))
      return false;
  }
  items.add(item);
  return true;
}

bool Parser::withItems(List<WithItem> &items) {
  std::vector<WithItem> stack;
  Gather<WithItem> all(*this, stack);
  if (at(TokenKind::LeftParen)) {
    // Parentheses may go round all items, or belong to the first expression: try the
    // former, and start again if a colon does not follow.
    size_t start = index;
    Position startEnd = lastEnd;
    advance();
    bool fits = !at(TokenKind::RightParen);
    while (fits && !at(TokenKind::RightParen))
      fits = withItem(all) && (accept(TokenKind::Comma) || at(TokenKind::RightParen));
    if (fits) {
      advance();
      if (at(TokenKind::Colon)) {
        items = all.take();
        return true;
      }
    }
    failed = false;
    index = start;
    lastEnd = startEnd;
    stack.clear();
  }
  do {
    if (!withItem(all))
      return false;
  } while (accept(TokenKind::Comma));
  items = all.take();
  return true;
}

Stmt *Parser::withStatement() {
  Token owner = token();
  advance();
  auto *node = arena.make<WithStmt>();
  if (!withItems(node->items) || !block(node->body, "the items of 'with'", owner))
    return nullptr;
  return finishStmt(node, owner.begin);
}

//===--------------------------------------------------------------------------===//
// Definitions
//===--------------------------------------------------------------------------===//

Stmt *Parser::decorated() {
  GatherExprs decorators(*this);
  while (accept(TokenKind::At)) {
    Expr *decorator = namedExpression();
    if (!decorator || !expect(TokenKind::Newline, "the end of the line after the decorator"))
      return nullptr;
    decorators.add(decorator);
  }
  if (at(TokenKind::KwDef))
    return functionDefinition(decorators.take());
  if (at(TokenKind::KwClass))
    return classDefinition(decorators.take());
  if (at(TokenKind::KwAsync))
    return asyncStatement(decorators.take());
  return unexpected("'def' or 'class' after the decorator");
}

Stmt *Parser::asyncStatement(Exprs decorators) {
  const Position begin = token().begin;
  advance();
  Stmt *node = nullptr;
  if (at(TokenKind::KwDef)) {
    node = functionDefinition(decorators);
    if (node)
      static_cast<FunctionDefStmt *>(node)->isAsync = true;
  } else if (at(TokenKind::KwFor) && decorators.empty()) {
    node = forStatement();
    if (node)
      static_cast<ForStmt *>(node)->isAsync = true;
  } else if (at(TokenKind::KwWith) && decorators.empty()) {
    node = withStatement();
    if (node)
      static_cast<WithStmt *>(node)->isAsync = true;
  } else {
    return unexpected("'def', 'for' or 'with' after 'async'");
  }
  if (node)
    node->begin = begin;
  return node;
}

Stmt *Parser::functionDefinition(Exprs decorators) {
  Token owner = token();
  advance();
  auto *node = arena.make<FunctionDefStmt>();
  node->decorators = decorators;
  if (!at(TokenKind::Name))
    return unexpected("the name of the function");
  node->name = textOf(token());
  node->nameAt = token().begin;
  advance();
  unsigned height = 0;
  if (!expect(TokenKind::LeftParen, "'(' before the parameters") ||
      !parameters(TokenKind::RightParen, /*annotated=*/true, node->parameters, height) ||
      !expect(TokenKind::RightParen, "',' or ')' after a parameter"))
    return nullptr;
  if (accept(TokenKind::Arrow) && !(node->returns = expression()))
    return nullptr;
  if (!block(node->body, "the head of the function", owner))
    return nullptr;
  return finishStmt(node, owner.begin);
}

Stmt *Parser::classDefinition(Exprs decorators) {
  Token owner = token();
  advance();
  auto *node = arena.make<ClassDefStmt>();
  node->decorators = decorators;
  if (!at(TokenKind::Name))
    return unexpected("the name of the class");
  node->name = textOf(token());
  advance();
  if (accept(TokenKind::LeftParen)) {
    unsigned height = 0;
    GatherExprs bases(*this);
    Gather<Keyword> keywords(*this, keywordStack);
    if (!callArguments(bases, keywords, height))
      return nullptr;
    node->bases = bases.take();
    node->keywords = keywords.take();
  }
  if (!block(node->body, "the head of the class", owner))
    return nullptr;
  return finishStmt(node, owner.begin);
}

/// The parameters of a function or, without annotations, of a lambda, up to `closing`.
bool Parser::parameters(TokenKind closing, bool annotated, Parameters &parameters,
                        unsigned &height) {
  Gather<Parameter> positional(*this, parameterStack);
  std::vector<Parameter> keywordOnly;
  std::vector<Expr *> keywordDefaults;
  GatherExprs defaults(*this);
  bool starSeen = false, slashSeen = false, bareStar = false;

  auto one = [&](Parameter &parameter) {
    if (!at(TokenKind::Name))
      return unexpected("the name of a parameter"), false;
    parameter.begin = token().begin;
    parameter.name = textOf(token());
    advance();
    if (annotated && accept(TokenKind::Colon)) {
      parameter.annotation = at(TokenKind::Star) ? starExpression() : expression();
      if (!parameter.annotation)
        return false;
      height = std::max(height, heightOf(parameter.annotation));
    }
    parameter.end = lastEnd;
    return true;
  };

  while (!at(closing)) {
    const Token &here = token();
    if (parameters.keywords)
      return failAt(here, "a parameter follows the `**` parameter", "put it before"), false;
    if (at(TokenKind::Slash)) {
      if (slashSeen || starSeen)
        return failAt(here, slashSeen ? "'/' stands twice among the parameters"
                                      : "'/' follows '*' among the parameters"),
               false;
      if (positional.size() == 0)
        return failAt(here, "'/' has no parameter before it"), false;
      advance();
      slashSeen = true;
      parameters.positionalOnly = positional.take();
    } else if (accept(TokenKind::StarStar)) {
      Parameter parameter;
      if (!one(parameter))
        return false;
      parameters.keywords = arena.make<Parameter>(parameter);
    } else if (at(TokenKind::Star)) {
      if (starSeen)
        return failAt(here, "'*' stands twice among the parameters"), false;
      advance();
      starSeen = true;
      bareStar = at(TokenKind::Comma) || at(closing);
      if (!bareStar) {
        Parameter parameter;
        if (!one(parameter))
          return false;
        parameters.variadic = arena.make<Parameter>(parameter);
      }
    } else {
      Parameter parameter;
      if (!one(parameter))
        return false;
      Expr *value = nullptr;
      if (accept(TokenKind::Equal)) {
        value = expression();
        if (!value)
          return false;
        height = std::max(height, heightOf(value));
      }
      if (starSeen) {
        keywordOnly.push_back(parameter);
        keywordDefaults.push_back(value);
        bareStar = false;
      } else {
        if (!value && defaults.size() > 0)
          return fail(parameter.begin, static_cast<uint32_t>(parameter.name.size()),
                      "a parameter without a default follows one that has a default",
                      "give it a default too, or put it first"),
                 false;
        positional.add(parameter);
        if (value)
          defaults.add(value);
      }
    }
    if (!accept(TokenKind::Comma))
      break;
  }
  if (bareStar)
    return failAt(token(), "named parameters must follow a bare '*'", "remove the '*'"), false;
  List<Parameter> all = positional.take();
  size_t before = parameters.positionalOnly.size();
  parameters.positional = {const_cast<Parameter *>(all.begin()) + before, all.size() - before};
  parameters.keywordOnly = arena.copy(keywordOnly.data(), keywordOnly.size());
  parameters.keywordDefaults = arena.copy(keywordDefaults.data(), keywordDefaults.size());
  parameters.defaults = defaults.take();
  return true;
}
