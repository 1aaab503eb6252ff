//===- Environments.h - Modules, classes and functions as places of names --*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_NAMES_EXECUTION_ENVIRONMENTS_H
#define TILEWRIGHT_FRONTEND_NAMES_EXECUTION_ENVIRONMENTS_H

#include "frontend/names/ResolverPart.h"
#include "frontend/names/modules/ModuleFinder.h"

#include <deque>

namespace tilewright::frontend {

/// The environments of one compilation, each made when it is first asked for.
class Environments : public ResolverPart {
public:
  /// `imports`: the other files that names may come from; none if it is null.
  Environments(Resolver &resolver, const ParsedModule &file, Imports *imports);

  ModuleFinder finder;
  /// That of the file that is compiled.
  Environment source;

  /// The module that the import names or takes a name from; null if it is not found.
  const FoundModule *findModule(const Environment &environment, const Import &import);
  /// Null, after an error, if the file has a syntax error; also for a folder.
  const Environment *of(const FoundModule &module);
  /// Null if nothing has asked for the module's names yet; it is not parsed then.
  const Environment *made(const FoundModule &module) const {
    return module.isSource ? &source : ofModules.lookup(&module);
  }
  const Environment *of(const ClassDefStmt *definition, const Environment &home, unsigned order);
  /// That of functions inside of one that does not run here.
  const Environment *inside(const FunctionDefStmt *function, const Environment &home);
  /// One for variables, of the same file as `enclosing`, the names around them.
  Environment &make(const Environment &enclosing, std::shared_ptr<Variables> variables);

  /// All of them, the oldest first; asking for others adds to them.
  const std::deque<Environment> &all() const { return environments; }

private:
  std::deque<Environment> environments;
  std::deque<Scope> scopes;
  llvm::DenseMap<const FoundModule *, const Environment *> ofModules;
  /// Of functions and classes that stand in modules.
  llvm::DenseMap<const Stmt *, const Environment *> inner;
};

/// The environments that an index of all modules has not looked at yet.
class UnseenEnvironments {
public:
  /// The next one, the source first; null where no other has been made so far.
  const Environment *next(const Environments &environments);
  bool isEmpty(const Environments &environments) const;
  /// How many `next` has given.
  size_t seen() const { return count; }

private:
  size_t count = 0;
};

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_NAMES_EXECUTION_ENVIRONMENTS_H
