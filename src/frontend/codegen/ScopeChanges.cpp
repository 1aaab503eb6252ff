//===- ScopeChanges.cpp - Changes of names that no assignment shows -----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
//     names.append(3)              register(names)              def enable():
//     names[0] = 3                 other = names                    global flag
//     globals()["names"] = 3       other += [3]                     flag = True
//
// All of these give a name a value that its assignments do not tell. Each makes a definition of
// which nothing is known, so that a kernel that needs the name is refused. Attributes of classes
// and modules are listed apart: what `base` is in `base.attribute = ..` is evaluated where the
// attribute is asked for.
//
//===--------------------------------------------------------------------------===//

#include "frontend/codegen/ScopeChanges.h"

#include "frontend/codegen/Names.h"
#include "frontend/codegen/Scope.h"
#include "frontend/codegen/Walk.h"
#include "llvm/ADT/MapVector.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

bool frontend::isList(const Expr *expr) {
  if (!expr)
    return false;
  switch (expr->kind) {
  case ExprKind::List:
  case ExprKind::Dict:
  case ExprKind::Set:
  case ExprKind::ListComp:
  case ExprKind::SetComp:
  case ExprKind::DictComp:
    return true;
  case ExprKind::Call: {
    const auto *name = expr->as<CallExpr>()->function->dynAs<NameExpr>();
    return name &&
           (name->id == "list" || name->id == "dict" || name->id == "set" || name->id == "sorted");
  }
  default:
    return false;
  }
}

/// The name of the function that is called by its name alone.
static StringRef calledName(const CallExpr *call) {
  const auto *name = call->function->dynAs<NameExpr>();
  return name ? StringRef(name->id) : StringRef();
}

/// The text of a constant string.
static std::optional<StringRef> constantText(const Expr *expr) {
  const auto *constant = expr->dynAs<ConstantExpr>();
  if (!constant || constant->constant != ConstantKind::String)
    return std::nullopt;
  return StringRef(constant->text);
}

static bool isGlobals(const Expr *expr) {
  const auto *call = expr->dynAs<CallExpr>();
  return call && calledName(call) == "globals";
}

std::optional<StringRef> frontend::globalNamed(const SubscriptExpr *subscript) {
  if (!isGlobals(subscript->value))
    return std::nullopt;
  return constantText(subscript->slice);
}

/// The list, dict or set that the call of a method changes; null if it is none.
static const Expr *changedBy(const Expr *expr) {
  const auto *call = expr->dynAs<CallExpr>();
  const auto *method = call ? call->function->dynAs<AttributeExpr>() : nullptr;
  static constexpr StringRef changing[] = {"append", "extend",     "insert", "remove",
                                           "pop",    "clear",      "sort",   "reverse",
                                           "update", "setdefault", "add",    "discard"};
  if (!method || !llvm::is_contained(changing, StringRef(method->attribute)))
    return nullptr;
  return method->value;
}

void Scope::defineChanged(const Expr *expr, const Stmt *stmt) {
  if (isGlobals(expr))
    return defineAllChanged(stmt);
  const auto *name = expr->dynAs<NameExpr>();
  if (!name)
    return;
  llvm::SmallVector<StringRef> changed{name->id};
  auto valueOf = [](const Definition *definition) -> StringRef {
    const auto *value = definition && definition->value && !definition->element
                            ? definition->value->dynAs<NameExpr>()
                            : nullptr;
    return value ? StringRef(value->id) : StringRef();
  };
  if (StringRef original = valueOf(find(name->id)); !original.empty() && names.contains(original))
    changed.push_back(original);
  for (const auto &entry : names)
    if (valueOf(entry.second) == StringRef(name->id))
      changed.push_back(entry.getKey());
  for (StringRef one : changed)
    define(one, stmt);
}

/// Whether it is `sys.modules[__name__]`, the module itself.
static bool isThisModule(const Expr *expr) {
  const auto *element = expr->dynAs<SubscriptExpr>();
  const auto *modules = element ? element->value->dynAs<AttributeExpr>() : nullptr;
  const auto *name = element ? element->slice->dynAs<NameExpr>() : nullptr;
  return modules && modules->attribute == "modules" && name && name->id == "__name__";
}

