//===- PythonFloats.cpp - Division of floats as Python has it -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/value/PythonFloats.h"

#include <cmath>

using namespace tilewright;

double frontend::floorRemainder(double a, double b) {
  const double remainder = std::fmod(a, b);
  if (remainder == 0)
    return std::copysign(0.0, b);
  return (remainder < 0) != (b < 0) ? remainder + b : remainder;
}

double frontend::floorQuotient(double a, double b) {
  // What fmod leaves is exact, so this is a whole number but for the rounding of two operations.
  const double remainder = std::fmod(a, b);
  double quotient = (a - remainder) / b;
  if (remainder != 0 && (remainder < 0) != (b < 0))
    quotient -= 1;
  if (quotient == 0)
    return std::copysign(0.0, a / b);
  return std::round(quotient);
}
