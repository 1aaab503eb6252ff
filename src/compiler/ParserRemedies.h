//===- ParserRemedies.h - What to do about IR that cannot be read ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_COMPILER_PARSERREMEDIES_H
#define TILEWRIGHT_COMPILER_PARSERREMEDIES_H

#include "mlir/IR/MLIRContext.h"
#include "tilewright/Diagnostic.h"

#include <vector>

namespace tilewright::compiler {

/// Gives the errors of MLIR's parser a remedy each: they say what is wrong but not what to do, or
/// what to do in a program that registers dialects. `context`: that of the parser. Other errors
/// keep what they have.
void addParserRemedies(std::vector<Diagnostic> &diagnostics, mlir::MLIRContext &context);

} // namespace tilewright::compiler

#endif // TILEWRIGHT_COMPILER_PARSERREMEDIES_H