void Scope::changeAttribute(const Expr *base, StringRef attribute, const Stmt *stmt) {
  if (isThisModule(base)) {
    define(attribute, stmt);
    return;
  }
  changes[attribute].push_back({base, stmt, statementOrder});
}

void Scope::defineAllChanged(const Stmt *stmt) {
  llvm::SmallVector<StringRef> variables;
  for (const auto &entry : names)
    if (entry.second->statement->kind == StmtKind::Assign)
      variables.push_back(entry.getKey());
  for (StringRef name : variables)
    define(name, stmt);
}

void Scope::collectHandedOver(const Stmt *stmt, const CallExpr *call) {
  if (calledName(call) == "print")
    return;
  auto handOver = [&](const Expr *argument) {
    const auto *name = argument->dynAs<NameExpr>();
    const Definition *definition = name ? find(name->id) : nullptr;
    if (definition && isList(definition->value))
      defineChanged(argument, stmt);
  };
  for (const Expr *argument : call->arguments)
    handOver(argument);
  for (const Keyword &keyword : call->keywords)
    handOver(keyword.value);
}

void Scope::collectChange(const Stmt *stmt, const Expr *expr) {
  if (const auto *named = expr->dynAs<NamedExprExpr>())
    return defineUnknown(named->target, stmt);
  if (const Expr *list = changedBy(expr)) {
    if (const auto *name = list->dynAs<NameExpr>(); name && names.contains(name->id))
      defineChanged(name, stmt);
    if (const auto *attribute = list->dynAs<AttributeExpr>())
      changeAttribute(attribute->value, attribute->attribute, stmt);
    if (isGlobals(list))
      defineAllChanged(stmt);
    return;
  }
  const auto *call = expr->dynAs<CallExpr>();
  if (!call)
    return;
  if (calledName(call) == "exec")
    return defineAllChanged(stmt);
  if (calledName(call) != "setattr" || call->arguments.size() != 3)
    return;
  if (std::optional<StringRef> attribute = constantText(call->arguments[1]))
    changeAttribute(call->arguments[0], *attribute, stmt);
}

void Scope::collectChanges(const Stmt *stmt) {
  auto visit = [&](const Expr *expr) {
    collectChange(stmt, expr);
    return false;
  };
  switch (stmt->kind) {
  case StmtKind::If:
    anyExpression(stmt->as<IfStmt>()->test, visit);
    break;
  case StmtKind::While:
    anyExpression(stmt->as<WhileStmt>()->test, visit);
    break;
  case StmtKind::For:
    anyExpression(stmt->as<ForStmt>()->iterable, visit);
    break;
  case StmtKind::Match:
    anyExpression(stmt->as<MatchStmt>()->subject, visit);
    for (const MatchCase &one : stmt->as<MatchStmt>()->cases)
      anyExpression(one.guard, visit);
    break;
  case StmtKind::Assign:
    anyExpression(stmt->as<AssignStmt>()->value, visit);
    break;
  case StmtKind::AnnAssign:
    anyExpression(stmt->as<AnnAssignStmt>()->value, visit);
    break;
  case StmtKind::AugAssign:
    anyExpression(stmt->as<AugAssignStmt>()->value, visit);
    break;
  case StmtKind::Expr: {
    const Expr *value = stmt->as<frontend::ExprStmt>()->value;
    anyExpression(value, visit);
    if (const auto *call = value->dynAs<CallExpr>())
      collectHandedOver(stmt, call);
    break;
  }
  default:
    break;
  }
}

//===--------------------------------------------------------------------------===//
// Functions
//===--------------------------------------------------------------------------===//

/// What a function does to names that are not its own.
struct CallChanges {
  using Names = llvm::MapVector<StringRef, const Stmt *>;
  Names globals;
  /// Names whose lists change; they may be the function's own.
  Names changed;
};

