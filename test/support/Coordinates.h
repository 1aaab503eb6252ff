//===- Coordinates.h - Element coordinates by plain arithmetic ------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TEST_SUPPORT_COORDINATES_H
#define TILEWRIGHT_TEST_SUPPORT_COORDINATES_H

#include "tilewright/layout/LinearLayout.h"

#include <cstdint>
#include <vector>

namespace tilewright::layout {

using Coordinates = std::vector<uint64_t>;

/// A number as mixed-radix digits: the digit of dimension order[0] runs fastest. What is left
/// over stays in `number`.
template <typename Size>
Coordinates takeDigits(uint64_t &number, const std::vector<Size> &sizes,
                       const std::vector<unsigned> &order) {
  Coordinates result(sizes.size());
  for (unsigned d : order) {
    result[d] = number % static_cast<uint64_t>(sizes[d]);
    number /= static_cast<uint64_t>(sizes[d]);
  }
  return result;
}

inline Coordinates valuesOf(const std::vector<DimValue> &values) {
  Coordinates result;
  for (DimValue v : values)
    result.push_back(v.value);
  return result;
}

} // namespace tilewright::layout

#endif // TILEWRIGHT_TEST_SUPPORT_COORDINATES_H
