//===- BuiltinsReduction.cpp - Sums and extrema along an axis -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/Builtins.h"

#include "ir/tt/Dialect.h"

#include <numeric>

using namespace tilewright;
using namespace tilewright::frontend;

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
    int64_t elements = std::accumulate(input.shape().begin(), input.shape().end(), int64_t(1),
                                       std::multiplies<>());
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
  std::optional<bool> indices = arguments.flag(2, false);
  if (!indices)
    return {};
  if (*indices)
    return arguments.fail(2, "is not supported",
                          "leave it out, and compare with the result to find the places");
  if (input.type.bits() >= 32)
    return input;
  return arguments.emitter.cast(input,
                                {input.type.isFloat() ? ScalarKind::FP32 : ScalarKind::Int32});
}

static Value max(Arguments &arguments) {
  return reduce(arguments, widened(arguments), 1, 4,
                [](Emitter &emitter, const Value &a, const Value &b) {
                  return emitter.maximum(a, b, /*propagateNan=*/false);
                });
}

static Value min(Arguments &arguments) {
  return reduce(arguments, widened(arguments), 1, 4,
                [](Emitter &emitter, const Value &a, const Value &b) {
                  return emitter.minimum(a, b, /*propagateNan=*/false);
                });
}

llvm::ArrayRef<Builtin> frontend::reductionBuiltins() {
  static constexpr Builtin builtins[] = {
      {"sum", "input axis? keep_dims? dtype?", sum, Member},
      {"max", "input axis? return_indices? return_indices_tie_break_left? keep_dims?", max, Member},
      {"min", "input axis? return_indices? return_indices_tie_break_left? keep_dims?", min, Member},
  };
  return builtins;
}
