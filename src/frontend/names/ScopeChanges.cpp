//===- ScopeChanges.cpp - Changes of names that no assignment shows -----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
//     names.append(3)              register(names)              def enable():
//     names[0] = 3                 other = (names, 1)               global flag
//     globals()["names"] = 3       other[0].append(3)               flag = True
//
// All of these give a name a value that its assignments do not tell. Each makes a definition of
// which nothing is known, so that a kernel that needs the name is refused; only `table[key] = 3` is
// followed. Names that are mentioned together in an assignment may share what changes, and so may
// the arguments of a call: these definitions count only where the value can change at all, as a
// list can and a number cannot. Attributes of classes and modules are listed apart: what `base` is
// in `base.attribute = ..` is evaluated where the attribute is asked for.
//
//===--------------------------------------------------------------------------===//

#include "frontend/names/ScopeChanges.h"

#include "frontend/names/Names.h"
#include "frontend/names/Scope.h"
#include "frontend/names/Walk.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"

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

/// A call of what gives the dict of a module's names: at its level vars and locals do as well.
static bool isGlobals(const Expr *expr) {
  const auto *call = expr->dynAs<CallExpr>();
  return call && call->arguments.empty() &&
         (calledName(call) == "globals" || calledName(call) == "vars" ||
          calledName(call) == "locals");
}

/// Whether it is `sys.modules`.
static bool isModules(const Expr *expr) {
  const auto *attribute = expr->dynAs<AttributeExpr>();
  const auto *base = attribute ? attribute->value->dynAs<NameExpr>() : nullptr;
  return base && attribute->attribute == "modules" && base->id == "sys";
}

/// Whether the expression hands the dict of the module's names, or the module itself, to where it
/// may be written to: not where it only reads from it.
static bool handsOutNames(const Expr *whole, bool inFunction) {
  llvm::SmallPtrSet<const Expr *, 4> readFrom;
  auto isModule = [](const Expr *expr) {
    const auto *element = expr->dynAs<SubscriptExpr>();
    return element && isModules(element->value);
  };
  auto reads = [&](const Expr *expr) { readFrom.insert(expr); };
  anyExpression(whole, [&](const Expr *expr) {
    if (const auto *element = expr->dynAs<SubscriptExpr>()) {
      if (isGlobals(element->value))
        reads(element->value);
    } else if (const auto *attribute = expr->dynAs<AttributeExpr>()) {
      static constexpr StringRef reading[] = {"get", "keys", "values", "items", "copy"};
      const bool ofDict = llvm::is_contained(reading, StringRef(attribute->attribute));
      if (isGlobals(attribute->value) ? ofDict : attribute->attribute != "__dict__")
        reads(attribute->value);
      if (isModules(attribute->value) && ofDict)
        reads(attribute->value);
    } else if (const auto *comparison = expr->dynAs<CompareExpr>()) {
      for (const Expr *one : comparison->comparators)
        reads(one);
    } else if (const auto *call = expr->dynAs<CallExpr>()) {
      const StringRef name = calledName(call);
      const bool setsNamed = name == "setattr" && call->arguments.size() == 3 &&
                             constantText(call->arguments[1]).has_value();
      if (setsNamed || name == "getattr" || name == "hasattr" || name == "len" || name == "list" ||
          name == "sorted" || name == "dict")
        for (const Expr *one : call->arguments)
          reads(one);
    }
    return false;
  });
  return anyExpression(whole, [&](const Expr *expr) {
    const auto *call = expr->dynAs<CallExpr>();
    const bool isOfModule = isGlobals(expr) && (!inFunction || calledName(call) == "globals");
    return (isOfModule || isModule(expr)) && !readFrom.contains(expr);
  });
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
  static constexpr StringRef changing[] = {
      "append",  "extend", "insert",     "remove", "pop",     "popitem",     "clear",      "sort",
      "reverse", "update", "setdefault", "add",    "discard", "__setitem__", "__delitem__"};
  if (!method || !llvm::is_contained(changing, StringRef(method->attribute)))
    return nullptr;
  return method->value;
}

