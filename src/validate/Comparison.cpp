//===- Comparison.cpp - Memory after two runs -----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "validate/Comparison.h"

#include "interpret/Codec.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::validate;
using interpret::Buffer;
using interpret::Codec;

static constexpr double infinity = std::numeric_limits<double>::infinity();

namespace {
/// The elements of a buffer.
struct Elements {
  const Buffer &buffer;
  Type type;

  size_t size() const { return buffer.bytes.size() / buffer.elementBytes; }
  uint64_t bits(size_t index) const {
    uint64_t bits = 0;
    std::memcpy(&bits, &buffer.bytes[index * buffer.elementBytes], buffer.elementBytes);
    return bits;
  }
  bool isUndefined(size_t index) const {
    const auto first =
        buffer.undefined.begin() + static_cast<ptrdiff_t>(index * buffer.elementBytes);
    return std::any_of(first, first + buffer.elementBytes, [](uint8_t flag) { return flag != 0; });
  }
};

/// Calls fn(buffer's number, type of its elements) for the memory of an input.
void forEachBuffer(const Input &input, llvm::function_ref<void(size_t, const Parameter &)> fn) {
  size_t number = 0;
  for (const Parameter &parameter : input.parameters)
    if (parameter.isMemory())
      fn(number++, parameter);
}
} // namespace

/// How far two values of a type are apart; infinite where one of them is no finite number, and for
/// integers.
static double distance(uint64_t a, uint64_t b, Type type) {
  if (a == b)
    return 0;
  if (!isa<FloatType>(type))
    return infinity;
  const Codec codec(type);
  const double x = codec.decode(a), y = codec.decode(b);
  if (x == y || (std::isnan(x) && std::isnan(y)))
    return 0;
  return std::isfinite(x) && std::isfinite(y) ? std::abs(x - y) : infinity;
}

/// The median of those that are neither zero nor infinite; 0 where there are none.
static double usualOf(const std::vector<double> &deviations) {
  std::vector<double> some;
  llvm::copy_if(deviations, std::back_inserter(some),
                [](double deviation) { return deviation != 0 && deviation != infinity; });
  if (some.empty())
    return 0;
  auto median = some.begin() + static_cast<ptrdiff_t>(some.size() / 2);
  std::nth_element(some.begin(), median, some.end());
  return *median;
}

Tolerance validate::measureTolerance(const Input &input, const Execution &plain,
                                     ArrayRef<Execution> variants) {
  Tolerance tolerance;
  forEachBuffer(input, [&](size_t number, const Parameter &parameter) {
    const Elements elements{plain.memory.buffers[number], parameter.type};
    std::vector<double> deviations(elements.size());
    for (const Execution &variant : variants) {
      const Elements others{variant.memory.buffers[number], parameter.type};
      for (size_t i = 0; i < elements.size(); ++i)
        deviations[i] =
            std::max(deviations[i], i < others.size() && !others.isUndefined(i)
                                        ? distance(elements.bits(i), others.bits(i), parameter.type)
                                        : infinity);
    }
    tolerance.usual.push_back(usualOf(deviations));
    tolerance.mayRound.push_back(
        input.contents != Contents::Small ||
        llvm::any_of(variants, [](const Execution &run) { return run.outcome.hasMoved; }) ||
        llvm::any_of(deviations, [](double deviation) { return deviation != 0; }));
    tolerance.deviations.push_back(std::move(deviations));
  });
  return tolerance;
}

static std::string numberText(double number) {
  std::string text;
  // As many digits as tell two numbers of 32 bits apart.
  llvm::raw_string_ostream(text) << llvm::format("%.9g", number);
  return text;
}

/// The value as people read it.
static std::string textOf(uint64_t bits, Type type) {
  if (isa<FloatType>(type))
    return numberText(Codec(type).decode(bits));
  return std::to_string(interpret::signExtend(bits, interpret::widthOf(type)));
}

/// One rounding of a value of a small type.
static double roundingOf(uint64_t bits, Type type) {
  const Codec codec(type);
  return std::abs(codec.decode(codec.neighbour(bits, 1)) - codec.decode(bits));
}

static bool isWithin(uint64_t before, uint64_t after, Type type, const Tolerance &tolerance,
                     size_t number, size_t index) {
  const double deviation = tolerance.deviations[number][index];
  if (before == after || deviation == infinity)
    return true;
  const double apart = distance(before, after, type);
  if (apart == 0 || apart == infinity)
    return apart == 0;
  double allowed = 4 * deviation + 8 * tolerance.usual[number];
  if (tolerance.mayRound[number] && interpret::widthOf(type) <= 16)
    allowed += roundingOf(before, type);
  return apart <= allowed;
}

/// The place of the op that stored the element last.
static std::string placeOf(const Execution &execution, const Elements &elements, size_t index) {
  const unsigned place = elements.buffer.writers[index * elements.buffer.elementBytes].place;
  return place ? validate::textOf(execution.memory.places[place - 1]) : std::string();
}

std::optional<Difference> validate::compare(const Input &input, const Execution &before,
                                            const Execution &after, const Tolerance &tolerance) {
  std::optional<Difference> found;
  forEachBuffer(input, [&](size_t number, const Parameter &parameter) {
    const Elements first{before.memory.buffers[number], parameter.type},
        second{after.memory.buffers[number], parameter.type};
    for (size_t i = 0; i < first.size() && !found; ++i) {
      if (first.isUndefined(i))
        continue;
      const bool isGone = second.isUndefined(i);
      if (!isGone && isWithin(first.bits(i), second.bits(i), parameter.type, tolerance, number, i))
        continue;
      if (isGone && tolerance.deviations[number][i] == infinity)
        continue;
      std::string place = placeOf(after, second, i);
      found = Difference{parameter.name, i, ::textOf(first.bits(i), parameter.type),
                         isGone ? "an undefined value" : ::textOf(second.bits(i), parameter.type),
                         place.empty() ? placeOf(before, first, i) : place};
    }
  });
  return found;
}
