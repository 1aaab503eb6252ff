//===- Names.h - Names that statements read and assign --------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_NAMES_SCOPE_NAMES_H
#define TILEWRIGHT_FRONTEND_NAMES_SCOPE_NAMES_H

#include "frontend/syntax/Ast.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace tilewright::frontend {

using NameSet = llvm::SmallSetVector<llvm::StringRef, 8>;

/// Adds the names that the statements assign to, in the order of their first assignment.
void collectAssigned(const Body &body, NameSet &names);
/// Adds the names in a target of an assignment.
void collectTargets(const Expr *target, NameSet &names);

/// Adds the names of the parameters.
void collectParameters(const Parameters &parameters, NameSet &names);

/// Whether a return stands among the statements, at any depth.
bool containsReturn(const Body &body);

/// Adds the names of the functions that a body calls by their bare name.
void collectCalled(const Body &body, NameSet &names);

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_NAMES_SCOPE_NAMES_H
