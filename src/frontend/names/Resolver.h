//===- Resolver.h - What the names of a source mean -----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A module is read, not run. Where it defines a name once, that is what the name means. Where it
// defines a name again, or under a condition,
//
//     if triton.__version__ >= "3":            try:
//         PRECISION = tl.constexpr("tf32")         from triton.language import gather
//     else:                                    except ImportError:
//         PRECISION = tl.constexpr("ieee")         gather = None
//
// the conditions are evaluated, from the last definition to the first, with the names as they were
// at that place of the file. Of those that cannot be evaluated - they ask for an installed package,
// or for a device - there is an error, unless it does not matter: there is one definition only, or
// all that are possible mean the same. `from m import *` defines what m has.
//
// A name's value is computed when something that runs needs it, and once: of a module, what no
// kernel reaches is never looked at. An import is followed then, and the file that it means is
// parsed. What is wrong with it is reported where it stands, with a note for each name that led
// there.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_NAMES_RESOLVER_H
#define TILEWRIGHT_FRONTEND_NAMES_RESOLVER_H

#include "frontend/names/Conditions.h"
#include "frontend/names/Findings.h"
#include "frontend/names/execution/Environments.h"
#include "frontend/names/execution/Evaluator.h"
#include "frontend/names/modules/DeviceQueries.h"
#include "frontend/names/modules/ImportChanges.h"
#include "frontend/names/modules/KnownModules.h"
#include "frontend/names/modules/ModuleRuns.h"
#include "frontend/names/objects/AttributeChanges.h"
#include "frontend/names/objects/Classes.h"
#include "frontend/names/objects/Functions.h"
#include "frontend/names/objects/NamedTexts.h"

namespace tilewright::frontend {

/// That of one compilation.
class Resolver {
public:
  /// Expressions are evaluated by `evaluator`, at the place where `now` is. Without `imports`, no
  /// other file is found.
  Resolver(Execution &now, Evaluator &evaluator, const ParsedModule &file, Imports *imports);

  Execution &now;
  Evaluator &evaluator;

  // The parts, each for one kind of question.
  Environments environments;
  Conditions conditions;
  ModuleRuns runs;
  ImportChanges importChanges;
  NamedTexts namedTexts;
  AttributeChanges changes;
  Classes classes;
  Functions functions;
  KnownModules known;
  DeviceQueries devices;

  Findings found;

  // Which of a name's definitions holds (Definitions.cpp).

  /// That of the definitions of a name which holds now: of those that have run, the last whose
  /// conditions let it run; it may be a `from m import *`. Null if none has run; also, after an
  /// error, if that depends on what cannot be evaluated.
  const Definition *resolve(const Environment &environment, llvm::StringRef name);

  // Values of definitions (Globals.cpp).

  /// The value of a name for the code that runs now: an error if a kernel may not use it.
  Value globalValue(const Environment &environment, const Definition &definition,
                    llvm::StringRef name);
  /// The value of a name, and whether a kernel may use it. One that it may not use is computed only
  /// if `asked`.
  Global global(const Environment &environment, const Definition &definition, llvm::StringRef name,
                bool asked);

  // Imports (Imports.cpp).

  Global importedGlobal(const Environment &environment, const Import &import, bool asked);
  /// A name of a module.
  Global member(const FoundModule &module, llvm::StringRef name, bool asked);
  /// Whether the module has the name; nothing if that is not known.
  std::optional<bool> hasMember(const FoundModule &module, llvm::StringRef name);
  /// Likewise of a Module, whether it is read or not.
  std::optional<bool> hasMember(const Value &module, llvm::StringRef name);

  // Expressions that names depend on (Globals.cpp).

