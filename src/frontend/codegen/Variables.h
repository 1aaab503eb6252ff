//===- Variables.h - Values of a kernel's variables -----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_CODEGEN_VARIABLES_H
#define TILEWRIGHT_FRONTEND_CODEGEN_VARIABLES_H

#include "frontend/value/TritonBuilder.h"

namespace tilewright::frontend {

/// Appends the SSA values inside a value, in order.
void flatten(const Value &value, llvm::SmallVectorImpl<mlir::Value> &flat);
/// The value with its SSA values replaced by the next ones of `flat`.
Value rebuild(const Value &value, mlir::ValueRange flat, size_t &next);

/// What a variable holds after `x = value`: numbers become scalars of the kernel, so that
/// a loop or a branch can change them.
Value variableOf(TritonBuilder &tb, const Value &value);

/// The value of a condition at `test` as a scalar i1; no value after an error.
Value scalarCondition(TritonBuilder &tb, const Expr *test, const Value &value);

/// Makes the values of two branches alike, so that an `if` can yield them.
bool unify(TritonBuilder &tb, Value &left, Value &right, const llvm::Twine &what, SourceSpan span);

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_CODEGEN_VARIABLES_H
