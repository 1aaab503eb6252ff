//===- HostExpression.h - Python expressions beside kernels ---------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// What host code says of a kernel - its configurations, its grid - evaluated without Python:
// arithmetic, comparisons, lists, dicts, comprehensions, `cdiv`, `next_power_of_2`, `min`, `max`,
// `range`, `len`, `int`, `dict` and `triton.Config`. What else a program may write there - methods,
// functions of its own with statements in them, the environment - is an error with its place.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TUNE_HOSTEXPRESSION_H
#define TILEWRIGHT_TUNE_HOSTEXPRESSION_H

#include "frontend/names/ParsedModule.h"
#include "tilewright/Expected.h"
#include "tune/HostValue.h"

namespace tilewright::tune {

/// The values of names.
using HostNames = std::map<std::string, HostValue, std::less<>>;

/// Evaluates an expression of a source file. A name is looked up in `names`, then among the
/// module-level variables of `module`: those that are assigned once and under no condition. A
/// function of the module is called if its body is one `return` (and a docstring). Takes at most
/// 100,000 steps.
Expected<HostValue> evaluate(const frontend::Expr &expression, const frontend::ParsedModule &module,
                             const HostNames &names);

/// Evaluates a text, such as "cdiv(n, BLOCK), 4". `what` names it in errors, as if it were a file:
/// "<grid>".
Expected<HostValue> evaluateText(const std::string &text, const std::string &what,
                                 const HostNames &names);

/// Reads and evaluates the arguments of a call, such as "BLOCK=[64, 128], num_warps=4".
Expected<HostDict> evaluateKeywords(const std::string &text, const std::string &what);

} // namespace tilewright::tune

#endif // TILEWRIGHT_TUNE_HOSTEXPRESSION_H
