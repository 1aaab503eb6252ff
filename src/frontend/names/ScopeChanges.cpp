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

#include "frontend/names/KnownModules.h"
#include "frontend/names/Names.h"
#include "frontend/names/Scope.h"
#include "frontend/names/Walk.h"
#include "llvm/ADT/MapVector.h"
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

/// X of `X.__dict__` and `vars(X)`; null if it is neither.
static const Expr *ownerOfDict(const Expr *expr) {
  if (const auto *attribute = expr->dynAs<AttributeExpr>())
    return attribute->attribute == "__dict__" ? attribute->value : nullptr;
  const auto *call = expr->dynAs<CallExpr>();
  return call && calledName(call) == "vars" && call->arguments.size() == 1 ? call->arguments[0]
                                                                           : nullptr;
}

/// Whether it is `sys.modules`.
static bool isModules(const Expr *expr) {
  const auto *attribute = expr->dynAs<AttributeExpr>();
  const auto *base = attribute ? attribute->value->dynAs<NameExpr>() : nullptr;
  return base && attribute->attribute == "modules" && base->id == "sys";
}

/// Whether a method of that name changes its list, dict or set.
static bool isChanging(StringRef method) {
  static constexpr StringRef changing[] = {
      "append",  "extend", "insert",     "remove", "pop",     "popitem",     "clear",      "sort",
      "reverse", "update", "setdefault", "add",    "discard", "__setitem__", "__delitem__"};
  return llvm::is_contained(changing, method);
}

/// The list, dict or set that the call of a method changes; null if it is none.
static const Expr *changedBy(const Expr *expr) {
  const auto *call = expr->dynAs<CallExpr>();
  const auto *method = call ? call->function->dynAs<AttributeExpr>() : nullptr;
  return method && isChanging(method->attribute) ? method->value : nullptr;
}

/// The expressions inside of one from which it only reads: not those that it hands to where they
/// may be written to.
static llvm::SmallPtrSet<const Expr *, 4> readIn(const Expr *whole) {
  llvm::SmallPtrSet<const Expr *, 4> found;
  anyExpression(whole, [&](const Expr *expr) {
    if (const auto *element = expr->dynAs<SubscriptExpr>()) {
      found.insert(element->value);
    } else if (const auto *attribute = expr->dynAs<AttributeExpr>()) {
      static constexpr StringRef reading[] = {"get", "keys", "values", "items", "copy"};
      const bool isDict = isGlobals(attribute->value) || ownerOfDict(attribute->value) ||
                          isModules(attribute->value);
      if (isDict ? isChanging(attribute->attribute) ||
                       llvm::is_contained(reading, StringRef(attribute->attribute))
                 : attribute->attribute != "__dict__")
        found.insert(attribute->value);
    } else if (const auto *comparison = expr->dynAs<CompareExpr>()) {
      found.insert(comparison->left);
      found.insert(comparison->comparators.begin(), comparison->comparators.end());
    } else if (const auto *call = expr->dynAs<CallExpr>()) {
      const StringRef name = calledName(call);
      const bool setsNamed = name == "setattr" && call->arguments.size() == 3 &&
                             constantText(call->arguments[1]).has_value();
      if (setsNamed || name == "getattr" || name == "hasattr" || name == "len" || name == "list" ||
          name == "sorted" || name == "dict" || name == "vars")
        found.insert(call->arguments.begin(), call->arguments.end());
    }
    return false;
  });
  return found;
}

/// Whether the attribute of a function or of a frame is the dict of a module's names.
static bool isNamesAttribute(StringRef attribute) {
  return attribute == "__globals__" || attribute == "f_globals" || attribute == "f_locals";
}

/// Whether the expression hands the dict of the module's names, or the module itself, to where it
/// may be written to. `handsOut` is called for other objects whose dicts it hands out.
static bool handsOutNames(const Expr *whole, bool inFunction,
                          llvm::function_ref<void(const Expr *)> handsOut) {
  const llvm::SmallPtrSet<const Expr *, 4> read = readIn(whole);
  llvm::SmallPtrSet<const Expr *, 4> called;
  anyExpression(whole, [&](const Expr *expr) {
    if (const auto *call = expr->dynAs<CallExpr>(); call && call->function->kind == ExprKind::Name)
      called.insert(call->function);
    return false;
  });
  bool handsOutAll = false;
  anyExpression(whole, [&](const Expr *expr) {
    const auto *call = expr->dynAs<CallExpr>();
    const auto *element = expr->dynAs<SubscriptExpr>();
    const bool isNames = isGlobals(expr) && (!inFunction || calledName(call) == "globals");
    const bool isModule = element && isModules(element->value);
    const bool runs =
        call && (calledName(call) == "exec" || calledName(call) == "eval") &&
        (call->arguments.empty() || !constantText(call->arguments[0]) ||
         constantText(call->arguments[0])->contains('(') || calledName(call) == "exec");
    handsOutAll |= runs || ((isNames || isModule) && !read.contains(expr));
    // These functions by other names, and the dict by way of other objects.
    static constexpr StringRef functions[] = {"exec", "eval", "globals", "locals", "vars"};
    const auto *name = expr->dynAs<NameExpr>();
    const auto *attribute = expr->dynAs<AttributeExpr>();
    const auto *base = attribute ? attribute->value->dynAs<NameExpr>() : nullptr;
    handsOutAll |=
        name && !called.contains(name) && llvm::is_contained(functions, StringRef(name->id));
    handsOutAll |= base && base->id == "builtins" &&
                   llvm::is_contained(functions, StringRef(attribute->attribute));
    handsOutAll |= attribute && isNamesAttribute(attribute->attribute);
    if (const Expr *owner = read.contains(expr) ? nullptr : ownerOfDict(expr))
      handsOut(owner);
    return false;
  });
  return handsOutAll;
}