/// What `a[..].method(..)[..]` changes where it changes something: `a`.
static const Expr *rootOf(const Expr *expr) {
  while (true) {
    const auto *element = expr->dynAs<SubscriptExpr>();
    const auto *call = expr->dynAs<CallExpr>();
    const auto *method = call ? call->function->dynAs<AttributeExpr>() : nullptr;
    if (!element && !method)
      return expr;
    expr = element ? element->value : method->value;
  }
}

/// Packages whose functions leave lists as they are.
static bool isHarmlessModule(StringRef module) {
  const StringRef package = module.split('.').first;
  return package == "triton" || package == "tilewright" || package == "torch" ||
         package == "math" || package == "functools" || package == "os" || package == "typing";
}

std::string frontend::changedVariable(StringRef variable) { return "environ." + variable.str(); }

/// "KEY" of `a["KEY"]` and of `a.setdefault("KEY", ..)`.
static std::optional<StringRef> keyIn(const Expr *expr) {
  if (const auto *element = expr->dynAs<SubscriptExpr>())
    return constantText(element->slice);
  const auto *call = expr->dynAs<CallExpr>();
  const auto *method = call ? call->function->dynAs<AttributeExpr>() : nullptr;
  const bool isOne = method && (method->attribute == "setdefault" || method->attribute == "pop") &&
                     !call->arguments.empty();
  return isOne ? constantText(call->arguments[0]) : std::nullopt;
}

/// Adds the names in the expression but for those of functions that it calls.
static void collectNames(const Expr *expr, NameSet &names) {
  llvm::SmallPtrSet<const Expr *, 4> called;
  anyExpression(expr, [&](const Expr *one) {
    if (const auto *call = one->dynAs<CallExpr>())
      called.insert(call->function);
    else if (const auto *name = one->dynAs<NameExpr>(); name && !called.contains(name))
      names.insert(name->id);
    return false;
  });
}

/// Whether a name may be that of a list: not a function's, a class's or a module's.
static bool mayBeList(const Definition *definition) {
  if (!definition || definition->statement->kind == StmtKind::FunctionDef ||
      definition->statement->kind == StmtKind::ClassDef)
    return false;
  return !definition->import ||
         (!definition->import->name.empty() &&
          (definition->import->level || !isHarmlessModule(definition->import->module)));
}

void Scope::linkNames() {
  for (; linked < all.size(); ++linked) {
    const Definition &definition = all[linked];
    if (!definition.value)
      continue;
    NameSet mentioned;
    collectNames(definition.value, mentioned);
    for (StringRef name : mentioned)
      if (mayBeList(find(name)))
        sharing.unionSets(definition.name, name);
  }
}

void Scope::defineMayChange(const Expr *expr, const Stmt *stmt) {
  NameSet mentioned;
  collectNames(expr, mentioned);
  defineMayChange(mentioned, stmt);
}

void Scope::defineMayChange(const NameSet &mentioned, const Stmt *stmt) {
  linkNames();
  NameSet changed;
  for (StringRef name : mentioned)
    if (mayBeList(find(name))) {
      sharing.insert(name);
      for (StringRef one : sharing.members(name))
        changed.insert(one);
    }
  for (StringRef name : changed)
    if (const Definition *definition = find(name); mayBeList(definition)) {
      // The module that it comes from sees the change as well.
      for (const Definition *one = definition; one; one = one->earlier)
        if (one->import && !one->import->name.empty())
          changes[one->import->name].push_back({nullptr, &*one->import, stmt, statementOrder});
      define(name, stmt).mayChange = true;
    }
}

/// Whether it is `sys.modules[__name__]`, the module itself.
static bool isThisModule(const Expr *expr) {
  const auto *element = expr->dynAs<SubscriptExpr>();
  const auto *modules = element ? element->value->dynAs<AttributeExpr>() : nullptr;
  const auto *name = element ? element->slice->dynAs<NameExpr>() : nullptr;
  return modules && modules->attribute == "modules" && name && name->id == "__name__";
}

