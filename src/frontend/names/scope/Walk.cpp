//===- Walk.cpp - All expressions of a body -----------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/names/scope/Walk.h"

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
  case ExprKind::Lambda: {
    const Parameters &parameters = expr->as<LambdaExpr>()->parameters;
    return any(parameters.defaults, visit) || any(parameters.keywordDefaults, visit) ||
           any(expr->as<LambdaExpr>()->body, visit);
  }
  case ExprKind::Slice:
    return any(expr->as<SliceExpr>()->lower, visit) || any(expr->as<SliceExpr>()->upper, visit) ||
           any(expr->as<SliceExpr>()->step, visit);
  case ExprKind::JoinedStr:
    return any(expr->as<JoinedStrExpr>()->values, visit);
  case ExprKind::FormattedValue:
    return any(expr->as<FormattedValueExpr>()->value, visit) ||
           any(expr->as<FormattedValueExpr>()->format, visit);
  case ExprKind::Yield:
    return any(expr->as<YieldExpr>()->value, visit);
  case ExprKind::YieldFrom:
    return any(expr->as<YieldFromExpr>()->value, visit);
  case ExprKind::Await:
    return any(expr->as<AwaitExpr>()->value, visit);
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

static void addDefaults(const Parameters &parameters, llvm::SmallVectorImpl<const Expr *> &found) {
  for (const Exprs *defaults : {&parameters.defaults, &parameters.keywordDefaults})
    found.append(defaults->begin(), defaults->end());
}

llvm::SmallVector<const Expr *> tilewright::frontend::expressionsOf(const Stmt *stmt) {
  llvm::SmallVector<const Expr *> found;
  switch (stmt->kind) {
  case StmtKind::FunctionDef:
    found.append(stmt->as<FunctionDefStmt>()->decorators.begin(),
                 stmt->as<FunctionDefStmt>()->decorators.end());
    addDefaults(stmt->as<FunctionDefStmt>()->parameters, found);
    break;
  case StmtKind::ClassDef: {
    const auto *definition = stmt->as<ClassDefStmt>();
    found.append(definition->decorators.begin(), definition->decorators.end());
    found.append(definition->bases.begin(), definition->bases.end());
    for (const Keyword &keyword : definition->keywords)
      found.push_back(keyword.value);
    break;
  }
  case StmtKind::Return:
    found.push_back(stmt->as<ReturnStmt>()->value);
    break;
  case StmtKind::Assign:
    found.push_back(stmt->as<AssignStmt>()->value);
    break;
  case StmtKind::AugAssign:
    found.push_back(stmt->as<AugAssignStmt>()->value);
    break;
  case StmtKind::AnnAssign:
    found.push_back(stmt->as<AnnAssignStmt>()->value);
    break;
  case StmtKind::Expr:
    found.push_back(stmt->as<ExprStmt>()->value);
    break;
  case StmtKind::If:
    found.push_back(stmt->as<IfStmt>()->test);
    break;
  case StmtKind::While:
    found.push_back(stmt->as<WhileStmt>()->test);
    break;
  case StmtKind::For:
    found.push_back(stmt->as<ForStmt>()->iterable);
    break;
  case StmtKind::With:
    for (const WithItem &item : stmt->as<WithStmt>()->items)
      found.push_back(item.context);
    break;
  case StmtKind::Try:
    for (const ExceptHandler &handler : stmt->as<TryStmt>()->handlers)
      found.push_back(handler.type);
    break;
  case StmtKind::Match:
    found.push_back(stmt->as<MatchStmt>()->subject);
    for (const MatchCase &one : stmt->as<MatchStmt>()->cases)
      found.push_back(one.guard);
    break;
  case StmtKind::Raise:
    found.append({stmt->as<RaiseStmt>()->exception, stmt->as<RaiseStmt>()->cause});
    break;
  case StmtKind::Assert:
    found.append({stmt->as<AssertStmt>()->test, stmt->as<AssertStmt>()->message});
    break;
  default:
    break;
  }
  llvm::erase(found, nullptr);
  return found;
}

