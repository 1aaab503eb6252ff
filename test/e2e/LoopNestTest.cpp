//===- LoopNestTest.cpp - Flattened loop nests and pointers across branches ---===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "Harness.h"

#include "runtime/arrays/SmallFloat.h"

using namespace tilewright;
using namespace tilewright::test;

namespace {

struct Bounds {
  int64_t from, to, step;
};

/// A nest whose loops carry values, read what the outer one computed, and write behind the
/// inner one.
void testNest(Bounds outer, Bounds inner) {
  std::vector<double> expected;
  uint32_t total = 0; // sums wrap around
  for (int64_t i = outer.from; i < outer.to; i += outer.step) {
    auto acc = static_cast<uint32_t>(i);
    for (int64_t j = inner.from; j < inner.to; j += inner.step)
      acc += static_cast<uint32_t>(i * i + j);
    expected.push_back(static_cast<int32_t>(acc));
    total += acc;
  }
  expected.push_back(static_cast<int32_t>(total));
  auto arguments =
      runOnSimulator({.source = std::string(imports) + R"(
@triton.jit
def nest(out, a, b, s, c, d, t):
    total = 0
    n = 0
    for i in tl.range(a, b, s, flatten=True):
        acc = i
        square = i * i
        for j in tl.range(c, d, t):
            acc += square + j
        tl.store(out + n, acc)
        n += 1
        total += acc
    tl.store(out + n, total)
)",
                      .signature = "*i32, i32, i32, i32, i32, i32, i32",
                      .arguments = {unwritten<int32_t>(expected.size()), outer.from, outer.to,
                                    outer.step, inner.from, inner.to, inner.step}});
  expectClose(fromArray<int32_t>(arguments[0]), expected, 0);
}

/// The same as f16.
HostArray toHalves(const std::vector<float> &values) {
  std::vector<int16_t> bits;
  for (float value : values)
    bits.push_back(static_cast<int16_t>(runtime::encode(runtime::float16, value)));
  HostArray array = toArray(bits);
  array.type = ElementType::Float16;
  return array;
}

} // namespace

TEST(LoopNest, Flattened) {
  testNest({0, 5, 1}, {0, 4, 1});
  testNest({-3, 8, 4}, {-7, 9, 5});
  testNest({0, 1, 1}, {3, 4, 7});
}

// Neither loop has to have an iteration, and bounds may be the wrong way round.
TEST(LoopNest, FlattenedWithoutIterations) {
  testNest({0, 5, 1}, {2, 2, 1});
  testNest({0, 5, 2}, {7, -7, 3});
  testNest({4, 4, 1}, {0, 4, 1});
  testNest({4, -4, 1}, {0, 0, 1});
}

// To the end of the numbers: the next index would not be one.
TEST(LoopNest, FlattenedAtTheLargestNumbers) {
  testNest({2147483640, 2147483647, 3}, {2147483646, 2147483647, 2});
}

TEST(LoopNest, ThreeFlattenedTiles) {
  const int64_t rows = 3, columns = 2, depth = 5, block = 64;
  std::vector<double> expected(rows * columns * block);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      for (int64_t x = 0; x < block; ++x)
        for (int64_t k = 0; k < depth; ++k)
          expected[(i * columns + j) * block + x] += static_cast<double>(x * k + i - j);
  for (int numWarps : {1, 4}) {
    auto arguments =
        runOnSimulator({.source = std::string(imports) + R"(
@triton.jit
def three(out, rows, columns, depth, B: tl.constexpr):
    x = tl.arange(0, B)
    for i in tl.range(0, rows, flatten=True):
        for j in range(0, columns):
            acc = tl.zeros((B,), tl.float32)
            for k in range(0, depth):
                acc += x * k + i - j
            tl.store(out + (i * columns + j) * B + x, acc)
)",
                        .signature = "*fp32:16, i32, i32, i32, 64",
                        .arguments = {unwritten<float>(expected.size()), rows, columns, depth},
                        .numWarps = numWarps});
    expectClose(fromArray<float>(arguments[0]), expected, 0);
  }
}

// Pointers that a while advances and a branch chooses, in the layouts of loads and of stores.
TEST(LoopNest, PointersThroughWhileAndIf) {
  const int64_t count = 5, block = 512;
  auto x = randomValues<float>(count * block, 1, -5, 5),
       y = randomValues<float>(count * block, 2, -5, 5);
  for (int32_t flag : {0, 1}) {
    std::vector<double> expected(count * block);
    for (int64_t i = 0; i < count * block; ++i)
      expected[i] = std::floor(2.0f * (flag ? x[i] : y[i]));
    for (int numWarps : {1, 4, 8}) {
      auto arguments =
          runOnSimulator({.source = std::string(imports) + R"(
@triton.jit
def copy(x, y, out, n, flag, B: tl.constexpr):
    i = tl.arange(0, B)
    if flag > 0:
        p = x + i
    else:
        p = y + i
    q = out + i
    while n > 0:
        tl.store(q, tl.floor(2.0 * tl.load(p)).to(tl.int8))
        p += B
        q += B
        n -= 1
)",
                          .signature = "*fp32:16, *fp32:16, *i8:16, i32, i32, 512",
                          .arguments = {toArray(x), toArray(y), unwritten<int8_t>(count * block),
                                        count, int64_t(flag)},
                          .numWarps = numWarps});
      expectClose(fromArray<int8_t>(arguments[2]), expected, 0);
    }
  }
}

// A sum that a branch of the loop stores and that goes on, as the partial sums of a product.
TEST(LoopNest, SumThatABranchStoresGoesOn) {
  const int64_t count = 7, block = 64;
  const auto a = randomWholeNumbers(block * block * count, 3, -8, 8);
  const auto b = randomWholeNumbers(block * block * count, 4, -8, 8);
  std::vector<double> expected, sums(block * block);
  for (int64_t i = 0; i < count; ++i) {
    for (int64_t at = 0; at < block * block; ++at)
      for (int64_t k = 0; k < block; ++k)
        sums[at] += double(a[(i * block + at / block) * block + k]) *
                    b[(i * block + k) * block + at % block];
    if (i % 2 == 1)
      expected.insert(expected.end(), sums.begin(), sums.end());
  }
  expected.insert(expected.end(), sums.begin(), sums.end());
  auto arguments = runOnSimulator(
      {.source = std::string(imports) + R"(
@triton.jit
def partial_sums(a, b, out, n, B: tl.constexpr):
    offsets = tl.arange(0, B)[:, None] * B + tl.arange(0, B)[None, :]
    acc = tl.zeros((B, B), tl.float32)
    for i in range(n):
        acc = tl.dot(tl.load(a + i * B * B + offsets), tl.load(b + i * B * B + offsets), acc)
        if i % 2 == 1:
            tl.store(out + i // 2 * B * B + offsets, acc)
    tl.store(out + n // 2 * B * B + offsets, acc)
)",
       .signature = "*fp16:16, *fp16:16, *fp32:16, i32, 64",
       .arguments = {toHalves(a), toHalves(b), unwritten<float>(expected.size()), count}});
  expectClose(fromArray<float>(arguments[2]), expected, 0);
}
