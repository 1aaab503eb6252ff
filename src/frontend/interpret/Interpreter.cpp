//===- Interpreter.cpp - Evaluation of Python's expressions -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/interpret/Interpreter.h"

using namespace tilewright;
using namespace tilewright::frontend;

Interpreter::Interpreter(mlir::MLIRContext &context, const ParsedModule &source,
                         std::vector<Diagnostic> &errors, const CompileFacts &facts,
                         Imports *imports, KernelCode *kernel)
    : now(context, source, errors, facts), resolver(now, *this, source, imports), python(*this),
      tb(now.tb), kernel(kernel) {}
