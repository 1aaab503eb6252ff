//===- ChangeSyntax.cpp - Expressions that change something ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/names/scope/ChangeSyntax.h"

#include "frontend/names/scope/Definition.h"
#include "frontend/names/scope/Walk.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVectorExtras.h"

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

StringRef frontend::calledName(const CallExpr *call) {
  const auto *name = call->function->dynAs<NameExpr>();
  return name ? StringRef(name->id) : StringRef();
}

std::optional<StringRef> frontend::constantText(const Expr *expr) {
  const auto *constant = expr->dynAs<ConstantExpr>();
  if (!constant || constant->constant != ConstantKind::String)
    return std::nullopt;
  return StringRef(constant->text);
}

bool frontend::isChanging(StringRef method) {
  static constexpr StringRef changing[] = {
      "append",  "extend", "insert",     "remove", "pop",     "popitem",     "clear",      "sort",
      "reverse", "update", "setdefault", "add",    "discard", "__setitem__", "__delitem__"};
  return llvm::is_contained(changing, method);
}

const Expr *frontend::changedBy(const Expr *expr) {
  const auto *call = expr->dynAs<CallExpr>();
  const auto *method = call ? call->function->dynAs<AttributeExpr>() : nullptr;
  return method && isChanging(method->attribute) ? method->value : nullptr;
}

const Expr *frontend::rootOf(const Expr *expr) {
  while (true) {
    const auto *element = expr->dynAs<SubscriptExpr>();
    const auto *call = expr->dynAs<CallExpr>();
    const auto *method = call ? call->function->dynAs<AttributeExpr>() : nullptr;
    if (!element && !method)
      return expr;
    expr = element ? element->value : method->value;
  }
}

const Expr *frontend::rootOfPath(const Expr *expr) {
  while (true) {
    const Expr *root = rootOf(expr);
    const auto *attribute = root->dynAs<AttributeExpr>();
    if (!attribute)
      return root;
    expr = attribute->value;
  }
}

bool frontend::isHarmlessModule(StringRef module) {
  const StringRef package = module.split('.').first;
  return package == "triton" || package == "tilewright" || package == "torch" ||
         package == "math" || package == "functools" || package == "os" || package == "typing" ||
         package == "importlib";
}

std::string frontend::changedVariable(StringRef variable) { return "environ." + variable.str(); }

std::optional<StringRef> frontend::keyIn(const Expr *expr) {
  if (const auto *element = expr->dynAs<SubscriptExpr>())
    return constantText(element->slice);
  const auto *call = expr->dynAs<CallExpr>();
  const auto *method = call ? call->function->dynAs<AttributeExpr>() : nullptr;
  static constexpr StringRef ofOne[] = {"setdefault", "pop", "__setitem__", "__delitem__"};
  const bool isOne =
      method && llvm::is_contained(ofOne, StringRef(method->attribute)) && !call->arguments.empty();
  return isOne ? constantText(call->arguments[0]) : std::nullopt;
}

llvm::SmallVector<StringRef> frontend::keysChanged(const Expr *expr, const Expr *dict) {
  const auto *element = expr->dynAs<SubscriptExpr>();
  const auto *call = expr->dynAs<CallExpr>();
  const auto *method = call ? call->function->dynAs<AttributeExpr>() : nullptr;
  const Expr *changed = element ? element->value : method ? method->value : nullptr;
  if (changed != dict)
    return {anyName};
  if (method && method->attribute == "update" && call->arguments.empty() &&
      llvm::none_of(call->keywords, [](const Keyword &one) { return one.name.empty(); }))
    return llvm::map_to_vector(call->keywords,
                               [](const Keyword &one) { return StringRef(one.name); });
  return {keyIn(expr).value_or(anyName)};
}

llvm::ArrayRef<Comprehension> frontend::generatorsOf(const Expr *expr) {
  auto all = [](const List<Comprehension> &list) {
    return llvm::ArrayRef<Comprehension>(list.begin(), list.end());
  };
  switch (expr->kind) {
  case ExprKind::ListComp:
    return all(expr->as<ListCompExpr>()->generators);
  case ExprKind::SetComp:
    return all(expr->as<SetCompExpr>()->generators);
  case ExprKind::GeneratorExp:
    return all(expr->as<GeneratorExpExpr>()->generators);
  case ExprKind::DictComp:
    return all(expr->as<DictCompExpr>()->generators);
  default:
    return {};
  }
}

void frontend::collectNames(const Expr *expr, NameSet &names) {
  llvm::SmallPtrSet<const Expr *, 4> called;
  anyExpression(expr, [&](const Expr *one) {
    if (const auto *call = one->dynAs<CallExpr>())
      called.insert(call->function);
    else if (const auto *name = one->dynAs<NameExpr>(); name && !called.contains(name))
      names.insert(name->id);
    return false;
  });
}

bool frontend::isHarmless(StringRef name) {
  static constexpr StringRef all[] = {
      "abs",        "all",        "any",     "bin",       "bool",   "callable", "chr",
      "dict",       "dir",        "divmod",  "enumerate", "filter", "float",    "format",
      "frozenset",  "getattr",    "hasattr", "hash",      "hex",    "id",       "int",
      "isinstance", "issubclass", "iter",    "len",       "list",   "map",      "max",
      "min",        "oct",        "ord",     "pow",       "print",  "property", "range",
      "repr",       "reversed",   "round",   "set",       "slice",  "sorted",   "staticmethod",
      "str",        "sum",        "tuple",   "type",      "vars",   "zip"};
  return llvm::is_contained(all, name);
}