  Value evaluate(const Expr *expr) { return evaluator.evaluate(expr); }
  /// Whether Python takes the expression for true; nothing, after an error, if it is no constant.
  std::optional<bool> constantTruth(const Expr *test);
  /// False, after an error, for what lists and tuples alike cannot stand for: an iterator that gets
  /// a name could be run through twice.
  bool checkNamed(const Expr *value);

private:
  // Definitions.cpp
  /// A definition, and the names of its module.
  struct Defined {
    const Environment *environment;
    const Definition *definition;
  };

  /// Whether what a name has is a list, dict or set where a statement may change it.
  bool isMutableBefore(const Environment &environment, const Definition &definition);
  /// The definition, unless a statement may have replaced the value that it gives: null then, after
  /// an error.
  const Definition *unlessReplaced(const Environment &environment, llvm::StringRef name,
                                   const Definition *definition);
  /// Whether a name of the environment that may have no definition means something else then: what
  /// is around a class, or in its bases, or what Python has by itself.
  static bool mayMeanOther(const Environment &environment, llvm::StringRef name);
  /// The value that the name has whichever of the definitions holds; none if there is no such one.
  Global commonValue(const Environment &environment, llvm::StringRef name,
                     llvm::ArrayRef<const Definition *> possible);
  Global commonValue(llvm::StringRef name, llvm::ArrayRef<Defined> all);
  /// Of definitions of which one is libdevice and nothing is known of the others, that one, with a
  /// warning; null if it is not so.
  const Definition *onlyLibdevice(const Environment &environment,
                                  llvm::ArrayRef<const Definition *> possible);
  /// Of several definitions of which nothing is known, the one that all that make sense mean: null
  /// if there is none.
  const Definition *chooseAmong(const Environment &environment, llvm::StringRef name,
                                llvm::ArrayRef<const Definition *> possible);
  void refuseChoice(const Environment &environment, llvm::StringRef name,
                    const Definition &definition);

  // Globals.cpp

  Value computeGlobal(const Environment &environment, const Definition &definition, bool asked,
                      bool &usable);
  Value computeVariable(const Environment &environment, const Definition &definition, bool asked,
                        bool &usable);
  /// Whether it is `tl.constexpr(..)`.
  bool isConstexprCall(const Expr *expr);
  /// What `tl.constexpr(a) if c else a` makes, as far as a kernel can use it: what `c` chooses, or,
  /// where that is not known, the only constexpr. Null if that is none.
  const Expr *chosenConstexpr(const IfExpExpr &choice);
  /// The value that `NAME[key] = value` makes of the one that the name had.
  Value changedElement(const Environment &environment, const Definition &definition);
  /// The meaning of `name` or `module.name`, with whether a kernel may use it.
  Global globalOfPath(const Expr *path);
  /// Of a call of a decorator on a function, or of what makes functions: the function. Nothing if
  /// the call is none of these.
  std::optional<Value> followWrapping(const CallExpr *call, llvm::StringRef name);

  /// Whether a statement defines the name of the module; nothing if that is not known.
  std::optional<bool> definesName(const FoundModule &module, llvm::StringRef name);
  /// Whether the module has the name among those that `import *` takes where there is no `__all__`.
  std::optional<bool> hasPublicName(const FoundModule &module, llvm::StringRef name);
  /// Whether `from m import *` defines the name; nothing if that is not known (Imports.cpp).
  std::optional<bool> starDefines(const Environment &environment, const Definition &star,
                                  llvm::StringRef name);
  std::optional<bool> findInStar(const Environment &environment, const Definition &star,
                                 llvm::StringRef name);
  /// Adds the definitions of the name in a module and in all of whose modules it has all names,
  /// whether they hold or not; false if there may be others.
  bool addDefinitions(const Environment &environment, llvm::StringRef name,
                      llvm::SmallVectorImpl<Defined> &all);

  TritonBuilder &tb;
  /// Definitions that were taken with a warning.
  llvm::SmallPtrSet<const Definition *, 2> assumed;
  /// The names whose definitions are being compared.
  llvm::SmallVector<llvm::StringRef> comparing;
};

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_NAMES_RESOLVER_H
