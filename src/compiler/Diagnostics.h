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

#include <functional>
#include <optional>
#include <string_view>

namespace tilewright::compiler {

/// The text of a file; nothing if it is not at hand.
using TextOf = std::function<std::optional<std::string_view>(std::string_view file)>;

/// While it lives, collects what is said against the IR of a context. Locations that lie in files
/// whose text is at hand get their line and a caret; what has no place is said of `fileName`. Calls
/// that led to a place become notes.
class DiagnosticCollector {
public:
  DiagnosticCollector(mlir::MLIRContext *context, std::string fileName, TextOf textOf,
                      std::vector<Diagnostic> &diagnostics);
  /// For one source, which must live as long.
  DiagnosticCollector(mlir::MLIRContext *context, const Source &source,
                      std::vector<Diagnostic> &diagnostics);

private:
  mlir::ScopedDiagnosticHandler handler;
};

/// An error `offset` bytes into the text of `file`, underlining `length` bytes, at least one.
Diagnostic makeErrorAt(const std::string &file, llvm::StringRef text, size_t offset, size_t length,
                       std::string message, std::string remedy = {});

/// Removes the remarks from `diagnostics` and gives them. Of those at one place that say the same,
/// as where a loop was unrolled, there is one.
std::vector<Diagnostic> takeRemarks(std::vector<Diagnostic> &diagnostics);

/// Whether one of them is an error.
bool hasError(const std::vector<Diagnostic> &diagnostics);

} // namespace tilewright::compiler

#endif // TILEWRIGHT_COMPILER_DIAGNOSTICS_H
