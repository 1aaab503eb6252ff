//===- WidenFloat8.cpp - 8-bit floats in 16 bits ------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// f16 has 5 bits of exponent, with bias 15, and 10 of mantissa. e5m2 is its upper half. Of e4m3,
// with bias 7, the exponent and mantissa moved to f16's are the number divided by 2^8,
// subnormal ones included; only its NaN, all of them set, would become a number.
//
//===--------------------------------------------------------------------------===//

#include "lower/common/WidenFloat8.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

bool lower::isFloat8(Type type) {
  auto floating = dyn_cast<FloatType>(type);
  return floating && floating.getWidth() == 8;
}

static Value widenE4M3(Emitter &e, Value bits) {
  Type i16 = e.builder.getI16Type(), f16 = e.builder.getF16Type();
  auto shift = [&](Value value, int64_t mask, int64_t amount) -> Value {
    Value masked = e.create<LLVM::AndOp>(value, e.getInt(i16, mask));
    return e.create<LLVM::ShlOp>(masked, e.getInt(i16, amount));
  };
  Value wide = e.create<LLVM::ZExtOp>(i16, bits);
  Value magnitude = e.create<LLVM::BitcastOp>(f16, shift(wide, 0x7f, 7));
  Value scaled = e.create<LLVM::FMulOp>(magnitude, e.getFloat(f16, 256.0));
  Value withSign = e.create<LLVM::OrOp>(e.create<LLVM::BitcastOp>(i16, scaled),
                                        shift(wide, 0x80, 8));
  Value isNan = e.create<LLVM::ICmpOp>(LLVM::ICmpPredicate::eq,
                                       e.create<LLVM::AndOp>(wide, e.getInt(i16, 0x7f)),
                                       e.getInt(i16, 0x7f));
  Value result = e.create<LLVM::SelectOp>(isNan, e.getInt(i16, 0x7e00), withSign);
  return e.create<LLVM::BitcastOp>(f16, result);
}

Value lower::widenFloat8(Emitter &e, Value bits, FloatType type) {
  Type i16 = e.builder.getI16Type();
  if (isa<Float8E4M3FNType>(type))
    return widenE4M3(e, bits);
  if (isa<Float8E5M2Type>(type)) {
    Value wide = e.create<LLVM::ZExtOp>(i16, bits);
    return e.create<LLVM::BitcastOp>(e.builder.getF16Type(),
                                     e.create<LLVM::ShlOp>(wide, e.getInt(i16, 8)));
  }
  return {};
}
