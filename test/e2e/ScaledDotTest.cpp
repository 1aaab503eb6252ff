//===- ScaledDotTest.cpp - Scaled products ------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Operands are random bits of their format, made up for numbers of moderate size, and scales
// powers of two near 1: every product and sum is exact in f32, so results must be equal.
//
//===--------------------------------------------------------------------------===//

#include "Harness.h"

using namespace tilewright::test;

namespace {

/// Random numbers and how they lie in memory.
struct Packed {
  HostArray array;
  /// rows x k for the left operand, k x columns for the right one.
  std::vector<double> values;
};

constexpr double numbersOfE2M1[8] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};

/// A matrix of `rows` x `columns` in `format`, e2m1 packed along dimension `packed`.
Packed randomOperand(const std::string &format, int64_t rows, int64_t columns, int packed,
                     unsigned seed) {
  std::mt19937 generator(seed);
  Packed result;
  result.values.resize(rows * columns);
  if (format == "e2m1") {
    const int64_t outer = packed == 0 ? rows / 2 : rows,
                  inner = packed == 0 ? columns : columns / 2;
    result.array = HostArray(ElementType::UInt8, {outer, inner});
    for (int64_t i = 0; i < outer; ++i)
      for (int64_t j = 0; j < inner; ++j) {
        const unsigned byte = generator() & 0xff;
        result.array.set(i * inner + j, byte);
        for (int half : {0, 1}) {
          const unsigned bits = byte >> (4 * half) & 15;
          const int64_t row = packed == 0 ? 2 * i + half : i,
                        column = packed == 0 ? j : 2 * j + half;
          result.values[row * columns + column] = (bits & 8 ? -1 : 1) * numbersOfE2M1[bits & 7];
        }
      }
    return result;
  }
  using enum ElementType;
  const ElementType type = format == "e4m3"   ? Float8E4M3
                           : format == "e5m2" ? Float8E5M2
                           : format == "bf16" ? BFloat16
                                              : Float16;
  result.array = HostArray(type, {rows, columns});
  for (int64_t i = 0; i < rows * columns; ++i) {
    result.values[i] = (static_cast<int>(generator() % 9) - 4) / 4.0;
    result.array.set(i, result.values[i]);
  }
  return result;
}

struct Case {
  std::string left, right;
  bool leftScaled = true, rightScaled = true;
  bool leftPackedAlongK = true, rightPackedAlongK = true;
  std::string options = {};
  int numWarps = 4;
};

void check(const Case &c) {
  SCOPED_TRACE(c.left + " x " + c.right + ", scaled " + std::to_string(c.leftScaled) +
               std::to_string(c.rightScaled) + ", " + c.options);
  const int64_t m = 32, n = 16, k = 64, groups = k / 32;
  Packed a = randomOperand(c.left, m, k, c.leftPackedAlongK ? 1 : 0, 1);
  Packed b = randomOperand(c.right, k, n, c.rightPackedAlongK ? 0 : 1, 2);
  auto exponents = [&](int64_t rows, unsigned seed) {
    HostArray array(ElementType::UInt8, {rows, groups});
    std::mt19937 generator(seed);
    for (int64_t i = 0; i < rows * groups; ++i)
      array.set(i, 125 + generator() % 5);
    return array;
  };
  HostArray scaleA = exponents(m, 3), scaleB = exponents(n, 4);
  auto factor = [](const HostArray &scale, bool used, size_t at) {
    return used ? std::ldexp(1.0, static_cast<int>(scale.at(at)) - 127) : 1.0;
  };
  std::vector<double> expected(m * n);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j)
      for (int64_t l = 0; l < k; ++l)
        expected[i * n + j] +=
            a.values[i * k + l] * factor(scaleA, c.leftScaled, i * groups + l / 32) *
            b.values[l * n + j] * factor(scaleB, c.rightScaled, j * groups + l / 32);

  auto load = [](const std::string &name, const HostArray &array) {
    std::string rows = std::to_string(array.shape[0]), columns = std::to_string(array.shape[1]);
    return "    " + name + " = tl.load(" + name + "_ptr + tl.arange(0, " + rows + ")[:, None] * " +
           columns + " + tl.arange(0, " + columns + ")[None, :])\n";
  };
  std::string source = std::string(imports) +
                       "@triton.jit\ndef kernel(a_ptr, sa_ptr, b_ptr, sb_ptr, "
                       "o_ptr, M: tl.constexpr, N: tl.constexpr):\n" +
                       load("a", a.array) + load("sa", scaleA) + load("b", b.array) +
                       load("sb", scaleB) + "    acc = tl.dot_scaled(a, " +
                       (c.leftScaled ? "sa" : "None") + ", '" + c.left + "', b, " +
                       (c.rightScaled ? "sb" : "None") + ", '" + c.right + "'" +
                       (c.leftPackedAlongK ? "" : ", lhs_k_pack=False") +
                       (c.rightPackedAlongK ? "" : ", rhs_k_pack=False") + c.options + ")\n" +
                       "    tl.store(o_ptr + tl.arange(0, M)[:, None] * N + "
                       "tl.arange(0, N)[None, :], acc)\n";
  auto pointer = [](const HostArray &array) {
    return "*" + std::string(tilewright::runtime::nameOf(array.type)) + ":16, ";
  };
  auto arguments = runOnSimulator(
      {.source = source,
       .signature = pointer(a.array) + "*u8:16, " + pointer(b.array) + "*u8:16, *fp32:16, 32, 16",
       .arguments = {a.array, scaleA, b.array, scaleB, unwritten<float>(m * n)},
       .numWarps = c.numWarps});
  std::vector<float> out = fromArray<float>(arguments[4]);
  for (size_t i = 0; i < expected.size(); ++i)
    ASSERT_EQ(out[i], expected[i]) << "element " << i;
}

TEST(ScaledDot, FormatsWithScales) {
  unsigned index = 0;
  for (const char *left : {"e2m1", "e4m3", "e5m2", "bf16", "fp16"})
    for (const char *right : {"e2m1", "e4m3", "e5m2", "bf16", "fp16"})
      if (isChosen(index++, 4))
        check({.left = left, .right = right});
}

TEST(ScaledDot, WithoutScales) {
  check({.left = "e4m3", .right = "e2m1", .leftScaled = false});
  check({.left = "fp16", .right = "e5m2", .leftScaled = false, .rightScaled = false});
  check({.left = "bf16", .right = "fp16", .rightScaled = false});
}

TEST(ScaledDot, PackedAlongTheOtherDimension) {
  check({.left = "e2m1", .right = "e2m1", .leftPackedAlongK = false, .numWarps = 1});
  check({.left = "e2m1", .right = "e2m1", .rightPackedAlongK = false, .numWarps = 2});
}

TEST(ScaledDot, FastMath) {
  check({.left = "e4m3", .right = "e4m3", .options = ", fast_math=True"});
}

} // namespace
