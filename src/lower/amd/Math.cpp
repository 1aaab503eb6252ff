//===- Math.cpp - Functions of f32 on AMD ---------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The hardware's functions of one f32 are right to about 1 unit in the last place, and take and
// give zeros for subnormal numbers, whatever the mode says (RDNA3 Instruction Set Architecture,
// "VOP1 Instructions": V_EXP_F32, V_LOG_F32, V_RCP_F32, V_RSQ_F32, V_SQRT_F32). So operands that
// may be subnormal are scaled by powers of two. For exponential and logarithm LLVM does that.
//
//===--------------------------------------------------------------------------===//

#include "lower/amd/Math.h"

#include "lower/amd/Intrinsics.h"

using namespace mlir;
using namespace tilewright::lower;
using namespace tilewright::lower::amd;

namespace {
class Emission {
public:
  Emission(OpBuilder &builder, Location loc)
      : builder(builder), loc(loc), f32(builder.getF32Type()), i32(builder.getI32Type()) {}

  Value call(StringRef name, Value x) { return callIntrinsic(builder, loc, name, f32, x); }

  /// `function` of a number that is not negative, where 2^-scale times its result at x * 2^(2
  /// scale) is that at x: a root, or for a negative scale of the result its reciprocal.
  Value scaled(StringRef function, Value x, int resultExponent) {
    constexpr float smallestNormal = 0x1p-126f;
    constexpr int exponent = 32;
    Value isSmall = LLVM::FCmpOp::create(builder, loc, LLVM::FCmpPredicate::olt, x,
                                         getF32(builder, loc, smallestNormal));
    Value result = call(function, shift(x, isSmall, exponent));
    return shift(result, isSmall, resultExponent);
  }

  /// a / b as the quotient of their significands, times a power of two: nothing in between is
  /// too large or too small. Zeros, infinities and NaN have themselves as their significand.
  Value divide(Value a, Value b) {
    Value reciprocal = call("rcp.f32", call("frexp.mant.f32", b));
    Value quotient = LLVM::FMulOp::create(builder, loc, call("frexp.mant.f32", a), reciprocal);
    Value exponent = LLVM::SubOp::create(builder, loc, exponentOf(a), exponentOf(b));
    return timesPowerOfTwo(quotient, exponent);
  }

private:
  Value exponentOf(Value x) { return callIntrinsic(builder, loc, "frexp.exp.i32.f32", i32, x); }

  /// x * 2^exponent where `condition`.
  Value shift(Value x, Value condition, int exponent) {
    return timesPowerOfTwo(x, LLVM::SelectOp::create(builder, loc, condition,
                                                     getI32(builder, loc, exponent),
                                                     getI32(builder, loc, 0)));
  }

  Value timesPowerOfTwo(Value x, Value exponent) {
    return LLVM::CallIntrinsicOp::create(builder, loc, f32,
                                         builder.getStringAttr("llvm.ldexp.f32.i32"),
                                         ValueRange{x, exponent})
        .getResult(0);
  }

  OpBuilder &builder;
  Location loc;
  Type f32, i32;
};
} // namespace

Value amd::emitMath(OpBuilder &builder, Location loc, MathFunction function, ValueRange operands) {
  Emission emission(builder, loc);
  switch (function) {
  case MathFunction::Exp2:
    return LLVM::Exp2Op::create(builder, loc, operands[0]);
  case MathFunction::NormalExp2:
    return emission.call("exp2.f32", operands[0]);
  case MathFunction::Log2:
    return LLVM::Log2Op::create(builder, loc, operands[0]);
  case MathFunction::Sqrt:
    return emission.scaled("sqrt.f32", operands[0], -16);
  case MathFunction::Rsqrt:
    return emission.scaled("rsq.f32", operands[0], 16);
  // The instruction takes turns of the circle; LLVM multiplies.
  case MathFunction::Sin:
    return LLVM::SinOp::create(builder, loc, operands[0]);
  case MathFunction::Cos:
    return LLVM::CosOp::create(builder, loc, operands[0]);
  case MathFunction::Divide:
    return emission.divide(operands[0], operands[1]);
  }
  return {};
}
