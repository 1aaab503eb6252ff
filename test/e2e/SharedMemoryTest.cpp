//===- SharedMemoryTest.cpp - Sequences of ops that share scratch memory ------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Ops that exchange values through shared memory follow each other in loops, where the scratch of
// one is that of another in the next iteration. The simulator reports a barrier that is missing
// as a race, so each kernel runs with every number of warps.
//
//===--------------------------------------------------------------------------===//

#include "Harness.h"

#include <numeric>

using namespace tilewright::test;

namespace {

constexpr int warpCounts[] = {1, 2, 4, 8};

// Scan, gather, reductions, histogram, sort and atomics whose results all threads need.
TEST(SharedMemory, CollectivesInALoop) {
  const std::string source = std::string(imports) + R"(
@triton.jit
def kernel(x_ptr, out_ptr, bins_ptr, counter_ptr, N: tl.constexpr, ROUNDS: tl.constexpr):
    offs = tl.arange(0, N)
    sums = tl.zeros([N], tl.int32)
    bins = tl.zeros([64], tl.int32)
    for i in range(ROUNDS):
        x = tl.load(x_ptr + i * N + offs)
        gathered = tl.gather(tl.cumsum(x, 0), (offs * 7 + i) % N, 0)
        bins += tl.histogram(x, 64)
        turn = tl.atomic_add(counter_ptr, 1)
        before = tl.atomic_add(counter_ptr + 1 + offs % 32, x)
        sums += gathered + tl.max(gathered, 0) + tl.sort(x, 0) + turn + tl.sum(before, 0) * 0
    tl.store(out_ptr + offs, sums)
    tl.store(bins_ptr + tl.arange(0, 64), bins)
)";
  const int size = 256, rounds = 3;
  auto x = randomValues<int32_t>(size * rounds, 41, 0, 64);
  std::vector<double> sums(size), bins(64), counters(33);
  for (int i = 0; i < rounds; ++i) {
    std::vector<int32_t> row(x.begin() + i * size, x.begin() + (i + 1) * size), scan(size);
    std::partial_sum(row.begin(), row.end(), scan.begin());
    for (int k = 0; k < size; ++k) {
      ++bins[row[k]];
      counters[1 + k % 32] += row[k];
    }
    std::ranges::sort(row);
    for (int k = 0; k < size; ++k)
      sums[k] += scan[(k * 7 + i) % size] + scan.back() + row[k] + i;
  }
  counters[0] = rounds;
  for (int numWarps : warpCounts) {
    SCOPED_TRACE(numWarps);
    auto arguments =
        runOnSimulator({.source = source,
                        .signature = "*i32:16, *i32:16, *i32:16, *i32:16, 256, 3",
                        .arguments = {toArray(x), unwritten<int32_t>(size), unwritten<int32_t>(64),
                                      toArray(std::vector<int32_t>(33))},
                        .numWarps = numWarps});
    expectClose(fromArray<int32_t>(arguments[1]), sums, 0);
    expectClose(fromArray<int32_t>(arguments[2]), bins, 0);
    expectClose(fromArray<int32_t>(arguments[3]), counters, 0);
  }
}

// The largest element is halved until little is left: the condition is a reduction itself.
TEST(SharedMemory, ReductionAsCondition) {
  const std::string source = std::string(imports) + R"(
@triton.jit
def kernel(x_ptr, out_ptr, count_ptr, N: tl.constexpr):
    offs = tl.arange(0, N)
    x = tl.load(x_ptr + offs)
    count = 0
    while tl.sum(x, 0) > 100:
        x = tl.where(offs == tl.argmax(x, 0), x // 2, x)
        count = tl.atomic_add(count_ptr, 1) + 1
    tl.store(out_ptr + offs, x + count * 0)
)";
  const int size = 64;
  auto x = randomValues<int32_t>(size, 42, 0, 64), left = x;
  int count = 0;
  for (; std::accumulate(left.begin(), left.end(), 0) > 100; ++count)
    *std::ranges::max_element(left) /= 2;
  for (int numWarps : warpCounts) {
    SCOPED_TRACE(numWarps);
    auto arguments = runOnSimulator(
        {.source = source,
         .signature = "*i32:16, *i32:16, *i32:16, 64",
         .arguments = {toArray(x), unwritten<int32_t>(size), toArray(std::vector<int32_t>(1))},
         .numWarps = numWarps});
    EXPECT_EQ(fromArray<int32_t>(arguments[1]), left);
    EXPECT_EQ(fromArray<int32_t>(arguments[2])[0], count);
  }
}

// A product of what the iteration before gathered, then scans along both axes, a transposition
// and an atomic operation.
TEST(SharedMemory, ProductsScansAndAtomics) {
  const std::string source = std::string(imports) + R"(
@triton.jit
def kernel(a_ptr, b_ptr, out_ptr, total_ptr, N: tl.constexpr, ROUNDS: tl.constexpr):
    rows = tl.arange(0, N)[:, None]
    columns = tl.arange(0, N)[None, :]
    a = tl.load(a_ptr + rows * N + columns)
    b = tl.load(b_ptr + rows * N + columns)
    total = tl.zeros([N], tl.int32)
    for i in range(ROUNDS):
        product = tl.dot(a, b, out_dtype=tl.int32)
        scanned = tl.cumsum(tl.cumsum(product, 1), 0)
        total += tl.atomic_add(total_ptr + tl.arange(0, N), tl.sum(scanned, 1))
        a = (tl.gather(tl.trans(scanned), (columns + rows + i) % N, 1) & 7).to(tl.int8)
    tl.store(out_ptr + rows * N + columns, a.to(tl.int32) + total[:, None])
)";
  const int size = 16, rounds = 3;
  auto a = randomValues<int8_t>(size * size, 43, -4, 4),
       b = randomValues<int8_t>(size * size, 44, -4, 4);
  auto left = a;
  std::vector<double> added(size), total(size), expected(size * size);
  for (int i = 0; i < rounds; ++i) {
    std::vector<int32_t> sums(size * size);
    for (int row = 0; row < size; ++row)
      for (int column = 0; column < size; ++column) {
        int32_t &sum = sums[row * size + column];
        for (int k = 0; k < size; ++k)
          sum += left[row * size + k] * b[k * size + column];
      }
    for (int row = 0; row < size; ++row)
      for (int column = 1; column < size; ++column)
        sums[row * size + column] += sums[row * size + column - 1];
    for (int k = size; k < size * size; ++k)
      sums[k] += sums[k - size];
    for (int row = 0; row < size; ++row) {
      total[row] += added[row];
      for (int column = 0; column < size; ++column) {
        added[row] += sums[row * size + column];
        left[row * size + column] =
            static_cast<int8_t>(sums[(column + row + i) % size * size + row] & 7);
      }
    }
  }
  for (int k = 0; k < size * size; ++k)
    expected[k] = left[k] + total[k / size];
  for (int numWarps : warpCounts) {
    SCOPED_TRACE(numWarps);
    auto arguments =
        runOnSimulator({.source = source,
                        .signature = "*i8:16, *i8:16, *i32:16, *i32:16, 16, 3",
                        .arguments = {toArray(a), toArray(b), unwritten<int32_t>(size * size),
                                      toArray(std::vector<int32_t>(size))},
                        .numWarps = numWarps});
    expectClose(fromArray<int32_t>(arguments[2]), expected, 0);
    expectClose(fromArray<int32_t>(arguments[3]), added, 0);
  }
}

} // namespace
