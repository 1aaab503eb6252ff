//===- MathTest.cpp - Functions against the host's ----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The simulator computes what hardware approximates exactly, so these tests show the errors of
// our own formulas alone. Tolerances are units of f32's relative precision, 2^-23, at the result;
// around zeros of sine and cosine of the angle, which is known to 2^-24 of its size only.
//
//===--------------------------------------------------------------------------===//

#include "KernelRunner.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::lower::test;
using runtime::ElementType;
using runtime::HostArray;

namespace {

/// Runs `op` on 512 values from `low` to `high`; the error may be `units` of max(|result|, floor).
void expectFunction(const std::string &op, double (*function)(double), double low, double high,
                    double units, double floor = 0) {
  const Tile tile = {{512},
                     "#ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], "
                     "order = [0]}>"};
  std::string floats = tensorType(tile.shape, "f32", tile.encoding);
  std::string pointers = tensorType(tile.shape, "!tt.ptr<f32>", tile.encoding);
  std::string body = pointersTo("in", "a", tile, "f32") + pointersTo("out", "b", tile, "f32") +
                     "%x = tt.load %in_ptr : " + pointers + "\n%y = " + op + " %x : " + floats +
                     "\ntt.store %out_ptr, %y : " + pointers + "\n";
  std::vector<HostArray> values = {HostArray(ElementType::Float32, {512}),
                                   HostArray(ElementType::Float32, {512})};
  for (int i = 0; i < 512; ++i)
    values[0].set(i, low + (high - low) * i / 511);
  ASSERT_EQ(runKernel("a: *fp32, b: *fp32", body, 4, values), "");
  for (int i = 0; i < 512; ++i) {
    double expected = function(values[0].at(i));
    double tolerance = units * std::ldexp(std::max(std::fabs(expected), floor), -23);
    ASSERT_NEAR(values[1].at(i), expected, tolerance) << op << " of " << values[0].at(i);
  }
}

} // namespace

TEST(Math, Exponentials) {
  // The product with log2 e is rounded: an error of half a unit of up to 32.
  expectFunction("math.exp", std::exp, -20, 20, 24);
  expectFunction("math.exp2", std::exp2, -20, 20, 1);
  expectFunction("math.log", std::log, 1e-3, 100, 3, 1e-2);
}

TEST(Math, Circular) {
  expectFunction("math.sin", std::sin, -4, 4, 4, 1);
  expectFunction("math.cos", std::cos, -1000, 1000, 4, 1);
}

TEST(Math, HyperbolicTangent) {
  expectFunction("math.tanh", std::tanh, -0.3, 0.3, 12);
  expectFunction("math.tanh", std::tanh, -12, 12, 8);
}

TEST(Math, Roots) {
  expectFunction("math.sqrt", std::sqrt, 0, 100, 1);
  expectFunction("tt.precise_sqrt", std::sqrt, 0, 100, 1);
  expectFunction("math.rsqrt", [](double x) { return 1 / std::sqrt(x); }, 0.1, 100, 2);
}
