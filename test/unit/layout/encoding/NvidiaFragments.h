//===- NvidiaFragments.h - Fragments of mma.sync and wgmma, by their formulas -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Which element of its matrix each value of each lane is, as PTX ISA's figures say: by
// division and remainder, as a reference for the maps.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TEST_UNIT_LAYOUT_ENCODING_NVIDIAFRAGMENTS_H
#define TILEWRIGHT_TEST_UNIT_LAYOUT_ENCODING_NVIDIAFRAGMENTS_H

#include <array>
#include <vector>

namespace tilewright::layout::nvidia {

/// Row and column of the operand or the result that value `v` of lane `t` is. B is given as
/// (n, k).
using Place = std::array<unsigned, 2>;
using Fragment = Place (*)(unsigned t, unsigned v);

/// One instruction: its size, the fragments' values a lane, and where they lie.
struct Atom {
  const char *name;
  unsigned m, n, k;
  /// Elements in 32 bits, or 1.
  unsigned kWidth;
  unsigned aValues, bValues, cValues;
  Fragment a, b, c;
};

inline Place accumulator16x8(unsigned t, unsigned v) {
  return {t / 4 + 8 * (v >> 1), 2 * (t % 4) + (v & 1)};
}

inline const Atom M16N8K16F16 = {
    "m16n8k16 f16",
    16,
    8,
    16,
    2,
    8,
    4,
    4,
    [](unsigned t, unsigned v) -> Place {
      return {t / 4 + 8 * ((v >> 1) & 1), 2 * (t % 4) + (v & 1) + 8 * (v >> 2)};
    },
    [](unsigned t, unsigned v) -> Place { return {t / 4, 2 * (t % 4) + (v & 1) + 8 * (v >> 1)}; },
    accumulator16x8};

inline const Atom M16N8K8F16 = {
    "m16n8k8 f16",
    16,
    8,
    8,
    2,
    4,
    2,
    4,
    [](unsigned t, unsigned v) -> Place { return {t / 4 + 8 * (v >> 1), 2 * (t % 4) + (v & 1)}; },
    [](unsigned t, unsigned v) -> Place { return {t / 4, 2 * (t % 4) + v}; },
    accumulator16x8};

inline const Atom M16N8K8TF32 = {
    "m16n8k8 tf32",
    16,
    8,
    8,
    1,
    4,
    2,
    4,
    [](unsigned t, unsigned v) -> Place { return {t / 4 + 8 * (v & 1), t % 4 + 4 * (v >> 1)}; },
    [](unsigned t, unsigned v) -> Place { return {t / 4, t % 4 + 4 * v}; },
    accumulator16x8};

inline const Atom M16N8K32I8 = {
    "m16n8k32 i8",
    16,
    8,
    32,
    4,
    16,
    8,
    4,
    [](unsigned t, unsigned v) -> Place {
      return {t / 4 + 8 * ((v >> 2) & 1), 4 * (t % 4) + (v & 3) + 16 * (v >> 3)};
    },
    [](unsigned t, unsigned v) -> Place { return {t / 4, 4 * (t % 4) + (v & 3) + 16 * (v >> 2)}; },
    accumulator16x8};

inline const Atom M8N8K4F64 = {
    "m8n8k4 f64",
    8,
    8,
    4,
    1,
    1,
    1,
    2,
    [](unsigned t, unsigned) -> Place { return {t / 4, t % 4}; },
    [](unsigned t, unsigned) -> Place { return {t / 4, t % 4}; },
    [](unsigned t, unsigned v) -> Place { return {t / 4, 2 * (t % 4) + v}; }};

/// wgmma: `t` counts the 128 threads of a warpgroup. The result is 64 x N.
inline Place wgmmaAccumulator(unsigned t, unsigned v) {
  return {16 * (t / 32) + (t % 32) / 4 + 8 * ((v >> 1) & 1), 2 * (t % 4) + (v & 1) + 8 * (v >> 2)};
}

} // namespace tilewright::layout::nvidia

#endif // TILEWRIGHT_TEST_UNIT_LAYOUT_ENCODING_NVIDIAFRAGMENTS_H
