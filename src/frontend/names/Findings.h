//===- Findings.h - Answers about names that are kept ---------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_NAMES_FINDINGS_H
#define TILEWRIGHT_FRONTEND_NAMES_FINDINGS_H

#include "frontend/names/execution/Environment.h"

#include <map>
#include <optional>
#include <unordered_map>

namespace tilewright::frontend {

/// The value of a name that is not a function's own.
struct Global {
  bool isComputed = false;
  Value known;
  /// A kernel may use it; otherwise only code that runs while compiling may.
  bool usable = false;
};

/// Everything that has been computed and depends on which statements set attributes.
struct Findings {
  /// Those that have been asked for. Evaluating one may ask for others: they must not move.
  std::unordered_map<const Definition *, Global> globals;
  /// The definitions that are being evaluated, outermost first.
  llvm::SmallVector<const Definition *> underWay;
  /// Of definitions that may only change the value: whether that is a list, dict or set.
  llvm::DenseMap<const Definition *, bool> mutableBefore;
  /// The truth of conditions of modules; nothing while one is evaluated.
  llvm::DenseMap<const Stmt *, std::optional<bool>> conditions;
  /// Whether a `from m import *` defines a name; nothing while that is found out.
  std::map<std::pair<const Definition *, llvm::StringRef>, std::optional<bool>> stars;
  /// Whether modules that a `try` imports run through; true while one is looked at.
  llvm::DenseMap<const FoundModule *, std::optional<bool>> moduleRuns;
  /// Likewise, where nothing is taken to work that is not seen to.
  llvm::DenseMap<const FoundModule *, std::optional<bool>> moduleRunsStrictly;
};

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_NAMES_FINDINGS_H