static void collectFrom(const Body &body, CallChanges &found);

static void collectFrom(const Stmt *stmt, CallChanges &found) {
  auto changed = [&](const Expr *target) {
    if (const auto *element = target->dynAs<SubscriptExpr>())
      if (const auto *name = element->value->dynAs<NameExpr>())
        found.changed.insert({name->id, stmt});
  };
  switch (stmt->kind) {
  case StmtKind::Global:
    for (std::string_view name : stmt->as<GlobalStmt>()->names)
      found.globals.insert({name, stmt});
    break;
  case StmtKind::Expr:
    if (const Expr *list = changedBy(stmt->as<frontend::ExprStmt>()->value))
      if (const auto *name = list->dynAs<NameExpr>())
        found.changed.insert({name->id, stmt});
    break;
  case StmtKind::Assign:
    for (const Expr *target : stmt->as<AssignStmt>()->targets)
      changed(target);
    break;
  case StmtKind::AugAssign:
    changed(stmt->as<AugAssignStmt>()->target);
    break;
  case StmtKind::Delete:
    for (const Expr *target : stmt->as<DeleteStmt>()->targets)
      changed(target);
    break;
  case StmtKind::If:
    collectFrom(stmt->as<IfStmt>()->body, found);
    collectFrom(stmt->as<IfStmt>()->orElse, found);
    break;
  case StmtKind::For:
    collectFrom(stmt->as<ForStmt>()->body, found);
    collectFrom(stmt->as<ForStmt>()->orElse, found);
    break;
  case StmtKind::While:
    collectFrom(stmt->as<WhileStmt>()->body, found);
    collectFrom(stmt->as<WhileStmt>()->orElse, found);
    break;
  case StmtKind::With:
    collectFrom(stmt->as<WithStmt>()->body, found);
    break;
  case StmtKind::FunctionDef:
    collectFrom(stmt->as<FunctionDefStmt>()->body, found);
    break;
  case StmtKind::ClassDef:
    collectFrom(stmt->as<ClassDefStmt>()->body, found);
    break;
  case StmtKind::Try: {
    const auto *attempt = stmt->as<TryStmt>();
    for (const Body *body : {&attempt->body, &attempt->orElse, &attempt->finalBody})
      collectFrom(*body, found);
    for (const ExceptHandler &handler : attempt->handlers)
      collectFrom(handler.body, found);
    break;
  }
  case StmtKind::Match:
    for (const MatchCase &one : stmt->as<MatchStmt>()->cases)
      collectFrom(one.body, found);
    break;
  default:
    break;
  }
}

static void collectFrom(const Body &body, CallChanges &found) {
  for (const Stmt *stmt : body)
    collectFrom(stmt, found);
}

void Scope::collectMethods(const ClassDefStmt *definition, unsigned order) {
  for (const Stmt *stmt : definition->body)
    if (const auto *method = stmt->dynAs<FunctionDefStmt>())
      functions.emplace_back(method, order);
}

void Scope::collectCalls() {
  for (auto [function, order] : functions) {
    CallChanges found;
    collectFrom(function->body, found);
    if (found.globals.empty() && found.changed.empty())
      continue;
    NameSet own;
    const Parameters &parameters = function->parameters;
    for (const auto *list :
         {&parameters.positionalOnly, &parameters.positional, &parameters.keywordOnly})
      for (const Parameter &parameter : *list)
        own.insert(parameter.name);
    for (const Parameter *parameter : {parameters.variadic, parameters.keywords})
      if (parameter)
        own.insert(parameter->name);
    collectAssigned(function->body, own);
    CallChanges::Names changed = found.globals;
    for (auto [name, stmt] : found.changed)
      if (names.contains(name) && !own.contains(name))
        changed.insert({name, stmt});
    // Nobody sees when it is called: these hold from its definition on, wherever the name is
    // assigned to.
    statementOrder = order;
    for (auto [name, stmt] : changed) {
      guards.push_back({Guard::Kind::NotFollowed, stmt, order});
      define(name, function);
      guards.pop_back();
    }
  }
}
