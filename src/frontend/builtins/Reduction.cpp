//===- Reduction.cpp - Builtins: reductions along an axis ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/builtins/Combine.h"

#include "ir/tt/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

#include <numeric>

using namespace tilewright;
using namespace tilewright::frontend;

static int64_t elementsOf(llvm::ArrayRef<int64_t> shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<>());
}

/// Reduces tensors of one shape along the axis that is the argument `axisIndex`, or over all
/// dimensions if that is None.
static Values reduceAlong(Arguments &arguments, Values inputs, size_t axisIndex, bool keepDims,
                          Combine combine) {
  TritonBuilder &tb = arguments.tb;
  auto rank = static_cast<unsigned>(inputs[0].shape().size());
  bool all = arguments[axisIndex].isNone();
  std::optional<unsigned> axis = 0;
  if (all) {
    int64_t elements = elementsOf(inputs[0].shape());
    // The elements of several tensors must stay side by side; those of one may come in any order.
    bool mayReorder = inputs.size() == 1;
    for (Value &input : inputs)
      input = tb.reshape(input, {elements}, mayReorder);
  } else {
    axis = arguments.axis(axisIndex, rank);
    if (!axis)
      return {};
  }
  Values results = emitReduce(tb, inputs, *axis, combine);
  for (Value &result : results)
    for (unsigned i = 0; keepDims && i < (all ? rank : 1); ++i)
      result = tb.expandDims(result, *axis);
  return results;
}

/// A reduction of one tensor. Axis and keep_dims are arguments.
static Value reduceOne(Arguments &arguments, const Value &input, size_t axisIndex,
                       size_t keepDimsIndex, Combine combine) {
  std::optional<bool> keepDims = arguments.flag(keepDimsIndex, false);
  if (!input || !keepDims)
    return {};
  Values results = reduceAlong(arguments, {input}, axisIndex, *keepDims, combine);
  return results.empty() ? Value() : results.front();
}

/// The tensor of numbers that is reduced.
static Value reduced(Arguments &arguments) {
  const Value &input = arguments[0];
  if (!input.isBlock())
    return arguments.fail(0, "must be a tensor, not " + input.describe());
  if (input.type.isPointer())
    return arguments.fail(0, "is a tensor of pointers, which have no sum and no order");
  return input;
}

//===--------------------------------------------------------------------------===//
// Operators
//===--------------------------------------------------------------------------===//

static Value sum(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  Value input = reduced(arguments);
  std::optional<DType> type = input ? sumType(arguments, 3, input.type) : std::nullopt;
  if (!type)
    return {};
  return reduceOne(arguments, tb.cast(input, *type), 1, 2, combineBy(tb, BinaryOperator::Add));
}

/// A reduction of integers by a bitwise operator.
template <BinaryOperator op> static Value bitwise(Arguments &arguments) {
  Value input = reduced(arguments);
  if (input && !input.type.isInteger())
    return arguments.fail(0, "must have integers, not " + input.type.str(),
                          "change the type by .to(.., bitcast=True)");
  return reduceOne(arguments, input, 1, 2, combineBy(arguments.tb, op));
}

/// tl.reduce: input, axis, combine_fn, keep_dims.
static Value reduceByFunction(Arguments &arguments) {
  Values inputs = tensorsOf(arguments, 0);
  if (inputs.empty() || !arguments.isFunction(2))
    return {};
  std::optional<bool> keepDims = arguments.flag(3, false);
  if (!keepDims)
    return {};
  auto combine = [&](llvm::ArrayRef<Value> elements) {
    return combineByFunction(arguments, 2, elements);
  };
  return likeArgument(arguments[0],
                      reduceAlong(arguments, std::move(inputs), 1, *keepDims, combine));
}

//===--------------------------------------------------------------------------===//
// Extrema
//===--------------------------------------------------------------------------===//

