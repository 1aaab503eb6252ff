//===- HandedNames.cpp - Objects that are handed to where they may change -----===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/names/scope/HandedNames.h"

#include "frontend/names/scope/AskedObjects.h"
#include "frontend/names/scope/ChangeSyntax.h"
#include "frontend/names/scope/Definition.h"
#include "frontend/names/scope/NamespaceDicts.h"
#include "frontend/names/scope/Walk.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <optional>
#include <utility>

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

static StringRef lastPart(StringRef name) { return name.substr(name.rfind('.') + 1); }

namespace {
class Collector {
public:
  explicit Collector(HandedNames &found) : found(found) {}

  void visit(const Body &body) {
    for (const Stmt *stmt : body) {
      visit(stmt);
      for (const Body *inner : bodiesOf(stmt))
        visit(*inner);
      if (const auto *definition = stmt->dynAs<ClassDefStmt>())
        visit(definition->body);
      if (const auto *function = stmt->dynAs<FunctionDefStmt>())
        visitFunction(function);
    }
  }

  void finish() {
    for (StringRef name : set)
      if (!known.contains(name) && !asked.contains(name))
        found.names.insert(name);
    for (llvm::DenseSet<StringRef> *names : {&found.names, &found.lists}) {
      llvm::SmallVector<StringRef> other;
      for (StringRef name : *names)
        if (auto import = known.find(name); import != known.end())
          other.push_back(import->second);
      names->insert(other.begin(), other.end());
    }
    for (auto &[name, modules] : asked)
      if (found.names.contains(name))
        found.asked.append(modules.begin(), modules.end());
    for (StringRef name : changed)
      (known.contains(name) ? found.changesImported : found.changesByPath) |=
          known.contains(name) || !fresh.lookup(name);
  }

private:
  void visit(const Stmt *stmt) {
    statement = stmt;
    if (stmt->kind == StmtKind::Import || stmt->kind == StmtKind::ImportFrom)
      for (auto &[name, import] : importsOf(stmt))
        if (import.name != "*") {
          // from module import names as others
          if (!import.name.empty() && import.name != name)
            found.lists.insert(import.name);
          known[name] =
              lastPart(import.name.empty() ? StringRef(import.module) : StringRef(import.name));
        }
    Read read;
    // `import_module("a")` by itself hands the module to no one.
    if (const auto *only = stmt->dynAs<ExprStmt>())
      read.objects.insert(only->value);
    if (const auto *definition = stmt->dynAs<ClassDefStmt>()) {
      read.objects.insert(definition->bases.begin(), definition->bases.end());
      // A decorator is handed the class.
      if (!definition->decorators.empty())
        found.names.insert(definition->name);
    }
    if (const auto *loop = stmt->dynAs<ForStmt>()) {
      read.lists.insert(loop->iterable);
      if (asksForModule(loop->iterable) && !handsVariables(*loop))
        anyExpression(loop->iterable, [&](const Expr *expr) {
          read.objects.insert(expr);
          return false;
        });
    }
    if (own.empty())
      noteFresh(stmt);
    if (const auto *assign = stmt->dynAs<AssignStmt>())
      visitAssigned(assign, read.objects);
    for (const Expr *target : targetsOf(stmt))
      if (target->kind == ExprKind::Subscript)
        noteChange(target);
    for (const Expr *whole : expressionsOf(stmt))
      anyExpression(whole, [&](const Expr *expr) {
        addRead(expr, read);
        noteLoaded(expr);
        if (!read.objects.contains(expr))
          hand(expr);
        if (!read.lists.contains(expr))
          share(expr, read);
        if (changedBy(expr))
          noteChange(expr);
        return false;
      });
  }

