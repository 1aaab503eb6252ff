//===- Reducer.cpp - The smallest program that still fails --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "reduce/Reducer.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"

using namespace tilewright;
using namespace tilewright::reduce;

static size_t hashOf(const Program &program) {
  return llvm::hash_combine(
      program.text, llvm::hash_combine_range(program.signature.begin(), program.signature.end()));
}

bool Reducer::holds(const Program &program) {
  if (outOfTime || refused.contains(hashOf(program)))
    return false;
  if (std::chrono::steady_clock::now() >= deadline) {
    outOfTime = true;
    return false;
  }
  ++tests;
  if (test(program))
    return true;
  refused.insert(hashOf(program));
  return false;
}

/// Keeps as many of the edits as the test allows, in runs that get shorter.
bool Reducer::reduceBy(const Edits &edits, Program &program) {
  std::vector<bool> kept(edits.count(), false);
  auto chosenWith = [&](unsigned begin, unsigned end) {
    llvm::SmallVector<unsigned> chosen;
    for (unsigned number = 0; number < edits.count(); ++number)
      if (kept[number] || (number >= begin && number < end))
        chosen.push_back(number);
    return chosen;
  };
  bool changed = false;
  for (unsigned length = edits.count(); length > 0; length /= 2)
    for (unsigned begin = 0; begin < edits.count() && !outOfTime; begin += length) {
      unsigned end = std::min(begin + length, edits.count());
      if (std::all_of(kept.begin() + begin, kept.begin() + end, [](bool each) { return each; }))
        continue;
      std::optional<Program> next = edits.apply(chosenWith(begin, end));
      if (!next || *next == program || !holds(*next))
        continue;
      program = std::move(*next);
      std::fill(kept.begin() + begin, kept.begin() + end, true);
      changed = true;
    }
  return changed;
}

bool Reducer::reduceBy(const EditKind &kind, Program &program) {
  bool changed = false;
  while (std::unique_ptr<Edits> edits = kind.find(program)) {
    if (!reduceBy(*edits, program))
      break;
    changed = true;
  }
  return changed;
}

Program Reducer::reduce(Program program, llvm::ArrayRef<EditKind> kinds) {
  refused.clear();
  outOfTime = false;
  for (bool changed = true; changed;) {
    changed = false;
    for (const EditKind &kind : kinds)
      changed |= reduceBy(kind, program);
  }
  return program;
}
