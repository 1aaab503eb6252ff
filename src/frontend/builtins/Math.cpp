//===- Math.cpp - Builtins: elementwise mathematics ---------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/builtins/Builtins.h"

#include "ir/tt/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace tilewright;
using namespace tilewright::frontend;
namespace arith = mlir::arith;
namespace math = mlir::math;

/// The functions that are computed in fp32 or fp64 only.
static Value singleOrDouble(Arguments &arguments, size_t index) {
  Value x = arguments.tensor(index);
  if (x && !x.type.is(ScalarKind::FP32) && !x.type.is(ScalarKind::FP64))
    return arguments.fail(index, "must be fp32 or fp64, not " + x.type.str(),
                          "convert it with .to(tl.float32)");
  return x;
}

template <typename Op> static Value unaryMath(Arguments &arguments) {
  Value x = singleOrDouble(arguments, 0);
  if (!x)
    return {};
  TritonBuilder &tb = arguments.tb;
  return Value::tensor(tb.builder.createOrFold<Op>(tb.loc(), x.ssa), x.type);
}

static Value preciseSqrt(Arguments &arguments) {
  Value x = singleOrDouble(arguments, 0);
  if (!x)
    return {};
  TritonBuilder &tb = arguments.tb;
  return Value::tensor(tt::PreciseSqrtOp::create(tb.builder, tb.loc(), x.ssa.getType(), x.ssa),
                       x.type);
}

static Value preciseDivision(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  Value x = arguments[0], y = arguments[1];
  if (!tb.promote(x, y, "tl.div_rn", {.typedNumbers = true}))
    return {};
  if (!x.type.is(ScalarKind::FP32))
    return arguments.fail(0, "must be fp32, not " + x.type.str(),
                          "convert it with .to(tl.float32)");
  return Value::tensor(
      tt::PreciseDivFOp::create(tb.builder, tb.loc(), x.ssa.getType(), x.ssa, y.ssa), x.type);
}

static Value fastDivision(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  Value x = arguments[0], y = arguments[1];
  std::optional<bool> rounds = arguments.flag(2, false);
  if (!rounds)
    return {};
  for (size_t index : {0, 1}) {
    const Value &operand = arguments[index];
    if (!(operand.isTensor() ? operand.type.isFloat() : operand.kind == ValueKind::Float))
      return arguments.fail(index, "must be a float, not " + operand.describe(),
                            "use `//` to divide integers, or convert them with .to(tl.float32)");
  }
  // Unlike `/`, the function divides fp16 and bf16 in their own type.
  if (!tb.promote(x, y, "tl.fdiv", {.typedNumbers = true}))
    return {};
  if (x.type.isFloat8())
    return arguments.fail(0, "must be wider than 8 bits", "convert it with .to(tl.float32)");
  if (!*rounds || !x.type.is(ScalarKind::FP32))
    return Value::tensor(tb.builder.createOrFold<arith::DivFOp>(tb.loc(), x.ssa, y.ssa), x.type);
  return Value::tensor(
      tt::PreciseDivFOp::create(tb.builder, tb.loc(), x.ssa.getType(), x.ssa, y.ssa), x.type);
}

/// The absolute values of 8-bit floats: their bits without the sign.
static Value absoluteOfBits(TritonBuilder &tb, const Value &x) {
  Value bits = tb.bitcast(x, {ScalarKind::Int8});
  Value magnitude = tb.binary(BinaryOperator::BitAnd, bits, Value::ofInteger(0x7f));
  return magnitude ? tb.bitcast(magnitude, x.type) : Value();
}

static Value absolute(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  const Value &given = arguments[0];
  if (given.isNumber()) {
    bool negative = given.kind == ValueKind::Float ? std::signbit(given.number) : given.integer < 0;
    return negative ? tb.foldUnary(UnaryOperator::USub, given) : given;
  }
  Value x = arguments.tensor(0);
  if (!x || x.type.isUnsigned() || x.type.isBool())
    return x;
  // The only NaN of these two has the bits that are -0 in other types, and would become 0.
  const bool hasNanForMinusZero = x.type.is(ScalarKind::FP8E4B8) || x.type.is(ScalarKind::FP8E5B16);
  if (x.type.isPointer() || hasNanForMinusZero)
    return arguments.fail(0, "has no absolute value: it is " + x.describe(),
                          hasNanForMinusZero ? "convert it with .to(tl.float16)" : "");
  if (x.type.isFloat8())
    return absoluteOfBits(tb, x);
  return Value::tensor(x.type.isFloat() ? tb.builder.createOrFold<math::AbsFOp>(tb.loc(), x.ssa)
                                        : tb.builder.createOrFold<math::AbsIOp>(tb.loc(), x.ssa),
                       x.type);
}

/// Three operands in one type and shape.
static bool promoteThree(TritonBuilder &tb, Value &a, Value &b, Value &c, llvm::StringRef what) {
  constexpr TritonBuilder::Promotion rules = {.typedNumbers = true};
  // The third operand may change the first two once more.
  return tb.promote(a, b, what, rules) && tb.promote(c, a, what, rules) &&
         tb.promote(c, b, what, rules) && tb.promote(a, b, what, rules);
}

