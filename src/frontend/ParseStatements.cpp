//===- ParseStatements.cpp - The grammar of statements ------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/ParserImpl.h"

using namespace tilewright;
using namespace tilewright::frontend;

const Module *Parser::module() {
  Gather<Stmt *> statements(*this, stmtStack);
  while (!at(TokenKind::EndOfFile)) {
    if (accept(TokenKind::Newline))
      continue;
    if (!statement(statements))
      return nullptr;
  }
  auto *module = arena.make<Module>();
  module->body = statements.take();
  return module;
}

/// One compound statement, or the simple statements of a line.
bool Parser::statement(Gather<Stmt *> &statements) {
  Nesting nesting(*this);
  if (nesting.tooDeep())
    return false;
  Stmt *compound;
  switch (kind()) {
  case TokenKind::KwIf:
    compound = ifStatement();
    break;
  case TokenKind::KwWhile:
    compound = whileStatement();
    break;
  case TokenKind::KwFor:
    compound = forStatement();
    break;
  case TokenKind::KwTry:
    compound = tryStatement();
    break;
  case TokenKind::KwWith:
    compound = withStatement();
    break;
  case TokenKind::KwDef:
    compound = functionDefinition({});
    break;
  case TokenKind::KwClass:
    compound = classDefinition({});
    break;
  case TokenKind::At:
    compound = decorated();
    break;
  case TokenKind::KwAsync:
    return failAt(token(), "`async` is outside the Python that is read here",
                  "move asynchronous code into another file"),
           false;
  case TokenKind::KwElse:
  case TokenKind::KwElif:
  case TokenKind::KwExcept:
  case TokenKind::KwFinally:
    return failAt(token(), "'" + std::string(textOf(token())) + "' has no statement before it",
                  "give it the indentation of the statement it belongs to"),
           false;
  default:
    if (isMatchStatement())
      return failAt(token(), "`match` statements are outside the Python that is read here",
                    "use if and elif"),
             false;
    return simpleStatements(statements);
  }
  if (!compound)
    return false;
  statements.add(compound);
  return true;
}

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
  for (TokenKind here = kind(ahead); here != TokenKind::Newline && here != TokenKind::EndOfFile &&
                                     here != TokenKind::Error && here != TokenKind::Equal;
       here = kind(ahead))
    ++ahead;
  return kind(ahead) == TokenKind::Newline && kind(ahead - 1) == TokenKind::Colon &&
         kind(ahead + 1) == TokenKind::Indent;
}

bool Parser::simpleStatements(Gather<Stmt *> &statements) {
  do {
    Stmt *one = simpleStatement();
    if (!one)
      return false;
    statements.add(one);
  } while (accept(TokenKind::Semicolon) && !at(TokenKind::Newline));
  if (accept(TokenKind::Newline))
    return true;
  const Stmt *last = statements.back();
  const NameExpr *name = last->kind == StmtKind::Expr
                             ? last->as<frontend::ExprStmt>()->value->dynAs<NameExpr>()
                             : nullptr;
  return unexpected("the end of the statement",
                    name && name->id == "print" ? "write print(...) with parentheses" : ""),
         false;
}

Stmt *Parser::simpleStatement() {
  Position begin = token().begin;
  switch (kind()) {
  case TokenKind::KwPass:
    advance();
    return finishStmt(arena.make<PassStmt>(), begin);
  case TokenKind::KwBreak:
    advance();
    return finishStmt(arena.make<BreakStmt>(), begin);
  case TokenKind::KwContinue:
    advance();
    return finishStmt(arena.make<ContinueStmt>(), begin);
  case TokenKind::KwReturn: {
    advance();
    auto *node = arena.make<ReturnStmt>();
    if (!at(TokenKind::Newline) && !at(TokenKind::Semicolon) && !(node->value = starExpressions()))
      return nullptr;
    return finishStmt(node, begin);
  }
  case TokenKind::KwImport:
    return importStatement();
  case TokenKind::KwFrom:
    return importFromStatement();
  case TokenKind::KwDel:
    return deleteStatement();
  case TokenKind::KwRaise:
    return raiseStatement();
  case TokenKind::KwAssert:
    return assertStatement();
  case TokenKind::KwGlobal:
  case TokenKind::KwNonlocal:
    return scopeStatement();
  default:
    return expressionStatement();
  }
}