void Scope::defineChanged(const Expr *expr, const Stmt *stmt) {
  const Expr *root = rootOf(expr);
  if (isGlobals(root))
    return defineAllChanged(stmt);
  if (const auto *attribute = root->dynAs<AttributeExpr>()) {
    if (attribute->attribute == "__dict__" && isThisModule(attribute->value))
      return defineAllChanged(stmt);
    std::optional<StringRef> variable = keyIn(expr);
    return variable && attribute->attribute == "environ"
               ? changeAttribute(attribute->value, changedVariable(*variable), stmt)
               : changeAttribute(attribute->value, attribute->attribute, stmt);
  }
  const auto *name = root->dynAs<NameExpr>();
  if (!name)
    return;
  if (namesEnvironment(name->id)) {
    std::optional<StringRef> variable = keyIn(expr);
    return changeAttribute(name, variable ? changedVariable(*variable) : "environ", stmt);
  }
  defineChangedName(name->id, stmt);
}

bool Scope::namesEnvironment(StringRef name) const {
  for (const Definition *one = find(name); one; one = one->earlier) {
    const auto *attribute = one->value ? one->value->dynAs<AttributeExpr>() : nullptr;
    if ((attribute && attribute->attribute == "environ") ||
        (one->import && one->import->name == "environ"))
      return true;
  }
  return false;
}

void Scope::defineChangedName(StringRef name, const Stmt *stmt) {
  // What is imported may as well be a module, of which this is a function.
  bool isImported = false;
  for (const Definition *one = find(name); one; one = one->earlier)
    isImported |= one->import.has_value();
  NameSet names;
  names.insert(name);
  defineMayChange(names, stmt);
  if (!isImported)
    define(name, stmt);
}

void Scope::changeAttribute(const Expr *base, StringRef attribute, const Stmt *stmt) {
  if (isThisModule(base)) {
    define(attribute, stmt);
    return;
  }
  changes[attribute].push_back({base, nullptr, stmt, statementOrder});
}

void Scope::defineAllChanged(const Stmt *stmt) {
  llvm::SmallVector<StringRef> variables;
  for (const auto &entry : names)
    if (llvm::is_contained({StmtKind::Assign, StmtKind::AnnAssign, StmtKind::AugAssign},
                           entry.second->statement->kind))
      variables.push_back(entry.getKey());
  for (StringRef name : variables)
    define(name, stmt);
}

/// Functions of Python that change nothing.
static bool isHarmless(StringRef name) {
  static constexpr StringRef all[] = {
      "abs",      "all",   "any",        "bool",       "callable",     "dict",    "enumerate",
      "filter",   "float", "format",     "frozenset",  "getattr",      "hasattr", "hash",
      "id",       "int",   "isinstance", "issubclass", "iter",         "len",     "list",
      "map",      "max",   "min",        "next",       "print",        "range",   "repr",
      "reversed", "round", "set",        "sorted",     "staticmethod", "str",     "sum",
      "tuple",    "type",  "zip"};
  return llvm::is_contained(all, name);
}

/// Functions that call each other and are looked at.
static constexpr unsigned maxChangeDepth = 4;

bool Scope::mayChangeArguments(const CallExpr *call, unsigned depth) const {
  static constexpr StringRef harmless[] = {"copy",  "count",      "endswith", "format", "get",
                                           "index", "items",      "join",     "keys",   "lower",
                                           "split", "startswith", "strip",    "upper",  "values"};
  const Expr *root = call->function;
  if (const auto *method = root->dynAs<AttributeExpr>();
      method && llvm::is_contained(harmless, StringRef(method->attribute)))
    return false;
  while (const auto *attribute = root->dynAs<AttributeExpr>())
    root = attribute->value;
  const auto *name = root->dynAs<NameExpr>();
  if (!name)
    return true;
  const Definition *definition = find(name->id);
  if (!definition)
    return root != call->function || !isHarmless(name->id);
  if (definition->import)
    return definition->import->level || !isHarmlessModule(definition->import->module);
  if (root != call->function)
    return true;
  if (const auto *function = definition->statement->dynAs<FunctionDefStmt>())
    return definition->earlier || mayChangeArguments(function, depth + 1);
  return true;
}

