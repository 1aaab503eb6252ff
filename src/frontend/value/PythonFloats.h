//===- PythonFloats.h - Division of floats as Python has it ---------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_VALUE_PYTHONFLOATS_H
#define TILEWRIGHT_FRONTEND_VALUE_PYTHONFLOATS_H

namespace tilewright::frontend {

/// Python's a % b, which has the sign of b, for b != 0.
double floorRemainder(double a, double b);

/// Python's a // b for b != 0: the whole number that goes with the exact remainder, not the rounded
/// quotient's floor. 1.0 // 0.1 is 9, as 0.1 is a little more than a tenth.
double floorQuotient(double a, double b);

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_VALUE_PYTHONFLOATS_H
