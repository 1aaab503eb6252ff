//===- Sequences.cpp - Elements of constant tuples and strings ----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/value/Sequences.h"

#include <algorithm>

using namespace tilewright;
using namespace tilewright::frontend;

Value frontend::elementsIn(TritonBuilder &tb, const Value &value, SourceSpan span) {
  if (!value)
    return {};
  Value elements = value.iterated();
  if (elements.isTuple())
    return elements;
  if (elements.isSet())
    return tb.failAt(span, "the order of the elements of a set is not known while compiling",
                     "sort them: sorted(..)");
  return tb.failAt(span, value.describe() + " cannot be looped over",
                   "loop over a range or a tuple");
}

/// The positions that an index or a slice of a sequence of `size` stands for, as in Python.
/// Nothing, after an error, if it stands for none.
std::optional<std::vector<size_t>> frontend::positionsOf(TritonBuilder &tb, const Value &sequence,
                                                         Integer size, const Value &index,
                                                         SourceSpan span) {
  bool valid = true;
  auto numberOf = [&](const Value &value) -> std::optional<Integer> {
    if (value.isIntegral())
      return value.integer;
    if (valid && !value.isNone())
      tb.failAt(span, "the index of a tuple or string must be a constant integer, not " +
                          value.describe());
    valid &= value.isNone();
    return std::nullopt;
  };
  if (!index.isSlice()) {
    std::optional<Integer> at = numberOf(index);
    if (!at) {
      if (valid)
        tb.failAt(span, sequence.describe() + " cannot be indexed with None");
      return std::nullopt;
    }
    Integer counted = *at < 0 ? *at + size : *at;
    if (counted < 0 || counted >= size) {
      tb.failAt(span,
                "the index " + Value::ofInteger(*at).repr() + " is outside of " +
                    sequence.describe(),
                size == 0 ? "it has no elements"
                          : "its elements are 0 to " + Value::ofInteger(size - 1).repr());
      return std::nullopt;
    }
    return std::vector<size_t>{static_cast<size_t>(counted)};
  }
  const std::vector<Value> &parts = *index.elements;
  std::optional<Integer> lower = numberOf(parts[0]), upper = numberOf(parts[1]);
  Integer step = numberOf(parts[2]).value_or(1);
  if (!valid)
    return std::nullopt;
  if (step == 0) {
    tb.failAt(span, "the step of a slice is zero");
    return std::nullopt;
  }
  // Backwards, the ends are one further down.
  Integer least = step > 0 ? 0 : -1, greatest = step > 0 ? size : size - 1;
  auto clamped = [&](std::optional<Integer> bound, Integer otherwise) {
    if (!bound)
      return otherwise;
    return std::clamp(*bound < 0 ? *bound + size : *bound, least, greatest);
  };
  Integer from = clamped(lower, step > 0 ? least : greatest);
  Integer to = clamped(upper, step > 0 ? greatest : least);
  std::vector<size_t> positions;
  for (Integer at = from; step > 0 ? at < to : at > to; at += step)
    positions.push_back(static_cast<size_t>(at));
  return positions;
}

Value frontend::subscriptTuple(TritonBuilder &tb, const Value &tuple, const Value &index,
                               SourceSpan span) {
  auto positions =
      positionsOf(tb, tuple, static_cast<Integer>(tuple.elements->size()), index, span);
  if (!positions)
    return {};
  if (!index.isSlice())
    return (*tuple.elements)[positions->front()];
  std::vector<Value> elements;
  for (size_t at : *positions)
    elements.push_back((*tuple.elements)[at]);
  return tuple.isList ? Value::list(std::move(elements)) : Value::tuple(std::move(elements));
}

Value frontend::subscriptString(TritonBuilder &tb, const Value &string, const Value &index,
                                SourceSpan span) {
  if (!string.isAsciiString())
    return tb.failAt(span, "only strings of ASCII characters can be indexed while compiling",
                     "write the part that is meant");
  auto positions = positionsOf(tb, string, static_cast<Integer>(string.text.size()), index, span);
  if (!positions)
    return {};
  std::string text;
  for (size_t at : *positions)
    text += string.text[at];
  return tb.makeString(text);
}
