//===- Subscripts.cpp - Code generation for subscripts ------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/codegen/CodeGen.h"

using namespace tilewright;
using namespace tilewright::frontend;

Value CodeGen::evaluateSlice(const SliceExpr *slice) {
  Value parts[3];
  const Expr *const exprs[3] = {slice->lower, slice->upper, slice->step};
  for (size_t i = 0; i < 3; ++i)
    if (!(parts[i] = exprs[i] ? evaluate(exprs[i]) : Value::none()))
      return {};
  return Value::slice(parts[0], parts[1], parts[2]);
}

/// The positions that an index or a slice of a sequence of `size` stands for, as in Python.
/// Nothing, after an error, if it stands for none.
std::optional<std::vector<size_t>> CodeGen::positionsOf(const Value &sequence, Integer size,
                                                        const Value &index, SourceSpan span) {
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

Value CodeGen::subscriptTuple(const Value &tuple, const Value &index, SourceSpan span) {
  auto positions = positionsOf(tuple, static_cast<Integer>(tuple.elements->size()), index, span);
  if (!positions)
    return {};
  if (!index.isSlice())
    return (*tuple.elements)[positions->front()];
  std::vector<Value> elements;
  for (size_t at : *positions)
    elements.push_back((*tuple.elements)[at]);
  return tuple.isList ? Value::list(std::move(elements)) : Value::tuple(std::move(elements));
}

Value CodeGen::subscriptString(const Value &string, const Value &index, SourceSpan span) {
  if (!string.isAsciiString())
    return tb.failAt(span, "only strings of ASCII characters can be indexed while compiling",
                     "write the part that is meant");
  auto positions = positionsOf(string, static_cast<Integer>(string.text.size()), index, span);
  if (!positions)
    return {};
  std::string text;
  for (size_t at : *positions)
    text += string.text[at];
  return tb.makeString(text);
}

/// Whether a slice has no bounds: `:`.
static bool isWhole(const Value &slice) {
  return slice.isSlice() &&
         llvm::all_of(*slice.elements, [](const Value &part) { return part.isNone(); });
}

Value CodeGen::evaluateSubscript(const SubscriptExpr *expr) {
  Value value = evaluate(expr->value);
  if (!value)
    return {};
  TritonBuilder::At span(tb, spanOf(expr));
  if (value.isDict()) {
    Value key = evaluate(expr->slice);
    TritonBuilder::At place(tb, spanOf(expr->slice));
    return key ? tb.lookUp(value, key) : Value();
  }
  if (value.isTuple() || value.kind == ValueKind::String) {
    Value index = evaluate(expr->slice);
    if (!index)
      return {};
    return value.isTuple() ? subscriptTuple(value, index, spanOf(expr->slice))
                           : subscriptString(value, index, spanOf(expr->slice));
  }
  if (!value.isTensor() && !value.isNumber())
    return tb.fail(value.describe() + " cannot be indexed",
                   value.isDescriptor() ? "use its method load"
                   : value.kind == ValueKind::Function
                       ? "a kernel is launched from outside; write `" + value.function->name() +
                             "(..)` to call it as a function"
                       : llvm::Twine("tuples, dicts, strings and tensors can"));
  return subscriptTensor(expr, tb.toTensor(value));
}

/// x[:, None]: every None inserts a dimension, every colon keeps one, `...` keeps all that no
/// colon names. Colons may name dimensions that there are not, as in Triton: they do nothing, but
/// what follows them must still fit, unless `x` is a scalar.
Value CodeGen::subscriptTensor(const SubscriptExpr *expr, Value value) {
  llvm::SmallVector<const Expr *> indices;
  if (const auto *tuple = expr->slice->dynAs<TupleExpr>())
    indices.append(tuple->elements.begin(), tuple->elements.end());
  else
    indices.push_back(expr->slice);
  const bool wasScalar = value && !value.isBlock();
  const Value whole = value;
  const auto rank = static_cast<unsigned>(value.shape().size());
  auto colons = static_cast<unsigned>(
      llvm::count_if(indices, [](const Expr *index) { return index->kind == ExprKind::Slice; }));
  unsigned dimension = 0, kept = 0;
  bool hasEllipsis = false;
  const Expr *extraColon = nullptr;
  auto extraColonText = [&] {
    return whole.describe() + " is indexed with too many colons: it has " +
           llvm::Twine(rank).str() + (rank == 1 ? " dimension" : " dimensions");
  };
  for (const Expr *index : indices) {
    Value given = evaluate(index);
    if (!given)
      return {};
    if (isWhole(given)) {
      if (++kept > rank && !extraColon)
        extraColon = index;
      ++dimension;
      continue;
    }
    if (given.kind == ValueKind::Ellipsis) {
      if (hasEllipsis)
        return tb.failAt(spanOf(index), "a tensor is indexed with `...` twice",
                         "write colons instead of one of them");
      hasEllipsis = true;
      dimension += rank - std::min(rank, colons);
      continue;
    }
    if (!given.isNone())
      return tb.failAt(
          spanOf(index), "unsupported tensor index: only `:`, `...` and None can stand here",
          value.type.isPointer() ? "add the index to the pointer and use tl.load"
                                 : "elements of a tensor cannot be taken out one by one; "
                                   "tl.gather takes many");
    if (extraColon && !wasScalar)
      return tb.failAt(spanOf(extraColon), extraColonText(), "write one colon for each dimension");
    auto last = static_cast<unsigned>(value.shape().size());
    value = tb.expandDims(value, std::min(dimension++, last));
  }
  if (extraColon)
    tb.warnAt(spanOf(extraColon), extraColonText() + ", and the rest does nothing",
              wasScalar ? "[None] gives a scalar a dimension"
                        : "write one colon for each dimension");
  return value;
}