static Value fusedMultiplyAdd(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  Value x = arguments[0], y = arguments[1], z = arguments[2];
  if (!promoteThree(tb, x, y, z, "tl.fma"))
    return {};
  if (!x.type.isFloat() || x.type.isFloat8())
    return arguments.fail(0, "must be a float, not " + x.type.str(),
                          "write x * y + z for integers");
  return Value::tensor(tb.builder.createOrFold<math::FmaOp>(tb.loc(), x.ssa, y.ssa, z.ssa), x.type);
}

/// tl.PropagateNan.ALL and NONE evaluate to True and False.
static std::optional<bool> propagatesNan(const Arguments &arguments, size_t index) {
  return arguments.flag(index, false);
}

static Value minimum(Arguments &arguments) {
  std::optional<bool> nan = propagatesNan(arguments, 2);
  return nan ? arguments.tb.minimum(arguments[0], arguments[1], *nan) : Value();
}

static Value maximum(Arguments &arguments) {
  std::optional<bool> nan = propagatesNan(arguments, 2);
  return nan ? arguments.tb.maximum(arguments[0], arguments[1], *nan) : Value();
}

static Value clamp(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  std::optional<bool> nan = propagatesNan(arguments, 3);
  if (!nan)
    return {};
  Value x = tb.bfloat16AsSingle(arguments[0]), least = tb.bfloat16AsSingle(arguments[1]),
        greatest = tb.bfloat16AsSingle(arguments[2]);
  if (!promoteThree(tb, least, greatest, x, "tl.clamp"))
    return {};
  if (!x.type.isFloat())
    return tb.minimum(tb.maximum(x, least, false), greatest, false);
  if (x.type.isFloat8())
    return arguments.fail(0, "must be wider than 8 bits", "convert it with .to(tl.float32)");
  return Value::tensor(tt::ClampFOp::create(tb.builder, tb.loc(), x.ssa.getType(), x.ssa, least.ssa,
                                            greatest.ssa,
                                            *nan ? tt::PropagateNan::ALL : tt::PropagateNan::NONE),
                       x.type);
}

static Value where(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  if (arguments[0].isTensor() && arguments[0].type.bits() != 1)
    tb.warnAt(arguments.spanOf(0),
              "tl.where with a non-boolean condition, " + arguments[0].describe() +
                  ": 0 counts as False, all else as True; Triton is going to refuse it",
              "compare it, as in `condition != 0`");
  Value condition = tb.toBool(arguments[0]);
  Value x = arguments[1], y = arguments[2];
  // As in Triton, one number takes the type of the other operand here.
  const bool twoNumbers = x.isNumber() && y.isNumber();
  if (!condition ||
      !tb.promote(x, y, "tl.where",
                  {.leftPointer = true, .rightPointer = true, .typedNumbers = twoNumbers}))
    return {};
  if (x.type.isPointer() != y.type.isPointer())
    return tb.fail("tl.where cannot choose between " + x.describe() + " and " + y.describe());
  if (condition.isBlock()) {
    // A tensor of conditions gives a tensor; a scalar condition stays a scalar.
    if (!tb.broadcast(condition, x, "tl.where") || !tb.broadcast(x, y, "tl.where") ||
        !tb.broadcast(condition, x, "tl.where"))
      return {};
  }
  return Value::tensor(
      tb.builder.createOrFold<arith::SelectOp>(tb.loc(), condition.ssa, x.ssa, y.ssa), x.type);
}

static Value highMultiply(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  Value x = arguments[0], y = arguments[1];
  if (!tb.promote(x, y, "tl.umulhi", {.typedNumbers = true}))
    return {};
  if (!x.type.isInteger() || x.type.bits() < 32)
    return arguments.fail(0, "must be an integer of 32 or 64 bits, not " + x.type.str());
  return Value::tensor(tt::MulhiUIOp::create(tb.builder, tb.loc(), x.ssa.getType(), x.ssa, y.ssa),
                       x.type);
}

llvm::ArrayRef<Builtin> frontend::mathBuiltins() {
  static constexpr Builtin builtins[] = {
      {"exp", "x", unaryMath<math::ExpOp>, Member},
      {"exp2", "x", unaryMath<math::Exp2Op>, Member},
      {"log", "x", unaryMath<math::LogOp>, Member},
      {"log2", "x", unaryMath<math::Log2Op>, Member},
      {"sqrt", "x", unaryMath<math::SqrtOp>, Member},
      {"sqrt_rn", "x", preciseSqrt, Member},
      {"rsqrt", "x", unaryMath<math::RsqrtOp>, Member},
      {"sin", "x", unaryMath<math::SinOp>, Member},
      {"cos", "x", unaryMath<math::CosOp>, Member},
      {"erf", "x", unaryMath<math::ErfOp>, Member},
      {"floor", "x", unaryMath<math::FloorOp>, Member},
      {"ceil", "x", unaryMath<math::CeilOp>, Member},
      {"abs", "x", absolute, Member},
      {"fdiv", "x y ieee_rounding?", fastDivision},
      {"div_rn", "x y", preciseDivision},
      {"umulhi", "x y", highMultiply},
      {"fma", "x y z", fusedMultiplyAdd},
      {"minimum", "x y propagate_nan?", minimum},
      {"maximum", "x y propagate_nan?", maximum},
      {"clamp", "x min max propagate_nan?", clamp},
      {"where", "condition x y", where},
  };
  return builtins;
}
