//===- GemmKernel.h - A matrix product by a loop over tiles of K ----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TEST_E2E_GEMMKERNEL_H
#define TILEWRIGHT_TEST_E2E_GEMMKERNEL_H

#include "DotKernel.h"

namespace tilewright::test {

/// C = A B, of numbers whose products and sums are exact (DotKernel.h).
struct Gemm {
  ElementType left, right, result;
  /// Stored by columns.
  bool leftTransposed, rightTransposed;
  int numWarps;
  std::string target;
  /// Of 3 by 2 blocks, and 3 steps of K; nothing is a multiple of what it should be.
  int64_t m = 75, n = 100, k = 83;
  /// What m, n and k, and with them strides, are said to be multiples of.
  int divisor = 1;
  int64_t blockM = 32, blockN = 64, blockK = 32;
  /// 0 and nothing: the default.
  int numStages = 0;
  LaunchOptions launch = {};
};

/// Compiles and runs the product and compares the result with the exact one.
void checkGemm(const Gemm &gemm);

} // namespace tilewright::test

#endif // TILEWRIGHT_TEST_E2E_GEMMKERNEL_H
