//===- Diagnostics.cpp - Conversion of MLIR diagnostics -----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "compiler/Diagnostics.h"

#include "mlir/IR/Location.h"

#include <set>
#include <tuple>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::compiler;

namespace {

/// The innermost place in a file that `loc` names; null where it names none.
FileLineColLoc findPlace(Location loc) {
  if (auto place = dyn_cast<FileLineColLoc>(loc))
    return place;
  if (auto name = dyn_cast<NameLoc>(loc))
    return findPlace(name.getChildLoc());
  if (auto call = dyn_cast<CallSiteLoc>(loc)) {
    // The body of a built-in function has no place of its own: its call has.
    FileLineColLoc callee = findPlace(call.getCallee());
    return callee ? callee : findPlace(call.getCaller());
  }
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (FileLineColLoc place = findPlace(part))
        return place;
  return {};
}

/// The calls that led to `loc`, innermost first.
void collectCallers(Location loc, SmallVectorImpl<FileLineColLoc> &callers) {
  if (auto name = dyn_cast<NameLoc>(loc))
    return collectCallers(name.getChildLoc(), callers);
  auto call = dyn_cast<CallSiteLoc>(loc);
  if (!call)
    return;
  collectCallers(call.getCallee(), callers);
  if (FileLineColLoc caller = findPlace(call.getCaller()))
    if (findPlace(call.getCallee()))
      callers.push_back(caller);
  collectCallers(call.getCaller(), callers);
}

/// Where places are looked up: the file for what has none, and the texts.
struct Places {
  std::string fileName;
  TextOf textOf;
};

tilewright::Diagnostic describe(FileLineColLoc place, const Places &places) {
  tilewright::Diagnostic result;
  if (!place) {
    result.where.file = places.fileName;
    return result;
  }
  result.where.file = place.getFilename().str();
  result.where.line = place.getLine();
  result.where.column = place.getColumn();
  if (auto text = places.textOf(result.where.file))
    result.sourceLine = sourceLineOf(*text, result.where.line);
  return result;
}

Severity severityOf(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Error:
    return Severity::Error;
  case DiagnosticSeverity::Warning:
    return Severity::Warning;
  case DiagnosticSeverity::Remark:
    return Severity::Remark;
  case DiagnosticSeverity::Note:
    break;
  }
  return Severity::Note;
}

tilewright::Diagnostic convert(mlir::Diagnostic &diagnostic, const Places &places) {
  Location loc = diagnostic.getLocation();
  tilewright::Diagnostic result = describe(findPlace(loc), places);
  result.severity = severityOf(diagnostic.getSeverity());
  result.message = diagnostic.str();
  SmallVector<FileLineColLoc> callers;
  collectCallers(loc, callers);
  for (FileLineColLoc caller : callers) {
    tilewright::Diagnostic note = describe(caller, places);
    note.severity = Severity::Note;
    note.message = "called here";
    result.notes.push_back(std::move(note));
  }
  for (mlir::Diagnostic &note : diagnostic.getNotes()) {
    // A note at the same place only adds to the sentence: it is what to do.
    if (note.getLocation() == loc && result.remedy.empty())
      result.remedy = note.str();
    else
      result.notes.push_back(convert(note, places));
  }
  return result;
}

} // namespace

DiagnosticCollector::DiagnosticCollector(MLIRContext *context, std::string fileName, TextOf textOf,
                                         std::vector<tilewright::Diagnostic> &diagnostics)
    : handler(context, [places = Places{std::move(fileName), std::move(textOf)},
                        &diagnostics](mlir::Diagnostic &diagnostic) {
        diagnostics.push_back(convert(diagnostic, places));
        return success();
      }) {}

DiagnosticCollector::DiagnosticCollector(MLIRContext *context, const Source &source,
                                         std::vector<tilewright::Diagnostic> &diagnostics)
    : DiagnosticCollector(
          context, source.name,
          [&source](std::string_view file) {
            return file == source.name ? std::optional<std::string_view>(source.text)
                                       : std::nullopt;
          },
          diagnostics) {}

tilewright::Diagnostic compiler::makeErrorAt(const std::string &file, StringRef text, size_t offset,
                                             size_t length, std::string message,
                                             std::string remedy) {
  StringRef before = text.take_front(offset);
  tilewright::Diagnostic error = makeFileError(file, std::move(message), std::move(remedy));
  error.where.line = static_cast<int>(before.count('\n')) + 1;
  error.where.column = static_cast<int>(before.size() - (before.rfind('\n') + 1)) + 1;
  error.where.length = static_cast<int>(std::max<size_t>(length, 1));
  error.sourceLine = sourceLineOf(text, error.where.line);
  return error;
}

std::vector<tilewright::Diagnostic>
compiler::takeRemarks(std::vector<tilewright::Diagnostic> &diagnostics) {
  std::vector<tilewright::Diagnostic> remarks;
  std::set<std::tuple<std::string, int, int, std::string>> known;
  llvm::erase_if(diagnostics, [&](tilewright::Diagnostic &diagnostic) {
    if (diagnostic.severity != Severity::Remark)
      return false;
    const SourceRange &where = diagnostic.where;
    if (known.insert({where.file, where.line, where.column, diagnostic.message}).second)
      remarks.push_back(std::move(diagnostic));
    return true;
  });
  return remarks;
}

bool compiler::hasError(const std::vector<tilewright::Diagnostic> &diagnostics) {
  return llvm::any_of(diagnostics, [](const tilewright::Diagnostic &diagnostic) {
    return diagnostic.severity == Severity::Error;
  });
}
