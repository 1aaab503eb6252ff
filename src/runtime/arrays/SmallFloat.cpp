//===- SmallFloat.cpp - 8-bit and 16-bit floating-point formats ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "runtime/arrays/SmallFloat.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace tilewright;
using namespace tilewright::runtime;

static int biasOf(SmallFloatFormat format) {
  return (1 << (format.exponentBits - 1)) - (format.hasNanForMinusZero ? 0 : 1);
}

double tilewright::runtime::decode(SmallFloatFormat format, uint16_t bits) {
  int width = format.exponentBits + format.mantissaBits;
  double sign = bits >> width & 1 ? -1.0 : 1.0;
  int largestExponent = (1 << format.exponentBits) - 1;
  int largestMantissa = (1 << format.mantissaBits) - 1;
  int exponent = bits >> format.mantissaBits & largestExponent;
  int mantissa = bits & largestMantissa;
  if (format.hasNanForMinusZero) {
    if (bits == 1 << width)
      return std::numeric_limits<double>::quiet_NaN();
  } else if (exponent == largestExponent) {
    if (format.hasInfinity ? mantissa != 0 : mantissa == largestMantissa)
      return std::copysign(std::numeric_limits<double>::quiet_NaN(), sign);
    if (format.hasInfinity)
      return sign * std::numeric_limits<double>::infinity();
  }
  int scale = std::max(exponent, 1) - biasOf(format) - format.mantissaBits;
  int significand = exponent == 0 ? mantissa : mantissa + largestMantissa + 1;
  return sign * std::ldexp(significand, scale);
}

uint16_t tilewright::runtime::encode(SmallFloatFormat format, double value) {
  int width = format.exponentBits + format.mantissaBits;
  const bool isUnsigned = format.hasNanForMinusZero;
  uint32_t sign = std::signbit(value) ? 1u << width : 0;
  uint32_t allOnes = (1u << width) - 1;
  uint32_t infinity = allOnes - ((1u << format.mantissaBits) - 1);
  uint32_t notANumber = isUnsigned           ? allOnes + 1
                        : format.hasInfinity ? infinity | 1u << (format.mantissaBits - 1)
                                             : allOnes;
  uint32_t tooLarge = format.hasInfinity ? infinity : notANumber;
  if (std::isnan(value))
    return sign | notANumber;
  double magnitude = std::fabs(value);
  if (magnitude == 0)
    return isUnsigned ? 0 : sign;
  if (std::isinf(value) || std::ilogb(magnitude) > biasOf(format) + 1)
    return sign | tooLarge;
  // The distance between neighbours; it no longer shrinks below the normal numbers.
  int smallest = 1 - biasOf(format);
  int exponent = std::max(std::ilogb(magnitude), smallest);
  // Counted in such steps, codes of one exponent follow each other, and the step past
  // the last of them is the first code of the next exponent. A normal number's steps
  // hold its leading one, worth one exponent.
  double steps = std::nearbyint(std::ldexp(magnitude, format.mantissaBits - exponent));
  uint32_t code = static_cast<uint32_t>(steps) +
                  (static_cast<uint32_t>(exponent - smallest) << format.mantissaBits);
  if (code == 0 && isUnsigned)
    return 0;
  return sign | (code >= tooLarge ? tooLarge : code);
}
