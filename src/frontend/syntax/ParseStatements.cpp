//===- ParseStatements.cpp - Grammar of simple statements ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/syntax/ParserImpl.h"

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
    compound = asyncStatement({});
    break;
  case TokenKind::KwElse:
  case TokenKind::KwElif:
  case TokenKind::KwExcept:
  case TokenKind::KwFinally:
    return failAt(token(), "'" + std::string(textOf(token())) + "' has no statement before it",
                  "give it the indentation of the statement it belongs to"),
           false;
  default:
    if (!isMatchStatement())
      return simpleStatements(statements);
    compound = matchStatement();
    break;
  }
  if (!compound)
    return false;
  statements.add(compound);
  return true;
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
