//===- Conditions.h - Whether a definition's conditions let it run --*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_NAMES_CONDITIONS_H
#define TILEWRIGHT_FRONTEND_NAMES_CONDITIONS_H

#include "frontend/names/ResolverPart.h"

#include <optional>

namespace tilewright::frontend {

/// Says whether the `if` and `try` statements around a definition let it run. An answer of nothing
/// means that it is not known while compiling.
class Conditions : public ResolverPart {
public:
  explicit Conditions(Resolver &resolver) : ResolverPart(resolver) {}

  /// Whether the statements that it stands under let it run.
  std::optional<bool> holds(const Environment &environment, const Definition &definition);
  std::optional<bool> lets(const Environment &environment, const Guard &guard,
                           const Definition &definition);
  /// Whether the `except` of a `try` catches the exception of a statement of its body: a failing
  /// import, or a name that a module does not have.
  static std::optional<bool> catches(const TryStmt &attempt, const Stmt &failing);
  /// Whether an import succeeds.
  std::optional<bool> canImport(const Environment &environment, const Import &import);

private:
  std::optional<bool> isTrue(const Environment &environment, const IfStmt &condition,
                             unsigned order);
  /// Whether the body of a `try` ends without an exception.
  std::optional<bool> succeeds(const Environment &environment, const TryStmt &attempt,
                               unsigned order);
  std::optional<bool> runAttempt(const Environment &environment, const TryStmt &attempt,
                                 unsigned order);

  /// Of each `try` that has been looked at: the statement that fails, or else its last one.
  llvm::DenseMap<const Stmt *, const Stmt *> failingStatements;
};

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_NAMES_CONDITIONS_H
