//===- ImportFolders.h - Folders that statements hand to imports ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_NAMES_MODULES_IMPORTFOLDERS_H
#define TILEWRIGHT_FRONTEND_NAMES_MODULES_IMPORTFOLDERS_H

#include "frontend/names/execution/Environment.h"
#include "frontend/syntax/Ast.h"

#include <optional>
#include <string>

namespace tilewright::frontend {

/// The folder that an expression names, by an absolute path: made of `__file__` by os.path and
/// pathlib. Nothing if it is not known.
std::optional<std::string> folderOf(const Environment &home, const Expr *expr, unsigned depth = 0);

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_NAMES_MODULES_IMPORTFOLDERS_H
