//===- Parameters.h - The parameters of a function's definition -----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_INTERPRET_PARAMETERS_H
#define TILEWRIGHT_FRONTEND_INTERPRET_PARAMETERS_H

#include "frontend/syntax/Ast.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <string>

namespace tilewright::frontend {

/// All parameters: those that take one argument each, then `*rest` and `**named`.
llvm::SmallVector<const Parameter *> parametersOf(const FunctionDefStmt *function);
/// "a, b, c"
std::string namesOf(llvm::ArrayRef<const Parameter *> parameters);
/// The default of the parameter of this number; null if it must be given.
const Expr *defaultOf(const FunctionDefStmt *function, size_t index);

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_INTERPRET_PARAMETERS_H