static void collectCaptures(const Pattern *pattern, NameSet &names) {
  if (!pattern->name.empty())
    names.insert(pattern->name);
  for (const auto *parts : {&pattern->patterns, &pattern->attributePatterns})
    for (const Pattern *part : *parts)
      collectCaptures(part, names);
}

void frontend::collectBound(const Body &body, NameSet &names) {
  for (const Stmt *stmt : body) {
    for (const Expr *target : targetsOf(stmt))
      collectTargets(target, names);
    for (const Expr *whole : expressionsOf(stmt))
      anyExpression(whole, [&](const Expr *expr) {
        if (const auto *named = expr->dynAs<NamedExprExpr>())
          collectTargets(named->target, names);
        return false;
      });
    if (stmt->kind == StmtKind::Import || stmt->kind == StmtKind::ImportFrom)
      for (const auto &[name, import] : importsOf(stmt))
        names.insert(name);
    if (const auto *function = stmt->dynAs<FunctionDefStmt>())
      names.insert(function->name);
    if (const auto *definition = stmt->dynAs<ClassDefStmt>())
      names.insert(definition->name);
    if (const auto *attempt = stmt->dynAs<TryStmt>())
      for (const ExceptHandler &handler : attempt->handlers)
        if (!handler.name.empty())
          names.insert(handler.name);
    if (const auto *choice = stmt->dynAs<MatchStmt>())
      for (const MatchCase &one : choice->cases)
        collectCaptures(one.pattern, names);
    for (const Body *inner : bodiesOf(stmt))
      collectBound(*inner, names);
  }
}

/// The names that statements of the function itself declare so.
template <typename Declaration> static void removeDeclared(const Body &body, NameSet &names) {
  for (const Stmt *stmt : body) {
    if (const auto *declared = stmt->dynAs<Declaration>())
      for (std::string_view name : declared->names)
        names.remove(name);
    for (const Body *inner : bodiesOf(stmt))
      removeDeclared<Declaration>(*inner, names);
  }
}

void frontend::collectOwn(const FunctionDefStmt *function, NameSet &names) {
  NameSet own;
  collectParameters(function->parameters, own);
  collectBound(function->body, own);
  // A `nonlocal` name is that of a function around it.
  removeDeclared<NonlocalStmt>(function->body, own);
  for (StringRef name : own)
    names.insert(name);
  removeDeclared<GlobalStmt>(function->body, names);
}

/// Whether it is `patch`, or an attribute of that name.
static bool isPatch(const Expr *expr) {
  const auto *attribute = expr->dynAs<AttributeExpr>();
  const auto *name = expr->dynAs<NameExpr>();
  return (attribute && attribute->attribute == "patch") || (name && name->id == "patch");
}

std::pair<const Expr *, StringRef> frontend::attributeSet(const CallExpr *call) {
  const StringRef name = calledName(call);
  if ((name == "setattr" || name == "delattr") && call->arguments.size() >= 2)
    return {call->arguments[0], constantText(call->arguments[1]).value_or(anyName)};
  const auto *method = call->function->dynAs<AttributeExpr>();
  if (method && method->attribute == "reload" && !call->arguments.empty())
    return {call->arguments[0], anyName};
  // mock.patch.object(C, "x", 3)
  if (method && method->attribute == "object" && isPatch(method->value) &&
      call->arguments.size() >= 2)
    return {call->arguments[0], constantText(call->arguments[1]).value_or(anyName)};
  // C.__setattr__("x", 3), type.__setattr__(C, "x", 3)
  const bool sets = method && method->attribute == "__setattr__";
  const size_t own = sets ? 2 : 1;
  if ((sets || (method && method->attribute == "__delattr__")) &&
      (call->arguments.size() == own || call->arguments.size() == own + 1)) {
    const bool isBound = call->arguments.size() == own;
    return {isBound ? method->value : call->arguments[0],
            constantText(call->arguments[isBound ? 0 : 1]).value_or(anyName)};
  }
  return {};
}

llvm::SmallVector<StringRef> frontend::attributesPatched(const CallExpr *call) {
  const auto *path = call->function->dynAs<AttributeExpr>();
  const Expr *target = call->arguments.empty() ? nullptr : call->arguments[0];
  for (const Keyword &one : call->keywords)
    if (one.name == "target" || one.name == "in_dict")
      target = one.value;
  if (!target)
    return {};
  const std::optional<StringRef> whole = constantText(target);
  // patch("module.name", ..), patch.dict("module.name", ..)
  const bool isOfDict = path && path->attribute == "dict" && isPatch(path->value);
  if (isPatch(call->function) || isOfDict) {
    if (!whole)
      return {anyName};
    return whole->contains('.') ? llvm::SmallVector<StringRef>{whole->substr(whole->rfind('.') + 1)}
                                : llvm::SmallVector<StringRef>();
  }
  llvm::SmallVector<StringRef> names;
  if (path && path->attribute == "multiple" && isPatch(path->value))
    for (const Keyword &one : call->keywords)
      names.push_back(one.name.empty() ? StringRef(anyName) : StringRef(one.name));
  return names;
}

void frontend::collectInner(const Expr *expr, NameSet &names) {
  anyExpression(expr, [&](const Expr *one) {
    if (const auto *lambda = one->dynAs<LambdaExpr>())
      collectParameters(lambda->parameters, names);
    for (const Comprehension &part : generatorsOf(one))
      collectTargets(part.target, names);
    return false;
  });
}

void frontend::collectInner(const Body &body, NameSet &names) {
  forEachStatement(body, [&](const Stmt *stmt) {
    for (const Expr *expr : expressionsOf(stmt))
      collectInner(expr, names);
    if (const auto *function = stmt->dynAs<FunctionDefStmt>()) {
      collectParameters(function->parameters, names);
      collectBound(function->body, names);
    }
  });
}