//===--------------------------------------------------------------------------===//
// Assignments and expressions
//===--------------------------------------------------------------------------===//

Stmt *Parser::expressionStatement() {
  Position begin = token().begin;
  bool parenthesized = at(TokenKind::LeftParen);
  Expr *first = yieldOrStarExpressions();
  if (!first)
    return nullptr;

  if (at(TokenKind::Colon))
    return annotatedAssignment(first, parenthesized, begin);

  if (kind() >= TokenKind::PlusEqual) {
    bool single = first->kind == ExprKind::Name || first->kind == ExprKind::Attribute ||
                  first->kind == ExprKind::Subscript;
    if (!single)
      return failAt(first, "an augmented assignment needs one name, attribute or subscript",
                    "write the operation out");
    auto *node = arena.make<AugAssignStmt>();
    node->op = static_cast<BinaryOperator>(static_cast<int>(kind()) -
                                           static_cast<int>(TokenKind::PlusEqual));
    node->operatorAt = token().begin;
    first->context = Context::Store;
    node->target = first;
    advance();
    node->value = yieldOrStarExpressions();
    return node->value ? finishStmt(node, begin) : nullptr;
  }

  if (at(TokenKind::Equal)) {
    GatherExprs targets(*this);
    Expr *value = first;
    while (accept(TokenKind::Equal)) {
      if (!setContext(value, Context::Store))
        return nullptr;
      targets.add(value);
      value = yieldOrStarExpressions();
      if (!value)
        return nullptr;
    }
    auto *node = arena.make<AssignStmt>();
    node->targets = targets.take();
    node->value = value;
    return finishStmt(node, begin);
  }

  if (at(TokenKind::ColonEqual))
    return failAt(token(), "`:=` is no statement of its own", "write `=`, or add parentheses");
  auto *node = arena.make<frontend::ExprStmt>();
  node->value = first;
  return finishStmt(node, begin);
}

Stmt *Parser::annotatedAssignment(Expr *target, bool parenthesized, Position begin) {
  if (target->kind != ExprKind::Name && target->kind != ExprKind::Attribute &&
      target->kind != ExprKind::Subscript) {
    if (target->kind == ExprKind::Tuple || target->kind == ExprKind::List)
      return failAt(target, "several targets cannot share an annotation",
                    "annotate one name at a time");
    return unexpected("the end of the statement");
  }
  target->context = Context::Store;
  advance();
  auto *node = arena.make<AnnAssignStmt>();
  node->target = target;
  node->simple = target->kind == ExprKind::Name && !parenthesized;
  node->annotation = expression();
  if (!node->annotation)
    return nullptr;
  if (accept(TokenKind::Equal) && !(node->value = yieldOrStarExpressions()))
    return nullptr;
  return finishStmt(node, begin);
}

//===--------------------------------------------------------------------------===//
// Other simple statements
//===--------------------------------------------------------------------------===//

/// A name, or names with dots between them.
bool Parser::dottedName(std::string_view &name, const char *what) {
  if (!at(TokenKind::Name))
    return unexpected(what), false;
  name = textOf(token());
  advance();
  if (!at(TokenKind::Dot))
    return true;
  std::string whole(name);
  while (accept(TokenKind::Dot)) {
    if (!at(TokenKind::Name))
      return unexpected("a name after '.'"), false;
    whole += '.';
    whole += textOf(token());
    advance();
  }
  name = arena.copy(whole);
  return true;
}

Stmt *Parser::importStatement() {
  Position begin = token().begin;
  advance();
  std::vector<ImportName> names;
  do {
    ImportName one;
    one.begin = token().begin;
    if (!dottedName(one.name, "the name of a module"))
      return nullptr;
    if (accept(TokenKind::KwAs)) {
      if (!at(TokenKind::Name))
        return unexpected("a name after 'as'");
      one.alias = textOf(token());
      advance();
    }
    one.end = lastEnd;
    names.push_back(one);
  } while (accept(TokenKind::Comma));
  auto *node = arena.make<ImportStmt>();
  node->names = arena.copy(names.data(), names.size());
  return finishStmt(node, begin);
}

