//===- Arithmetic.cpp - AMD's operations within a lane ------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Approximate operations are computed exactly and rounded; where the hardware's error
// matters, run on the hardware.
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/simulate/Replacer.h"

#include <llvm/IR/IntrinsicsAMDGPU.h>

#include <numbers>

using namespace tilewright;
using namespace tilewright::simulate;
using namespace tilewright::simulate::amd;
using llvm::Value;
namespace Intrinsic = llvm::Intrinsic;

/// x - floor(x), which rounding must not make 1.
Value *Replacer::fractionOf(Value *value) {
  llvm::Type *type = value->getType();
  llvm::APFloat below(type->getFltSemantics(), 1);
  below.next(/*nextDown=*/true);
  Value *fraction = builder.CreateFSub(value, intrinsic(Intrinsic::floor, {value}));
  Value *bounded = intrinsic(Intrinsic::minnum, {fraction, llvm::ConstantFP::get(type, below)});
  return builder.CreateSelect(builder.CreateFCmpUNO(fraction, fraction), fraction, bounded);
}

/// Sine and cosine take turns, of 2 pi each.
Value *Replacer::sineOfTurns(Intrinsic::ID sine) {
  llvm::Type *wide = builder.getDoubleTy();
  Value *turns = builder.CreateFPExt(operand(0), wide);
  Value *part = builder.CreateFSub(turns, intrinsic(Intrinsic::roundeven, {turns}));
  Value *angle = builder.CreateFMul(part, llvm::ConstantFP::get(wide, 2 * std::numbers::pi));
  Value *result = intrinsic(sine, {angle});
  return builder.CreateFPTrunc(result, call.getType());
}

/// The one of three numbers that is between the others; with one that is no number among them,
/// the smallest of the others.
Value *Replacer::median() {
  Value *a = operand(0), *b = operand(1), *c = operand(2);
  Value *low = intrinsic(Intrinsic::minnum, {a, b}), *high = intrinsic(Intrinsic::maxnum, {a, b});
  Value *middle = intrinsic(Intrinsic::maxnum, {low, intrinsic(Intrinsic::minnum, {high, c})});
  Value *least = intrinsic(Intrinsic::minnum, {low, c});
  Value *notANumber = builder.CreateOr(builder.CreateFCmpUNO(a, b), builder.CreateFCmpUNO(c, c));
  return builder.CreateSelect(notANumber, least, middle);
}

Value *Replacer::arithmetic(Intrinsic::ID id) {
  llvm::Type *type = call.getType();
  auto reciprocal = [&](Value *value) {
    return builder.CreateFDiv(llvm::ConstantFP::get(type, 1), value);
  };
  // Significand and exponent; the exponent of what has none is 0.
  auto frexp = [&](unsigned part) {
    Value *x = operand(0);
    llvm::Type *exponentType = part == 1 ? type : builder.getInt32Ty();
    Value *pair = builder.CreateIntrinsic(Intrinsic::frexp, {x->getType(), exponentType}, {x});
    Value *finite = builder.createIsFPClass(x, llvm::fcFinite);
    return part == 1 ? builder.CreateSelect(finite, builder.CreateExtractValue(pair, 1),
                                            llvm::Constant::getNullValue(type))
                     : builder.CreateSelect(finite, builder.CreateExtractValue(pair, 0), x);
  };
  // Zero times anything is zero.
  auto legacyProduct = [&] {
    Value *zero = llvm::ConstantFP::get(type, 0);
    Value *none = builder.CreateOr(builder.CreateFCmpOEQ(operand(0), zero),
                                   builder.CreateFCmpOEQ(operand(1), zero));
    return std::pair(none, zero);
  };
  switch (id) {
  case Intrinsic::amdgcn_exp2:
    return intrinsic(Intrinsic::exp2, {operand(0)});
  case Intrinsic::amdgcn_log:
    return intrinsic(Intrinsic::log2, {operand(0)});
  case Intrinsic::amdgcn_sqrt:
    return intrinsic(Intrinsic::sqrt, {operand(0)});
  case Intrinsic::amdgcn_tanh:
    return intrinsic(Intrinsic::tanh, {operand(0)});
  case Intrinsic::amdgcn_rcp:
    return reciprocal(operand(0));
  case Intrinsic::amdgcn_rsq:
    return reciprocal(intrinsic(Intrinsic::sqrt, {operand(0)}));
  case Intrinsic::amdgcn_sin:
    return sineOfTurns(Intrinsic::sin);
  case Intrinsic::amdgcn_cos:
    return sineOfTurns(Intrinsic::cos);
  case Intrinsic::amdgcn_fract:
    return fractionOf(operand(0));
  case Intrinsic::amdgcn_fdiv_fast:
    return builder.CreateFDiv(operand(0), operand(1));
  case Intrinsic::amdgcn_fmed3:
    return median();
  case Intrinsic::amdgcn_frexp_mant:
    return frexp(0);
  case Intrinsic::amdgcn_frexp_exp:
    return frexp(1);
  case Intrinsic::amdgcn_fmul_legacy: {
    auto [none, zero] = legacyProduct();
    return builder.CreateSelect(none, zero, builder.CreateFMul(operand(0), operand(1)));
  }
  case Intrinsic::amdgcn_fma_legacy: {
    auto [none, zero] = legacyProduct();
    return builder.CreateSelect(none, operand(2),
                                intrinsic(Intrinsic::fma, {operand(0), operand(1), operand(2)}));
  }
  case Intrinsic::amdgcn_mul_i24:
  case Intrinsic::amdgcn_mul_u24: {
    bool isSigned = id == Intrinsic::amdgcn_mul_i24;
    auto extended = [&](Value *value) {
      Value *narrow = builder.CreateTrunc(value, builder.getIntNTy(24));
      return isSigned ? builder.CreateSExt(narrow, type) : builder.CreateZExt(narrow, type);
    };
    return builder.CreateMul(extended(operand(0)), extended(operand(1)));
  }
  default:
    return unknown;
  }
}

