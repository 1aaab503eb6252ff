//===- SmallFloat.h - 8-bit and 16-bit floating-point formats -------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Formats with one sign bit, then exponent, then mantissa, as in IEEE 754. The 8-bit
// formats are those of the OCP specification "8-bit Floating Point" (2023): E4M3 has no
// infinities, and only its largest code is not a number.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_RUNTIME_ARRAYS_SMALLFLOAT_H
#define TILEWRIGHT_RUNTIME_ARRAYS_SMALLFLOAT_H

#include <cstdint>

namespace tilewright::runtime {

struct SmallFloatFormat {
  int exponentBits;
  int mantissaBits;
  bool hasInfinity;
  /// Whether the bits of -0 are the only NaN, and the bias is larger by one.
  bool hasNanForMinusZero = false;
};

inline constexpr SmallFloatFormat float16 = {5, 10, true};
inline constexpr SmallFloatFormat bfloat16 = {8, 7, true};
inline constexpr SmallFloatFormat float8E5M2 = {5, 2, true};
inline constexpr SmallFloatFormat float8E4M3 = {4, 3, false};
inline constexpr SmallFloatFormat float8E5M2FNUZ = {5, 2, false, true};
inline constexpr SmallFloatFormat float8E4M3FNUZ = {4, 3, false, true};

/// The number that the bits stand for.
double decode(SmallFloatFormat format, uint16_t bits);

/// The bits of the nearest number, ties to even. What is too large becomes infinite, or
/// not a number in a format without infinities.
uint16_t encode(SmallFloatFormat format, double value);

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_ARRAYS_SMALLFLOAT_H