Stmt *Parser::importFromStatement() {
  Position begin = token().begin;
  advance();
  auto *node = arena.make<ImportFromStmt>();
  while (at(TokenKind::Dot) || at(TokenKind::Ellipsis)) {
    node->level += at(TokenKind::Dot) ? 1 : 3;
    advance();
  }
  if ((node->level == 0 || !at(TokenKind::KwImport)) &&
      !dottedName(node->module, "the name of a module"))
    return nullptr;
  if (!expect(TokenKind::KwImport, "'import'"))
    return nullptr;
  std::vector<ImportName> names;
  if (at(TokenKind::Star)) {
    Position star = token().begin;
    advance();
    names.push_back({"*", {}, star, lastEnd});
  } else {
    bool parenthesized = accept(TokenKind::LeftParen);
    do {
      if (parenthesized && !names.empty() && at(TokenKind::RightParen))
        break;
      if (!at(TokenKind::Name))
        return unexpected("a name to import");
      ImportName one;
      one.begin = token().begin;
      one.name = textOf(token());
      advance();
      if (accept(TokenKind::KwAs)) {
        if (!at(TokenKind::Name))
          return unexpected("a name after 'as'");
        one.alias = textOf(token());
        advance();
      }
      one.end = lastEnd;
      names.push_back(one);
    } while (accept(TokenKind::Comma));
    if (parenthesized && !expect(TokenKind::RightParen, "',' or ')'"))
      return nullptr;
  }
  node->names = arena.copy(names.data(), names.size());
  return finishStmt(node, begin);
}

Stmt *Parser::deleteStatement() {
  Position begin = token().begin;
  advance();
  GatherExprs targets(*this);
  do {
    if (targets.size() > 0 && (at(TokenKind::Newline) || at(TokenKind::Semicolon)))
      break;
    Expr *target = binary(1);
    if (!target || !setContext(target, Context::Del))
      return nullptr;
    targets.add(target);
  } while (accept(TokenKind::Comma));
  auto *node = arena.make<DeleteStmt>();
  node->targets = targets.take();
  return finishStmt(node, begin);
}

Stmt *Parser::raiseStatement() {
  Position begin = token().begin;
  advance();
  auto *node = arena.make<RaiseStmt>();
  if (!at(TokenKind::Newline) && !at(TokenKind::Semicolon)) {
    node->exception = expression();
    if (!node->exception)
      return nullptr;
    if (accept(TokenKind::KwFrom) && !(node->cause = expression()))
      return nullptr;
  }
  return finishStmt(node, begin);
}

Stmt *Parser::assertStatement() {
  Position begin = token().begin;
  advance();
  auto *node = arena.make<AssertStmt>();
  node->test = expression();
  if (!node->test)
    return nullptr;
  if (accept(TokenKind::Comma) && !(node->message = expression()))
    return nullptr;
  return finishStmt(node, begin);
}

/// global and nonlocal.
Stmt *Parser::scopeStatement() {
  Position begin = token().begin;
  bool isGlobal = at(TokenKind::KwGlobal);
  advance();
  std::vector<std::string_view> names;
  do {
    if (!at(TokenKind::Name))
      return unexpected("a name");
    names.push_back(textOf(token()));
    advance();
  } while (accept(TokenKind::Comma));
  List<std::string_view> list = arena.copy(names.data(), names.size());
  if (isGlobal) {
    auto *node = arena.make<GlobalStmt>();
    node->names = list;
    return finishStmt(node, begin);
  }
  auto *node = arena.make<NonlocalStmt>();
  node->names = list;
  return finishStmt(node, begin);
}

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
    if (at(TokenKind::Star))
      return failAt(token(), "`except*` is outside the Python that is read here", "use `except`");
    if (!at(TokenKind::Colon)) {
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
    return failAt(token(), "`async` is outside the Python that is read here",
                  "move asynchronous code into another file");
  return unexpected("'def' or 'class' after the decorator");
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
