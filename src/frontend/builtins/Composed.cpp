//===- Composed.cpp - Builtins composed of other builtins ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/builtins/Combine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace tilewright;
using namespace tilewright::frontend;
namespace math = mlir::math;

/// e to the power of x, of fp32 or fp64.
static Value exponential(TritonBuilder &tb, const Value &x) {
  return x ? Value::tensor(tb.builder.createOrFold<math::ExpOp>(tb.loc(), x.ssa), x.type) : Value();
}

static Value sigmoid(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  Value x = arguments.tensor(0);
  if (x && !x.type.is(ScalarKind::FP32) && !x.type.is(ScalarKind::FP64))
    return arguments.fail(0, "must be fp32 or fp64, not " + x.type.str(),
                          "convert it with .to(tl.float32)");
  Value power = exponential(tb, tb.unary(UnaryOperator::USub, x));
  Value sum = tb.binary(BinaryOperator::Add, Value::ofInteger(1), power);
  return tb.binary(BinaryOperator::Div, Value::ofInteger(1), sum);
}

/// x, dim, keep_dims, ieee_rounding: exp(x - max) / sum(exp(x - max)) along a dimension, the
/// first one if it is left out.
static Value softmax(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  Value x = arguments[0];
  if (!x.isBlock() || !x.type.isFloat())
    return arguments.fail(0, "must be a tensor of floats, not " + x.describe(),
                          x.isBlock() ? "convert it with .to(tl.float32)" : "");
  std::optional<unsigned> axis = 0;
  if (!arguments[1].isNone())
    axis = arguments.axis(1, static_cast<unsigned>(x.shape().size()));
  std::optional<bool> keepDims = arguments.flag(2, false), ieee = arguments.flag(3, false);
  if (!axis || !keepDims || !ieee)
    return {};
  if (x.type.bits() < 32)
    x = tb.cast(x, {ScalarKind::FP32});
  auto along = [&](const Value &values, Combine combine) {
    Value result = emitReduce(tb, values, *axis, combine).front();
    return *keepDims ? tb.expandDims(result, *axis) : result;
  };
  auto greater = [&](llvm::ArrayRef<Value> elements) -> Values {
    return {tb.maximum(elements[0], elements[1], /*propagateNan=*/false)};
  };
  Value numerator = exponential(tb, tb.binary(BinaryOperator::Sub, x, along(x, greater)));
  if (!numerator)
    return {};
  Value denominator = along(numerator, combineBy(tb, BinaryOperator::Add));
  return tb.binary(BinaryOperator::Div, numerator, denominator);
}

/// x, div: (x + (div - 1)) // div.
static Value ceilingDivision(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  Value lessOne = tb.binary(BinaryOperator::Sub, arguments[1], Value::ofInteger(1));
  return tb.binary(BinaryOperator::FloorDiv, tb.binary(BinaryOperator::Add, arguments[0], lessOne),
                   arguments[1]);
}

/// i, j, size_i, size_j, size_g: where block (i, j) of a grid of size_i rows and size_j columns
/// goes if, in groups of size_g rows, the blocks are taken column by column. The last group may
/// have fewer rows.
static Value swizzle(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  const Value &row = arguments[0], &column = arguments[1], &rows = arguments[2],
              &columns = arguments[3], &groupRows = arguments[4];
  auto apply = [&](BinaryOperator op, const Value &a, const Value &b) {
    return tb.binary(op, a, b);
  };
  using enum BinaryOperator;
  Value span = apply(Add, apply(Mult, row, columns), column);
  Value groupSize = apply(Mult, groupRows, columns);
  Value firstRow = apply(Mult, apply(FloorDiv, span, groupSize), groupRows);
  Value height = tb.minimum(apply(Sub, rows, firstRow), groupRows, /*propagateNan=*/false);
  Value within = apply(Mod, span, groupSize);
  Value newRow = apply(Add, firstRow, apply(Mod, within, height));
  Value newColumn = apply(FloorDiv, within, height);
  return newRow && newColumn ? Value::tuple({newRow, newColumn}) : Value();
}

llvm::ArrayRef<Builtin> frontend::composedBuiltins() {
  static constexpr Builtin builtins[] = {
      {"sigmoid", "x", sigmoid, Member},
      {"softmax", "x dim? keep_dims? ieee_rounding?", softmax, Member},
      {"cdiv", "x div", ceilingDivision, Member | ConstantOnly},
      {"swizzle2d", "i j size_i size_j size_g", swizzle},
  };
  return builtins;
}

llvm::ArrayRef<Builtin> frontend::tritonBuiltins() {
  static constexpr Builtin builtins[] = {
      {"cdiv", "x y", ceilingDivision, ConstantOnly},
  };
  return builtins;
}
