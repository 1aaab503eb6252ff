//===- MathOps.cpp - Lowering of mathematical functions -----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Exponentials, roots and divisions of f32 are what hardware has. All else is a formula of
// math/. Floats narrower than f32 are computed in f32.
//
//===--------------------------------------------------------------------------===//

#include "ir/tt/Dialect.h"
#include "lower/core/builder/ScalarOps.h"
#include "lower/core/types/VectorValues.h"
#include "lower/math/MathLibrary.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <numbers>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

using Results = SmallVectorImpl<Value>;

namespace {

/// `compute` on operands of at least 32 bits: narrower floats are widened, and the result
/// is rounded to their type.
Value atLeastSingle(LoweringBuilder &e, const ScalarOp &op,
                    llvm::function_ref<Value(ValueRange)> compute) {
  SmallVector<Value, 3> operands(op.operands);
  for (Value &operand : operands) {
    auto type = dyn_cast<FloatType>(getElementTypeOrSelf(operand.getType()));
    if (type && type.getWidth() < 32)
      operand =
          e.create<LLVM::FPExtOp>(withElement(operand.getType(), e.builder.getF32Type()), operand);
  }
  Value result = compute(operands);
  if (!result || result.getType() == op.type())
    return result;
  return e.create<LLVM::FPTruncOp>(op.type(), result);
}

/// The function with the name of the op.
Value emitFunctionOf(LoweringBuilder &e, const ScalarOp &op, ValueRange operands) {
  StringRef name = op.op->getName().stripDialect();
  if (name == "powf")
    name = "pow";
  else if (name == "fpowi")
    name = "powi";
  return emitFunction(e, name, operands);
}

void lowerFunction(LoweringBuilder &e, const ScalarOp &op, Results &results) {
  results.push_back(
      atLeastSingle(e, op, [&](ValueRange operands) { return emitFunctionOf(e, op, operands); }));
}

/// Hardware's function for f32, the formula for f64.
template <MathFunction function>
void lowerFast(LoweringBuilder &e, const ScalarOp &op, Results &results) {
  results.push_back(atLeastSingle(e, op, [&](ValueRange operands) {
    if (operands[0].getType().isF64())
      return emitFunctionOf(e, op, operands);
    return e.target.emitMath(e.builder, e.loc, function, operands);
  }));
}

/// e^x = 2^(x log2 e), which is what hardware has.
void lowerExp(LoweringBuilder &e, const ScalarOp &op, Results &results) {
  results.push_back(atLeastSingle(e, op, [&](ValueRange operands) {
    Value x = operands[0];
    if (x.getType().isF64())
      return emitFunctionOf(e, op, operands);
    // A power of two that the target multiplies with may go into the constant.
    Value scaled = e.create<LLVM::FMulOp>(x, e.getFloat(x.getType(), std::numbers::log2e),
                                          LLVM::FastmathFlags::reassoc);
    return e.target.emitMath(e.builder, e.loc, MathFunction::Exp2, scaled);
  }));
}

void lowerPreciseSqrt(LoweringBuilder &e, const ScalarOp &op, Results &results) {
  results.push_back(atLeastSingle(e, op, [&](ValueRange operands) -> Value {
    return e.create<LLVM::SqrtOp>(operands[0].getType(), operands[0]);
  }));
}

/// f64 has an exact square root and no other.
void lowerSqrt(LoweringBuilder &e, const ScalarOp &op, Results &results) {
  if (op.type().isF64())
    lowerPreciseSqrt(e, op, results);
  else
    lowerFast<MathFunction::Sqrt>(e, op, results);
}

/// An intrinsic of one or more operands that every back end expands.
template <typename Target>
void lowerIntrinsic(LoweringBuilder &e, const ScalarOp &op, Results &results) {
  results.push_back(e.create<Target>(op.type(), op.operands, ArrayRef<NamedAttribute>()));
}

void lowerAbsInt(LoweringBuilder &e, const ScalarOp &op, Results &results) {
  results.push_back(e.create<LLVM::AbsOp>(op.type(), op[0], /*is_int_min_poison=*/false));
}

} // namespace

void ScalarOps::addMath(MLIRContext *context) {
  auto add = [&](StringRef name, Lowering lowering) {
    table[OperationName(name, context)] = lowering;
  };
  add(math::ExpOp::getOperationName(), lowerExp);
  add(math::Exp2Op::getOperationName(), lowerFast<MathFunction::NormalExp2>);
  add(math::SqrtOp::getOperationName(), lowerSqrt);
  add(math::RsqrtOp::getOperationName(), lowerFast<MathFunction::Rsqrt>);
  for (StringRef name : {math::AcosOp::getOperationName(),  math::AcoshOp::getOperationName(),
                         math::AsinOp::getOperationName(),  math::AsinhOp::getOperationName(),
                         math::AtanOp::getOperationName(),  math::Atan2Op::getOperationName(),
                         math::AtanhOp::getOperationName(), math::CbrtOp::getOperationName(),
                         math::CosOp::getOperationName(),   math::CoshOp::getOperationName(),
                         math::ErfOp::getOperationName(),   math::ErfcOp::getOperationName(),
                         math::ExpM1Op::getOperationName(), math::FPowIOp::getOperationName(),
                         math::LogOp::getOperationName(),   math::Log10Op::getOperationName(),
                         math::Log1pOp::getOperationName(), math::Log2Op::getOperationName(),
                         math::PowFOp::getOperationName(),  math::RoundOp::getOperationName(),
                         math::SinOp::getOperationName(),   math::SinhOp::getOperationName(),
                         math::TanOp::getOperationName(),   math::TanhOp::getOperationName()})
    add(name, lowerFunction);
  add(tt::PreciseSqrtOp::getOperationName(), lowerPreciseSqrt);
  add(math::AbsFOp::getOperationName(), lowerIntrinsic<LLVM::FAbsOp>);
  add(math::AbsIOp::getOperationName(), lowerAbsInt);
  add(math::FloorOp::getOperationName(), lowerIntrinsic<LLVM::FFloorOp>);
  add(math::CeilOp::getOperationName(), lowerIntrinsic<LLVM::FCeilOp>);
  add(math::TruncOp::getOperationName(), lowerIntrinsic<LLVM::FTruncOp>);
  add(math::RoundEvenOp::getOperationName(), lowerIntrinsic<LLVM::RoundEvenOp>);
  add(math::FmaOp::getOperationName(), lowerIntrinsic<LLVM::FMAOp>);
  add(math::CopySignOp::getOperationName(), lowerIntrinsic<LLVM::CopySignOp>);
}
