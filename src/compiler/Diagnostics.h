//===- Diagnostics.h - Conversion of MLIR diagnostics ---------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_COMPILER_DIAGNOSTICS_H
#define TILEWRIGHT_COMPILER_DIAGNOSTICS_H

#include "tilewright/Compiler.h"
#include "tilewright/Diagnostic.h"

#include "mlir/IR/Diagnostics.h"

namespace tilewright::compiler {

/// While it lives, collects what is said against the IR of a context. Locations that lie in
/// `source` get its line and a caret; calls that led to a place become notes.
class DiagnosticCollector {
public:
  DiagnosticCollector(mlir::MLIRContext *context, const Source &source,
                      std::vector<Diagnostic> &diagnostics);

private:
  mlir::ScopedDiagnosticHandler handler;
};

/// An error `offset` bytes into the text of `file`, underlining `length` bytes, at least one.
Diagnostic makeErrorAt(const std::string &file, llvm::StringRef text, size_t offset, size_t length,
                       std::string message, std::string remedy = {});

/// Whether one of them is an error.
bool hasError(const std::vector<Diagnostic> &diagnostics);

} // namespace tilewright::compiler

#endif // TILEWRIGHT_COMPILER_DIAGNOSTICS_H
