//===- Comprehensions.cpp - Comprehensions ------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/interpret/PythonFunctions.h"

#include "frontend/interpret/Interpreter.h"
#include "frontend/value/Sequences.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

/// Loops of one comprehension.
static constexpr size_t maxGenerators = 20;

/// `[f(x) for x in xs if c]`, over tuples: a tuple. Its names are gone afterwards.
Value PythonFunctions::comprehension(llvm::ArrayRef<const Expr *> elements,
                                     const List<Comprehension> &generators) {
  if (generators.size() > maxGenerators)
    return tb.failAt(spanOf(elements.front()),
                     "this comprehension has more than " + llvm::Twine(maxGenerators) + " loops");
  // Outside of a function, the names need a place.
  Frame module;
  module.python = true;
  Frame *saved = now.frame;
  if (!now.frame)
    now.frame = &module;
  NameSet names;
  for (const Comprehension &generator : generators)
    collectTargets(generator.target, names);
  llvm::SmallVector<Value> before;
  for (StringRef name : names)
    before.push_back(now.frame->locals.lookup(name));

  const size_t outerNames = comprehensionNames.size();
  comprehensionNames.append(names.begin(), names.end());
  std::vector<Value> results;
  bool good = comprehend(elements, generators.begin(), generators.end(), results);
  comprehensionNames.truncate(outerNames);
  for (size_t i = 0; i < names.size(); ++i)
    if (before[i])
      now.frame->locals[names[i]] = before[i];
    else
      now.frame->locals.erase(names[i]);
  now.frame = saved;
  return good ? tb.makeTuple(std::move(results)) : Value();
}

bool PythonFunctions::comprehend(llvm::ArrayRef<const Expr *> elements, const Comprehension *at,
                                 const Comprehension *end, std::vector<Value> &results) {
  if (at == end) {
    if (results.size() >= tb.maxTupleParts)
      return tb.rejectAt(spanOf(elements.front()), "this comprehension has more than " +
                                                       llvm::Twine(tb.maxTupleParts) + " elements");
    for (const Expr *element : elements) {
      results.push_back(interpreter.evaluate(element));
      if (!results.back())
        return false;
    }
    return true;
  }
  Value sequence = interpreter.evaluate(at->iterable);
  // All but the first iterable runs in a function of its own, which does not see a class's names.
  const llvm::SaveAndRestore outside(
      now.environment, now.environment->isClass ? now.environment->enclosing : now.environment);
  if (sequence && (sequence.isDict() || sequence.isSet() || sequence.kind == ValueKind::String))
    sequence = elementsIn(tb, sequence, spanOf(at->iterable));
  if (!sequence)
    return false;
  if (!sequence.isTuple())
    return tb.rejectAt(spanOf(at->iterable),
                       "a comprehension runs over a tuple, not over " + sequence.describe(),
                       "write the elements out as a tuple");
  for (const Value &one : *sequence.elements) {
    if (!countSteps(spanOf(elements.front())) || !interpreter.assign(at->target, one))
      return false;
    bool taken = true;
    for (const Expr *condition : at->conditions) {
      std::optional<bool> truth = resolver.constantTruth(condition);
      if (!truth)
        return false;
      taken &= *truth;
    }
    if (taken && !comprehend(elements, at + 1, end, results))
      return false;
  }
  return true;
}
