//===- ProductArithmetic.cpp - How matrix units round -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/simulate/ProductArithmetic.h"

#include "runtime/arrays/SmallFloat.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

using namespace tilewright;
using namespace tilewright::simulate;
using namespace tilewright::simulate::nvidia;
using target::MmaType;

namespace {

Factor factorOf(double value) {
  return {value, value == 0 || !std::isfinite(value) ? 0 : std::ilogb(value)};
}

/// The numbers that all codes of a small float stand for.
std::vector<Factor> decodeAll(runtime::SmallFloatFormat format) {
  std::vector<Factor> factors(size_t(1) << (1 + format.exponentBits + format.mantissaBits));
  for (size_t code = 0; code < factors.size(); ++code)
    factors[code] = factorOf(runtime::decode(format, static_cast<uint16_t>(code)));
  return factors;
}

/// x * 2^exponent, for what stays a normal number.
double scale(double x, int exponent) {
  constexpr int bias = 1023, mantissaBits = 52;
  return x * std::bit_cast<double>(static_cast<uint64_t>(bias + exponent) << mantissaBits);
}

/// An integer, |value| < 2^53, cut off after its `kept` highest bits.
double cutOff(double value, int kept) {
  const auto bits = static_cast<int64_t>(value);
  const int excess = std::bit_width(static_cast<uint64_t>(std::abs(bits))) - kept;
  return excess > 0 ? static_cast<double>(bits / (int64_t(1) << excess) * (int64_t(1) << excess))
                    : value;
}

} // namespace

Factor nvidia::decodeFactor(MmaType type, uint64_t bits) {
  static const std::vector<Factor> f16 = decodeAll(runtime::float16),
                                   bf16 = decodeAll(runtime::bfloat16),
                                   e4m3 = decodeAll(runtime::float8E4M3),
                                   e5m2 = decodeAll(runtime::float8E5M2);
  constexpr uint32_t tf32Bits = ~0U << 13;
  switch (type) {
  case MmaType::F64:
    return factorOf(std::bit_cast<double>(bits));
  case MmaType::Tf32:
    return factorOf(std::bit_cast<float>(static_cast<uint32_t>(bits) & tf32Bits));
  case MmaType::Bf16:
    return bf16[bits];
  case MmaType::F16:
    return f16[bits];
  case MmaType::E4m3:
    return e4m3[bits];
  default:
    return e5m2[bits];
  }
}

double nvidia::sumProducts(float c, const Factor *a, const Factor *b, unsigned k, SumBits bits) {
  constexpr int none = std::numeric_limits<int>::min();
  int largest = c == 0 ? none : std::ilogb(c);
  bool finite = std::isfinite(c);
  for (unsigned i = 0; i < k; ++i) {
    const Factor &x = a[i], &y = b[i];
    if (x.value != 0 && y.value != 0)
      largest = std::max(largest, x.exponent + y.exponent);
    finite = finite && std::isfinite(x.value) && std::isfinite(y.value);
  }
  if (!finite || largest == none) {
    double sum = c;
    for (unsigned i = 0; i < k; ++i)
      sum += a[i].value * b[i].value;
    return sum;
  }
  // The terms are integers in units of the last place that is kept.
  const int unit = largest - bits.fraction;
  double sum = std::trunc(scale(c, -unit));
  for (unsigned i = 0; i < k; ++i)
    sum += std::trunc(scale(a[i].value * b[i].value, -unit));
  return scale(cutOff(sum, bits.kept), unit);
}

float nvidia::sumWarpProducts(float c, const Factor *a, const Factor *b, unsigned k, MmaType type) {
  if (type != MmaType::E4m3 && type != MmaType::E5m2)
    return sumProducts(c, a, b, k);
  // In a row of factors, groups of four.
  Factor left[2][16], right[2][16];
  for (unsigned i = 0; i < k; ++i) {
    const unsigned half = i / 2 % 2, at = i / 4 * 2 + i % 2;
    left[half][at] = a[i];
    right[half][at] = b[i];
  }
  float sum = 0;
  for (unsigned half : {0, 1})
    sum = sumProducts(sum, left[half], right[half], k / 2);
  return sum + c;
}

float nvidia::sumWarpGroupProducts(float c, const Factor *a, const Factor *b, unsigned k,
                                   MmaType type, MmaType result) {
  const bool isHalf = result == MmaType::F16;
  constexpr int all = 53;
  double sum;
  if (type == MmaType::E4m3 || type == MmaType::E5m2)
    sum = c + sumProducts(0, a, b, k, {.fraction = 13, .kept = 14});
  else
    sum = sumProducts(c, a, b, k, {.kept = isHalf ? all : SumBits().kept});
  return static_cast<float>(
      isHalf ? runtime::decode(runtime::float16, runtime::encode(runtime::float16, sum)) : sum);
}
