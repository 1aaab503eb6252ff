//===- Execution.cpp - The code that is run or compiled now -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/names/execution/Execution.h"

#include <limits>
#include <utility>

using namespace tilewright;
using namespace tilewright::frontend;

unsigned Execution::orderIn(const Environment &environment) const {
  for (const Progress *at = progress; at; at = at->outer)
    if (at->environment == &environment)
      return at->order;
  return std::numeric_limits<unsigned>::max();
}

unsigned Execution::callDepth() const {
  unsigned depth = 0;
  for (const Frame *active = frame; active; active = active->caller)
    ++depth;
  return depth;
}

std::vector<Diagnostic> Execution::errorsOf(llvm::function_ref<void()> body) {
  std::vector<Diagnostic> reported;
  std::swap(errors, reported);
  body();
  std::swap(errors, reported);
  return reported;
}

bool Execution::tryHere(llvm::function_ref<void()> body) {
  const bool outer = std::exchange(tb.isTrying, true);
  const bool isGood = errorsOf(body).empty();
  tb.isTrying = outer;
  return isGood;
}

bool Execution::tryAt(const Environment &environment, unsigned order,
                      llvm::function_ref<void()> body) {
  Within within(*this, environment, order);
  return tryHere(body);
}

void Execution::noteCall(const FunctionObject *function, SourceSpan span) {
  if (errors.empty())
    return;
  Diagnostic note;
  note.severity = Severity::Note;
  note.where = {tb.currentFile().str(), static_cast<int>(span.begin.line),
                static_cast<int>(span.begin.column), 1};
  note.message = "in the call of '" + function->name().str() + "' from here";
  errors.back().notes.push_back(std::move(note));
}

//===--------------------------------------------------------------------------===//
// Within
//===--------------------------------------------------------------------------===//

Within::Within(Execution &now, const Environment &environment, Frame *frame)
    : now(now), file(now.tb, environment.file->fileName(), environment.file->text()),
      savedEnvironment(now.environment), savedFrame(now.frame), savedProgress(now.progress) {
  now.environment = &environment;
  now.frame = frame;
}

Within::Within(Execution &now, const Environment &environment, unsigned order)
    : Within(now, environment, nullptr) {
  const Progress *outer = savedProgress;
  if (environment.isClass) {
    around = {environment.enclosing, environment.order, outer};
    outer = &around;
  }
  here = {&environment, order, outer};
  now.progress = &here;
}

Within::~Within() {
  now.environment = savedEnvironment;
  now.frame = savedFrame;
  now.progress = savedProgress;
}
