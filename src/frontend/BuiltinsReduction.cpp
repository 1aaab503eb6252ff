//===- BuiltinsReduction.cpp - Sums and extrema along an axis -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/Builtins.h"

#include "ir/tt/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

#include <numeric>

using namespace tilewright;
using namespace tilewright::frontend;

static int64_t elementsOf(llvm::ArrayRef<int64_t> shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<>());
}

/// Combines two elements into one.
using Combine = Value (*)(Emitter &emitter, const Value &left, const Value &right);

static Value reduceAlong(Emitter &emitter, const Value &input, unsigned axis, Combine combine) {
  auto op = tt::ReduceOp::create(emitter.builder, emitter.loc(), mlir::ValueRange{input.ssa},
                                 static_cast<int>(axis));
  mlir::OpBuilder::InsertionGuard guard(emitter.builder);
  mlir::Type element = input.type.toMLIR(emitter.builder.getContext());
  mlir::Block *block = emitter.builder.createBlock(&op.getCombineOp(), {}, {element, element},
                                                   {emitter.loc(), emitter.loc()});
  Value combined = combine(emitter, Value::tensor(block->getArgument(0), input.type),
                           Value::tensor(block->getArgument(1), input.type));
  if (!combined)
    return {};
  tt::ReduceReturnOp::create(emitter.builder, emitter.loc(), mlir::ValueRange{combined.ssa});
  return Value::tensor(op.getResult()[0], input.type);
}

/// input, axis, keep_dims at the given indices; axis None reduces all dimensions.
static Value reduce(Arguments &arguments, const Value &input, size_t axisIndex,
                    size_t keepDimsIndex, Combine combine) {
  Emitter &emitter = arguments.emitter;
  std::optional<bool> keepDims = arguments.flag(keepDimsIndex, false);
  if (!input || !keepDims)
    return {};
  if (!input.isBlock())
    return arguments.fail(0, "must be a tensor, not " + input.describe());
  auto rank = static_cast<unsigned>(input.shape().size());
  if (arguments[axisIndex].isNone()) {
    int64_t elements = elementsOf(input.shape());
    // The order of the elements does not matter to these reductions.
    Value result =
        reduceAlong(emitter, emitter.reshape(input, {elements}, /*mayReorder=*/true), 0, combine);
    for (unsigned i = 0; *keepDims && result && i < rank; ++i)
      result = emitter.expandDims(result, 0);
    return result;
  }
  std::optional<unsigned> axis = arguments.axis(axisIndex, rank);
  if (!axis)
    return {};
  Value result = reduceAlong(emitter, input, *axis, combine);
  return result && *keepDims ? emitter.expandDims(result, *axis) : result;
}

static Value sum(Arguments &arguments) {
  Emitter &emitter = arguments.emitter;
  Value input = arguments.tensor(0);
  if (!input)
    return {};
  if (input.type.isPointer())
    return arguments.fail(0, "is a tensor of pointers, which have no sum");
  if (!arguments[3].isNone()) {
    std::optional<DType> type = arguments.type(3);
    input = type ? emitter.cast(input, *type) : Value();
  } else if (input.type.isInteger() && input.type.bits() < 32) {
    // Narrow integers are summed in 32 bits.
    input = emitter.cast(input, {input.type.isUnsigned() ? ScalarKind::UInt32 : ScalarKind::Int32});
  }
  return reduce(arguments, input, 1, 2, [](Emitter &emitter, const Value &a, const Value &b) {
    return emitter.binary(BinaryOperator::Add, a, b);
  });
}

/// Narrow elements are compared in 32 bits.
static Value widened(Arguments &arguments) {
  Value input = arguments.tensor(0);
  if (!input)
    return {};
  if (input.type.isPointer())
    return arguments.fail(0, "is a tensor of pointers, which have no order");
  if (input.type.bits() >= 32)
    return input;
  return arguments.emitter.cast(input,
                                {input.type.isFloat() ? ScalarKind::FP32 : ScalarKind::Int32});
}

template <bool larger> static Value extremumOf(Emitter &emitter, const Value &a, const Value &b) {
  return larger ? emitter.maximum(a, b, /*propagateNan=*/false)
                : emitter.minimum(a, b, /*propagateNan=*/false);
}

