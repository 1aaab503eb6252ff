//===- Scope.h - The definitions in a body of statements ------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A module, a class or a function binds names by its statements. A scope lists all bindings of all
// names in the order of the text, with the statements that they stand under; which of them holds
// is found where a name is needed (Definitions.cpp).
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_NAMES_SCOPE_SCOPE_H
#define TILEWRIGHT_FRONTEND_NAMES_SCOPE_SCOPE_H

#include "frontend/names/scope/Definition.h"
#include "frontend/names/scope/HandedNames.h"
#include "frontend/names/scope/Names.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <deque>

namespace tilewright::frontend {

struct FunctionChanges;

class Scope {
public:
  enum class Of { Module, Class };
  explicit Scope(const Body &body, Of of = Of::Module);
  /// That of a function, whose parameters are definitions without a value.
  explicit Scope(const FunctionDefStmt &function);

  /// The last definition of each name. `*` stands for what `from m import *` defines.
  const llvm::StringMap<const Definition *> &definitions() const { return names; }
  /// The last definition of the name; null if there is none.
  const Definition *find(llvm::StringRef name) const { return names.lookup(name); }
  /// The last `from m import *`; null if there is none.
  const Definition *lastStar() const { return star; }
  /// How many definitions precede a statement of the body, at any depth but in no other scope.
  unsigned orderOf(const Stmt *stmt) const { return orders.lookup(stmt); }
  /// By the attribute's name, or anyName: the statements that set it, those of functions included.
  const llvm::StringMap<llvm::SmallVector<AttributeChange, 1>> &attributeChanges() const {
    return changes;
  }

  /// The objects that statements hand to where they may change; none of a class or a function.
  const HandedNames &handedNames() const { return handed; }
  /// Whether code that runs with the module names something so, also in functions that it calls.
  bool namesAtTop(llvm::StringRef name) const { return namedAtTop.contains(name); }
  /// What imports of the body run, at any depth.
  llvm::ArrayRef<LoadedModule> loadedModules() const { return loaded; }
  /// Whether statements may define names that are not known: `exec`, `globals()[name] = ..`.
  bool mayDefineOthers() const { return !others.empty(); }
  /// A statement that may give any name of the module another value.
  struct AnyChange {
    const Stmt *statement;
    /// How many definitions precede it in the scope.
    unsigned order;
    /// It may do so at any time after it as well.
    bool isLater;
  };
  llvm::ArrayRef<AnyChange> anyChanges() const { return others; }

  /// The definitions that may have been made before a statement that `order` definitions precede:
  /// also those that follow it in a loop around it, since an iteration before has made them. How
  /// many there are, in the order of the text; `order` outside of loops.
  unsigned endOfLoop(unsigned order) const;

private:
  Definition &define(llvm::StringRef name, const Stmt *stmt);
  void defineTarget(const Expr *target, const Stmt *stmt, const Expr *value,
                    const Expr *annotation);
  /// A definition of the names that a pattern binds, of whose value nothing is known.
  void defineCaptures(const Pattern *pattern, const Stmt *stmt);
  void collect(const Body &body);
  void collectGlobals(const Body &body);
  /// The definitions of a body that runs or not.
  void collectGuarded(Guard::Kind kind, const Stmt *stmt, unsigned order, const Body &body);
  void collectImports(const Stmt *stmt);

  // Definitions that no assignment shows (ScopeChanges.cpp, ScopeFunctions.cpp, ScopeSharing.cpp).