/// Narrow elements are compared in 32 bits.
static Value widened(Arguments &arguments) {
  Value input = reduced(arguments);
  if (!input || input.type.bits() >= 32)
    return input;
  return arguments.tb.cast(input, {input.type.isFloat() ? ScalarKind::FP32 : ScalarKind::Int32});
}

/// Each element's index along the axis, as a tensor of the input's shape.
static Value indicesAlong(Arguments &arguments, llvm::ArrayRef<int64_t> shape, unsigned axis) {
  TritonBuilder &tb = arguments.tb;
  DType type{ScalarKind::Int32};
  auto range = mlir::RankedTensorType::get({shape[axis]}, type.toMLIR(tb.builder.getContext()));
  Value index = Value::tensor(
      tt::MakeRangeOp::create(tb.builder, tb.loc(), range, 0, static_cast<uint32_t>(shape[axis])),
      type);
  for (unsigned i = 0; i < shape.size(); ++i)
    if (i != axis)
      index = tb.expandDims(index, i);
  return tb.broadcastTo(index, shape, arguments.builtin.name);
}

/// Of two elements and their indices, the greater or less one and its index. Of equal elements that
/// of the lower index counts if `tieBreakLeft`, else the second.
static Values chooseExtremum(TritonBuilder &tb, llvm::ArrayRef<Value> elements, bool larger,
                             bool tieBreakLeft) {
  const Value &leftValue = elements[0], &leftIndex = elements[1];
  const Value &rightValue = elements[2], &rightIndex = elements[3];
  Value left =
      tb.compare(larger ? CompareOperator::Gt : CompareOperator::Lt, leftValue, rightValue);
  if (tieBreakLeft) {
    Value tie =
        tb.logical(BoolOperator::And, tb.compare(CompareOperator::Eq, leftValue, rightValue),
                   tb.compare(CompareOperator::Lt, leftIndex, rightIndex));
    left = tb.logical(BoolOperator::Or, left, tie);
  }
  auto choose = [&](const Value &a, const Value &b) {
    return Value::tensor(
        mlir::arith::SelectOp::create(tb.builder, tb.loc(), left.ssa, a.ssa, b.ssa), a.type);
  };
  return {choose(leftValue, rightValue), choose(leftIndex, rightIndex)};
}

/// The extremum and its index along the axis, as a tuple. Of equal elements the first one
/// counts if `tieBreakLeft`, else any.
static Value extremumWithIndex(Arguments &arguments, size_t axisIndex, bool larger,
                               bool tieBreakLeft, bool keepDims) {
  TritonBuilder &tb = arguments.tb;
  Value input = tb.bfloat16AsSingle(reduced(arguments));
  if (!input)
    return {};
  llvm::SmallVector<int64_t> shape(input.shape());
  unsigned axis = 0;
  if (arguments[axisIndex].isNone()) {
    // The index counts the elements in row-major order.
    shape = {elementsOf(shape)};
  } else {
    std::optional<unsigned> given = arguments.axis(axisIndex, static_cast<unsigned>(shape.size()));
    if (!given)
      return {};
    axis = *given;
  }
  Value indices = indicesAlong(arguments, shape, axis);
  if (!indices)
    return {};

  auto combine = [&](llvm::ArrayRef<Value> elements) {
    return chooseExtremum(tb, elements, larger, tieBreakLeft);
  };
  Values results = reduceAlong(arguments, {input, indices}, axisIndex, keepDims, combine);
  return results.empty() ? Value() : Value::tuple({results[0], results[1]});
}

/// input, axis, return_indices, return_indices_tie_break_left, keep_dims.
template <bool larger> static Value extremum(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  std::optional<bool> indices = arguments.flag(2, false), tieBreakLeft = arguments.flag(3, true),
                      keepDims = arguments.flag(4, false);
  if (!indices || !tieBreakLeft || !keepDims)
    return {};
  if (*indices)
    return extremumWithIndex(arguments, 1, larger, *tieBreakLeft, *keepDims);
  auto combine = [&](llvm::ArrayRef<Value> elements) -> Values {
    return {larger ? tb.maximum(elements[0], elements[1], /*propagateNan=*/false)
                   : tb.minimum(elements[0], elements[1], /*propagateNan=*/false)};
  };
  return reduceOne(arguments, widened(arguments), 1, 4, combine);
}

