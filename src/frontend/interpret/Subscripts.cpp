//===- Subscripts.cpp - Evaluation of subscripts ------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/interpret/Interpreter.h"

#include "frontend/value/Sequences.h"

using namespace tilewright;
using namespace tilewright::frontend;

Value Interpreter::evaluateSlice(const SliceExpr *slice) {
  Value parts[3];
  const Expr *const exprs[3] = {slice->lower, slice->upper, slice->step};
  for (size_t i = 0; i < 3; ++i)
    if (!(parts[i] = exprs[i] ? evaluate(exprs[i]) : Value::none()))
      return {};
  return Value::slice(parts[0], parts[1], parts[2]);
}

/// Whether a slice has no bounds: `:`.
static bool isWhole(const Value &slice) {
  return slice.isSlice() &&
         llvm::all_of(*slice.elements, [](const Value &part) { return part.isNone(); });
}

Value Interpreter::evaluateSubscript(const SubscriptExpr *expr) {
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
    return value.isTuple() ? subscriptTuple(tb, value, index, spanOf(expr->slice))
                           : subscriptString(tb, value, index, spanOf(expr->slice));
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
Value Interpreter::subscriptTensor(const SubscriptExpr *expr, Value value) {
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