  /// What functions of the body do to names around them whenever they are called: `global`, changes
  /// of lists and of attributes.
  void collectCalls();
  void collectCalls(const FunctionDefStmt *function);
  /// Adds what functions name that may run while the module does to namedAtTop.
  void nameCalled();
  bool noteNamed(const Expr *expr);
  /// A call in a function, which has these names, may change what it gets.
  void handIn(const FunctionDefStmt *function, const CallExpr *call, const NameSet &own);
  void defineWrittenIn(const FunctionDefStmt *function, const Expr *expr);
  /// A function sets an attribute of something that it has a name of its own for, or of a part of
  /// that; `mayChange`: it changes what the attribute has.
  void changeOfOwn(const FunctionDefStmt *function, const FunctionChanges &found, const Expr *base,
                   llvm::StringRef attribute, bool mayChange);
  /// Likewise of the target of an assignment, or a call that changes its object.
  void changeOfOwn(const FunctionDefStmt *function, const FunctionChanges &found,
                   const Expr *written);
  /// What expressions of the statement do: `names.append(..)` and its like, `:=`, `setattr`.
  void collectChanges(const Stmt *stmt);
  void collectIn(const Stmt *stmt, const Expr *whole);
  void collectAnnotations(const Stmt *stmt);
  void collectChange(const Stmt *stmt, const Expr *expr, const Expr *whole);
  /// What a statement of a class, which has these names, does to what is around the class.
  void collectClassStatement(const Stmt *stmt, const NameSet &own);
  /// Whether a call may change what it gets.
  bool mayChangeArguments(const CallExpr *call, unsigned depth = 0) const;
  bool mayChangeArguments(const FunctionDefStmt *function, unsigned depth) const;
  /// Whether the call hands on a function of this body that may change its arguments.
  bool handsFunction(const CallExpr *call, unsigned depth) const;
  /// Whether a call may give a list that some name of this module has.
  bool mayReturnLists(const CallExpr *call) const;
  /// Any name may change; `isLater`: at any time after the statement.
  void defineAllChanged(const Stmt *stmt, bool isLater = false);
  /// Any function that Python has by itself may be another one.
  void changeBuiltins(const Stmt *stmt);
  /// A call of `mock.patch` sets attributes of something.
  void changePatched(const CallExpr *call, const Stmt *stmt);
  /// The statement hands out the dict of the module's names.
  void handOut(const Stmt *stmt);
  void collectMethods(const ClassDefStmt *definition, unsigned order);
  /// What is here - a name, an element of what it has, an attribute - changes, and other names that
  /// share parts with it may.
  void defineChanged(const Expr *expr, const Stmt *stmt);
  void defineChangedName(llvm::StringRef name, const Stmt *stmt);
  /// What is assigned to here gets a value of which nothing is known.
  void defineWritten(const Expr *target, const Stmt *stmt);
  /// What a function is handed may change: also attributes.
  void defineHanded(const Expr *expr, const Stmt *stmt);
  /// Whether a path may lead to a class or a module that is no known one.
  bool mayHaveAttributes(const Expr *path) const;
  /// What is called may change what it belongs to.
  void defineCallee(const Expr *callee, const Stmt *stmt);
  /// Whether a name may be that of a list: not a function's, a class's or a module's.
  static bool mayBeList(const Definition *definition);
  /// Whether the name may be that of os.environ.
  bool namesEnvironment(llvm::StringRef name) const;
  /// Any of the names in the expression, and those that share parts with it, may change.
  void defineMayChange(const Expr *expr, const Stmt *stmt);
  void defineMayChange(const NameSet &mentioned, const Stmt *stmt);
  /// Whether a `*` may have brought the name, which this scope does not define.
  bool mayComeByStar(llvm::StringRef name) const;
  /// The modules of which a `*` may have brought the name see that its value changes.
  void changeOfStar(llvm::StringRef name, const Stmt *stmt);
  /// Notes of the definitions so far which names' values may share parts.
  void linkNames();
  /// What the name has may share parts with what those have that may be lists.
  void link(llvm::StringRef name, const NameSet &mentioned);
  /// Notes that in `object.attribute = value` and `list[key] = value` object and value share parts.
  void linkTargets(const AssignStmt *assign);
  /// The class of this body that has the name at last; null if none has.
  const ClassDefStmt *classNamed(llvm::StringRef name) const;
  void changeAttribute(const Expr *base, llvm::StringRef attribute, const Stmt *stmt,
                       bool mayChange = false);
  /// Adds what the statement imports to `loaded`; also those in its bodies if it stands in a class
  /// or a function.
  void collectLoaded(const Stmt *stmt, unsigned order, bool inFunction, bool isInner);

  /// In the order of the text.
  std::deque<Definition> all;
  /// Names that `*` and imports in functions bring, where that matters.
  std::deque<Import> otherImports;
  llvm::DenseMap<const Stmt *, unsigned> orders;
  /// The names that definitions mention together with theirs; of this many definitions.
  llvm::EquivalenceClasses<llvm::StringRef> sharing;
  size_t linked = 0;
  /// The attributes that the values of a name are made of.
  llvm::StringMap<llvm::SmallVector<const AttributeExpr *, 1>> attributesOf;
  /// The classes of methods that get them as their first parameters.
  llvm::DenseMap<const FunctionDefStmt *, const ClassDefStmt *> classOf;
  /// Methods that get an object or a class as their first parameter.
  llvm::SmallPtrSet<const FunctionDefStmt *, 4> methods;
  /// What expressions outside of functions name.
  NameSet namedAtTop;
  llvm::SmallVector<LoadedModule, 4> loaded;
  llvm::SmallVector<AnyChange, 0> others;
  /// Of each loop, how many definitions precede it, and how many its end.
  llvm::SmallVector<std::pair<unsigned, unsigned>, 0> loops;
  /// Of a class or a function: names that are the module's.
  NameSet globals;
  llvm::StringMap<const Definition *> names;
  /// Those of `globals`.
  llvm::StringMap<const Definition *> elsewhere;
  llvm::StringMap<llvm::SmallVector<AttributeChange, 1>> changes;
  HandedNames handed;
  const Definition *star = nullptr;
  /// The functions and methods of the body, each with the number of definitions that precede it.
  llvm::SmallVector<std::pair<const FunctionDefStmt *, unsigned>> functions;
  /// The first statement that hands out the dict of the module's names, so that any may change
  /// after it, with the number of definitions that precede it; null if there is none.
  std::pair<const Stmt *, unsigned> handedOut = {};
  /// While collecting: how many definitions precede the current statement.
  unsigned statementOrder = 0;
  /// While collecting: the guards of the current statement.
  llvm::SmallVector<Guard> guards;
};

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_NAMES_SCOPE_SCOPE_H
