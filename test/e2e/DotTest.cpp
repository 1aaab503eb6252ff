//===- DotTest.cpp - Matrix products ------------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Most operands are small multiples of 1/4: exact in every type down to e5m2's 3 bits, with
// products and sums that are exact in f32. So the result is the same in any order of summation,
// and anything else than the exact product is wrong.
//
//===--------------------------------------------------------------------------===//

#include "DotKernel.h"

using namespace tilewright::test;

namespace {

TEST(Dot, TypesOfOneKind) {
  using enum ElementType;
  for (bool accumulates : {false, true}) {
    checkProduct(
        {.left = Float64, .right = Float64, .result = Float64, .accumulates = accumulates});
    checkProduct({.left = Float32, .right = Float32, .accumulates = accumulates});
    checkProduct({.left = Float16, .right = Float16, .accumulates = accumulates});
    checkProduct({.left = BFloat16, .right = BFloat16, .accumulates = accumulates});
    checkProduct({.left = Int8, .right = Int8, .result = Int32, .accumulates = accumulates});
  }
}

TEST(Dot, AddedToSomething) {
  checkProduct({.added = true});
  checkProduct({.left = ElementType::Int8,
                .right = ElementType::Int8,
                .result = ElementType::Int32,
                .added = true});
}

TEST(Dot, Float8Values) {
  using enum ElementType;
  for (ElementType left : {Float8E4M3, Float8E5M2})
    for (ElementType right : {Float8E4M3, Float8E5M2})
      checkProduct({.left = left, .right = right, .k = 64, .accumulates = left == right});
}

// Sums of up to 32 / 16 in multiples of 1/16 are exact in f16, too.
TEST(Dot, ResultInF16) {
  checkProduct({.result = ElementType::Float16, .options = ", out_dtype=tl.float16"});
  checkProduct(
      {.result = ElementType::Float16, .accumulates = true, .options = ", out_dtype=tl.float16"});
  checkProduct({.left = ElementType::Float8E5M2,
                .right = ElementType::Float8E5M2,
                .result = ElementType::Float16,
                .options = ", out_dtype=tl.float16"});
}

TEST(Dot, ShapesAndWarps) {
  unsigned index = 0;
  for (int numWarps : {1, 2, 4, 8})
    for (auto [m, n, k] : {std::array<int64_t, 3>{16, 16, 16},
                           {64, 32, 16},
                           {32, 128, 32},
                           {128, 64, 64},
                           {16, 64, 128},
                           {1, 16, 32},
                           {16, 1, 32},
                           {4, 8, 2},
                           {2, 2, 1},
                           {1, 1, 16}}) {
      if (!isChosen(index++, 3))
        continue;
      checkProduct({.m = m, .n = n, .k = k, .numWarps = numWarps});
      checkProduct({.left = ElementType::Int8,
                    .right = ElementType::Int8,
                    .result = ElementType::Int32,
                    .m = m,
                    .n = n,
                    .k = k,
                    .numWarps = numWarps});
    }
}

// K shorter than every instruction's: after each element come zeros, or multiply-adds do it.
TEST(Dot, ShortDepths) {
  using enum ElementType;
  for (int64_t k : {1, 2, 4, 8}) {
    checkProduct({.m = 64, .n = 64, .k = k, .accumulates = true});
    checkProduct({.left = Int8, .right = Int8, .result = Int32, .m = 64, .n = 64, .k = k});
    checkProduct({.left = Float8E4M3, .right = Float8E5M2, .m = 64, .n = 64, .k = k});
    checkProduct({.left = BFloat16,
                  .right = BFloat16,
                  .m = 32,
                  .n = 32,
                  .k = k,
                  .batch = 2,
                  .leftTransposed = true});
  }
}

TEST(Dot, Transposed) {
  using enum ElementType;
  for (bool left : {false, true})
    for (bool right : {false, true}) {
      checkProduct({.m = 64, .n = 32, .k = 16, .leftTransposed = left, .rightTransposed = right});
      checkProduct({.left = Float32,
                    .right = Float32,
                    .m = 32,
                    .n = 64,
                    .numWarps = 2,
                    .leftTransposed = left,
                    .rightTransposed = right});
      checkProduct({.left = Int8,
                    .right = Int8,
                    .result = Int32,
                    .m = 32,
                    .n = 64,
                    .leftTransposed = left,
                    .rightTransposed = right});
    }
}

TEST(Dot, Batches) {
  for (int numWarps : {1, 4})
    for (int64_t batch : {1, 2, 8}) {
      checkProduct({.m = 16, .n = 32, .k = 16, .batch = batch, .numWarps = numWarps});
      checkProduct({.left = ElementType::Float32,
                    .right = ElementType::Float32,
                    .m = 16,
                    .n = 16,
                    .k = 32,
                    .batch = batch,
                    .numWarps = numWarps,
                    .accumulates = true,
                    .leftTransposed = true,
                    .rightTransposed = true});
    }
}

TEST(Dot, Precisions) {
  for (const char *precision : {"tf32", "tf32x3", "ieee", "bf16x3", "bf16x6"})
    checkProduct({.left = ElementType::Float32,
                  .right = ElementType::Float32,
                  .options = std::string(", input_precision='") + precision + "'"});
  checkProduct({.left = ElementType::Float32,
                .right = ElementType::Float32,
                .options = ", allow_tf32=False"});
}

TEST(Dot, Targets) {
  for (const std::string &target :
       onlyForNvidia({"cuda:80", "cuda:86", "cuda:89", "cuda:100", "cuda:120"})) {
    checkProduct({.m = 64, .target = target});
    checkProduct({.left = ElementType::Int8,
                  .right = ElementType::Int8,
                  .result = ElementType::Int32,
                  .target = target});
  }
}

// Operands computed in registers, in layouts that are not those of loads; and widened ones, of
// which the product takes what they were widened from.
TEST(Dot, ComputedOperands) {
  using enum ElementType;
  checkProduct({.left = Float32,
                .right = Float32,
                .throughLeft = ".to(tl.float16)",
                .throughRight = ".to(tl.float16)"});
  checkProduct({.m = 64, .throughLeft = ".to(tl.float32)", .throughRight = ".to(tl.float32)"});
  checkProduct({.left = Float32, .right = Int8, .throughRight = ".to(tl.float32)"});
}

// More of both operands than shared memory holds on these targets: K in chunks.
TEST(Dot, MoreThanSharedMemory) {
  checkProduct({.left = ElementType::Float32,
                .right = ElementType::Float32,
                .m = 64,
                .n = 64,
                .k = 512,
                .numWarps = 8,
                .target = onlyForNvidia({"cuda:86"}).front()});
  checkProduct({.left = ElementType::Float32,
                .right = ElementType::Float32,
                .m = 32,
                .n = 64,
                .k = 512,
                .numWarps = 4,
                .leftTransposed = true,
                .rightTransposed = true,
                .target = onlyForNvidia({"cuda:89"}).front()});
}

// One rounding for each of 128 products of numbers up to 1, and half an ulp of the largest sum:
// 128 * 2^-24 * 128 at most, and about the root of that where roundings differ in sign.
TEST(Dot, RoundingOfF32) {
  std::string source = std::string(imports) + R"(
@triton.jit
def kernel(a_ptr, b_ptr, o_ptr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    a = tl.load(a_ptr + tl.arange(0, M)[:, None] * K + tl.arange(0, K)[None, :])
    b = tl.load(b_ptr + tl.arange(0, K)[:, None] * N + tl.arange(0, N)[None, :])
    tl.store(o_ptr + tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :], tl.dot(a, b, input_precision="ieee"))
)";
  const int m = 32, n = 32, k = 128;
  auto a = randomValues<float>(m * k, 5, -1, 1), b = randomValues<float>(k * n, 6, -1, 1);
  std::vector<double> expected(m * n);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      for (int l = 0; l < k; ++l)
        expected[i * n + j] += double(a[i * k + l]) * b[l * n + j];
  auto arguments = runOnSimulator({.source = source,
                                   .signature = "*fp32:16, *fp32:16, *fp32:16, 32, 32, 128",
                                   .arguments = {toArray(a), toArray(b), unwritten<float>(m * n)}});
  expectClose(fromArray<float>(arguments[2]), expected, 4e-6);
}