Value *Replacer::bytesOf(unsigned index, bool isSigned) {
  auto *bytes = llvm::FixedVectorType::get(builder.getInt8Ty(), 4);
  auto *words = llvm::FixedVectorType::get(builder.getInt64Ty(), 4);
  Value *packed = builder.CreateBitCast(operand(index), bytes);
  return isSigned ? builder.CreateSExt(packed, words) : builder.CreateZExt(packed, words);
}

Value *Replacer::dotProduct(Intrinsic::ID id) {
  // Integers: four products and `added`; clamped to what i32 has, or wrapped.
  auto ofBytes = [&](Value *a, Value *b, Value *added, bool isSigned, bool clamps) {
    llvm::Type *wide = builder.getInt64Ty();
    Value *sum = builder.CreateAddReduce(builder.CreateMul(a, b));
    sum = builder.CreateAdd(sum, isSigned ? builder.CreateSExt(added, wide)
                                          : builder.CreateZExt(added, wide));
    if (clamps && isSigned) {
      sum = intrinsic(Intrinsic::smin, {sum, builder.getInt64(INT32_MAX)});
      sum = intrinsic(Intrinsic::smax, {sum, builder.getInt64(INT32_MIN)});
    } else if (clamps) {
      sum = intrinsic(Intrinsic::umin, {sum, builder.getInt64(UINT32_MAX)});
    }
    return builder.CreateTrunc(sum, builder.getInt32Ty());
  };
  switch (id) {
  case Intrinsic::amdgcn_sdot4:
    return ofBytes(bytesOf(0, true), bytesOf(1, true), operand(2), true, *constantOperand(3));
  case Intrinsic::amdgcn_udot4:
    return ofBytes(bytesOf(0, false), bytesOf(1, false), operand(2), false, *constantOperand(3));
  case Intrinsic::amdgcn_sudot4: {
    bool signedA = *constantOperand(0), signedB = *constantOperand(2);
    return ofBytes(bytesOf(1, signedA), bytesOf(3, signedB), operand(4), true, *constantOperand(5));
  }
  case Intrinsic::amdgcn_fdot2:
  case Intrinsic::amdgcn_fdot2_f32_bf16: {
    // The products are exact in f32.
    if (*constantOperand(3))
      return unknown;
    auto *pair = llvm::FixedVectorType::get(builder.getFloatTy(), 2);
    Value *a = builder.CreateFPExt(operand(0), pair), *b = builder.CreateFPExt(operand(1), pair);
    Value *sum = operand(2);
    for (uint64_t i = 0; i < 2; ++i)
      sum = intrinsic(Intrinsic::fma, {builder.CreateExtractElement(a, i),
                                       builder.CreateExtractElement(b, i), sum});
    return sum;
  }
  default:
    return unknown;
  }
}
