//===- SysChanges.h - What statements do to what sys has for imports -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
//     sys.modules["a.b"] = c        sys.path.insert(0, folder)
//
// The statements are those of a module, or whole functions of one, of which only what may run while
// modules do counts (RunningCode.h).
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_NAMES_MODULES_SYSCHANGES_H
#define TILEWRIGHT_FRONTEND_NAMES_MODULES_SYSCHANGES_H

#include "frontend/syntax/Ast.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace tilewright::frontend {

class RunningCode;

/// An expression of a statement, which stands in a function or is one of a module.
struct SysChangePart {
  const Stmt *statement;
  const Expr *expr;
};
/// Those parts of a change that may run while modules do; nothing if others change as well, or by
/// another name.
using SysChangeParts = std::optional<llvm::SmallVector<SysChangePart>>;

/// Calls `visit` for the statement, or those in the function, with whether it may run.
void forEachPart(const Stmt *stmt, const RunningCode &running,
                 llvm::function_ref<void(const Stmt *, bool)> visit);
/// The keys of the entries of `sys.modules` that a statement sets, at any depth.
SysChangeParts entriesOf(const Stmt *stmt, const RunningCode &running);
/// Whether a statement names `sys.modules`, and only to read it.
bool onlyReadsModules(const Stmt *stmt, const RunningCode &running);
/// The entries that a statement puts before others into the list `sys.path` or `sys.meta_path`.
SysChangeParts putBefore(llvm::StringRef list, const Stmt *stmt, const RunningCode &running);

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_NAMES_MODULES_SYSCHANGES_H
