//===- Names.cpp - Names that statements read and assign ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/names/scope/Names.h"

using namespace tilewright;
using namespace tilewright::frontend;

void frontend::collectTargets(const Expr *target, NameSet &names) {
  switch (target->kind) {
  case ExprKind::Name:
    names.insert(target->as<NameExpr>()->id);
    break;
  case ExprKind::Tuple:
    for (const Expr *element : target->as<TupleExpr>()->elements)
      collectTargets(element, names);
    break;
  case ExprKind::List:
    for (const Expr *element : target->as<ListExpr>()->elements)
      collectTargets(element, names);
    break;
  case ExprKind::Starred:
    collectTargets(target->as<StarredExpr>()->value, names);
    break;
  default:
    break;
  }
}

void frontend::collectParameters(const Parameters &parameters, NameSet &names) {
  for (const auto *list :
       {&parameters.positionalOnly, &parameters.positional, &parameters.keywordOnly})
    for (const Parameter &parameter : *list)
      names.insert(parameter.name);
  for (const Parameter *parameter : {parameters.variadic, parameters.keywords})
    if (parameter)
      names.insert(parameter->name);
}

void frontend::collectAssigned(const Body &body, NameSet &names) {
  for (const Stmt *statement : body) {
    switch (statement->kind) {
    case StmtKind::Assign:
      for (const Expr *target : statement->as<AssignStmt>()->targets)
        collectTargets(target, names);
      break;
    case StmtKind::AugAssign:
      collectTargets(statement->as<AugAssignStmt>()->target, names);
      break;
    case StmtKind::AnnAssign:
      if (statement->as<AnnAssignStmt>()->value)
        collectTargets(statement->as<AnnAssignStmt>()->target, names);
      break;
    case StmtKind::For:
      collectTargets(statement->as<ForStmt>()->target, names);
      collectAssigned(statement->as<ForStmt>()->body, names);
      collectAssigned(statement->as<ForStmt>()->orElse, names);
      break;
    case StmtKind::While:
      collectAssigned(statement->as<WhileStmt>()->body, names);
      collectAssigned(statement->as<WhileStmt>()->orElse, names);
      break;
    case StmtKind::If:
      collectAssigned(statement->as<IfStmt>()->body, names);
      collectAssigned(statement->as<IfStmt>()->orElse, names);
      break;
    default:
      break;
    }
  }
}

bool frontend::containsReturn(const Body &body) {
  for (const Stmt *statement : body) {
    switch (statement->kind) {
    case StmtKind::Return:
      return true;
    case StmtKind::For:
      if (containsReturn(statement->as<ForStmt>()->body) ||
          containsReturn(statement->as<ForStmt>()->orElse))
        return true;
      break;
    case StmtKind::While:
      if (containsReturn(statement->as<WhileStmt>()->body) ||
          containsReturn(statement->as<WhileStmt>()->orElse))
        return true;
      break;
    case StmtKind::If:
      if (containsReturn(statement->as<IfStmt>()->body) ||
          containsReturn(statement->as<IfStmt>()->orElse))
        return true;
      break;
    default:
      break;
    }
  }
  return false;
}

//===--------------------------------------------------------------------------===//
// Calls
//===--------------------------------------------------------------------------===//

static void called(const Expr *expr, NameSet &names);

static void called(const Exprs &exprs, NameSet &names) {
  for (const Expr *expr : exprs)
    called(expr, names);
}

static void called(const Expr *expr, NameSet &names) {
  if (!expr)
    return;
  switch (expr->kind) {
  case ExprKind::Call: {
    const auto *call = expr->as<CallExpr>();
    if (const auto *name = call->function->dynAs<NameExpr>())
      names.insert(name->id);
    called(call->function, names);
    // A function may also be handed to another one.
    auto handed = [&](const Expr *argument) {
      if (const auto *name = argument->dynAs<NameExpr>())
        names.insert(name->id);
      called(argument, names);
    };
    for (const Expr *argument : call->arguments)
      handed(argument);
    for (const Keyword &keyword : call->keywords)
      handed(keyword.value);
    break;
  }
  case ExprKind::BoolOp:
    called(expr->as<BoolOpExpr>()->values, names);
    break;
  case ExprKind::BinOp:
    called(expr->as<BinOpExpr>()->left, names);
    called(expr->as<BinOpExpr>()->right, names);
    break;
  case ExprKind::UnaryOp:
    called(expr->as<UnaryOpExpr>()->operand, names);
    break;
  case ExprKind::IfExp:
    called(expr->as<IfExpExpr>()->test, names);
    called(expr->as<IfExpExpr>()->body, names);
    called(expr->as<IfExpExpr>()->orElse, names);
    break;
  case ExprKind::Compare:
    called(expr->as<CompareExpr>()->left, names);
    called(expr->as<CompareExpr>()->comparators, names);
    break;
  case ExprKind::Attribute:
    called(expr->as<AttributeExpr>()->value, names);
    break;
  case ExprKind::Subscript:
    called(expr->as<SubscriptExpr>()->value, names);
    called(expr->as<SubscriptExpr>()->slice, names);
    break;
  case ExprKind::Tuple:
    called(expr->as<TupleExpr>()->elements, names);
    break;
  case ExprKind::List:
    called(expr->as<ListExpr>()->elements, names);
    break;
  default:
    break;
  }
}

void frontend::collectCalled(const Body &body, NameSet &names) {
  for (const Stmt *statement : body) {
    switch (statement->kind) {
    case StmtKind::Expr:
      called(statement->as<frontend::ExprStmt>()->value, names);
      break;
    case StmtKind::Return:
      called(statement->as<ReturnStmt>()->value, names);
      break;
    case StmtKind::Assign:
      called(statement->as<AssignStmt>()->value, names);
      break;
    case StmtKind::AugAssign:
      called(statement->as<AugAssignStmt>()->value, names);
      break;
    case StmtKind::AnnAssign:
      called(statement->as<AnnAssignStmt>()->value, names);
      break;
    case StmtKind::For:
      called(statement->as<ForStmt>()->iterable, names);
      collectCalled(statement->as<ForStmt>()->body, names);
      collectCalled(statement->as<ForStmt>()->orElse, names);
      break;
    case StmtKind::While:
      called(statement->as<WhileStmt>()->test, names);
      collectCalled(statement->as<WhileStmt>()->body, names);
      collectCalled(statement->as<WhileStmt>()->orElse, names);
      break;
    case StmtKind::If:
      called(statement->as<IfStmt>()->test, names);
      collectCalled(statement->as<IfStmt>()->body, names);
      collectCalled(statement->as<IfStmt>()->orElse, names);
      break;
    default:
      break;
    }
  }
}