void Scope::collectChange(const Stmt *stmt, const Expr *expr, const Expr *whole) {
  if (const auto *named = expr->dynAs<NamedExprExpr>())
    return defineUnknown(named->target, stmt);
  const auto *call = expr->dynAs<CallExpr>();
  // os.environ.update(..) and its like.
  if (const auto *method = call ? call->function->dynAs<AttributeExpr>() : nullptr;
      method && changedBy(expr) && !keyIn(expr))
    if (const auto *name = method->value->dynAs<NameExpr>(); name && namesEnvironment(name->id))
      return changeAttribute(name, "environ", stmt);
  if (call && mayChangeArguments(call)) {
    for (const Expr *argument : call->arguments)
      defineMayChange(argument, stmt);
    for (const Keyword &keyword : call->keywords)
      defineMayChange(keyword.value, stmt);
  }
  if (changedBy(expr)) {
    const auto *name = rootOf(expr)->dynAs<NameExpr>();
    if (!name || mayBeList(find(name->id)))
      defineChanged(expr, stmt);
    else if (!find(name->id)) // The variable of a comprehension or of a lambda.
      defineMayChange(whole, stmt);
    return;
  }
  if (!call)
    return;
  if (calledName(call) == "exec")
    return defineAllChanged(stmt);
  if (calledName(call) != "setattr" || call->arguments.size() != 3)
    return;
  if (std::optional<StringRef> attribute = constantText(call->arguments[1]))
    changeAttribute(call->arguments[0], *attribute, stmt);
}

/// What a function does to names that are not its own.
struct CallChanges {
  using Names = llvm::MapVector<StringRef, const Stmt *>;
  Names globals;
  /// Names whose lists change; they may be the function's own.
  Names changed;
  /// A statement that may change any name of the module; null if none does.
  const Stmt *ofAll = nullptr;
};

static void collectFrom(const Body &body, CallChanges &found);
static void collectFrom(const Stmt *stmt, CallChanges &found);

void Scope::collectChanges(const Stmt *stmt) {
  auto collectIn = [&](const Expr *whole) {
    if (handsOutNames(whole, /*inFunction=*/false))
      handedOut = {stmt, statementOrder};
    anyExpression(whole, [&](const Expr *expr) {
      collectChange(stmt, expr, whole);
      return false;
    });
  };
  switch (stmt->kind) {
  case StmtKind::If:
    collectIn(stmt->as<IfStmt>()->test);
    break;
  case StmtKind::While:
    collectIn(stmt->as<WhileStmt>()->test);
    break;
  case StmtKind::For:
    collectIn(stmt->as<ForStmt>()->iterable);
    break;
  case StmtKind::Match:
    collectIn(stmt->as<MatchStmt>()->subject);
    for (const MatchCase &one : stmt->as<MatchStmt>()->cases)
      collectIn(one.guard);
    break;
  case StmtKind::Assign:
    collectIn(stmt->as<AssignStmt>()->value);
    break;
  case StmtKind::AnnAssign:
    collectIn(stmt->as<AnnAssignStmt>()->value);
    break;
  case StmtKind::AugAssign:
    collectIn(stmt->as<AugAssignStmt>()->value);
    break;
  case StmtKind::Expr: {
    collectIn(stmt->as<frontend::ExprStmt>()->value);
    break;
  }
  case StmtKind::FunctionDef:
    for (const Expr *decorator : stmt->as<FunctionDefStmt>()->decorators)
      collectIn(decorator);
    break;
  case StmtKind::ClassDef: {
    const auto *definition = stmt->as<ClassDefStmt>();
    for (const Expr *decorator : definition->decorators)
      collectIn(decorator);
    // The statements of its body run here, and may change what is around it.
    CallChanges found;
    NameSet own;
    collectAssigned(definition->body, own);
    for (const Stmt *inner : definition->body)
      if (inner->kind != StmtKind::FunctionDef) {
        collectChanges(inner);
        collectFrom(inner, found);
      }
    for (auto [name, change] : found.changed)
      if (!own.contains(name))
        defineChangedName(name, change);
    for (auto [name, change] : found.globals)
      define(name, change);
    break;
  }
  default:
    break;
  }
}

