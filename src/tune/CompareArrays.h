//===- CompareArrays.h - Whether two runs gave the same -------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TUNE_COMPAREARRAYS_H
#define TILEWRIGHT_TUNE_COMPAREARRAYS_H

#include "tilewright/HostArray.h"

namespace tilewright::tune {

/// An element of an array and what it should have been.
struct Difference {
  size_t index;
  double value;
  double expected;
};

/// How far results of a kernel in this type may lie apart when it adds in another order, relative
/// to the largest magnitude of the array: some units of its last place, and for 32 bits of the
/// 10-bit products that matrix units make of them. 0 for integers.
double defaultTolerance(runtime::ElementType type);

/// The element that differs most, if by more than `tolerance` times the largest finite magnitude of
/// `expected`. Infinities are equal to themselves and NaNs to each other. The arrays have the same
/// type and size.
std::optional<Difference> findDifference(const runtime::HostArray &array,
                                         const runtime::HostArray &expected, double tolerance);

} // namespace tilewright::tune

#endif // TILEWRIGHT_TUNE_COMPAREARRAYS_H
