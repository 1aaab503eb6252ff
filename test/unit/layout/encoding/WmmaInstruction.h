//===- WmmaInstruction.h - A model of the WMMA instruction ----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// v_wmma on the registers of a wave, by the manuals' tables of where matrix elements lie (AMD
// RDNA3 and RDNA4 Instruction Set Architecture), which speak of lanes, VGPRs and bits. Tests
// give it what our maps put there.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TEST_UNIT_LAYOUT_ENCODING_WMMAINSTRUCTION_H
#define TILEWRIGHT_TEST_UNIT_LAYOUT_ENCODING_WMMAINSTRUCTION_H

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace tilewright::test {

/// The registers that hold one matrix: lane, then VGPR.
using Wave = std::array<std::vector<uint32_t>, 32>;

/// Elements of A and B; results are f32 for f16 and 32-bit integers for the others.
enum class WmmaType { F16, IU8, IU4 };

inline unsigned bitsOf(WmmaType type) {
  return type == WmmaType::F16 ? 16 : type == WmmaType::IU8 ? 8 : 4;
}

/// A small integer as an element's bits and back. Integers are signed.
inline uint32_t encode(WmmaType type, int value) {
  if (type == WmmaType::F16)
    return std::bit_cast<uint16_t>(static_cast<_Float16>(value));
  return static_cast<uint32_t>(value) & ((1u << bitsOf(type)) - 1);
}
inline float decode(WmmaType type, uint32_t bits) {
  if (type == WmmaType::F16)
    return static_cast<float>(std::bit_cast<_Float16>(static_cast<uint16_t>(bits)));
  int unused = 32 - static_cast<int>(bitsOf(type));
  return static_cast<float>(static_cast<int32_t>(bits << unused) >> unused);
}

/// A lane's elements, one after another from the lowest bits of VGPR 0.
inline void setElement(Wave &wave, WmmaType type, unsigned lane, unsigned element, int value) {
  unsigned bit = element * bitsOf(type);
  std::vector<uint32_t> &vgprs = wave[lane];
  if (vgprs.size() <= bit / 32)
    vgprs.resize(bit / 32 + 1, 0);
  vgprs[bit / 32] |= encode(type, value) << bit % 32;
}

class WmmaInstruction {
public:
  /// generation: 11 or 12; depth: K, 16 or (IU4 on 12) 32.
  WmmaInstruction(unsigned generation, WmmaType type, unsigned depth = 16)
      : generation(generation), type(type), depth(depth) {}

  /// VGPRs a lane for A or B.
  unsigned operandVgprs() const { return depth * bitsOf(type) / 32 / (generation == 11 ? 1 : 2); }

  /// D = A * B + C; C and D have 8 VGPRs a lane, of 32-bit elements.
  Wave operator()(const Wave &a, const Wave &b, const Wave &c) const {
    Wave d;
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned vgpr = 0; vgpr < 8; ++vgpr) {
        // C and D: a lane has one column. Generation 11: VGPR v has rows 2v (lanes 0 to 15)
        // and 2v + 1; generation 12: rows v and v + 8.
        unsigned half = lane / 16, column = lane % 16;
        unsigned row = generation == 11 ? 2 * vgpr + half : vgpr + 8 * half;
        float sum = decodeResult(c[lane][vgpr]);
        for (unsigned k = 0; k < depth; ++k)
          sum += operand(a, row, k, half) * operand(b, column, k, half);
        d[lane].push_back(encodeResult(sum));
      }
    return d;
  }

  uint32_t encodeResult(float value) const {
    return type == WmmaType::F16 ? std::bit_cast<uint32_t>(value)
                                 : static_cast<uint32_t>(static_cast<int32_t>(value));
  }
  float decodeResult(uint32_t bits) const {
    return type == WmmaType::F16 ? std::bit_cast<float>(bits)
                                 : static_cast<float>(static_cast<int32_t>(bits));
  }

private:
  /// Element k of row `index` of A or of column `index` of B. Generation 11 wants both
  /// halves of the wave to hold it: each half reads its own, so that a copy that is missing shows.
  float operand(const Wave &wave, unsigned index, unsigned k, unsigned half) const {
    unsigned lane = index, position = k;
    if (generation == 11) {
      lane += 16 * half;
    } else if (type == WmmaType::F16) {
      // 16 bits: lanes 0 to 15 have K 0 to 3 in VGPRs 0 and 1 and K 8 to 11 in VGPRs 2 and 3;
      // lanes 16 to 31 have K 4 to 7 and 12 to 15.
      lane += 16 * (k / 4 % 2);
      position = k % 4 + 4 * (k / 8);
    } else {
      // Fewer bits: lanes 16 to 31 have the upper half of K.
      lane += 16 * (k / (depth / 2));
      position = k % (depth / 2);
    }
    unsigned bit = position * bitsOf(type);
    uint32_t bits = wave[lane][bit / 32] >> bit % 32;
    return decode(type, bits & ((1u << bitsOf(type)) - 1));
  }

  unsigned generation;
  WmmaType type;
  unsigned depth;
};

} // namespace tilewright::test

#endif // TILEWRIGHT_TEST_UNIT_LAYOUT_ENCODING_WMMAINSTRUCTION_H
