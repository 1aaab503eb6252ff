//===- Conversions.cpp - NVIDIA's 8-bit float conversions and byte permutations -===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/simulate/Replacer.h"

#include "runtime/arrays/SmallFloat.h"

using namespace tilewright;
using namespace tilewright::simulate;
using namespace tilewright::simulate::nvidia;
using llvm::Value;

namespace {
namespace symbol {
/// i32 a, i32 b, i32 selector -> i32
constexpr char permuteBytes[] = "tilewright.nvidia.permute_bytes";
// float, float -> i16, the second in the low byte; and i16 -> i32, two halves.
constexpr char packE4M3[] = "tilewright.nvidia.pack_e4m3";
constexpr char packE5M2[] = "tilewright.nvidia.pack_e5m2";
constexpr char unpackE4M3[] = "tilewright.nvidia.unpack_e4m3";
constexpr char unpackE5M2[] = "tilewright.nvidia.unpack_e5m2";
} // namespace symbol
} // namespace

/// cvt.rn.satfinite to 8 bits: what is larger than the largest number becomes that one.
template <const runtime::SmallFloatFormat &format, uint16_t largest>
static uint16_t packFloat8(float high, float low) {
  uint16_t packed = 0;
  for (float value : {high, low}) {
    uint16_t code = runtime::encode(format, value), magnitude = code & 0x7f;
    if (value != value)
      code = 0x7f;
    else if (magnitude > largest)
      code = static_cast<uint16_t>((code & 0x80) | largest);
    packed = static_cast<uint16_t>(packed << 8 | code);
  }
  return packed;
}

template <const runtime::SmallFloatFormat &format> static uint32_t unpackFloat8(uint16_t codes) {
  uint32_t halves = 0;
  for (unsigned i = 0; i < 2; ++i) {
    double value = runtime::decode(format, codes >> 8 * i & 0xff);
    halves |= uint32_t(runtime::encode(runtime::float16, value)) << 16 * i;
  }
  return halves;
}

/// prmt in its default mode: each nibble of the selector takes one of the eight bytes of
/// b:a, or, with its highest bit set, that byte's sign in all bits.
static uint32_t permuteBytes(uint32_t a, uint32_t b, uint32_t selector) {
  uint64_t bytes = uint64_t(b) << 32 | a;
  uint32_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    uint32_t nibble = selector >> 4 * i & 15;
    uint32_t byte = bytes >> 8 * (nibble & 7) & 255;
    if (nibble & 8)
      byte = byte & 128 ? 255 : 0;
    result |= byte << 8 * i;
  }
  return result;
}

std::span<const RuntimeSymbol> nvidia::conversionSymbols() {
  static const RuntimeSymbol symbols[] = {
      {symbol::permuteBytes, addressOf(permuteBytes)},
      {symbol::packE4M3, addressOf(packFloat8<runtime::float8E4M3, 0x7e>)},
      {symbol::packE5M2, addressOf(packFloat8<runtime::float8E5M2, 0x7b>)},
      {symbol::unpackE4M3, addressOf(unpackFloat8<runtime::float8E4M3>)},
      {symbol::unpackE5M2, addressOf(unpackFloat8<runtime::float8E5M2>)},
  };
  return symbols;
}

Value *Replacer::conversion(llvm::StringRef name) {
  if (name == "prmt")
    return hostCall(symbol::permuteBytes, builder.getInt32Ty(),
                    {operand(0), operand(1), operand(2)});
  // Pairs of 8-bit floats. The words that are types are not part of the name.
  auto convert = [&](const char *symbol, llvm::Type *result) {
    return builder.CreateBitCast(
        hostCall(symbol, result, llvm::SmallVector<Value *, 2>(call.args())), call.getType());
  };
  if (name == "ff.to.e4m3x2.rn")
    return convert(symbol::packE4M3, builder.getInt16Ty());
  if (name == "ff.to.e5m2x2.rn")
    return convert(symbol::packE5M2, builder.getInt16Ty());
  if (name == "e4m3x2.to.rn")
    return convert(symbol::unpackE4M3, builder.getInt32Ty());
  if (name == "e5m2x2.to.rn")
    return convert(symbol::unpackE5M2, builder.getInt32Ty());
  return unknown;
}