//===--------------------------------------------------------------------------===//
// Functions
//===--------------------------------------------------------------------------===//

static void collectFrom(const Stmt *stmt, CallChanges &found) {
  auto changed = [&](const Expr *target) {
    const auto *element = target->dynAs<SubscriptExpr>();
    if (element && isGlobals(element->value)) {
      if (calledName(element->value->as<CallExpr>()) != "globals")
        return;
      if (std::optional<StringRef> name = globalNamed(element))
        found.globals.insert({*name, stmt});
      else
        found.ofAll = stmt;
    } else if (element) {
      if (const auto *name = rootOf(element)->dynAs<NameExpr>())
        found.changed.insert({name->id, stmt});
    }
  };
  auto visit = [&](const Expr *expr) {
    const Expr *list = changedBy(expr);
    const auto *name = list ? rootOf(list)->dynAs<NameExpr>() : nullptr;
    if (name)
      found.changed.insert({name->id, stmt});
    if (const auto *call = expr->dynAs<CallExpr>();
        call && changedBy(call) && isGlobals(changedBy(call)))
      found.ofAll = stmt;
    return false;
  };
  auto look = [&](const Expr *expr) {
    anyExpression(expr, visit);
    if (handsOutNames(expr, /*inFunction=*/true))
      found.ofAll = stmt;
  };
  switch (stmt->kind) {
  case StmtKind::Global:
    for (std::string_view name : stmt->as<GlobalStmt>()->names)
      found.globals.insert({name, stmt});
    break;
  case StmtKind::Expr:
    look(stmt->as<frontend::ExprStmt>()->value);
    break;
  case StmtKind::Return:
    look(stmt->as<ReturnStmt>()->value);
    break;
  case StmtKind::Assign:
    look(stmt->as<AssignStmt>()->value);
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

bool Scope::mayChangeArguments(const FunctionDefStmt *function, unsigned depth) const {
  if (depth > maxChangeDepth)
    return true;
  CallChanges found;
  collectFrom(function->body, found);
  if (!found.globals.empty() || !found.changed.empty())
    return true;
  NameSet own;
  collectParameters(function->parameters, own);
  const bool extends = llvm::any_of(function->body, [&](const Stmt *stmt) {
    const auto *change = stmt->dynAs<AugAssignStmt>();
    const auto *name = change ? change->target->dynAs<NameExpr>() : nullptr;
    return name && own.contains(name->id);
  });
  return extends || anyExpression(function->body, [&](const Expr *expr) {
           const auto *call = expr->dynAs<CallExpr>();
           return call && mayChangeArguments(call, depth);
         });
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
    // Nobody sees when the dict is written to, either.
    if (found.ofAll)
      handedOut = {found.ofAll, order};
    if (found.globals.empty() && found.changed.empty())
      continue;
    NameSet own;
    collectParameters(function->parameters, own);
    collectAssigned(function->body, own);
    CallChanges::Names changed = found.globals;
    for (auto [name, stmt] : found.changed)
      if (mayBeList(find(name)) && !own.contains(name))
        changed.insert({name, stmt});
    // Nobody sees when it is called: these hold from its definition on, wherever the name is
    // assigned to.
    statementOrder = order;
    for (auto [name, stmt] : changed) {
      guards.push_back({Guard::Kind::NotFollowed, stmt, order});
      // `tl.sort(x)` is no change where `tl` is a module.
      define(name, function).mayChange = !found.globals.contains(name);
      guards.pop_back();
    }
  }
  if (!handedOut.first)
    return;
  statementOrder = handedOut.second;
  guards.push_back({Guard::Kind::NotFollowed, handedOut.first, handedOut.second});
  defineAllChanged(handedOut.first);
  guards.pop_back();
}