/// The extremum and its index along the axis, as a tuple. Of equal elements the first one
/// counts if `tieBreakLeft`, else any.
static Value extremumWithIndex(Arguments &arguments, size_t axisIndex, bool larger,
                               bool tieBreakLeft, bool keepDims) {
  Emitter &emitter = arguments.emitter;
  Value input = widened(arguments);
  if (!input)
    return {};
  if (!input.isBlock())
    return arguments.fail(0, "must be a tensor, not " + input.describe());
  llvm::SmallVector<int64_t> shape(input.shape());
  unsigned axis = 0;
  bool all = arguments[axisIndex].isNone();
  if (all) {
    input = emitter.reshape(input, {elementsOf(shape)}, /*mayReorder=*/false);
  } else {
    std::optional<unsigned> given = arguments.axis(axisIndex, static_cast<unsigned>(shape.size()));
    if (!given)
      return {};
    axis = *given;
  }

  // Each element's index along the axis.
  DType indexType{ScalarKind::Int32};
  auto length = static_cast<int32_t>(input.shape()[axis]);
  mlir::Type i32 = indexType.toMLIR(emitter.builder.getContext());
  Value index = Value::tensor(tt::MakeRangeOp::create(emitter.builder, emitter.loc(),
                                                      mlir::RankedTensorType::get({length}, i32), 0,
                                                      static_cast<uint32_t>(length)),
                              indexType);
  for (unsigned i = 0; i < input.shape().size(); ++i)
    if (i != axis)
      index = emitter.expandDims(index, i);
  index = emitter.broadcastTo(index, input.shape(), arguments.builtin.name);
  if (!index)
    return {};

  auto op = tt::ReduceOp::create(emitter.builder, emitter.loc(),
                                 mlir::ValueRange{input.ssa, index.ssa}, static_cast<int>(axis));
  {
    mlir::OpBuilder::InsertionGuard guard(emitter.builder);
    mlir::Type element = input.type.toMLIR(emitter.builder.getContext());
    llvm::SmallVector<mlir::Location> locations(4, emitter.loc());
    mlir::Block *block = emitter.builder.createBlock(&op.getCombineOp(), {},
                                                     {element, i32, element, i32}, locations);
    Value leftValue = Value::tensor(block->getArgument(0), input.type);
    Value leftIndex = Value::tensor(block->getArgument(1), indexType);
    Value rightValue = Value::tensor(block->getArgument(2), input.type);
    Value rightIndex = Value::tensor(block->getArgument(3), indexType);
    Value left =
        emitter.compare(larger ? CompareOperator::Gt : CompareOperator::Lt, leftValue, rightValue);
    if (tieBreakLeft) {
      Value tie = emitter.logical(BoolOperator::And,
                                  emitter.compare(CompareOperator::Eq, leftValue, rightValue),
                                  emitter.compare(CompareOperator::Lt, leftIndex, rightIndex));
      left = emitter.logical(BoolOperator::Or, left, tie);
    }
    auto choose = [&](const Value &a, const Value &b) -> mlir::Value {
      return mlir::arith::SelectOp::create(emitter.builder, emitter.loc(), left.ssa, a.ssa, b.ssa);
    };
    mlir::Value value = choose(leftValue, rightValue), place = choose(leftIndex, rightIndex);
    tt::ReduceReturnOp::create(emitter.builder, emitter.loc(), mlir::ValueRange{value, place});
  }
  Value value = Value::tensor(op.getResult()[0], input.type);
  Value place = Value::tensor(op.getResult()[1], indexType);
  for (size_t i = 0; keepDims && i < (all ? shape.size() : 1); ++i) {
    value = emitter.expandDims(value, axis);
    place = emitter.expandDims(place, axis);
  }
  return Value::tuple({value, place});
}

/// input, axis, return_indices, return_indices_tie_break_left, keep_dims.
template <bool larger> static Value extremum(Arguments &arguments) {
  std::optional<bool> indices = arguments.flag(2, false), tieBreakLeft = arguments.flag(3, true),
                      keepDims = arguments.flag(4, false);
  if (!indices || !tieBreakLeft || !keepDims)
    return {};
  if (*indices)
    return extremumWithIndex(arguments, 1, larger, *tieBreakLeft, *keepDims);
  return reduce(arguments, widened(arguments), 1, 4, extremumOf<larger>);
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
  };
  return builtins;
}
