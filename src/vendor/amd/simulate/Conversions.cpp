//===- Conversions.cpp - AMD's byte and narrow float conversions --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The 8-bit formats are those of gfx12, which are OCP's: "fp8" is E4M3, "bf8" is E5M2. What is too
// large for them becomes not a number and infinite, as the mode register has it unless a kernel
// changes it. What is not a number becomes all ones and the sign, as in HIP's own emulation of the
// conversions.
//
//===--------------------------------------------------------------------------===//

#include "runtime/arrays/SmallFloat.h"
#include "vendor/amd/simulate/Replacer.h"

#include <llvm/IR/IntrinsicsAMDGPU.h>

#include <cmath>

using namespace tilewright;
using namespace tilewright::simulate;
using namespace tilewright::simulate::amd;
using llvm::Value;
namespace Intrinsic = llvm::Intrinsic;

namespace {
namespace symbol {
// float -> i32, the bits; and i32 -> float, of the low byte.
constexpr char toFp8[] = "tilewright.amd.to_fp8";
constexpr char toBf8[] = "tilewright.amd.to_bf8";
constexpr char fromFp8[] = "tilewright.amd.from_fp8";
constexpr char fromBf8[] = "tilewright.amd.from_bf8";
/// float -> i32: the bits of the half that is nearest toward zero.
constexpr char toHalfTowardsZero[] = "tilewright.amd.to_half_towards_zero";
/// i32 high, i32 low, i32 selector -> i32
constexpr char permuteBytes[] = "tilewright.amd.permute_bytes";
} // namespace symbol
} // namespace

template <const runtime::SmallFloatFormat &format> static uint32_t narrow(float value) {
  return std::isnan(value) ? 0x7fu | uint32_t(std::signbit(value)) << 7
                           : runtime::encode(format, value);
}
template <const runtime::SmallFloatFormat &format> static float widen(uint32_t bits) {
  return static_cast<float>(runtime::decode(format, bits & 0xff));
}

static uint32_t toHalfTowardsZero(float value) {
  uint16_t nearest = runtime::encode(runtime::float16, value);
  double rounded = runtime::decode(runtime::float16, nearest);
  // Neighbouring numbers have neighbouring codes.
  return std::fabs(rounded) > std::fabs(value) ? nearest - 1 : nearest;
}

/// v_perm_b32: each byte of the selector names a byte of high:low, or from 8 on the sign of one of
/// its 16-bit parts in all bits, or from 12 on zeros and then ones.
static uint32_t permuteBytes(uint32_t high, uint32_t low, uint32_t selector) {
  uint64_t bytes = uint64_t(high) << 32 | low;
  uint32_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    uint32_t select = selector >> 8 * i & 255, byte = 255;
    if (select < 8)
      byte = bytes >> 8 * select & 255;
    else if (select < 12)
      byte = bytes >> (16 * (select - 8) + 15) & 1 ? 255 : 0;
    else if (select == 12)
      byte = 0;
    result |= byte << 8 * i;
  }
  return result;
}

std::span<const RuntimeSymbol> amd::conversionSymbols() {
  static const RuntimeSymbol symbols[] = {
      {symbol::toFp8, addressOf(narrow<runtime::float8E4M3>)},
      {symbol::toBf8, addressOf(narrow<runtime::float8E5M2>)},
      {symbol::fromFp8, addressOf(widen<runtime::float8E4M3>)},
      {symbol::fromBf8, addressOf(widen<runtime::float8E5M2>)},
      {symbol::toHalfTowardsZero, addressOf(toHalfTowardsZero)},
      {symbol::permuteBytes, addressOf(permuteBytes)},
  };
  return symbols;
}

Value *Replacer::conversion(Intrinsic::ID id) {
  llvm::Type *i32 = builder.getInt32Ty(), *f32 = builder.getFloatTy();
  auto code = [&](const char *function, unsigned index) {
    return hostCall(function, i32, {operand(index)});
  };
  // Two floats into one half of the word `old`, of which the other may be anything.
  auto pack = [&](const char *function) {
    unsigned shift = *constantOperand(3) ? 16 : 0;
    Value *pair = builder.CreateOr(code(function, 0), builder.CreateShl(code(function, 1), 8));
    return builder.CreateOr(
        builder.CreateAnd(builder.CreateFreeze(operand(2)), ~(0xffffu << shift)),
        builder.CreateShl(pair, shift));
  };
  auto number = [&](const char *function, unsigned byte) {
    return hostCall(function, f32, {builder.CreateLShr(operand(0), 8 * byte)});
  };
  auto unpack = [&](const char *function) {
    unsigned first = *constantOperand(1) ? 2 : 0;
    Value *pair = llvm::PoisonValue::get(call.getType());
    for (unsigned i = 0; i < 2; ++i)
      pair = builder.CreateInsertElement(pair, number(function, first + i), i);
    return pair;
  };
  switch (id) {
  case Intrinsic::amdgcn_cvt_pk_fp8_f32:
    return pack(symbol::toFp8);
  case Intrinsic::amdgcn_cvt_pk_bf8_f32:
    return pack(symbol::toBf8);
  case Intrinsic::amdgcn_cvt_f32_fp8:
    return number(symbol::fromFp8, *constantOperand(1));
  case Intrinsic::amdgcn_cvt_f32_bf8:
    return number(symbol::fromBf8, *constantOperand(1));
  case Intrinsic::amdgcn_cvt_pk_f32_fp8:
    return unpack(symbol::fromFp8);
  case Intrinsic::amdgcn_cvt_pk_f32_bf8:
    return unpack(symbol::fromBf8);
  case Intrinsic::amdgcn_perm:
    return hostCall(symbol::permuteBytes, i32, {operand(0), operand(1), operand(2)});
  case Intrinsic::amdgcn_cvt_pkrtz: {
    Value *high = builder.CreateShl(code(symbol::toHalfTowardsZero, 1), 16);
    return builder.CreateBitCast(builder.CreateOr(code(symbol::toHalfTowardsZero, 0), high),
                                 call.getType());
  }
  default:
    return unknown;
  }
}
