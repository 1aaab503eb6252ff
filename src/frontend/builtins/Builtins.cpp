//===- Builtins.cpp - Lookup of builtins and binding of their arguments -------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/builtins/Builtins.h"

#include "ir/tt/Dialect.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

//===--------------------------------------------------------------------------===//
// Finding
//===--------------------------------------------------------------------------===//

static const llvm::StringMap<const Builtin *> &languageTable() {
  static const auto *table = [] {
    auto *map = new llvm::StringMap<const Builtin *>();
    for (llvm::ArrayRef<Builtin> family :
         {assemblyBuiltins(),  atomicBuiltins(),     creationBuiltins(),     dotBuiltins(),
          mathBuiltins(),      memoryBuiltins(),     shapeBuiltins(),        joiningBuiltins(),
          reductionBuiltins(), scanBuiltins(),       sortBuiltins(),         gatherBuiltins(),
          randomBuiltins(),    composedBuiltins(),   debugBuiltins(),        typeBuiltins(),
          operatorBuiltins(),  descriptorBuiltins(), blockPointerBuiltins(), otherBuiltins(),
          mapBuiltins(),       combineBuiltins(),    standardBuiltins()})
      for (const Builtin &builtin : family)
        (*map)[builtin.name] = &builtin;
    return map;
  }();
  return *table;
}

static const Builtin *findIn(llvm::ArrayRef<Builtin> family, StringRef name) {
  for (const Builtin &builtin : family)
    if (builtin.name == name)
      return &builtin;
  return nullptr;
}

const Builtin *frontend::findLanguageBuiltin(StringRef name) {
  return languageTable().lookup(name);
}

const Builtin *frontend::findTensorMethod(StringRef name) {
  const Builtin *builtin = findLanguageBuiltin(name);
  return builtin && builtin->flags & Member ? builtin : nullptr;
}

const Builtin *frontend::findTypeMethod(StringRef name) { return findIn(typeMethods(), name); }

const Builtin *frontend::findNumberMethod(StringRef name) { return findIn(numberMethods(), name); }

const Builtin *frontend::findTargetBuiltin(StringRef name) {
  return findIn(targetBuiltins(), name);
}

const Builtin *frontend::findStringMethod(StringRef name) { return findIn(stringMethods(), name); }

const Builtin *frontend::findDescriptorMethod(StringRef name) {
  return findIn(descriptorMethods(), name);
}

const Builtin *frontend::findMatrixBuiltin(StringRef name) {
  return findIn(matrixBuiltins(), name);
}

const Builtin *frontend::findMathBuiltin(StringRef name) {
  return findIn(pythonMathBuiltins(), name);
}

const Builtin *frontend::findTritonBuiltin(StringRef name) {
  if (const Builtin *builtin = findIn(tritonBuiltins(), name))
    return builtin;
  return name == "next_power_of_2" ? findLanguageBuiltin(name) : nullptr;
}

const Builtin *frontend::findPythonBuiltin(StringRef name) {
  if (const Builtin *builtin = findIn(pythonBuiltins(), name))
    return builtin;
  return findIn(printBuiltin(), name);
}

/// Functions and types of triton.language 3.6 that have no counterpart here.
static constexpr llvm::StringLiteral unsupportedNames = "const float8e4b15 void ";

bool frontend::isUnsupportedLanguageName(StringRef name) {
  llvm::SmallVector<StringRef, 64> names;
  unsupportedNames.split(names, ' ', -1, /*KeepEmpty=*/false);
  return llvm::is_contained(names, name);
}

