//===- PrefetchTest.cpp - Loops with loads issued ahead -----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// One warp sums outer products of 64 x 32 elements, enough arithmetic for
// tilewright-prefetch-loads. The inputs hold exactly the elements that are to be read: the
// simulator reports any other access.
//
//===--------------------------------------------------------------------------===//

#include "Harness.h"

#include <algorithm>

using namespace tilewright::test;

namespace {

constexpr int rows = 64, columns = 32;

struct Range {
  int64_t start, stop, step;
};

std::vector<int64_t> iterationsOf(const Range &range) {
  std::vector<int64_t> iterations;
  for (int64_t n = range.start; n < range.stop; n += range.step)
    iterations.push_back(n);
  return iterations;
}

/// Trip counts 0 to 13, before and after multiples of the unrolling, bounds on either side of 0.
const Range ranges[] = {{0, 0, 1},  {5, -3, 1},  {0, 1, 1},    {0, 2, 1},  {0, 3, 1},
                        {0, 4, 1},  {0, 5, 1},   {0, 7, 1},    {0, 8, 1},  {3, 16, 1},
                        {-7, 6, 3}, {-9, -1, 2}, {-12, 13, 5}, {0, 17, 4}, {-6, -6, 2}};

/// Runs `body` with inputs that end with the last element that the loop needs, and compares with
/// the sum over `range` of `left(a, n)` * b. a is 64 rows of `stride` elements, b has rows of 32.
template <typename Left>
void checkSum(const std::string &body, const Range &range, std::vector<int64_t> more, Left left) {
  std::vector<int64_t> iterations = iterationsOf(range);
  // The arrays begin with iteration `first`.
  int64_t first = iterations.empty() ? 0 : iterations.front();
  int64_t stride = iterations.empty() ? 1 : iterations.back() - first + 1;
  auto a = randomValues<float>(rows * stride, 1, -1, 1);
  auto b = randomValues<float>(stride * columns, 2, -1, 1);

  std::vector<ArgumentValue> arguments = {toArray(a), toArray(b), unwritten<float>(rows * columns)};
  std::string signature = "*fp32:16, *fp32:16, *fp32:16";
  std::vector<int64_t> scalars = {range.start, range.stop, range.step, first, stride};
  scalars.insert(scalars.end(), more.begin(), more.end());
  for (int64_t value : scalars) {
    arguments.push_back(value);
    signature += ", i32";
  }
  auto out = fromArray<float>(runOnSimulator({.source = std::string(imports) + body,
                                              .signature = signature,
                                              .arguments = arguments,
                                              .numWarps = 1})[2]);
  std::vector<double> expected(rows * columns);
  for (int64_t n : iterations)
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j)
        expected[i * columns + j] +=
            left(a[i * stride + n - first], n) * b[(n - first) * columns + j];
  // Sums of at most 13 products of numbers up to 7 (a mask's other), each rounded to 24 bits.
  expectClose(out, expected, 1e-5);
}

class Prefetch : public testing::TestWithParam<Range> {};

TEST_P(Prefetch, AddressesFromTheCounter) {
  checkSum(R"(
@triton.jit
def kernel(a_ptr, b_ptr, c_ptr, start, stop, step, first, stride):
    rm = tl.arange(0, 64)
    rk = tl.arange(0, 32)
    acc = tl.zeros((64, 32), dtype=tl.float32)
    for n in range(start, stop, step):
        a = tl.load(a_ptr + rm[:, None] * stride + (n - first))
        b = tl.load(b_ptr + (n - first) * 32 + rk[None, :])
        acc += a * b
    tl.store(c_ptr + rm[:, None] * 32 + rk[None, :], acc)
)",
           GetParam(), {}, [](double a, int64_t) { return a; });
}

TEST_P(Prefetch, MasksWithOther) {
  // Iterations from `limit` on must not be read, and count as 7.
  int64_t limit = GetParam().start + GetParam().step * 2;
  checkSum(R"(
@triton.jit
def kernel(a_ptr, b_ptr, c_ptr, start, stop, step, first, stride, limit):
    rm = tl.arange(0, 64)
    rk = tl.arange(0, 32)
    acc = tl.zeros((64, 32), dtype=tl.float32)
    for n in range(start, stop, step):
        away = tl.where(n < limit, 0, 1 << 20)
        mask = (rm[:, None] + away < 64) & (n < limit)
        a = tl.load(a_ptr + rm[:, None] * stride + (n - first) + away, mask=mask, other=7.0)
        b = tl.load(b_ptr + (n - first) * 32 + rk[None, :])
        acc += a * b
    tl.store(c_ptr + rm[:, None] * 32 + rk[None, :], acc)
)",
           GetParam(), {limit}, [&](double a, int64_t n) { return n < limit ? a : 7.0; });
}

TEST_P(Prefetch, CarriedPointers) {
  checkSum(R"(
@triton.jit
def kernel(a_ptr, b_ptr, c_ptr, start, stop, step, first, stride):
    rm = tl.arange(0, 64)
    rk = tl.arange(0, 32)
    a_ptrs = a_ptr + rm[:, None] * stride
    b_ptrs = b_ptr + rk[None, :]
    acc = tl.zeros((64, 32), dtype=tl.float32)
    for n in range(start, stop, step):
        acc += tl.load(a_ptrs) * tl.load(b_ptrs)
        a_ptrs += step
        b_ptrs += step * 32
    tl.store(c_ptr + rm[:, None] * 32 + rk[None, :], acc)
)",
           GetParam(), {}, [](double a, int64_t) { return a; });
}

TEST_P(Prefetch, CarriedIndexAndConstantStep) {
  Range range{GetParam().start, GetParam().stop, 1};
  checkSum(R"(
@triton.jit
def kernel(a_ptr, b_ptr, c_ptr, start, stop, step, first, stride):
    rm = tl.arange(0, 64)
    rk = tl.arange(0, 32)
    index = 0
    acc = tl.zeros((64, 32), dtype=tl.float32)
    for n in range(start, stop):
        a = tl.load(a_ptr + rm[:, None] * stride + index)
        index += 1
        b = tl.load(b_ptr + (index - 1) * 32 + rk[None, :])
        acc += a * b
    tl.store(c_ptr + rm[:, None] * 32 + rk[None, :], acc)
)",
           range, {}, [](double a, int64_t) { return a; });
}

INSTANTIATE_TEST_SUITE_P(Ranges, Prefetch, testing::ValuesIn(ranges));

} // namespace
