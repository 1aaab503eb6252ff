//===- Walk.cpp - All expressions of a body -----------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/names/Walk.h"

#include "llvm/ADT/STLExtras.h"

using namespace tilewright::frontend;

using Visitor = llvm::function_ref<bool(const Expr *)>;

static bool any(const Expr *expr, Visitor visit);

static bool any(const Exprs &exprs, Visitor visit) {
  return llvm::any_of(exprs, [&](const Expr *expr) { return any(expr, visit); });
}

static bool any(const List<Comprehension> &generators, Visitor visit) {
  return llvm::any_of(generators, [&](const Comprehension &one) {
    return any(one.iterable, visit) || any(one.conditions, visit);
  });
}

static bool any(const Expr *expr, Visitor visit) {
  if (!expr)
    return false;
  if (visit(expr))
    return true;
  switch (expr->kind) {
  case ExprKind::Call: {
    const auto *call = expr->as<CallExpr>();
    return any(call->function, visit) || any(call->arguments, visit) ||
           llvm::any_of(call->keywords,
                        [&](const Keyword &keyword) { return any(keyword.value, visit); });
  }
  case ExprKind::Attribute:
    return any(expr->as<AttributeExpr>()->value, visit);
  case ExprKind::NamedExpr:
    return any(expr->as<NamedExprExpr>()->value, visit);
  case ExprKind::Lambda:
    return any(expr->as<LambdaExpr>()->body, visit);
  case ExprKind::IfExp:
    return any(expr->as<IfExpExpr>()->test, visit) || any(expr->as<IfExpExpr>()->body, visit) ||
           any(expr->as<IfExpExpr>()->orElse, visit);
  case ExprKind::BoolOp:
    return any(expr->as<BoolOpExpr>()->values, visit);
  case ExprKind::BinOp:
    return any(expr->as<BinOpExpr>()->left, visit) || any(expr->as<BinOpExpr>()->right, visit);
  case ExprKind::UnaryOp:
    return any(expr->as<UnaryOpExpr>()->operand, visit);
  case ExprKind::Compare:
    return any(expr->as<CompareExpr>()->left, visit) ||
           any(expr->as<CompareExpr>()->comparators, visit);
  case ExprKind::Subscript:
    return any(expr->as<SubscriptExpr>()->value, visit) ||
           any(expr->as<SubscriptExpr>()->slice, visit);
  case ExprKind::Tuple:
    return any(expr->as<TupleExpr>()->elements, visit);
  case ExprKind::List:
    return any(expr->as<ListExpr>()->elements, visit);
  case ExprKind::Set:
    return any(expr->as<SetExpr>()->elements, visit);
  case ExprKind::Dict:
    return any(expr->as<DictExpr>()->keys, visit) || any(expr->as<DictExpr>()->values, visit);
  case ExprKind::Starred:
    return any(expr->as<StarredExpr>()->value, visit);
  case ExprKind::ListComp:
    return any(expr->as<ListCompExpr>()->element, visit) ||
           any(expr->as<ListCompExpr>()->generators, visit);
  case ExprKind::SetComp:
    return any(expr->as<SetCompExpr>()->element, visit) ||
           any(expr->as<SetCompExpr>()->generators, visit);
  case ExprKind::GeneratorExp:
    return any(expr->as<GeneratorExpExpr>()->element, visit) ||
           any(expr->as<GeneratorExpExpr>()->generators, visit);
  case ExprKind::DictComp:
    return any(expr->as<DictCompExpr>()->key, visit) ||
           any(expr->as<DictCompExpr>()->value, visit) ||
           any(expr->as<DictCompExpr>()->generators, visit);
  default:
    return false;
  }
}

static bool any(const Stmt *stmt, Visitor visit) {
  switch (stmt->kind) {
  case StmtKind::FunctionDef:
    return any(stmt->as<FunctionDefStmt>()->decorators, visit) ||
           anyExpression(stmt->as<FunctionDefStmt>()->body, visit);
  case StmtKind::ClassDef:
    return any(stmt->as<ClassDefStmt>()->bases, visit) ||
           anyExpression(stmt->as<ClassDefStmt>()->body, visit);
  case StmtKind::Return:
    return any(stmt->as<ReturnStmt>()->value, visit);
  case StmtKind::Assign:
    return any(stmt->as<AssignStmt>()->value, visit);
  case StmtKind::AugAssign:
    return any(stmt->as<AugAssignStmt>()->value, visit);
  case StmtKind::AnnAssign:
    return any(stmt->as<AnnAssignStmt>()->value, visit);
  case StmtKind::Expr:
    return any(stmt->as<ExprStmt>()->value, visit);
  case StmtKind::If:
    return any(stmt->as<IfStmt>()->test, visit) || anyExpression(stmt->as<IfStmt>()->body, visit) ||
           anyExpression(stmt->as<IfStmt>()->orElse, visit);
  case StmtKind::For:
    return any(stmt->as<ForStmt>()->iterable, visit) ||
           anyExpression(stmt->as<ForStmt>()->body, visit) ||
           anyExpression(stmt->as<ForStmt>()->orElse, visit);
  case StmtKind::While:
    return any(stmt->as<WhileStmt>()->test, visit) ||
           anyExpression(stmt->as<WhileStmt>()->body, visit) ||
           anyExpression(stmt->as<WhileStmt>()->orElse, visit);
  case StmtKind::With:
    return anyExpression(stmt->as<WithStmt>()->body, visit);
  case StmtKind::Try: {
    const auto *attempt = stmt->as<TryStmt>();
    return anyExpression(attempt->body, visit) || anyExpression(attempt->orElse, visit) ||
           anyExpression(attempt->finalBody, visit) ||
           llvm::any_of(attempt->handlers, [&](const ExceptHandler &handler) {
             return anyExpression(handler.body, visit);
           });
  }
  case StmtKind::Match:
    return any(stmt->as<MatchStmt>()->subject, visit) ||
           llvm::any_of(stmt->as<MatchStmt>()->cases, [&](const MatchCase &one) {
             return any(one.guard, visit) || anyExpression(one.body, visit);
           });
  default:
    return false;
  }
}

bool tilewright::frontend::anyExpression(const Body &body, Visitor visit) {
  return llvm::any_of(body, [&](const Stmt *stmt) { return any(stmt, visit); });
}

bool tilewright::frontend::anyExpression(const Expr *expr, Visitor visit) {
  return any(expr, visit);
}