// A chain of products in a loop, each of which takes the one before as an operand: their scratch
// is used again while threads may still read it.
TEST(Dot, ChainInALoop) {
  std::string source = std::string(imports) + R"(
@triton.jit
def kernel(a_ptr, o_ptr, steps, N: tl.constexpr, PRECISION: tl.constexpr):
    offs = tl.arange(0, N)[:, None] * N + tl.arange(0, N)[None, :]
    a = tl.load(a_ptr + offs)
    x = a
    for i in range(steps):
        x = tl.dot(x, a, input_precision=PRECISION) * 0.25
        x = tl.dot(a, x, x, input_precision=PRECISION)
    tl.store(o_ptr + offs, x)
)";
  const int n = 32, steps = 2;
  HostArray a = quarters(ElementType::Float32, {n, n}, 7);
  auto multiply = [&](const std::vector<double> &x, const std::vector<double> &y) {
    std::vector<double> product(n * n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < n; ++k)
          product[i * n + j] += x[i * n + k] * y[k * n + j];
    return product;
  };
  std::vector<double> matrix(n * n);
  for (int i = 0; i < n * n; ++i)
    matrix[i] = a.at(i);
  std::vector<double> x = matrix;
  for (int step = 0; step < steps; ++step) {
    x = multiply(x, matrix);
    for (double &value : x)
      value *= 0.25;
    std::vector<double> next = multiply(matrix, x);
    for (int i = 0; i < n * n; ++i)
      x[i] += next[i];
  }
  // Four products of 32 terms, relative to the largest elements: of f32 each with an error of up to
  // 32 * 2^-24; of tf32 with terms of about 1 that lose up to 2^-10.
  for (auto [precision, tolerance] : {std::pair("ieee", 1e-5), std::pair("tf32", 32 * 0x1p-10)})
    for (int numWarps : {1, 4, 8}) {
      auto arguments = runOnSimulator(
          {.source = source,
           .signature = std::string("*fp32:16, *fp32:16, i32, 32, \"") + precision + "\"",
           .arguments = {a, unwritten<float>(n * n), int64_t(steps)},
           .numWarps = numWarps});
      expectClose(fromArray<float>(arguments[1]), x, tolerance);
    }
}

} // namespace
