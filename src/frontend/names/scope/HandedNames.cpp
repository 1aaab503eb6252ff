//===- HandedNames.cpp - Objects that are handed to where they may change -----===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/names/scope/HandedNames.h"

#include "frontend/names/scope/ChangeSyntax.h"
#include "frontend/names/scope/Definition.h"
#include "frontend/names/scope/NamespaceDicts.h"
#include "frontend/names/scope/Walk.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

bool frontend::asksForModule(const Expr *expr) {
  // `model.modules()` calls a method of that name; `sys.modules` is a dict.
  llvm::SmallPtrSet<const Expr *, 4> called;
  return anyExpression(expr, [&](const Expr *one) {
    if (const auto *call = one->dynAs<CallExpr>())
      called.insert(call->function);
    const auto *attribute = one->dynAs<AttributeExpr>();
    const auto *name = one->dynAs<NameExpr>();
    if (attribute && attribute->attribute == "modules") {
      const auto *base = attribute->value->dynAs<NameExpr>();
      return base && base->id != "self" && base->id != "cls" && !called.contains(one);
    }
    // A dict of names, or the text of an expression, may give a module as well.
    static constexpr StringRef attributes[] = {"import_module", "__globals__", "f_globals"};
    static constexpr StringRef names[] = {"__import__", "import_module", "globals", "locals",
                                          "eval"};
    return (attribute && llvm::is_contained(attributes, StringRef(attribute->attribute))) ||
           (name && (llvm::is_contained(names, StringRef(name->id)) ||
                     (name->id == "modules" && !called.contains(one))));
  });
}

bool frontend::asksForClass(const Expr *expr) {
  static constexpr StringRef attributes[] = {"__class__", "__base__",       "__bases__",
                                             "__mro__",   "__subclasses__", "mro",
                                             "__self__",  "__thisclass__",  "__self_class__"};
  // A method of `super()` gives anything; `super().names` is the list of a class.
  llvm::SmallPtrSet<const Expr *, 4> called;
  return anyExpression(expr, [&](const Expr *one) {
    if (const auto *attribute = one->dynAs<AttributeExpr>()) {
      if (called.contains(attribute))
        called.insert(attribute->value);
      return llvm::is_contained(attributes, StringRef(attribute->attribute));
    }
    if (const auto *name = one->dynAs<NameExpr>())
      return name->id == "__class__";
    const auto *call = one->dynAs<CallExpr>();
    if (!call)
      return false;
    called.insert(call->function);
    return (call->arguments.size() == 1 && calledName(call) == "type") ||
           (calledName(call) == "super" && !called.contains(call));
  });
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
      if (!known.contains(name) && !unseen.contains(name))
        found.names.insert(name);
    for (llvm::DenseSet<StringRef> *names : {&found.names, &found.lists}) {
      llvm::SmallVector<StringRef> other;
      for (StringRef name : *names)
        if (auto import = known.find(name); import != known.end())
          other.push_back(import->second);
      names->insert(other.begin(), other.end());
    }
    for (StringRef name : found.names)
      found.anyModule |= unseen.contains(name);
    for (StringRef name : changed)
      (known.contains(name) ? found.changesImported : found.changesByPath) |=
          known.contains(name) || !fresh.lookup(name);
  }

private:
  void visit(const Stmt *stmt) {
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
    if (const auto *definition = stmt->dynAs<ClassDefStmt>()) {
      read.objects.insert(definition->bases.begin(), definition->bases.end());
      // A decorator is handed the class.
      if (!definition->decorators.empty())
        found.names.insert(definition->name);
    }
    if (const auto *loop = stmt->dynAs<ForStmt>())
      read.lists.insert(loop->iterable);
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
    collectParameters(function->parameters, own);
    collectBound(function->body, own);
    collectInner(function->body, own);
    forEachStatement(function->body, [&](const Stmt *stmt) {
      if (const auto *declared = stmt->dynAs<GlobalStmt>())
        for (std::string_view name : declared->names)
          own.remove(name);
      noteFresh(stmt);
    });
    NameSet parameters;
    collectParameters(function->parameters, parameters);
    for (StringRef name : parameters)
      fresh[name] = false;
    visit(function->body);
    own = outer;
    fresh = outerFresh;
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
    if (const auto *attribute = expr->dynAs<AttributeExpr>())
      found.names.insert(attribute->attribute);
    const auto *element = expr->dynAs<SubscriptExpr>();
    const auto *call = expr->dynAs<CallExpr>();
    const bool isModule = (element && isModules(element->value)) || (call && importNamed(call));
    if (!isModule)
      return;
    if (StringRef name = moduleAsked(expr); !name.empty())
      found.names.insert(name);
    else
      found.anyModule = true;
  }

  static bool importNamed(const CallExpr *call) {
    const auto *attribute = call->function->dynAs<AttributeExpr>();
    const StringRef name = attribute ? StringRef(attribute->attribute) : calledName(call);
    return name == "import_module" || name == "__import__";
  }

  /// The last part of the name of the module that `import_module("a.b")` or `sys.modules["a.b"]`
  /// gives; empty if it is not seen.
  static StringRef moduleAsked(const Expr *expr) {
    const auto *element = expr->dynAs<SubscriptExpr>();
    const auto *call = expr->dynAs<CallExpr>();
    const Expr *name = element                            ? element->slice
                       : call && !call->arguments.empty() ? call->arguments[0]
                                                          : nullptr;
    std::optional<StringRef> text = name ? constantText(name) : std::nullopt;
    return text ? lastPart(*text) : StringRef();
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
      if (StringRef module = moduleAsked(assign->value); !module.empty())
        known[name->id] = module;
      else
        unseen.insert(name->id);
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
  /// Names of the module whose lists change.
  llvm::DenseSet<StringRef> changed;
  /// The modules that imports and calls of import_module give names to.
  llvm::DenseMap<StringRef, StringRef> known;
  /// The names of objects that become attributes of something.
  llvm::SmallVector<StringRef> set;
  /// The names of modules that are not seen.
  llvm::DenseSet<StringRef> unseen;
};
} // namespace

HandedNames frontend::handedIn(const Body &body) {
  HandedNames found;
  Collector collector(found);
  collector.visit(body);
  collector.finish();
  return found;
}