/// Edits that make one word of the other: letters added, left out, replaced, exchanged with
/// their neighbour.
static unsigned editDistance(StringRef from, StringRef to) {
  llvm::SmallVector<unsigned> beforeLast, last(to.size() + 1), current(to.size() + 1);
  std::iota(last.begin(), last.end(), 0u);
  for (size_t i = 1; i <= from.size(); ++i) {
    current[0] = static_cast<unsigned>(i);
    for (size_t j = 1; j <= to.size(); ++j) {
      unsigned replaced = last[j - 1] + (from[i - 1] != to[j - 1]);
      current[j] = std::min({last[j] + 1, current[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1])
        current[j] = std::min(current[j], beforeLast[j - 2] + 1);
    }
    beforeLast = last;
    std::swap(last, current);
  }
  return last[to.size()];
}

/// Whether `part` is `whole` with letters left out.
static bool isSubsequence(StringRef part, StringRef whole) {
  for (char letter : whole)
    if (!part.empty() && part.front() == letter)
      part = part.drop_front();
  return part.empty();
}

/// How likely a misspelt name is meant to be the candidate, of those that are as many edits away:
/// letters are exchanged more often than left out, and left out more often than added or replaced.
static unsigned likelihoodRank(StringRef name, StringRef candidate) {
  std::string a = name.str(), b = candidate.str();
  llvm::sort(a);
  llvm::sort(b);
  return a == b ? 0 : isSubsequence(name, candidate) ? 1 : 2;
}

StringRef frontend::closestOf(StringRef name, llvm::ArrayRef<StringRef> candidates) {
  StringRef best;
  auto rank = [&](StringRef one) { return std::pair(likelihoodRank(name, one), one); };
  unsigned bestDistance = std::max<unsigned>(1, static_cast<unsigned>(name.size()) / 3) + 1;
  for (StringRef candidate : candidates) {
    unsigned distance = editDistance(name, candidate);
    // Of a name of one letter nothing would be left.
    if (distance >= name.size())
      continue;
    if (distance < bestDistance ||
        (distance == bestDistance && !best.empty() && rank(candidate) < rank(best))) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

StringRef frontend::closestLanguageName(StringRef name) {
  llvm::SmallVector<StringRef> candidates;
  for (const auto &entry : languageTable())
    if (!entry.getKey().starts_with("_"))
      candidates.push_back(entry.getKey());
  for (unsigned i = 0; i <= static_cast<unsigned>(ScalarKind::FP64); ++i)
    candidates.push_back(languageName(static_cast<ScalarKind>(i)));
  llvm::sort(candidates);
  return closestOf(name, candidates);
}

//===--------------------------------------------------------------------------===//
// Binding
//===--------------------------------------------------------------------------===//

bool Arguments::bind(llvm::ArrayRef<GivenArgument> givenArguments) {
  llvm::SmallVector<StringRef, 8> words;
  builtin.parameters.split(words, ' ', -1, /*KeepEmpty=*/false);
  llvm::SmallVector<bool, 8> needed;
  std::optional<size_t> variadic;
  for (StringRef word : words) {
    bool optional = word.consume_back("?");
    if (word.consume_front("*"))
      variadic = names.size();
    needed.push_back(!optional && variadic != names.size());
    names.push_back(word);
  }
  values.assign(names.size(), Value::none());
  spans.assign(names.size(), tb.here());
  isGiven.assign(names.size(), false);

  size_t next = 0;
  std::vector<Value> rest;
  for (const GivenArgument &argument : givenArguments) {
    if (!argument.value)
      return false;
    size_t index = next;
    if (argument.keyword.empty()) {
      if (variadic && next == *variadic) {
        if (rest.empty())
          spans[next] = argument.span;
        rest.push_back(argument.value);
        continue;
      }
      if (next >= names.size()) {
        tb.failAt(argument.span,
                  builtin.name + " takes no more than " + llvm::Twine(names.size()) + " arguments",
                  names.empty() ? "" : "its parameters are " + llvm::join(names, ", "));
        return false;
      }
      ++next;
    } else {
      const auto *found = llvm::find(names, argument.keyword);
      index = static_cast<size_t>(found - names.begin());
      if (found == names.end()) {
        StringRef close = closestOf(argument.keyword, names);
        tb.failAt(argument.span, builtin.name + " has no parameter '" + argument.keyword + "'",
                  close.empty() ? "its parameters are " + llvm::join(names, ", ")
                                : "did you mean '" + close.str() + "'?");
        return false;
      }
    }
    if (isGiven[index]) {
      tb.failAt(argument.span,
                builtin.name + ": the argument '" + names[index] + "' is given twice");
      return false;
    }
    values[index] = argument.value;
    spans[index] = argument.span;
    isGiven[index] = true;
  }
  if (variadic && !isGiven[*variadic]) {
    // A tuple may stand for the separate arguments.
    isGiven[*variadic] = !rest.empty();
    spread = rest.size() == 1 && rest[0].isTuple();
    values[*variadic] = spread ? rest[0] : Value::tuple(std::move(rest));
  }
  for (size_t i = 0; i < names.size(); ++i)
    if (needed[i] && !isGiven[i]) {
      tb.fail(builtin.name + ": the argument '" + names[i] + "' is missing",
              "its parameters are " + llvm::join(names, ", "));
      return false;
    }
  return true;
}

Value Arguments::fail(size_t index, const llvm::Twine &message, const llvm::Twine &remedy) const {
  return tb.failAt(spans[index], builtin.name + ": '" + names[index] + "' " + message, remedy);
}

static const char *const constantRemedy =
    "declare the name `: tl.constexpr`, as a parameter or where it is assigned";

std::optional<int64_t> Arguments::integer(size_t index) const {
  const Value &value = values[index];
  if (value.isIntegral() && value.integer >= INT64_MIN && value.integer <= INT64_MAX)
    return static_cast<int64_t>(value.integer);
  fail(index, "must be a constant integer, not " + value.describe(),
       value.isTensor() ? constantRemedy : "");
  return std::nullopt;
}

std::optional<bool> Arguments::flag(size_t index, bool otherwise) const {
  const Value &value = values[index];
  if (!given(index) || value.isNone())
    return otherwise;
  if (value.isIntegral())
    return value.integer != 0;
  if (value.isTensor()) {
    // An object of Python, which counts as true.
    tb.warnAt(spans[index],
              builtin.name + ": '" + names[index] + "' is " + value.describe() +
                  ", which counts as True whatever it holds, as in Triton",
              constantRemedy);
    return true;
  }
  fail(index, "must be True or False, not " + value.describe());
  return std::nullopt;
}

std::optional<std::string> Arguments::string(size_t index) const {
  const Value &value = values[index];
  if (!given(index) || value.isNone())
    return std::string();
  if (value.kind == ValueKind::String)
    return std::string(value.text);
  fail(index, "must be a string, not " + value.describe());
  return std::nullopt;
}

std::optional<DType> Arguments::type(size_t index) const {
  const Value &value = values[index];
  if (value.kind == ValueKind::Type)
    return value.type;
  // "float16", torch.float16, float
  StringRef name(value.text);
  name.consume_front("torch.");
  if (value.kind == ValueKind::Builtin)
    name = value.builtin->name == "float" ? "float32" : value.builtin->name == "int" ? "int32" : "";
  fail(index, "must be a type such as tl.float32, not " + value.describe(),
       scalarOfLanguageName(name) ? "write tl." + name : llvm::Twine());
  return std::nullopt;
}

bool Arguments::shape(size_t index, llvm::SmallVectorImpl<int64_t> &sizes) const {
  const Value &value = values[index];
  llvm::ArrayRef<Value> elements(value);
  if (value.isTuple())
    elements = *value.elements;
  for (const Value &element : elements) {
    if (!element.isIntegral()) {
      fail(index, "must have constant integers for sizes, not " + element.describe(),
           element.isTensor() ? constantRemedy : "");
      return false;
    }
    if (element.integer < INT32_MIN || element.integer > INT32_MAX) {
      fail(index, "has the size " + element.repr() + ", which is out of range");
      return false;
    }
    sizes.push_back(static_cast<int64_t>(element.integer));
  }
  return true;
}

Value Arguments::tensor(size_t index) const {
  const Value &value = values[index];
  if (value.isTensor())
    return value;
  if (value.isNumber())
    return tb.toTensor(value);
  return fail(index, "must be a number or a tensor, not " + value.describe());
}

std::optional<unsigned> Arguments::axis(size_t index, unsigned rank) const {
  std::optional<int64_t> axis = integer(index);
  if (!axis)
    return std::nullopt;
  int64_t counted = *axis < 0 ? *axis + rank : *axis;
  if (counted < 0 || counted >= rank) {
    fail(index,
         "is " + llvm::Twine(*axis) + (rank == 1 ? ", but there is " : ", but there are ") +
             llvm::Twine(rank) + (rank == 1 ? " dimension" : " dimensions"),
         rank == 0   ? "a scalar has none"
         : rank == 1 ? "write 0"
                     : "write a number from 0 to " + std::to_string(rank - 1));
    return std::nullopt;
  }
  return static_cast<unsigned>(counted);
}

bool Arguments::isFunction(size_t index) const {
  if (values[index].kind == ValueKind::Function ||
      (values[index].kind == ValueKind::Builtin && values[index].builtin->flags & Combines))
    return true;
  fail(index, "must be a function with @triton.jit before it, not " + values[index].describe());
  return false;
}

Value Arguments::call(size_t index, llvm::ArrayRef<Value> operands) const {
  llvm::SmallVector<GivenArgument> given;
  for (const Value &operand : operands)
    given.push_back({{}, operand, spans[index]});
  if (values[index].kind == ValueKind::Function)
    return caller(values[index].function, given);
  Arguments inner(tb, *values[index].builtin);
  return inner.bind(given) ? inner.builtin.emit(inner) : Value();
}

bool frontend::checkTileShape(const Arguments &arguments, size_t index,
                              llvm::ArrayRef<int64_t> shape) {
  if (shape.empty()) {
    arguments.fail(index, "has no dimension");
    return false;
  }
  int64_t elements = 1;
  for (auto [dimension, size] : llvm::enumerate(shape)) {
    if (size < 1 || !llvm::isPowerOf2_64(static_cast<uint64_t>(size))) {
      std::string remedy = size < 1 ? "it is " + std::to_string(size) + ", and sizes start from 1"
                                    : "use " + std::to_string(llvm::PowerOf2Ceil(size)) +
                                          " and mask the elements past " + std::to_string(size);
      arguments.tb.failAt(arguments.spanOf(index),
                          "Shape element " + llvm::Twine(dimension) + " must be a power of 2",
                          remedy);
      return false;
    }
    if (size > tt::maxTensorElements || (elements *= size) > tt::maxTensorElements) {
      arguments.fail(index, "makes more than " + llvm::Twine(tt::maxTensorElements) + " elements",
                     "make the tile smaller");
      return false;
    }
  }
  return true;
}