  void visitFunction(const FunctionDefStmt *function) {
    const NameSet outer = own;
    const llvm::DenseMap<StringRef, bool> outerFresh = fresh;
    const FunctionDefStmt *outerFunction = std::exchange(around, function);
    const auto outerImports = ownImports;
    collectParameters(function->parameters, own);
    collectBound(function->body, own);
    collectInner(function->body, own);
    forEachStatement(function->body, [&](const Stmt *stmt) {
      if (const auto *declared = stmt->dynAs<GlobalStmt>())
        for (std::string_view name : declared->names)
          own.remove(name);
      noteFresh(stmt);
      if (stmt->kind == StmtKind::Import || stmt->kind == StmtKind::ImportFrom)
        for (const auto &[name, import] : importsOf(stmt))
          ownImports[name].push_back(import);
    });
    NameSet parameters;
    collectParameters(function->parameters, parameters);
    for (StringRef name : parameters)
      fresh[name] = false;
    const NameSet outerHanded = std::exchange(handedIn, parameters);
    handedIn.remove("self");
    handedIn.remove("cls");
    visit(function->body);
    own = outer;
    fresh = outerFresh;
    around = outerFunction;
    handedIn = outerHanded;
    ownImports = outerImports;
  }

  /// Which names the statement gives only new lists.
  void noteFresh(const Stmt *stmt) {
    const auto *assign = stmt->dynAs<AssignStmt>();
    const auto *annotated = stmt->dynAs<AnnAssignStmt>();
    const Expr *value = assign ? assign->value : annotated ? annotated->value : nullptr;
    for (const Expr *target : targetsOf(stmt))
      if (const auto *name = target->dynAs<NameExpr>(); name && stmt->kind != StmtKind::AugAssign)
        fresh.try_emplace(name->id, true).first->second &= isList(value);
  }

  /// A list, dict or set changes: an element of it is assigned, or a method that changes it called.
  void noteChange(const Expr *expr) {
    const auto *name = rootOf(expr)->dynAs<NameExpr>();
    if (!name)
      found.changesByPath = true;
    else if (!own.contains(name->id))
      changed.insert(name->id);
    else if (!fresh.lookup(name->id))
      found.changesByPath = true;
  }

  struct Read {
    /// Parts of an expression that nothing is handed on of: objects with attributes, lists.
    llvm::SmallPtrSet<const Expr *, 4> objects, lists;
    llvm::SmallPtrSet<const Expr *, 4> called;
  };

  void share(const Expr *expr, const Read &read) {
    if (const auto *name = expr->dynAs<NameExpr>(); name && !own.contains(name->id))
      found.lists.insert(name->id);
    const auto *attribute = expr->dynAs<AttributeExpr>();
    if (!attribute)
      return;
    const auto *base = attribute->value->dynAs<NameExpr>();
    // add = names.append
    if (isChanging(attribute->attribute)) {
      if (read.called.contains(attribute))
        return;
      if (base && !own.contains(base->id))
        found.lists.insert(base->id);
      if (const auto *inner = attribute->value->dynAs<AttributeExpr>())
        found.lists.insert(inner->attribute);
      return;
    }
    (base && own.contains(base->id) ? found.ownLists : found.lists).insert(attribute->attribute);
  }

  void hand(const Expr *expr) {
    if (const auto *name = expr->dynAs<NameExpr>(); name && !own.contains(name->id))
      found.names.insert(name->id);
    else if (name)
      handOwn(name->id);
    if (const auto *attribute = expr->dynAs<AttributeExpr>()) {
      found.names.insert(attribute->attribute);
      handPart(attribute->value, attribute->attribute);
    }
    if (const auto *call = expr->dynAs<CallExpr>();
        call && calledName(call) == "getattr" && call->arguments.size() >= 2)
      handPart(call->arguments[0], constantText(call->arguments[1]).value_or(anyName));
    if (const auto *element = expr->dynAs<SubscriptExpr>())
      if (const Expr *owner = ownerOfDict(element->value))
        handPart(owner, constantText(element->slice).value_or(anyName));
    if (std::optional<const Expr *> name = moduleAsked(expr))
      found.asked.push_back({*name, statement, around});
  }

