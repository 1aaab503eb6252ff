//===- Step.h - What back ends do, as tables ------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A back end is three lists that read from top to bottom (vendor/<name>/emit/Steps.cpp): the steps
// that make the optimised module legal, the steps that put in the target's own code, and the rules
// for the passes of LLVM's code generator. Each row says why it stands where it stands.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_EMIT_STEP_H
#define TILEWRIGHT_EMIT_STEP_H

#include "emit/Emit.h"
#include "target/Target.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

#include <type_traits>

namespace llvm {
class Pass;
class TargetMachine;
} // namespace llvm

namespace tilewright::emit {

/// The input of the steps of one emission.
struct StepInput {
  const target::Target &target;
  llvm::TargetMachine &machine;
  const EmitOptions &options;
};

/// A change of the module.
struct Step {
  /// The name of the function that does it: dumps have it.
  llvm::StringLiteral name;
  void (*run)(llvm::Module &module, const StepInput &input);
  /// Whether it runs; null: always.
  bool (*when)(const StepInput &input);
  /// Its purpose, and what has to be before or after it.
  llvm::StringLiteral why;
};

/// Step::run of a function that changes one function of the module: f(function), f(function,
/// machine) or f(function, input). Declarations are left out.
template <auto change> void inFunctions(llvm::Module &module, const StepInput &input) {
  using Change = decltype(change);
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    if constexpr (std::is_invocable_v<Change, llvm::Function &>)
      change(function);
    else if constexpr (std::is_invocable_v<Change, llvm::Function &, llvm::TargetMachine &>)
      change(function, input.machine);
    else
      change(function, input);
  }
}

/// Step::run of a function that changes the module and asks nothing.
template <void (*change)(llvm::Module &)> void inModule(llvm::Module &module, const StepInput &) {
  change(module);
}

/// Runs those of `steps` that are to run, in order, and calls `log` after each.
void runSteps(llvm::ArrayRef<Step> steps, llvm::Module &module, const StepInput &input,
              const StepLog &log);

/// A rule for one pass of LLVM's code generator.
struct CodeGenRule {
  /// The pass, by its argument's name. LLVM has it for this target: a name that it no longer knows
  /// would change nothing.
  llvm::StringLiteral pass;
  /// If not empty: the rule is for the place where this pass is listed directly before it.
  llvm::StringLiteral previous;
  /// Makes a pass that runs in front of it, or null for none; null: none for any target.
  llvm::Pass *(*createBefore)(const target::Target &target);
  /// Whether it runs itself; null: it does.
  bool (*runs)(llvm::Module &module, const StepInput &input);
  llvm::StringLiteral why;

  bool isFor(llvm::StringRef name, llvm::StringRef before) const {
    return name == pass && (previous.empty() || before == previous);
  }
};

/// CodeGenRule::runs of a pass that is left out.
inline bool never(llvm::Module &, const StepInput &) { return false; }

} // namespace tilewright::emit

#endif // TILEWRIGHT_EMIT_STEP_H
