//===- LinkedText.h - Texts whose lines know where they come from ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_REPORT_LINKEDTEXT_H
#define TILEWRIGHT_REPORT_LINKEDTEXT_H

#include "report/Places.h"
#include "tilewright/Expected.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/JSON.h"

#include <optional>

namespace llvm {
class Module;
} // namespace llvm

namespace tilewright::report {

/// A text, and for its lines the numbers of the places that they come from.
struct LinkedText {
  std::string text;
  /// By line, from 0; lines at the end that come from nowhere may be left out.
  std::vector<llvm::SmallVector<unsigned, 1>> places;

  /// Adds the places to those of a line, each once.
  void link(unsigned line, llvm::ArrayRef<unsigned> numbers);
  size_t lineCount() const;
  /// [[line, place, ..], ..]: the lines that have places, from 1.
  llvm::json::Array linksJson() const;
};

/// The text of a module without its locations, and the names in it.
class PrintedModule {
public:
  PrintedModule(mlir::ModuleOp module, Places &places);

  const LinkedText &linked() const { return result; }
  LinkedText &linked() { return result; }
  /// The line of an op, from 0; none for ops that have no line of their own.
  std::optional<unsigned> lineOf(mlir::Operation *op) const;
  /// "%acc_12", as the text has it.
  std::string nameOf(mlir::Value value);
  /// "#blocked1", or the whole attribute where the text has no alias for it.
  std::string nameOf(mlir::Attribute attribute);

private:
  mlir::AsmState::LocationMap lines;
  mlir::AsmState state;
  LinkedText result;
};

/// LLVM IR without its debug information, whose instructions become links.
LinkedText linkLlvmIr(const llvm::Module &module, Places &places);
/// The same of a text. Errors: it is no LLVM IR.
Expected<LinkedText> linkLlvmIr(const std::string &text, Places &places);

/// Assembly without its debug information: after `.loc`, lines of code come from the
/// place that it names. Understands `.file NUMBER "DIRECTORY" "NAME"` and
/// `.loc FILE LINE COLUMN .., inlined_at FILE LINE COLUMN`, and what LLVM's AsmPrinter writes as a
/// comment after a `.loc`: NAME:LINE:COLUMN @[ NAME:LINE:COLUMN ].
LinkedText linkAssembly(llvm::StringRef text, Places &places);

} // namespace tilewright::report

#endif // TILEWRIGHT_REPORT_LINKEDTEXT_H
