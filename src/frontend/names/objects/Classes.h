//===- Classes.h - Classes of source files --------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_NAMES_OBJECTS_CLASSES_H
#define TILEWRIGHT_FRONTEND_NAMES_OBJECTS_CLASSES_H

#include "frontend/names/ResolverPart.h"
#include "frontend/names/execution/Environments.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <deque>

namespace tilewright::frontend {

struct Global;

/// Classes of source files, and those of named tuples.
class Classes : public ResolverPart {
public:
  explicit Classes(Resolver &resolver) : ResolverPart(resolver) {}

  /// The class that this statement makes, which so many definitions precede in `home`.
  const ClassObject &of(const ClassDefStmt *definition, const Environment &home, unsigned order);
  /// The class whose names they are, if it has been asked for; else null.
  const ClassObject *find(const Environment &names) const { return ofEnvironments.lookup(&names); }
  /// An attribute of the class.
  Global member(const ClassObject &object, llvm::StringRef name);
  /// The class of tuples that a class of a source file is; null if it is none.
  const TupleClass *tupleClassOf(const ClassObject &object);
  /// Those that have been asked for.
  const std::deque<ClassObject> &all() const { return objects; }
  /// A class of named tuples, for as long as the compilation lasts.
  const TupleClass *add(TupleClass made);

private:
  /// Whether something else than its body may set names of the class: an error then.
  bool refuseMadeClass(const ClassObject &object);
  /// Whether a name in its body may be an object whose __set_name__ sets others: an error then.
  bool refuseSetNames(const ClassObject &object);
  /// Whether the value may be an object with __set_name__, of a class of the program.
  bool maySetNames(const Environment &names, unsigned order, const Expr *value);
  bool hasSetName(const ClassObject &object, unsigned depth);
  /// Whether a module that is read mentions __set_name__.
  bool mentionsSetName();
  /// Whether the class itself has something else than the default value by that name, which only
  /// its objects have: an error then.
  bool refuseField(const ClassObject &object, llvm::StringRef name);
  void refuseChanged(const ClassObject &object, SourceSpan where, const llvm::Twine &what);

  std::deque<ClassObject> objects;
  llvm::DenseMap<const Stmt *, const ClassObject *> ofStatements;
  llvm::DenseMap<const Environment *, const ClassObject *> ofEnvironments;
  /// Classes that nothing else than their bodies changes (refuseMadeClass).
  llvm::SmallPtrSet<const ClassObject *, 4> plain;
  UnseenEnvironments unseen;
  bool isSetNameMentioned = false;
  std::deque<TupleClass> tupleClasses;
  /// Of classes of source files; null for those that are none.
  llvm::DenseMap<const ClassObject *, const TupleClass *> knownTupleClasses;
};

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_NAMES_OBJECTS_CLASSES_H