/// input, axis, tie_break_left, keep_dims.
template <bool larger> static Value indexOfExtremum(Arguments &arguments) {
  std::optional<bool> tieBreakLeft = arguments.flag(2, true), keepDims = arguments.flag(3, false);
  if (!tieBreakLeft || !keepDims)
    return {};
  Value both = extremumWithIndex(arguments, 1, larger, *tieBreakLeft, *keepDims);
  return both ? (*both.elements)[1] : Value();
}

llvm::ArrayRef<Builtin> frontend::reductionBuiltins() {
  static constexpr Builtin builtins[] = {
      {"sum", "input axis? keep_dims? dtype?", sum, Member},
      {"max", "input axis? return_indices? return_indices_tie_break_left? keep_dims?",
       extremum<true>, Member},
      {"min", "input axis? return_indices? return_indices_tie_break_left? keep_dims?",
       extremum<false>, Member},
      {"argmax", "input axis tie_break_left? keep_dims?", indexOfExtremum<true>, Member},
      {"argmin", "input axis tie_break_left? keep_dims?", indexOfExtremum<false>, Member},
      {"xor_sum", "input axis? keep_dims?", bitwise<BinaryOperator::BitXor>, Member},
      {"reduce_or", "input axis? keep_dims?", bitwise<BinaryOperator::BitOr>, Member},
      {"reduce", "input axis combine_fn keep_dims?", reduceByFunction, Member},
  };
  return builtins;
}

//===--------------------------------------------------------------------------===//
// What triton.language.standard combines elements with
//===--------------------------------------------------------------------------===//

template <BinaryOperator op> static Value combined(Arguments &arguments) {
  return arguments.tb.binary(op, arguments[0], arguments[1]);
}

template <bool larger> static Value combinedExtremum(Arguments &arguments) {
  return larger ? arguments.tb.maximum(arguments[0], arguments[1], /*propagateNan=*/false)
                : arguments.tb.minimum(arguments[0], arguments[1], /*propagateNan=*/false);
}

template <bool larger, bool tieBreakLeft> static Value combinedIndex(Arguments &arguments) {
  Values elements;
  for (size_t i = 0; i < 4; ++i) {
    elements.push_back(arguments.tensor(i));
    if (!elements.back())
      return {};
  }
  Values both = chooseExtremum(arguments.tb, elements, larger, tieBreakLeft);
  return Value::tuple({both[0], both[1]});
}

llvm::ArrayRef<Builtin> frontend::combineBuiltins() {
  static constexpr char indexed[] = "value1 index1 value2 index2";
  static constexpr Builtin builtins[] = {
      {"_sum_combine", "a b", combined<BinaryOperator::Add>, Combines},
      {"_prod_combine", "a b", combined<BinaryOperator::Mult>, Combines},
      {"_xor_combine", "a b", combined<BinaryOperator::BitXor>, Combines},
      {"_or_combine", "x y", combined<BinaryOperator::BitOr>, Combines},
      {"_elementwise_max", "a b", combinedExtremum<true>, Combines},
      {"_elementwise_min", "a b", combinedExtremum<false>, Combines},
      {"_argmax_combine_tie_break_left", indexed, combinedIndex<true, true>, Combines},
      {"_argmax_combine_tie_break_fast", indexed, combinedIndex<true, false>, Combines},
      {"_argmin_combine_tie_break_left", indexed, combinedIndex<false, true>, Combines},
      {"_argmin_combine_tie_break_fast", indexed, combinedIndex<false, false>, Combines},
  };
  return builtins;
}
