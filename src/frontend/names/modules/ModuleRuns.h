//===- ModuleRuns.h - What running other modules does ---------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
//     import settings              from .fast import scale     # fast.py: raise ImportError(..)
//     settings.VALUE = 5
//
// An import runs a module. That may change names of further modules, or fail, whether or not a
// kernel needs a name of the module. So all modules that the source leads to are read for what they
// change, before it is said that nothing changes a name; and a `try` around an import succeeds only
// if no statement of the module raises.
//
// Modules of other installed packages are not read: a library that changes the program which
// imports it is left out. Those beyond the nearest maxModules of a large program, each of which
// takes about 2 ms to parse, are read where their text may set a name that is needed.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_NAMES_MODULES_MODULERUNS_H
#define TILEWRIGHT_FRONTEND_NAMES_MODULES_MODULERUNS_H

#include "frontend/names/ResolverPart.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSet.h"

#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace tilewright::frontend {

class ModuleRuns : public ResolverPart {
public:
  explicit ModuleRuns(Resolver &resolver) : ResolverPart(resolver) {}

  /// Reads the modules that the source's imports lead to, each of which may change the others.
  void readImportedModules();
  /// Reads those that are too far away to be read at once, where their text may set an attribute of
  /// that name.
  void readModulesThatSet(llvm::StringRef attribute);
  /// Whether the module may be asked for a name before it has run so many of its definitions,
  /// since it imports this module.
  bool mayBeUnderWay(const FoundModule &module,
                     unsigned order = std::numeric_limits<unsigned>::max());
  /// Those that an import runs, packages around them left out; none of a module that is not read.
  llvm::SmallVector<const FoundModule *> modulesOf(const Environment &environment,
                                                   const Import &import);
  /// Whether module-level code that runs now may see one of several values of the module's name,
  /// since the modules import each other: an error then.
  bool refuseCircularImport(const FoundModule &module, llvm::StringRef name);
  /// Whether an import of a program that is read, or one here, makes the module of that name an
  /// attribute of its package, which has no such definition.
  bool isSubmodule(const FoundModule &package, llvm::StringRef name);
  /// Whether it is one that some statement imports.
  bool mayHaveSubmodule(const FoundModule &package, llvm::StringRef name);
  /// Whether the package defines a name that is also one of its modules, so that an import replaces
  /// the one by the other: an error then.
  bool refuseHiddenModule(const FoundModule &package, llvm::StringRef name,
                          const Definition &definition);
  /// Whether the module runs to its end; false if it raises ImportError, nothing if it may raise.
  std::optional<bool> runsThrough(const FoundModule &module);
  /// While it lives, what modules call and use is not taken to work: any exception of theirs is
  /// caught.
  class Strictly {
  public:
    explicit Strictly(ModuleRuns &runs, bool isStrict)
        : runs(runs), outer(std::exchange(runs.isStrict, runs.isStrict || isStrict)) {}
    ~Strictly() { runs.isStrict = outer; }
    Strictly(const Strictly &) = delete;
    Strictly &operator=(const Strictly &) = delete;

  private:
    ModuleRuns &runs;
    const bool outer;
  };
  /// Whether a statement of the module raises nothing; nothing if that is not known.
  std::optional<bool> raisesNothing(const Environment &environment, const Stmt *stmt);

private:
  /// Modules that are read at once for what running them does.
  static constexpr unsigned maxModules = 32;
  /// Modules that are asked whether they raise; of further ones that is not known.
  static constexpr unsigned maxModulesRun = 256;

  void readImportsOf(const FoundModule &module);
  /// Those that an import by a computed name loads, as far as the name is known.
  llvm::SmallVector<const FoundModule *> modulesAsked(const Environment &environment,
                                                      const HandedNames::Asked &asked);
  void noteImport(const FoundModule *module, const FoundModule *importer, unsigned order,
                  bool inFunction);
  /// Whether the package defines the name otherwise than by importing its own module of that name.
  bool definesBesides(const Environment &names, llvm::StringRef name, const FoundModule &package);
  /// The modules that import `to` when they run, however far away, and `to` itself.
  const llvm::SmallPtrSetImpl<const FoundModule *> &leadingTo(const FoundModule *to);
  bool findUnderWay(const FoundModule &module, unsigned order, const FoundModule *here);
  std::optional<bool> runsThrough(const Environment &environment, const Body &body);
  std::optional<bool> runsThrough(const Environment &environment, const Stmt *stmt);
  /// Likewise of an expression of the statement.
  std::optional<bool> evaluates(const Environment &environment, const Stmt *stmt, const Expr *expr);

  bool isStrict = false;
  bool hasReadModules = false;
  /// The modules that imports lead to, the nearest first, of which so many have been read.
  llvm::SmallVector<const FoundModule *> modulesFound;
  llvm::SmallPtrSet<const FoundModule *, 8> seenModules;
  size_t modulesRead = 0;
  /// Those of them that have not been; null for those that have been since.
  llvm::SmallVector<const FoundModule *> unread;
  llvm::StringSet<> askedAttributes;
  /// The modules that each module imports, with the number of definitions before the import.
  llvm::DenseMap<const FoundModule *,
                 llvm::SmallVector<std::pair<const FoundModule *, unsigned>, 2>>
      moduleImports;
  /// Answers about these imports, which count as long as there are as many of them.
  size_t importsNoted = 0, importsKnown = 0;
  llvm::DenseMap<const FoundModule *, llvm::SmallPtrSet<const FoundModule *, 8>> leading;
  std::map<std::tuple<const FoundModule *, unsigned, const FoundModule *>, bool> underWay;
  void forgetOldImports();
  /// The modules that some statement imports, whether or not they are read.
  llvm::SmallPtrSet<const FoundModule *, 8> loaded;
};

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_NAMES_MODULES_MODULERUNS_H
