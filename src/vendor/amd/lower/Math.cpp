//===- Math.cpp - f32 functions on AMD ----------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The hardware's functions of one f32 are right to about 1 unit in the last place, and take
// subnormal numbers for zeros and give zeros for them, whatever the mode says (RDNA3 Instruction
// Set Architecture, "VOP1 Instructions": V_EXP_F32, V_LOG_F32, V_RCP_F32, V_RSQ_F32, V_SQRT_F32).
// Multiplications do not. So operands and results are scaled by powers of two where need be.
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/lower/Math.h"

#include "lower/core/builder/Constants.h"
#include "vendor/amd/lower/Intrinsics.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using namespace tilewright::lower::amd;

namespace {
class Emission {
public:
  Emission(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  Value call(StringRef name, Value x) {
    return callIntrinsic(builder, loc, name, builder.getF32Type(), x);
  }

  /// 2^x as the square of 2^(x/2), which is no subnormal number where 2^x is one. The halving may
  /// become part of a multiplication before it.
  Value exp2(Value x) {
    Value half =
        LLVM::FMulOp::create(builder, loc, x, constant(0.5f), LLVM::FastmathFlags::reassoc);
    Value root = call("exp2.f32", half);
    return multiply(root, root);
  }

  /// The square root, or its reciprocal, by `name`; `back` is that of 2^-32.
  Value root(StringRef name, Value x, float back) {
    Value isSmall = compare(LLVM::FCmpPredicate::olt, x, 0x1p-126f);
    Value result = call(name, multiply(x, choose(isSmall, 0x1p32f, constant(1))));
    return multiply(result, choose(isSmall, back, constant(1)));
  }

  /// a / b = a (1 / (b s)) s. For s = 1, a reciprocal of more than 2^126 would be cut off, and one
  /// of less than 2^-126 be zero. Where s is small, so is the product, and a result that is no
  /// subnormal number has no factor that is one; neither has a large one.
  Value divide(Value a, Value b) {
    Value size = LLVM::FAbsOp::create(builder, loc, b);
    Value isLarge = compare(LLVM::FCmpPredicate::ogt, size, 0x1p96f);
    Value isSmall = compare(LLVM::FCmpPredicate::olt, size, 0x1p-96f);
    Value scale = choose(isLarge, 0x1p-32f, choose(isSmall, 0x1p32f, constant(1)));
    Value reciprocal = call("rcp.f32", multiply(b, scale));
    return multiply(multiply(a, reciprocal), scale);
  }

private:
  Value constant(float value) { return getF32(builder, loc, value); }
  Value multiply(Value a, Value b) { return LLVM::FMulOp::create(builder, loc, a, b); }
  Value compare(LLVM::FCmpPredicate predicate, Value x, float bound) {
    return LLVM::FCmpOp::create(builder, loc, predicate, x, constant(bound));
  }
  Value choose(Value condition, float value, Value otherwise) {
    return LLVM::SelectOp::create(builder, loc, condition, constant(value), otherwise);
  }

  OpBuilder &builder;
  Location loc;
};
} // namespace

Value amd::emitMath(OpBuilder &builder, Location loc, MathFunction function, ValueRange operands) {
  Emission emission(builder, loc);
  switch (function) {
  case MathFunction::Exp2:
    return emission.exp2(operands[0]);
  case MathFunction::NormalExp2:
    return emission.call("exp2.f32", operands[0]);
  case MathFunction::Sqrt:
    return emission.root("sqrt.f32", operands[0], 0x1p-16f);
  case MathFunction::Rsqrt:
    return emission.root("rsq.f32", operands[0], 0x1p16f);
  // LLVM scales the operand of the logarithm, and gives the others as turns of the circle.
  case MathFunction::Log2:
    return LLVM::Log2Op::create(builder, loc, operands[0]);
  case MathFunction::Sin:
    return LLVM::SinOp::create(builder, loc, operands[0]);
  case MathFunction::Cos:
    return LLVM::CosOp::create(builder, loc, operands[0]);
  case MathFunction::Divide:
    return emission.divide(operands[0], operands[1]);
  }
  return {};
}
