//===- Float8.cpp - 8-bit float conversions by AMD instructions ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// RDNA4 Instruction Set Architecture, V_CVT_PK_FP8_F32, V_CVT_PK_BF8_F32, V_CVT_PK_F32_FP8: the
// formats are e4m3fn and e5m2. What is too large becomes infinite or a NaN unless the mode says
// otherwise, so it is cut off before.
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/lower/Float8.h"

#include "lower/core/builder/Constants.h"
#include "vendor/amd/lower/Intrinsics.h"

#include "mlir/IR/BuiltinTypes.h"

#include <limits>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using namespace tilewright::lower::amd;

/// `x` or the largest finite number nearest to it; all NaNs are one, whose sign is 0.
static Value clamp(OpBuilder &builder, Location loc, Value x, float largest) {
  Value bounded = callIntrinsic(builder, loc, "fmed3.f32", x.getType(),
                                {x, getF32(builder, loc, -largest), getF32(builder, loc, largest)});
  Value isNan = LLVM::FCmpOp::create(builder, loc, LLVM::FCmpPredicate::uno, x, x);
  Value nan = getF32(builder, loc, std::numeric_limits<float>::quiet_NaN());
  return LLVM::SelectOp::create(builder, loc, isNan, nan, bounded);
}

Value amd::emitPackedFloat8(OpBuilder &builder, Location loc, Value low, Value high, FloatType to) {
  const bool isE4M3 = isa<Float8E4M3FNType>(to);
  StringRef name = isE4M3 ? "cvt.pk.fp8.f32" : "cvt.pk.bf8.f32";
  const float largest = isE4M3 ? 448 : 57344;
  // The other half of the register, which is to stay what it was, is not looked at.
  Type i32 = builder.getI32Type();
  Value before = LLVM::PoisonOp::create(builder, loc, i32);
  Value packed =
      callIntrinsic(builder, loc, name, i32,
                    {clamp(builder, loc, low, largest), clamp(builder, loc, high, largest), before,
                     getBool(builder, loc, /*upper half=*/false)});
  return LLVM::TruncOp::create(builder, loc, builder.getI16Type(), packed);
}

Value amd::emitUnpackedFloat8(OpBuilder &builder, Location loc, Value packed) {
  Type f32 = builder.getF32Type(), i32 = builder.getI32Type();
  // The upper half is not looked at.
  Value halves = LLVM::PoisonOp::create(builder, loc, VectorType::get(2, builder.getI16Type()));
  halves = LLVM::InsertElementOp::create(builder, loc, halves, packed, getI32(builder, loc, 0));
  Value word = LLVM::BitcastOp::create(builder, loc, i32, halves);
  Value pair = callIntrinsic(builder, loc, "cvt.pk.f32.fp8", VectorType::get(2, f32),
                             {word, getBool(builder, loc, /*upper half=*/false)});
  auto element = [&](uint32_t i) {
    return LLVM::ExtractElementOp::create(builder, loc, pair, getI32(builder, loc, i));
  };
  // This rounds toward zero, but there is nothing to round.
  return callIntrinsic(builder, loc, "cvt.pkrtz", VectorType::get(2, builder.getF16Type()),
                       {element(0), element(1)});
}
