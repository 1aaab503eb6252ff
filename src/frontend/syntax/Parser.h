//===- Parser.h - Python source to a syntax tree --------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SYNTAX_PARSER_H
#define TILEWRIGHT_FRONTEND_SYNTAX_PARSER_H

#include "frontend/syntax/Ast.h"
#include "frontend/syntax/Token.h"
#include "tilewright/Diagnostic.h"

#include <string_view>

namespace tilewright::frontend {

/// Reads a whole Python 3.11 source file, not only its kernels. Of the language it leaves
/// out asynchronous comprehensions, match statements and `except*`; the error names the construct.
/// Nesting is limited (100 brackets, 100 blocks, 400 operators in a row), so that neither the
/// parser nor a walk of the tree can run out of stack.
///
/// The tree lives in `arena` and points into `source`; both must outlive it. Null on an
/// error, which is the first one in the text.
const Module *parse(std::string_view source, Arena &arena, SyntaxError &error);

/// The error as the user sees it.
Diagnostic toDiagnostic(const SyntaxError &error, std::string_view fileName,
                        std::string_view source);

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_SYNTAX_PARSER_H