llvm::SmallVector<const Expr *> tilewright::frontend::targetsOf(const Stmt *stmt) {
  llvm::SmallVector<const Expr *> found;
  switch (stmt->kind) {
  case StmtKind::Assign:
    found.append(stmt->as<AssignStmt>()->targets.begin(), stmt->as<AssignStmt>()->targets.end());
    break;
  case StmtKind::AugAssign:
    found.push_back(stmt->as<AugAssignStmt>()->target);
    break;
  case StmtKind::AnnAssign:
    if (stmt->as<AnnAssignStmt>()->value)
      found.push_back(stmt->as<AnnAssignStmt>()->target);
    break;
  case StmtKind::Delete:
    found.append(stmt->as<DeleteStmt>()->targets.begin(), stmt->as<DeleteStmt>()->targets.end());
    break;
  case StmtKind::For:
    found.push_back(stmt->as<ForStmt>()->target);
    break;
  case StmtKind::With:
    for (const WithItem &item : stmt->as<WithStmt>()->items)
      if (item.target)
        found.push_back(item.target);
    break;
  default:
    break;
  }
  return found;
}

llvm::SmallVector<const Body *> tilewright::frontend::bodiesOf(const Stmt *stmt) {
  switch (stmt->kind) {
  case StmtKind::If:
    return {&stmt->as<IfStmt>()->body, &stmt->as<IfStmt>()->orElse};
  case StmtKind::For:
    return {&stmt->as<ForStmt>()->body, &stmt->as<ForStmt>()->orElse};
  case StmtKind::While:
    return {&stmt->as<WhileStmt>()->body, &stmt->as<WhileStmt>()->orElse};
  case StmtKind::With:
    return {&stmt->as<WithStmt>()->body};
  case StmtKind::Try: {
    const auto *attempt = stmt->as<TryStmt>();
    llvm::SmallVector<const Body *> bodies{&attempt->body};
    for (const ExceptHandler &handler : attempt->handlers)
      bodies.push_back(&handler.body);
    bodies.append({&attempt->orElse, &attempt->finalBody});
    return bodies;
  }
  case StmtKind::Match: {
    llvm::SmallVector<const Body *> bodies;
    for (const MatchCase &one : stmt->as<MatchStmt>()->cases)
      bodies.push_back(&one.body);
    return bodies;
  }
  default:
    return {};
  }
}

void tilewright::frontend::forEachStatement(const Body &body,
                                            llvm::function_ref<void(const Stmt *)> visit) {
  for (const Stmt *stmt : body) {
    visit(stmt);
    for (const Body *inner : bodiesOf(stmt))
      forEachStatement(*inner, visit);
    if (const auto *function = stmt->dynAs<FunctionDefStmt>())
      forEachStatement(function->body, visit);
    if (const auto *definition = stmt->dynAs<ClassDefStmt>())
      forEachStatement(definition->body, visit);
  }
}

static bool any(const Stmt *stmt, Visitor visit) {
  auto anyOf = [&](const Expr *expr) { return any(expr, visit); };
  if (llvm::any_of(expressionsOf(stmt), anyOf))
    return true;
  // What is assigned to is read where it is an element or an attribute of something.
  for (const Expr *target : targetsOf(stmt))
    if (target->kind != ExprKind::Name && any(target, visit))
      return true;
  if (const auto *function = stmt->dynAs<FunctionDefStmt>())
    return anyExpression(function->body, visit);
  if (const auto *definition = stmt->dynAs<ClassDefStmt>())
    return anyExpression(definition->body, visit);
  return llvm::any_of(bodiesOf(stmt),
                      [&](const Body *inner) { return anyExpression(*inner, visit); });
}

bool tilewright::frontend::anyExpression(const Body &body, Visitor visit) {
  return llvm::any_of(body, [&](const Stmt *stmt) { return any(stmt, visit); });
}

bool tilewright::frontend::anyExpression(const Expr *expr, Visitor visit) {
  return any(expr, visit);
}