std::optional<StringRef> frontend::globalNamed(const SubscriptExpr *subscript) {
  if (!isGlobals(subscript->value))
    return std::nullopt;
  return constantText(subscript->slice);
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

/// What a path of elements, attributes and calls of methods begins with.
static const Expr *rootOfPath(const Expr *expr) {
  while (true) {
    const Expr *root = rootOf(expr);
    const auto *attribute = root->dynAs<AttributeExpr>();
    if (!attribute)
      return root;
    expr = attribute->value;
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
  static constexpr StringRef ofOne[] = {"setdefault", "pop", "__setitem__", "__delitem__"};
  const bool isOne =
      method && llvm::is_contained(ofOne, StringRef(method->attribute)) && !call->arguments.empty();
  return isOne ? constantText(call->arguments[0]) : std::nullopt;
}

/// The keys of `dict` that `dict[KEY]`, `dict.pop(KEY)` or `dict.update(KEY=..)` changes; anyName
/// where they are not seen.
static llvm::SmallVector<StringRef> keysChanged(const Expr *expr, const Expr *dict) {
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

/// Adds what a statement may take the values of names from of which nothing else is known: a loop,
/// a `with`, `*names, = ..`, a call of `names.append(..)`, the body of a class.
static void collectSources(const Stmt *stmt, NameSet &mentioned) {
  if (stmt->kind != StmtKind::FunctionDef)
    for (const Expr *source : expressionsOf(stmt))
      collectNames(source, mentioned);
  if (const auto *definition = stmt->dynAs<ClassDefStmt>())
    for (const Stmt *inner : definition->body)
      if (inner->kind != StmtKind::FunctionDef)
        for (const Expr *source : expressionsOf(inner))
          collectNames(source, mentioned);
}

void Scope::link(StringRef name, const NameSet &mentioned) {
  for (StringRef one : mentioned)
    if (mayBeList(find(one)) || mayComeByStar(one))
      sharing.unionSets(name, one);
}

void Scope::linkTargets(const AssignStmt *assign) {
  NameSet mentioned;
  collectNames(assign->value, mentioned);
  for (const Expr *target : assign->targets)
    collectNames(target, mentioned);
  for (const Expr *target : assign->targets)
    if (const auto *root = rootOfPath(target)->dynAs<NameExpr>(); root && root != target)
      link(root->id, mentioned);
}

void Scope::linkNames() {
  for (; linked < all.size(); ++linked) {
    const Definition &definition = all[linked];
    NameSet mentioned;
    if (!definition.value) {
      collectSources(definition.statement, mentioned);
      link(definition.name, mentioned);
      continue;
    }
    collectNames(definition.value, mentioned);
    // `a = b = []`, `a = (b := [])`
    for (const Expr *target : targetsOf(definition.statement)) {
      collectNames(target, mentioned);
      if (target->kind == ExprKind::Attribute)
        attributesOf[definition.name].push_back(target->as<AttributeExpr>());
    }
    anyExpression(definition.value, [&](const Expr *expr) {
      if (const auto *named = expr->dynAs<NamedExprExpr>())
        collectTargets(named->target, mentioned);
      return false;
    });
    link(definition.name, mentioned);
    anyExpression(definition.value, [&](const Expr *expr) {
      const auto *call = expr->dynAs<CallExpr>();
      if (const auto *attribute = expr->dynAs<AttributeExpr>())
        attributesOf[definition.name].push_back(attribute);
      // What a function of this module, or of one that it imports, returns may be any of its lists.
      else if (call && mayReturnLists(call))
        sharing.unionSets(definition.name, anyName);
      return false;
    });
  }
}

bool Scope::mayReturnLists(const CallExpr *call) const {
  const Expr *root = call->function;
  while (const auto *attribute = root->dynAs<AttributeExpr>())
    root = attribute->value;
  const auto *name = root->dynAs<NameExpr>();
  const Definition *definition = name ? find(name->id) : nullptr;
  return definition && definition->statement->kind == StmtKind::FunctionDef;
}

const ClassDefStmt *Scope::classNamed(StringRef name) const {
  const Definition *definition = find(name);
  return definition ? definition->statement->dynAs<ClassDefStmt>() : nullptr;
}

void Scope::defineMayChange(const Expr *expr, const Stmt *stmt) {
  NameSet mentioned;
  collectNames(expr, mentioned);
  defineMayChange(mentioned, stmt);
  anyExpression(expr, [&](const Expr *one) {
    if (const auto *attribute = one->dynAs<AttributeExpr>())
      changeAttribute(attribute->value, attribute->attribute, stmt, /*mayChange=*/true);
    if (const auto *call = one->dynAs<CallExpr>(); call && mayReturnLists(call)) {
      NameSet any;
      any.insert(anyName);
      defineMayChange(any, stmt);
    }
    return false;
  });
}

void Scope::defineMayChange(const NameSet &mentioned, const Stmt *stmt) {
  linkNames();
  NameSet changed;
  for (StringRef name : mentioned)
    if (name == anyName || mayBeList(find(name)) || mayComeByStar(name) || classNamed(name)) {
      sharing.insert(name);
      for (StringRef one : sharing.members(name))
        changed.insert(one);
    }
  if (changed.contains(anyName))
    for (const auto &entry : names)
      changed.insert(entry.getKey());
  for (StringRef name : changed) {
    const Definition *definition = find(name);
    if (mayComeByStar(name) || mayBeList(definition))
      changeOfStar(name, stmt);
    if (const ClassDefStmt *owner = classNamed(name))
      changes[anyName].push_back(
          {nullptr, nullptr, stmt, statementOrder, /*mayChange=*/true, owner});
    if (!mayBeList(definition))
      continue;
    // The module that it comes from sees the change as well.
    for (const Definition *one = definition; one; one = one->earlier)
      if (one->import && !one->import->name.empty())
        changes[one->import->name].push_back({nullptr, &*one->import, stmt, statementOrder});
    for (const AttributeExpr *attribute : attributesOf[name])
      changeAttribute(attribute->value, attribute->attribute, stmt, /*mayChange=*/true);
    define(name, stmt).mayChange = true;
  }
}

/// Functions of Python that change nothing.
static bool isHarmless(StringRef name) {
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

/// Whether it brings names of a module whose lists may change.
static bool bringsLists(const Definition *star) {
  return star->import && (star->import->level || !isHarmlessModule(star->import->module));
}

bool Scope::mayComeByStar(StringRef name) const {
  if (find(name) || isHarmless(name))
    return false;
  for (const Definition *one = star; one; one = one->earlier)
    if (bringsLists(one))
      return true;
  return false;
}

void Scope::changeOfStar(StringRef name, const Stmt *stmt) {
  for (const Definition *one = star; one; one = one->earlier) {
    if (!bringsLists(one))
      continue;
    starImports.push_back(*one->import);
    starImports.back().name = name;
    changes[name].push_back({nullptr, &starImports.back(), stmt, statementOrder});
  }
}

void Scope::defineHanded(const Expr *expr, const Stmt *stmt) {
  defineMayChange(expr, stmt);
  // Attributes of classes, modules and objects that it is handed.
  llvm::SmallPtrSet<const Expr *, 4> inside;
  anyExpression(expr, [&](const Expr *one) {
    if (const auto *call = one->dynAs<CallExpr>())
      inside.insert(call->function);
    const auto *attribute = one->dynAs<AttributeExpr>();
    if (attribute)
      inside.insert(attribute->value);
    if (!inside.contains(one) && (attribute || one->kind == ExprKind::Name) &&
        mayHaveAttributes(one))
      changeAttribute(one, anyName, stmt);
    return false;
  });
}

bool Scope::mayHaveAttributes(const Expr *path) const {
  const Expr *root = rootOfPath(path);
  const auto *name = root->dynAs<NameExpr>();
  const Definition *definition = name ? find(name->id) : nullptr;
  if (!definition || !definition->import)
    return definition && llvm::is_contained({StmtKind::ClassDef, StmtKind::For, StmtKind::With},
                                            definition->statement->kind);
  const StringRef module = definition->import->module;
  return definition->import->level || (!isHarmlessModule(module) && !isKnownModule(module));
}

static void collectCaptures(const Pattern *pattern, NameSet &names) {
  if (!pattern->name.empty())
    names.insert(pattern->name);
  for (const auto *parts : {&pattern->patterns, &pattern->attributePatterns})
    for (const Pattern *part : *parts)
      collectCaptures(part, names);
}

/// Adds the names that the statements bind in their own scope.
static void collectBound(const Body &body, NameSet &names) {
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

/// Whether it is `sys.modules[__name__]`, the module itself.
static bool isThisModule(const Expr *expr) {
  const auto *element = expr->dynAs<SubscriptExpr>();
  const auto *modules = element ? element->value->dynAs<AttributeExpr>() : nullptr;
  const auto *name = element ? element->slice->dynAs<NameExpr>() : nullptr;
  return modules && modules->attribute == "modules" && name && name->id == "__name__";
}

void Scope::defineChanged(const Expr *expr, const Stmt *stmt) {
  const Expr *root = rootOf(expr);
  const Expr *owner = ownerOfDict(root);
  if (isGlobals(root) || owner) {
    for (StringRef key : keysChanged(expr, root)) {
      if (owner && !isThisModule(owner))
        changeAttribute(owner, key, stmt);
      else if (key == anyName)
        defineAllChanged(stmt);
      else
        define(key, stmt);
    }
    return;
  }
  if (const auto *attribute = root->dynAs<AttributeExpr>()) {
    if (isNamesAttribute(attribute->attribute))
      return defineAllChanged(stmt);
    NameSet holder;
    if (const auto *name = rootOfPath(root)->dynAs<NameExpr>())
      holder.insert(name->id);
    defineMayChange(holder, stmt);
    std::optional<StringRef> variable = keyIn(expr);
    return variable && attribute->attribute == "environ"
               ? changeAttribute(attribute->value, changedVariable(*variable), stmt)
               : changeAttribute(attribute->value, attribute->attribute, stmt);
  }
  const auto *name = root->dynAs<NameExpr>();
  if (!name)
    return defineMayChange(root, stmt);
  if (name->id == "__builtins__")
    for (StringRef key : keysChanged(expr, root))
      changeAttribute(name, key, stmt);
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

void Scope::changeAttribute(const Expr *base, StringRef attribute, const Stmt *stmt,
                            bool mayChange) {
  // What another class makes of the module is seen by those that import it.
  if (isThisModule(base) && attribute != "__class__") {
    if (attribute == anyName)
      defineAllChanged(stmt);
    else
      define(attribute, stmt).mayChange = mayChange;
    return;
  }
  changes[attribute].push_back({base, nullptr, stmt, statementOrder, mayChange});
}

void Scope::defineWritten(const Expr *target, const Stmt *stmt) {
  switch (target->kind) {
  case ExprKind::Name:
    define(target->as<NameExpr>()->id, stmt);
    break;
  case ExprKind::Tuple:
    for (const Expr *element : target->as<TupleExpr>()->elements)
      defineWritten(element, stmt);
    break;
  case ExprKind::List:
    for (const Expr *element : target->as<ListExpr>()->elements)
      defineWritten(element, stmt);
    break;
  case ExprKind::Starred:
    defineWritten(target->as<StarredExpr>()->value, stmt);
    break;
  case ExprKind::Subscript:
    if (std::optional<StringRef> global = globalNamed(target->as<SubscriptExpr>()))
      define(*global, stmt);
    else
      defineChanged(target, stmt);
    break;
  case ExprKind::Attribute:
    changeAttribute(target->as<AttributeExpr>()->value, target->as<AttributeExpr>()->attribute,
                    stmt);
    break;
  default:
    break;
  }
}

void Scope::defineAllChanged(const Stmt *stmt, bool isLater) {
  others.push_back({stmt, statementOrder, isLater});
  // A definition without a name gives what follows a later order than the statement.
  all.emplace_back().statement = stmt;
  llvm::SmallVector<StringRef> variables;
  for (const auto &entry : names)
    if (llvm::is_contained({StmtKind::Assign, StmtKind::AnnAssign, StmtKind::AugAssign},
                           entry.second->statement->kind))
      variables.push_back(entry.getKey());
  for (StringRef name : variables)
    define(name, stmt);
}

/// Functions that call each other and are looked at.
static constexpr unsigned maxChangeDepth = 4;

/// The base of an attribute that the call sets or deletes by its name, and the name; anyName if it
/// is no constant.
static std::pair<const Expr *, StringRef> attributeSet(const CallExpr *call) {
  const StringRef name = calledName(call);
  if ((name == "setattr" || name == "delattr") && call->arguments.size() >= 2)
    return {call->arguments[0], constantText(call->arguments[1]).value_or(anyName)};
  const auto *method = call->function->dynAs<AttributeExpr>();
  if (method && method->attribute == "reload" && !call->arguments.empty())
    return {call->arguments[0], anyName};
  return {};
}

/// The statement in the body of class `C`, which has one definition, that gives `C.name(..)` its
/// name: null where that is not seen.
static const Stmt *memberCalled(const Definition *definition, const CallExpr *call) {
  const auto *attribute = call->function->dynAs<AttributeExpr>();
  const auto *owner = definition->statement->dynAs<ClassDefStmt>();
  if (!owner || definition->earlier || !attribute || attribute->value->kind != ExprKind::Name ||
      !owner->decorators.empty())
    return nullptr;
  const Stmt *found = nullptr;
  for (const Stmt *stmt : owner->body) {
    NameSet bound;
    if (const auto *function = stmt->dynAs<FunctionDefStmt>())
      bound.insert(function->name);
    for (const Expr *target : targetsOf(stmt))
      collectTargets(target, bound);
    if (!bound.contains(attribute->attribute))
      continue;
    if (found)
      return nullptr;
    found = stmt;
  }
  return found;
}

/// F of `name = F` and of `name = staticmethod(F)`, where that is a lambda; else null.
static const LambdaExpr *lambdaOf(const Stmt *stmt) {
  const auto *assign = stmt->dynAs<AssignStmt>();
  const Expr *value = assign ? assign->value : nullptr;
  if (const auto *call = value ? value->dynAs<CallExpr>() : nullptr;
      call && calledName(call) == "staticmethod" && call->arguments.size() == 1)
    value = call->arguments[0];
  return value ? value->dynAs<LambdaExpr>() : nullptr;
}

bool Scope::handsFunction(const CallExpr *call, unsigned depth) const {
  auto changes = [&](const Expr *argument) {
    const auto *name = argument->dynAs<NameExpr>();
    const Definition *definition = name ? find(name->id) : nullptr;
    const auto *function = definition ? definition->statement->dynAs<FunctionDefStmt>() : nullptr;
    return function && mayChangeArguments(function, depth + 1);
  };
  return llvm::any_of(call->arguments, changes) ||
         llvm::any_of(call->keywords, [&](const Keyword &one) { return changes(one.value); });
}

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
    return root != call->function || !isHarmless(name->id) || handsFunction(call, depth);
  if (definition->import)
    return definition->import->level || !isHarmlessModule(definition->import->module);
  if (root != call->function) {
    const Stmt *member = memberCalled(definition, call);
    if (const auto *method = member ? member->dynAs<FunctionDefStmt>() : nullptr)
      return mayChangeArguments(method, depth + 1);
    const LambdaExpr *lambda = member ? lambdaOf(member) : nullptr;
    return !lambda || depth > maxChangeDepth || anyExpression(lambda->body, [&](const Expr *expr) {
      const auto *inner = expr->dynAs<CallExpr>();
      return inner && (changedBy(inner) || attributeSet(inner).first ||
                       mayChangeArguments(inner, depth + 1));
    });
  }
  if (const auto *function = definition->statement->dynAs<FunctionDefStmt>())
    return definition->earlier || mayChangeArguments(function, depth + 1);
  return true;
}

/// The module `m` of importlib.import_module("m") and `__import__("m")`.
static std::optional<Import> importCalled(const CallExpr *call) {
  const auto *attribute = call->function->dynAs<AttributeExpr>();
  const StringRef name = attribute ? StringRef(attribute->attribute) : calledName(call);
  if ((name != "import_module" && name != "__import__") || call->arguments.empty())
    return std::nullopt;
  std::optional<StringRef> text = constantText(call->arguments[0]);
  if (!text)
    return std::nullopt;
  Import import;
  import.module = text->ltrim('.');
  import.level = static_cast<unsigned>(text->size() - import.module.size());
  import.begin = call->begin;
  import.end = call->end;
  return import;
}

void Scope::collectChange(const Stmt *stmt, const Expr *expr, const Expr *whole) {
  if (const auto *named = expr->dynAs<NamedExprExpr>())
    return defineWritten(named->target, stmt);
  const auto *call = expr->dynAs<CallExpr>();
  if (!call)
    return;
  // os.environ.update(..) and its like.
  const auto *method = call->function->dynAs<AttributeExpr>();
  if (method && changedBy(expr) && !keyIn(expr))
    if (const auto *name = method->value->dynAs<NameExpr>(); name && namesEnvironment(name->id))
      return changeAttribute(name, "environ", stmt);
  if (mayChangeArguments(call)) {
    for (const Expr *argument : call->arguments)
      defineHanded(argument, stmt);
    for (const Keyword &keyword : call->keywords)
      defineHanded(keyword.value, stmt);
    defineCallee(call->function, stmt);
  }
  if (changedBy(expr)) {
    const auto *name = rootOf(expr)->dynAs<NameExpr>();
    if (!name || mayBeList(find(name->id)))
      defineChanged(expr, stmt);
    else if (!find(name->id)) // The variable of a comprehension or of a lambda.
      defineMayChange(whole, stmt);
    return;
  }
  if (auto [base, attribute] = attributeSet(call); base)
    changeAttribute(base, attribute, stmt);
}

void Scope::defineCallee(const Expr *callee, const Stmt *stmt) {
  const auto *method = callee->dynAs<AttributeExpr>();
  const auto *name = (method ? method->value : callee)->dynAs<NameExpr>();
  if (!name)
    return method ? defineMayChange(method->value, stmt) : defineMayChange(callee, stmt);
  const Definition *definition = find(name->id);
  if (!definition || (definition->statement->kind == StmtKind::FunctionDef && !method))
    return;
  // A method may change its object and its class, and so may what keeps one.
  if (method && (definition->statement->kind == StmtKind::ClassDef || definition->value))
    changeAttribute(name, anyName, stmt);
  NameSet named;
  named.insert(name->id);
  defineMayChange(named, stmt);
}

void Scope::collectIn(const Stmt *stmt, const Expr *whole) {
  if (handsOutNames(whole, /*inFunction=*/false,
                    [&](const Expr *owner) { changeAttribute(owner, anyName, stmt); }))
    handOut(stmt);
  llvm::SmallPtrSet<const Expr *, 4> called;
  anyExpression(whole, [&](const Expr *expr) {
    if (const auto *call = expr->dynAs<CallExpr>())
      called.insert(call->function);
    // functools.partial(setattr, object)
    if (const auto *name = expr->dynAs<NameExpr>();
        name && !called.contains(name) && (name->id == "setattr" || name->id == "delattr"))
      defineHanded(whole, stmt);
    collectChange(stmt, expr, whole);
    return noteNamed(expr);
  });
}

void Scope::collectChanges(const Stmt *stmt) {
  for (const Expr *expr : expressionsOf(stmt))
    collectIn(stmt, expr);
  const auto *definition = stmt->dynAs<ClassDefStmt>();
  if (!definition)
    return;
  // The statements of its body run here, and may change what is around it.
  NameSet own;
  collectBound(definition->body, own);
  for (const Stmt *inner : definition->body)
    if (inner->kind != StmtKind::FunctionDef)
      collectClassStatement(inner, own);
}

void Scope::collectClassStatement(const Stmt *stmt, const NameSet &own) {
  collectChanges(stmt);
  if (const auto *declared = stmt->dynAs<GlobalStmt>())
    for (std::string_view name : declared->names)
      define(name, stmt);
  for (const Expr *target : targetsOf(stmt))
    anyExpression(target, [&](const Expr *expr) {
      if (expr->kind != ExprKind::Subscript && expr->kind != ExprKind::Attribute)
        return false;
      const auto *name = rootOfPath(expr)->dynAs<NameExpr>();
      if (!name || !own.contains(name->id) || expr->kind == ExprKind::Attribute)
        defineWritten(expr, stmt);
      return true;
    });
  for (const Body *body : bodiesOf(stmt))
    for (const Stmt *inner : *body)
      collectClassStatement(inner, own);
}

//===--------------------------------------------------------------------------===//
// Functions
//===--------------------------------------------------------------------------===//

/// What a function does to what is not its own, in the order of the text.
struct CallChanges {
  using Places = llvm::SmallVector<std::pair<const Expr *, const Stmt *>>;
  llvm::MapVector<StringRef, const Stmt *> globals;
  /// Elements and attributes that are assigned to, and calls of methods that change their object.
  Places written;
  /// Objects of which any attribute may change.
  Places opened;
  llvm::SmallVector<const CallExpr *> calls;
  using Values = llvm::MapVector<StringRef, llvm::SmallVector<const Expr *, 1>>;
  /// What its own names may be, or share parts with.
  Values values;
  /// What is added to its own names, which share parts with it then.
  Values added;
  /// A statement that may change any name of the module; null if none does.
  const Stmt *ofAll = nullptr;
};

static void collectTarget(const Expr *target, const Stmt *stmt, const Expr *value,
                          CallChanges &found) {
  switch (target->kind) {
  case ExprKind::Name:
    if (value)
      (stmt->kind == StmtKind::AugAssign ? found.added : found.values)[target->as<NameExpr>()->id]
          .push_back(value);
    if (stmt->kind == StmtKind::AugAssign)
      found.written.push_back({target, stmt});
    break;
  case ExprKind::Tuple:
    for (const Expr *element : target->as<TupleExpr>()->elements)
      collectTarget(element, stmt, value, found);
    break;
  case ExprKind::List:
    for (const Expr *element : target->as<ListExpr>()->elements)
      collectTarget(element, stmt, value, found);
    break;
  case ExprKind::Starred:
    collectTarget(target->as<StarredExpr>()->value, stmt, value, found);
    break;
  case ExprKind::Subscript: {
    const auto *element = target->as<SubscriptExpr>();
    if (!isGlobals(element->value))
      found.written.push_back({target, stmt});
    else if (calledName(element->value->as<CallExpr>()) == "globals") {
      if (std::optional<StringRef> name = globalNamed(element))
        found.globals.insert({*name, stmt});
      else
        found.ofAll = stmt;
    }
    break;
  }
  case ExprKind::Attribute:
    found.written.push_back({target, stmt});
    break;
  default:
    break;
  }
}

/// The `for` parts of a comprehension; none of another expression.
static llvm::ArrayRef<Comprehension> generatorsOf(const Expr *expr) {
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

static void collectFrom(const Stmt *stmt, CallChanges &found) {
  if (const auto *declared = stmt->dynAs<GlobalStmt>())
    for (std::string_view name : declared->names)
      found.globals.insert({name, stmt});
  const llvm::SmallVector<const Expr *> expressions = expressionsOf(stmt);
  for (const Expr *target : targetsOf(stmt))
    collectTarget(target, stmt, expressions.empty() ? nullptr : expressions.front(), found);
  for (const Expr *whole : expressions) {
    if (handsOutNames(whole, /*inFunction=*/true,
                      [&](const Expr *owner) { found.opened.push_back({owner, stmt}); }))
      found.ofAll = stmt;
    anyExpression(whole, [&](const Expr *expr) {
      for (const Comprehension &one : generatorsOf(expr)) {
        NameSet variables;
        collectTargets(one.target, variables);
        for (StringRef name : variables)
          found.values[name].push_back(one.iterable);
      }
      const auto *call = expr->dynAs<CallExpr>();
      if (!call)
        return false;
      found.calls.push_back(call);
      if (const Expr *list = changedBy(call); list && isGlobals(list))
        found.ofAll = stmt;
      else if (list)
        found.written.push_back({expr, stmt});
      return false;
    });
  }
}

static CallChanges changesOf(const Body &body) {
  CallChanges found;
  forEachStatement(body, [&](const Stmt *stmt) { collectFrom(stmt, found); });
  return found;
}

bool Scope::mayChangeArguments(const FunctionDefStmt *function, unsigned depth) const {
  if (depth > maxChangeDepth)
    return true;
  const CallChanges found = changesOf(function->body);
  return !found.globals.empty() || !found.written.empty() || !found.opened.empty() ||
         llvm::any_of(found.calls, [&](const CallExpr *call) {
           return attributeSet(call).first || mayChangeArguments(call, depth);
         });
}

static StringRef firstParameter(const Parameters &parameters) {
  for (const auto *list : {&parameters.positionalOnly, &parameters.positional})
    if (!list->empty())
      return (*list)[0].name;
  return {};
}

/// Whether the first parameter of a method is the class.
static bool takesClass(const FunctionDefStmt *method) {
  static constexpr StringRef always[] = {"__new__", "__init_subclass__", "__class_getitem__"};
  return llvm::is_contained(always, StringRef(method->name)) ||
         llvm::any_of(method->decorators, [](const Expr *one) {
           const auto *name = one->dynAs<NameExpr>();
           return name && name->id == "classmethod";
         });
}

void Scope::collectMethods(const ClassDefStmt *definition, unsigned order) {
  for (const Stmt *stmt : definition->body) {
    if (const auto *inner = stmt->dynAs<ClassDefStmt>())
      collectMethods(inner, order);
    const auto *method = stmt->dynAs<FunctionDefStmt>();
    if (!method)
      continue;
    functions.emplace_back(method, order);
    if (takesClass(method))
      classOf[method] = definition;
  }
}

/// The default of the parameter of that name; null if it has none, or is none.
static const Expr *defaultNamed(const Parameters &parameters, StringRef name) {
  llvm::SmallVector<const Parameter *> positional;
  for (const auto *list : {&parameters.positionalOnly, &parameters.positional})
    for (const Parameter &one : *list)
      positional.push_back(&one);
  const size_t without = positional.size() - parameters.defaults.size();
  for (size_t i = without; i < positional.size(); ++i)
    if (StringRef(positional[i]->name) == name)
      return parameters.defaults[i - without];
  for (size_t i = 0; i < parameters.keywordOnly.size(); ++i)
    if (StringRef(parameters.keywordOnly[i].name) == name)
      return parameters.keywordDefaults[i];
  return nullptr;
}

void Scope::collectCalls(const FunctionDefStmt *function) {
  CallChanges found = changesOf(function->body);
  // Nobody sees when the dict is written to, either.
  if (found.ofAll)
    handOut(found.ofAll);
  NameSet own;
  collectParameters(function->parameters, own);
  collectBound(function->body, own);
  for (const auto &entry : found.globals)
    own.remove(entry.first);
  auto guarded = [&](const Stmt *stmt, llvm::function_ref<void()> define) {
    guards.push_back({Guard::Kind::NotFollowed, stmt, statementOrder});
    define();
    guards.pop_back();
  };
  // What a name of the function's own may share parts with, also by other names of its own.
  auto changeOwn = [&](StringRef whole, const Expr *written) {
    NameSet reached;
    reached.insert(whole);
    for (size_t i = 0; i < reached.size(); ++i) {
      const StringRef name = reached[i];
      if (const Expr *value = defaultNamed(function->parameters, name))
        defineMayChange(value, function);
      for (const CallChanges::Values *all : {&found.values, &found.added}) {
        // `name += ..` changes the list that the name has, not one that was added to it.
        auto values = all->find(name);
        if (values == all->end() || (all == &found.added && written->kind == ExprKind::Name))
          continue;
        for (const Expr *value : values->second) {
          collectNames(value, reached);
          written->kind == ExprKind::Attribute ? defineHanded(value, function)
                                               : defineMayChange(value, function);
        }
      }
    }
  };
  const ClassDefStmt *ownClass = classOf.lookup(function);
  for (auto [name, stmt] : found.globals)
    guarded(stmt, [&, name = name] { define(name, function); });
  for (auto [expr, stmt] : found.written)
    guarded(stmt, [&, expr = expr] {
      const auto *root = rootOfPath(expr)->dynAs<NameExpr>();
      const auto *attribute = expr->dynAs<AttributeExpr>();
      if (ownClass && attribute && root &&
          StringRef(root->id) == firstParameter(function->parameters))
        changes[attribute->attribute].push_back(
            {nullptr, nullptr, function, statementOrder, false, ownClass});
      else if (root && own.contains(root->id)) {
        changeOwn(root->id, expr);
        // self.__class__.attribute = ..
        if (attribute && anyExpression(attribute->value, [](const Expr *one) {
              const auto *part = one->dynAs<AttributeExpr>();
              return part && StringRef(part->attribute).starts_with("__");
            }))
          defineWrittenIn(function, expr);
      } else {
        // The variable of a comprehension, or the module's.
        if (root)
          changeOwn(root->id, expr);
        defineWrittenIn(function, expr);
      }
    });
  for (auto [owner, stmt] : found.opened)
    guarded(stmt, [&, owner = owner] { changeAttribute(owner, anyName, function); });
  for (const CallExpr *call : found.calls)
    guarded(function, [&] { collectCallIn(function, call, own); });
}

void Scope::defineWrittenIn(const FunctionDefStmt *function, const Expr *expr) {
  // A name's list, or the call of a method of one.
  const auto *name = rootOf(expr)->dynAs<NameExpr>();
  if (!name)
    return expr->kind == ExprKind::Call ? defineChanged(expr, function)
                                        : defineWritten(expr, function);
  if (namesEnvironment(name->id))
    return defineChanged(expr, function);
  // `tl.sort(x)` is no change where `tl` is a module.
  NameSet named;
  named.insert(name->id);
  defineMayChange(named, function);
}

void Scope::collectCallIn(const FunctionDefStmt *function, const CallExpr *call,
                          const NameSet &own) {
  auto [base, attribute] = attributeSet(call);
  const auto *root = base ? rootOfPath(base)->dynAs<NameExpr>() : nullptr;
  if (base && (!root || !own.contains(root->id)))
    changeAttribute(base, attribute, function);
  // What it hands on counts where it may run while modules do.
  if (!namedAtTop.contains(function->name) || !mayChangeArguments(call))
    return;
  auto hand = [&](const Expr *argument) {
    NameSet named;
    collectNames(argument, named);
    for (StringRef name : own)
      named.remove(name);
    defineMayChange(named, function);
  };
  for (const Expr *argument : call->arguments)
    hand(argument);
  for (const Keyword &keyword : call->keywords)
    hand(keyword.value);
}

void Scope::nameCalled() {
  // Functions that functions name which run while the module does.
  llvm::SmallPtrSet<const FunctionDefStmt *, 8> seen;
  for (bool isNew = true; isNew;) {
    isNew = false;
    for (auto [function, order] : functions)
      if (namedAtTop.contains(function->name) && seen.insert(function).second) {
        isNew = true;
        anyExpression(function->body, [&](const Expr *expr) { return noteNamed(expr); });
      }
  }
}

bool Scope::noteNamed(const Expr *expr) {
  if (const auto *name = expr->dynAs<NameExpr>())
    namedAtTop.insert(name->id);
  if (const auto *attribute = expr->dynAs<AttributeExpr>())
    namedAtTop.insert(attribute->attribute);
  return false;
}

void Scope::handOut(const Stmt *stmt) {
  if (!handedOut.first || statementOrder < handedOut.second)
    handedOut = {stmt, statementOrder};
}

void Scope::collectCalls() {
  nameCalled();
  for (auto [function, order] : functions) {
    // Nobody sees when it is called: these hold from its definition on, wherever the name is
    // assigned to.
    statementOrder = order;
    collectCalls(function);
  }
  if (!handedOut.first)
    return;
  statementOrder = handedOut.second;
  guards.push_back({Guard::Kind::NotFollowed, handedOut.first, handedOut.second});
  defineAllChanged(handedOut.first, /*isLater=*/true);
  guards.pop_back();
}

//===--------------------------------------------------------------------------===//
// Imports
//===--------------------------------------------------------------------------===//

void Scope::collectLoaded(const Stmt *stmt, unsigned order, bool inFunction, bool isInner) {
  if (stmt->kind == StmtKind::Import || stmt->kind == StmtKind::ImportFrom)
    for (auto &[name, import] : importsOf(stmt))
      loaded.push_back({import, order, inFunction});
  for (const Expr *whole : expressionsOf(stmt))
    anyExpression(whole, [&](const Expr *expr) {
      if (const auto *call = expr->dynAs<CallExpr>())
        if (std::optional<Import> import = importCalled(call))
          loaded.push_back({*import, order, inFunction});
      return false;
    });
  if (const auto *function = stmt->dynAs<FunctionDefStmt>())
    for (const Stmt *inner : function->body)
      collectLoaded(inner, order, /*inFunction=*/true, /*isInner=*/true);
  if (const auto *definition = stmt->dynAs<ClassDefStmt>())
    for (const Stmt *inner : definition->body)
      collectLoaded(inner, order, inFunction, /*isInner=*/true);
  // `collect` comes to the others by itself.
  if (isInner)
    for (const Body *body : bodiesOf(stmt))
      for (const Stmt *inner : *body)
        collectLoaded(inner, order, inFunction, isInner);
}