  /// A function hands on a name of its own: what an import in it has given that.
  void handOwn(StringRef name) {
    auto imports = ownImports.find(name);
    if (imports == ownImports.end())
      return;
    for (const Import &import : imports->second) {
      found.imports.push_back(import);
      if (!import.name.empty())
        found.names.insert(import.name);
    }
  }

  /// Whether a call in a loop is handed one of its variables, and may do more than read it.
  bool handsVariables(const ForStmt &loop) {
    NameSet variables;
    collectTargets(loop.target, variables);
    return anyExpression(loop.body, [&](const Expr *expr) {
      const auto *call = expr->dynAs<CallExpr>();
      if (!call || isHarmless(calledName(call)))
        return false;
      return llvm::any_of(call->arguments, [&](const Expr *one) {
        const auto *name = one->dynAs<NameExpr>();
        return name && variables.contains(name->id);
      });
    });
  }

  void handPart(const Expr *base, StringRef name) {
    const Expr *root = base;
    while (const auto *attribute = root->dynAs<AttributeExpr>())
      root = attribute->value;
    const auto *first = root->dynAs<NameExpr>();
    if (first && !own.contains(first->id))
      found.parts.push_back({base, name, {}});
    else if (first && handedIn.contains(first->id) && name != anyName)
      found.attributes.insert(name);
    if (!first || !own.contains(first->id))
      return;
    if (auto imports = ownImports.find(first->id); imports != ownImports.end())
      found.parts.push_back({base, name, imports->second});
  }

  void noteLoaded(const Expr *expr) {
    const auto *call = expr->dynAs<CallExpr>();
    if (call && importNamed(call) && !call->arguments.empty() && !constantText(call->arguments[0]))
      found.loaded.push_back({call->arguments[0], statement, around});
  }

  static bool importNamed(const CallExpr *call) {
    const auto *attribute = call->function->dynAs<AttributeExpr>();
    const StringRef name = attribute ? StringRef(attribute->attribute) : calledName(call);
    return name == "import_module" || name == "__import__";
  }

  /// The name of the module that `import_module(name)`, `sys.modules[name]` or
  /// `sys.modules.get(name)` gives, null for all of them; nothing if it is none of these.
  static std::optional<const Expr *> moduleAsked(const Expr *expr) {
    if (const auto *element = expr->dynAs<SubscriptExpr>())
      return isModules(element->value) ? std::optional(element->slice) : std::nullopt;
    const auto *call = expr->dynAs<CallExpr>();
    if (!call)
      return std::nullopt;
    if (importNamed(call))
      return call->arguments.empty() ? nullptr : call->arguments[0];
    const auto *method = call->function->dynAs<AttributeExpr>();
    if (!method || !isModules(method->value))
      return std::nullopt;
    static constexpr StringRef giving[] = {"values", "items", "copy"};
    if (llvm::is_contained(giving, StringRef(method->attribute)))
      return nullptr;
    const bool isOne = method->attribute == "get" || method->attribute == "setdefault" ||
                       method->attribute == "pop" || method->attribute == "__getitem__";
    return isOne && !call->arguments.empty() ? std::optional(call->arguments[0]) : std::nullopt;
  }

  void visitAssigned(const AssignStmt *assign, llvm::SmallPtrSetImpl<const Expr *> &read) {
    for (const Expr *target : assign->targets) {
      // An entry of sys.modules is what imports give.
      if (const auto *element = target->dynAs<SubscriptExpr>();
          element && isModules(element->value))
        read.insert(assign->value);
      const auto *name = target->dynAs<NameExpr>();
      if (!name || !asksForModule(assign->value))
        continue;
      read.insert(assign->value);
      anyExpression(assign->value, [&](const Expr *expr) {
        if (std::optional<const Expr *> module = moduleAsked(expr))
          asked[name->id].push_back({*module, statement, around});
        return false;
      });
    }
  }

