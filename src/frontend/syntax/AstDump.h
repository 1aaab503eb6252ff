//===- AstDump.h - Syntax trees in the form of Python's ast.dump ----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SYNTAX_ASTDUMP_H
#define TILEWRIGHT_FRONTEND_SYNTAX_ASTDUMP_H

#include "frontend/syntax/Ast.h"

#include <string>

namespace tilewright::frontend {

/// The text that `ast.dump(tree, include_attributes=positions)` of CPython 3.11 gives for
/// the same source, in one line. Nodes inside f-strings have no positions: those that CPython
/// 3.11 gives them do not point into the source.
std::string dump(const Module &module, bool positions);

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_SYNTAX_ASTDUMP_H
