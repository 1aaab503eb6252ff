//===- CompareArrays.cpp - Whether two runs gave the same ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "tune/CompareArrays.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace tilewright;
using namespace tilewright::tune;
using runtime::ElementType;
using runtime::HostArray;

double tune::defaultTolerance(ElementType type) {
  switch (type) {
  case ElementType::Float64:
    return 0x1p-40;
  case ElementType::Float32:
    return 0x1p-9;
  case ElementType::Float16:
    return 0x1p-8;
  case ElementType::BFloat16:
    return 0x1p-5;
  case ElementType::Float8E4M3:
  case ElementType::Float8E5M2:
  case ElementType::Float8E4M3FNUZ:
  case ElementType::Float8E5M2FNUZ:
    return 0x1p-2;
  default:
    return 0;
  }
}

std::optional<Difference> tune::findDifference(const HostArray &array, const HostArray &expected,
                                               double tolerance) {
  // Equal bytes are the usual case, and elements one by one are slow.
  if (array.bytes == expected.bytes)
    return std::nullopt;
  double largest = 0;
  for (size_t i = 0; i < expected.size(); ++i)
    if (double magnitude = std::abs(expected.at(i)); std::isfinite(magnitude))
      largest = std::max(largest, magnitude);
  std::optional<Difference> worst;
  double most = tolerance * largest;
  for (size_t i = 0; i < expected.size(); ++i) {
    double a = array.at(i), b = expected.at(i);
    if (a == b || (std::isnan(a) && std::isnan(b)))
      continue;
    double apart = std::isfinite(a) && std::isfinite(b) ? std::abs(a - b)
                                                        : std::numeric_limits<double>::infinity();
    if (apart > most) {
      most = apart;
      worst = Difference{i, a, b};
    }
  }
  return worst;
}
