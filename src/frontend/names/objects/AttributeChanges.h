//===- AttributeChanges.h - Statements that set attributes of objects --*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_NAMES_OBJECTS_ATTRIBUTECHANGES_H
#define TILEWRIGHT_FRONTEND_NAMES_OBJECTS_ATTRIBUTECHANGES_H

#include "frontend/names/Findings.h"
#include "frontend/names/ResolverPart.h"
#include "frontend/names/objects/AttributeStatements.h"
#include "frontend/names/objects/HandedObjects.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

#include <map>
#include <set>
#include <utility>

namespace tilewright::frontend {

/// Finds statements such as `settings.VALUE = 5` in all modules that are read. No one sees when
/// such a statement runs.
class AttributeChanges : public ResolverPart {
public:
  explicit AttributeChanges(Resolver &resolver)
      : ResolverPart(resolver), statements(resolver), handedObjects(resolver) {}

  /// Whether a statement of a module that is read sets the attribute of that object: an error then.
  /// Of a statement that only changes a list, dict or set, `isMutable` says whether it is one.
  bool refuse(
      llvm::StringRef name, const AskedObject &object,
      llvm::function_ref<bool()> isMutable = [] { return false; });
  /// The statement, and its module's names; null if there is none.
  std::pair<const Environment *, const AttributeChange *> find(
      llvm::StringRef name, const AskedObject &object,
      llvm::function_ref<bool()> isMutable = [] { return false; });
  /// Whether a statement may give a function of Python's other code or default values: an error
  /// then.
  bool refuseChangedFunction(const FunctionObject &function);
  /// Whether the value that is computed now is that of a program without such statements.
  bool areAssumedAbsent() const { return assumesUnchanged; }
  /// Runs `body`, whose errors are not reported, as if no statement set attributes: true if there
  /// were none, and nothing that it asked for is set by a statement. What it computes is kept
  /// apart.
  bool tryUnchanged(const Environment &environment, unsigned order,
                    llvm::function_ref<void()> body);
  /// Whether a statement of another module sets the name.
  bool isChangedElsewhere(const FoundModule &module, llvm::StringRef name);
  /// Whether a definition of the name, in itself, makes a list, dict or set.
  bool mayHaveList(const Environment &environment, llvm::StringRef name);

private:
  /// Modules that import a name from each other, and classes that derive from each other.
  static constexpr unsigned maxImportDepth = 16;

  /// The `base` of `base.attribute = ..`.
  struct ChangedObject {
    /// None if it cannot be evaluated.
    Value value;
    /// Nothing else is known than that it may be a module or a class that is read here.
    bool mayBeAny = false;
    bool mayBeAnyClass = false;
    /// It may be a module that is asked for by its name.
    bool mayBeAsked = false;
    /// It may be what is handed to functions.
    bool mayBeHanded = false;
    /// What of modules that are not read it may be, where it cannot be evaluated.
    llvm::SmallVector<Value, 0> possible;
  };
  /// Definitions that have been looked at for a name.
  using Seen = std::set<std::pair<const Definition *, llvm::StringRef>>;

  /// `name` is the attribute that is asked for, `attribute` that of the change, which may be any.
  bool changesAttribute(const Environment &home, const AttributeChange &change,
                        llvm::StringRef attribute, llvm::StringRef name, const AskedObject &object);
  /// Whether the change of an imported name changes a list, dict or set of the object.
  bool changesImported(const Environment &home, const AttributeChange &change,
                       const AskedObject &object);
  /// Whether the change of a name that an import in a function gives is one of the object.
  bool changesInFunction(const Environment &home, const AttributeChange &change,
                         const AskedObject &object);
  const ChangedObject &objectOf(const Environment &home, const AttributeChange &change);
  /// Whether the name is nothing but a module of Triton's or of Python's library.
  bool isKnown(const Environment &home, llvm::StringRef name);
  /// Whether a change is importlib.reload of a module of Triton's: it has the same again.
  bool reloadsTriton(const Environment &home, const AttributeChange &change);
  /// Adds what an expression may be that cannot be evaluated: by the names in it, by what one of
  /// them is defined as, and by what is imported.
  void addPossible(const Environment &home, const Expr *expr, Seen &seen, ChangedObject &object);
  void addPossible(const Environment &home, llvm::StringRef name, Seen &seen,
                   ChangedObject &object);
  void addPossible(const Environment &home, const Import &import, Seen &seen,
                   ChangedObject &object);
  bool derivesFrom(const ClassObject &object, const ClassDefStmt *base, unsigned depth);

  AttributeStatements statements;
  HandedObjects handedObjects;
  /// Those of tryUnchanged; while it runs, those of all other times.
  Findings unchanged;
  std::unordered_map<const AttributeChange *, ChangedObject> changedObjects;
  /// The modules and classes of which no statement sets an attribute of that name, with how many
  /// modules and classes were looked through then.
  llvm::StringMap<llvm::DenseMap<const void *, size_t>> unchangedNames;
  /// Of names in scopes: mayHaveList; false while it is found out.
  std::map<std::pair<const Scope *, llvm::StringRef>, bool> haveLists;
  /// Statements that set attributes are not looked for (tryUnchanged).
  bool assumesUnchanged = false;
  /// Since then, an attribute was asked for that some statement sets.
  bool asksForChanged = false;
};

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_NAMES_OBJECTS_ATTRIBUTECHANGES_H