  /// Adds the parts of an expression that it only reads.
  void addRead(const Expr *expr, Read &read) {
    auto both = [&](const Expr *one) {
      read.objects.insert(one);
      read.lists.insert(one);
    };
    if (const auto *attribute = expr->dynAs<AttributeExpr>()) {
      both(attribute->value);
    } else if (const auto *element = expr->dynAs<SubscriptExpr>()) {
      both(element->value);
    } else if (const auto *field = expr->dynAs<FormattedValueExpr>()) {
      both(field->value);
    } else if (const auto *comparison = expr->dynAs<CompareExpr>()) {
      both(comparison->left);
      llvm::for_each(comparison->comparators, both);
    } else if (const auto *sum = expr->dynAs<BinOpExpr>()) {
      both(sum->left);
      both(sum->right);
    } else if (const auto *starred = expr->dynAs<StarredExpr>()) {
      read.lists.insert(starred->value);
    } else if (const auto *call = expr->dynAs<CallExpr>()) {
      addReadOf(call, read);
    }
    for (const Comprehension &part : generatorsOf(expr))
      read.lists.insert(part.iterable);
  }

  void addReadOf(const CallExpr *call, Read &read) {
    read.objects.insert(call->function);
    read.called.insert(call->function);
    if (call->function->kind == ExprKind::Name)
      read.lists.insert(call->function);
    static constexpr StringRef reading[] = {
        "isinstance", "issubclass", "getattr", "hasattr", "vars",     "dir",  "len",   "repr",
        "str",        "id",         "hash",    "print",   "callable", "type", "super", "delattr"};
    static constexpr StringRef copying[] = {"list", "tuple", "sorted",    "set", "frozenset",
                                            "dict", "sum",   "min",       "max", "any",
                                            "all",  "zip",   "enumerate", "bool"};
    static constexpr StringRef methods[] = {"extend", "update", "join", "index", "count"};
    const StringRef name = calledName(call);
    const bool isReading = llvm::is_contained(reading, name);
    if (isReading)
      read.objects.insert(call->arguments.begin(), call->arguments.end());
    const auto *method = call->function->dynAs<AttributeExpr>();
    const auto *root = rootOfPath(call->function)->dynAs<NameExpr>();
    // Triton's decorators keep configurations, and change none.
    const bool isTritons = root && (root->id == "triton" || root->id == "tl");
    if (isReading || llvm::is_contained(copying, name) || isTritons ||
        (method && llvm::is_contained(methods, StringRef(method->attribute)))) {
      read.lists.insert(call->arguments.begin(), call->arguments.end());
      for (const Keyword &keyword : call->keywords)
        read.lists.insert(keyword.value);
    }
    // A module is an attribute of its package: that hands it to no one.
    if (name == "setattr" && call->arguments.size() == 3) {
      read.objects.insert(call->arguments.begin(), call->arguments.end());
      if (const auto *value = call->arguments[2]->dynAs<NameExpr>())
        set.push_back(value->id);
    }
  }

  HandedNames &found;
  /// The names that the functions around a statement bind, and which of them only new lists.
  NameSet own;
  llvm::DenseMap<StringRef, bool> fresh;
  /// The parameters of the function, but for a method's object.
  NameSet handedIn;
  /// The imports in these functions by the names that they bind.
  llvm::DenseMap<StringRef, llvm::SmallVector<Import, 1>> ownImports;
  /// Names of the module whose lists change.
  llvm::DenseSet<StringRef> changed;
  /// The modules that imports give names to, and those that are asked for.
  llvm::DenseMap<StringRef, StringRef> known;
  llvm::DenseMap<StringRef, llvm::SmallVector<HandedNames::Asked, 1>> asked;
  /// The names of objects that become attributes of something.
  llvm::SmallVector<StringRef> set;
  /// Where the expressions stand that are visited.
  const Stmt *statement = nullptr;
  const FunctionDefStmt *around = nullptr;
};
} // namespace

HandedNames frontend::handedIn(const Body &body) {
  HandedNames found;
  Collector collector(found);
  collector.visit(body);
  collector.finish();
  return found;
}
