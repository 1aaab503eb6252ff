//===- TritonBuilder.cpp - Builder of tt, arith and math ops for kernel values -===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/value/TritonBuilder.h"

#include "mlir/IR/Location.h"

using namespace tilewright;
using namespace tilewright::frontend;

TritonBuilder::TritonBuilder(mlir::MLIRContext *context, llvm::StringRef fileName,
                             llvm::StringRef source, std::vector<Diagnostic> &errors)
    : builder(context), source(source), fileName(mlir::StringAttr::get(context, fileName)),
      errors(errors) {}

TritonBuilder::InFile::InFile(TritonBuilder &tb, llvm::StringRef fileName, llvm::StringRef text)
    : tb(tb), savedSource(tb.source), savedFile(tb.fileName), savedSpan(tb.span),
      savedLocation(tb.location) {
  tb.source = text;
  if (tb.fileName != fileName)
    tb.fileName = mlir::StringAttr::get(tb.builder.getContext(), fileName);
  tb.location = {};
}

TritonBuilder::InFile::~InFile() {
  tb.source = savedSource;
  tb.fileName = savedFile;
  tb.span = savedSpan;
  tb.location = savedLocation;
}

mlir::Location TritonBuilder::locationOf(Position position, llvm::StringRef name) {
  mlir::Location location = mlir::FileLineColLoc::get(fileName, position.line, position.column);
  if (name.empty())
    return location;
  return mlir::NameLoc::get(mlir::StringAttr::get(fileName.getContext(), name), location);
}

mlir::Location TritonBuilder::loc() {
  if (!location)
    location = locationOf(span.begin, variable);
  return mlir::Location(location);
}

Value TritonBuilder::fail(const llvm::Twine &message, const llvm::Twine &remedy) {
  return failAt(span, message, remedy);
}

Diagnostic TritonBuilder::diagnosticAt(SourceSpan where, const llvm::Twine &message) {
  Diagnostic diagnostic;
  diagnostic.where.file = fileName.str();
  diagnostic.where.line = static_cast<int>(where.begin.line);
  diagnostic.where.column = static_cast<int>(where.begin.column);
  diagnostic.message = message.str();
  diagnostic.sourceLine = std::string(sourceLineOf(source, diagnostic.where.line));
  if (where.end.line == where.begin.line && where.end.column > where.begin.column)
    diagnostic.where.length = static_cast<int>(where.end.column - where.begin.column);
  else if (where.end.line > where.begin.line) // to the end of the line
    diagnostic.where.length =
        std::max(1, static_cast<int>(diagnostic.sourceLine.size()) - diagnostic.where.column + 1);
  return diagnostic;
}

/// Notes of a kernel; a loop that is unrolled may give many.
static constexpr size_t maxNotes = 1000;

void TritonBuilder::note(const llvm::Twine &message) {
  if (notes.size() >= maxNotes)
    return;
  notes.push_back(diagnosticAt(span, message));
  notes.back().severity = Severity::Note;
}

void TritonBuilder::noteError(SourceSpan where, const llvm::Twine &message) {
  if (errors.empty() || isTrying || !where.begin.line)
    return;
  Diagnostic &error = errors.back();
  const SourceRange &last = error.notes.empty() ? error.where : error.notes.back().where;
  if (last.file == fileName && last.line == static_cast<int>(where.begin.line))
    return;
  Diagnostic note = diagnosticAt(where, message);
  note.severity = Severity::Note;
  note.sourceLine.clear();
  note.where.length = 1;
  error.notes.push_back(std::move(note));
}

void TritonBuilder::warnAt(SourceSpan where, const llvm::Twine &message,
                           const llvm::Twine &remedy) {
  if (notes.size() >= maxNotes)
    return;
  Diagnostic warning = diagnosticAt(where, message);
  warning.severity = Severity::Warning;
  warning.remedy = remedy.str();
  bool known = llvm::any_of(notes, [&](const Diagnostic &note) {
    return note.severity == Severity::Warning && note.where.file == warning.where.file &&
           note.where.line == warning.where.line && note.where.column == warning.where.column &&
           note.message == warning.message;
  });
  if (!known)
    notes.push_back(std::move(warning));
}

Value TritonBuilder::failAt(SourceSpan where, const llvm::Twine &message,
                            const llvm::Twine &remedy) {
  // What follows the first error may only be its consequence.
  if (failed())
    return {};
  // Programs that are searched for what names mean fail thousands of times.
  if (isTrying) {
    errors.emplace_back();
    return {};
  }
  Diagnostic error = diagnosticAt(where, message);
  error.remedy = remedy.str();
  errors.push_back(std::move(error));
  return {};
}

TritonBuilder::FunctionScope::FunctionScope(TritonBuilder &tb, mlir::Block *entry)
    : tb(tb), savedEntry(tb.entry), savedLastConstant(tb.lastConstant),
      savedConstants(std::move(tb.constants)), savedPoint(tb.builder.saveInsertionPoint()) {
  tb.entry = entry;
  tb.lastConstant = nullptr;
  tb.constants.clear();
  tb.builder.setInsertionPointToEnd(entry);
}

TritonBuilder::FunctionScope::~FunctionScope() {
  tb.entry = savedEntry;
  tb.lastConstant = savedLastConstant;
  tb.constants = std::move(savedConstants);
  tb.builder.restoreInsertionPoint(savedPoint);
}

const std::optional<std::string> &TritonBuilder::variableOfEnvironment(llvm::StringRef name) {
  auto [entry, isNew] = variables.try_emplace(name.str());
  if (isNew)
    if (const char *text = std::getenv(entry->first.c_str()))
      entry->second = text;
  return entry->second;
}
