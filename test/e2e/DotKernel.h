//===- DotKernel.h - A kernel with one product ----------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Operands are small multiples of 1/4: exact in every type down to e5m2's 3 bits, with
// products and sums that are exact in f32. So the result is the same in any order of summation,
// and anything else than the exact product is wrong.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TEST_E2E_DOTKERNEL_H
#define TILEWRIGHT_TEST_E2E_DOTKERNEL_H

#include "Harness.h"

namespace tilewright::test {

/// Random multiples of 1/4 between -1 and 1, or integers from -4 to 4 for integer types.
HostArray quarters(ElementType type, std::vector<int64_t> shape, unsigned seed);

/// One product c + a @ b, whatever its operands.
struct Product {
  ElementType left = ElementType::Float16, right = ElementType::Float16;
  ElementType result = ElementType::Float32;
  int64_t m = 32, n = 32, k = 32, batch = 0;
  int numWarps = 4;
  bool accumulates = false;
  /// With `acc += tl.dot(a, b)`.
  bool added = false;
  /// The operands are stored transposed, and turned round in the kernel.
  bool leftTransposed = false, rightTransposed = false;
  /// Further arguments of tl.dot.
  std::string options = {};
  std::string target = defaultTarget();
  /// The operations on the operands before the product.
  std::string throughLeft = {}, throughRight = {};
};

/// Whether TILEWRIGHT_GRID in the environment asks for all cases of a grid.
bool runsWholeGrid();

/// Compiles and runs the product and compares the result with the exact one.
void checkProduct(const Product &product);

} // namespace tilewright::test

#endif // TILEWRIGHT_TEST_E2E_DOTKERNEL_H
