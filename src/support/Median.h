//===- Median.h - The median of measurements ------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_SUPPORT_MEDIAN_H
#define TILEWRIGHT_SUPPORT_MEDIAN_H

#include <algorithm>
#include <vector>

namespace tilewright {

/// The median; the upper one of an even number. There is at least one value.
inline double medianOf(std::vector<double> values) {
  auto middle = values.begin() + values.size() / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

} // namespace tilewright

#endif // TILEWRIGHT_SUPPORT_MEDIAN_H
