//===- MathOps.cpp - Functions of floating-point numbers ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Exponentials and logarithms go through base 2, which is what hardware has. Floats
// narrower than f32 are computed in f32; f64 has only what LLVM expands exactly.
//
//===--------------------------------------------------------------------------===//

#include "ir/tt/Dialect.h"
#include "lower/common/ScalarOps.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <numbers>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

using Results = SmallVectorImpl<Value>;

namespace {

/// The function of f32 `compute`, on an operand of up to 32 bits. Null for wider ones.
Value inSinglePrecision(Emitter &e, Value x, llvm::function_ref<Value(Value)> compute) {
  Type type = x.getType(), f32 = e.builder.getF32Type();
  if (type == f32)
    return compute(x);
  if (type.getIntOrFloatBitWidth() > 32)
    return {};
  Value result = compute(e.create<LLVM::FPExtOp>(f32, x));
  return result ? Value(e.create<LLVM::FPTruncOp>(type, result)) : Value();
}

Value scale(Emitter &e, Value x, double factor) {
  return e.create<LLVM::FMulOp>(x.getType(), x, e.getFloat(x.getType(), factor));
}

template <MathFunction function> void lowerFast(Emitter &e, const ScalarOp &op, Results &results) {
  results.push_back(inSinglePrecision(
      e, op[0], [&](Value x) { return e.target.emitMath(e.builder, e.loc, function, x); }));
}

/// e^x = 2^(x log2 e).
void lowerExp(Emitter &e, const ScalarOp &op, Results &results) {
  results.push_back(inSinglePrecision(e, op[0], [&](Value x) {
    return e.target.emitMath(e.builder, e.loc, MathFunction::Exp2,
                             scale(e, x, std::numbers::log2e));
  }));
}

/// ln x = log2 x * ln 2.
void lowerLog(Emitter &e, const ScalarOp &op, Results &results) {
  results.push_back(inSinglePrecision(e, op[0], [&](Value x) {
    Value log2 = e.target.emitMath(e.builder, e.loc, MathFunction::Log2, x);
    return log2 ? scale(e, log2, std::numbers::ln2) : Value();
  }));
}

/// f64 has an exact square root and no other.
void lowerSqrt(Emitter &e, const ScalarOp &op, Results &results) {
  if (op.type().isF64())
    results.push_back(e.create<LLVM::SqrtOp>(op.type(), op[0]));
  else
    lowerFast<MathFunction::Sqrt>(e, op, results);
}

void lowerPreciseSqrt(Emitter &e, const ScalarOp &op, Results &results) {
  if (op.type().isF64())
    results.push_back(e.create<LLVM::SqrtOp>(op.type(), op[0]));
  else
    results.push_back(inSinglePrecision(
        e, op[0], [&](Value x) { return e.create<LLVM::SqrtOp>(x.getType(), x); }));
}

/// An intrinsic of one or more operands that every back end expands.
template <typename Target> void lowerIntrinsic(Emitter &e, const ScalarOp &op, Results &results) {
  results.push_back(e.create<Target>(op.type(), op.operands, ArrayRef<NamedAttribute>()));
}

void lowerAbsInt(Emitter &e, const ScalarOp &op, Results &results) {
  results.push_back(e.create<LLVM::AbsOp>(op.type(), op[0], /*is_int_min_poison=*/false));
}

} // namespace

void ScalarOps::addMath(MLIRContext *context) {
  auto add = [&](StringRef name, Lowering lowering) {
    table[OperationName(name, context)] = lowering;
  };
  add(math::ExpOp::getOperationName(), lowerExp);
  add(math::Exp2Op::getOperationName(), lowerFast<MathFunction::Exp2>);
  add(math::LogOp::getOperationName(), lowerLog);
  add(math::Log2Op::getOperationName(), lowerFast<MathFunction::Log2>);
  add(math::SqrtOp::getOperationName(), lowerSqrt);
  add(math::RsqrtOp::getOperationName(), lowerFast<MathFunction::Rsqrt>);
  add(math::SinOp::getOperationName(), lowerFast<MathFunction::Sin>);
  add(math::CosOp::getOperationName(), lowerFast<MathFunction::Cos>);
  add(math::TanhOp::getOperationName(), lowerFast<MathFunction::Tanh>);
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
