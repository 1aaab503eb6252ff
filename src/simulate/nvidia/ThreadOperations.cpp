//===- ThreadOperations.cpp - What a thread computes by itself ----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Semantics from the PTX ISA, sections on shfl.sync, prmt and cvt.
//
//===--------------------------------------------------------------------------===//

#include "runtime/SmallFloat.h"
#include "simulate/WarpOperations.h"
#include "simulate/nvidia/NvidiaOperations.h"

using namespace tilewright;
using namespace tilewright::simulate;
using namespace tilewright::simulate::nvidia;

/// The lane's segment is given by the mask in bits 8-12 of c; the clamp in bits 0-4 bounds the
/// source lane within it. A lane whose source is outside gets its own value.
static uint64_t shuffle(Machine *machine, uint32_t site, uint64_t members, uint32_t mode,
                        uint32_t value, uint32_t b, uint32_t c) {
  int32_t self = static_cast<int32_t>(machine->registers.lane);
  int32_t distance = b & 31, clamp = c & 31, segment = c >> 8 & 31;
  int32_t bound = (self & segment) | (clamp & ~segment);
  int32_t source = 0;
  switch (static_cast<ShuffleMode>(mode)) {
  case ShuffleMode::Up:
    source = self - distance;
    break;
  case ShuffleMode::Down:
    source = self + distance;
    break;
  case ShuffleMode::Butterfly:
    source = self ^ distance;
    break;
  case ShuffleMode::Index:
    source = (self & segment) | (distance & ~segment);
    break;
  }
  bool inside =
      static_cast<ShuffleMode>(mode) == ShuffleMode::Up ? source >= bound : source <= bound;
  uint64_t shuffled = shuffleFrom(machine, site, members, value, inside ? source : self);
  return shuffled | uint64_t(inside) << 32;
}

/// cvt.rn.satfinite to 8 bits: what is larger than the largest number becomes that one.
template <const runtime::SmallFloatFormat &format, uint16_t largest>
static uint16_t packEightBits(float high, float low) {
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

template <const runtime::SmallFloatFormat &format> static uint32_t unpackEightBits(uint16_t codes) {
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

std::span<const RuntimeSymbol> nvidia::threadOperationSymbols() {
  static const RuntimeSymbol symbols[] = {
      {nvidia::runtime_call::shuffle, addressOf(shuffle)},
      {nvidia::runtime_call::permuteBytes, addressOf(permuteBytes)},
      {nvidia::runtime_call::packE4M3, addressOf(packEightBits<runtime::float8E4M3, 0x7e>)},
      {nvidia::runtime_call::packE5M2, addressOf(packEightBits<runtime::float8E5M2, 0x7b>)},
      {nvidia::runtime_call::unpackE4M3, addressOf(unpackEightBits<runtime::float8E4M3>)},
      {nvidia::runtime_call::unpackE5M2, addressOf(unpackEightBits<runtime::float8E5M2>)},
  };
  return symbols;
}
