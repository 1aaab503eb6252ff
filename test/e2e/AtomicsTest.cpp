//===- AtomicsTest.cpp - Atomic operations of many programs -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "Harness.h"

#include <numeric>
#include <set>

using namespace tilewright::test;

namespace {

constexpr int elements = 700, buckets = 9;

/// Three programs of 256 threads' worth of elements put x[i] into out[i % 9], with a mask; the
/// result goes to old[i]. `combine` is what one element does. Addition, and, or, .. give
/// the same in any order; so what is in memory afterwards is checked, and that the results
/// are what it was in between.
template <typename T>
void check(const std::string &function, const std::string &type, T initial,
           const std::function<T(T, T)> &combine) {
  for (int warps : {1, 2, 4, 8}) {
    SCOPED_TRACE("tl." + function + " on " + type + ", warps " + std::to_string(warps));
    auto x = randomValues<T>(elements, 5, -60, 60);
    std::vector<T> out(buckets, initial), expected = out;
    std::vector<std::multiset<T>> between(buckets);
    std::vector<T> chain = expected;
    for (int i = 0; i < elements; ++i)
      expected[i % buckets] = combine(expected[i % buckets], x[i]);
    auto arguments =
        runOnSimulator({.source = std::string(imports) + R"(
@triton.jit
def kernel(x_ptr, out_ptr, old_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    x = tl.load(x_ptr + offs, mask=mask)
    old = tl.)" + function + R"((out_ptr + offs % 9, x, mask=mask)
    tl.store(old_ptr + offs, old, mask=mask)
)",
                        .signature = "*" + type + ", *" + type + ", *" + type + ", i32, 256",
                        .arguments = {toArray(x), toArray(out), unwritten<T>(elements),
                                      int64_t(elements)},
                        .grid = {3},
                        .numWarps = warps});
    EXPECT_EQ(fromArray<T>(arguments[1]), expected);
    // Each element found what some elements before it, in the order of the run, have made.
    std::vector<T> old = fromArray<T>(arguments[2]);
    for (int b = 0; b < buckets; ++b) {
      std::multiset<T> found, made = {initial};
      for (int i = b; i < elements; i += buckets) {
        found.insert(old[i]);
        made.insert(combine(old[i], x[i]));
      }
      made.erase(made.find(expected[b]));
      EXPECT_EQ(found, made) << "bucket " << b;
    }
  }
}

TEST(Atomics, Integers) {
  check<int32_t>("atomic_add", "i32", 3, [](int32_t a, int32_t b) { return a + b; });
  check<int64_t>("atomic_add", "i64", 3, [](int64_t a, int64_t b) { return a + b; });
  check<uint32_t>("atomic_add", "u32", 3, [](uint32_t a, uint32_t b) { return a + b; });
  check<int32_t>("atomic_max", "i32", 3, [](int32_t a, int32_t b) { return std::max(a, b); });
  check<int32_t>("atomic_min", "i32", 3, [](int32_t a, int32_t b) { return std::min(a, b); });
  check<uint32_t>("atomic_max", "u32", 3, [](uint32_t a, uint32_t b) { return std::max(a, b); });
  check<uint32_t>("atomic_min", "u32", 3, [](uint32_t a, uint32_t b) { return std::min(a, b); });
  check<int64_t>("atomic_max", "i64", 3, [](int64_t a, int64_t b) { return std::max(a, b); });
  check<int64_t>("atomic_min", "i64", 3, [](int64_t a, int64_t b) { return std::min(a, b); });
  check<int32_t>("atomic_and", "i32", -1, [](int32_t a, int32_t b) { return a & b; });
  check<int64_t>("atomic_or", "i64", 0, [](int64_t a, int64_t b) { return a | b; });
  check<int32_t>("atomic_xor", "i32", 5, [](int32_t a, int32_t b) { return a ^ b; });
}

TEST(Atomics, Floats) {
  // The numbers are small integers, so that sums are exact in any order.
  check<float>("atomic_max", "fp32", -3, [](float a, float b) { return std::max(a, b); });
  check<float>("atomic_min", "fp32", -3, [](float a, float b) { return std::min(a, b); });
  check<double>("atomic_max", "fp64", 3, [](double a, double b) { return std::max(a, b); });
  check<double>("atomic_min", "fp64", 3, [](double a, double b) { return std::min(a, b); });
}

/// Four programs add x to out, element by element: whole tiles, so that vectors are used where
/// the target has them, or with a mask. Returns what is in memory then.
HostArray addedTiles(const std::string &type, ElementType elementType, const std::string &target,
                     bool masked, int warps) {
  const int64_t count = 512;
  std::vector<float> x(count);
  std::iota(x.begin(), x.end(), -100.0f);
  std::string access = masked ? "out_ptr + offs, x, mask=offs < n" : "out_ptr + offs, x";
  auto arguments =
      runOnSimulator({.source = std::string(imports) + R"(
@triton.jit
def kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs)
    tl.atomic_add()" + access + R"(, sem="relaxed")
)",
                      .signature = "*fp32:16, *" + type + ":16, i32, 512",
                      .arguments = {toArray(x), HostArray(elementType, {count}), int64_t(301)},
                      .grid = {4},
                      .numWarps = warps,
                      .target = target});
  return std::get<HostArray>(arguments[1]);
}

TEST(Atomics, AdditionsOfTiles) {
  const std::pair<const char *, ElementType> types[] = {{"fp16", ElementType::Float16},
                                                        {"bf16", ElementType::BFloat16},
                                                        {"fp32", ElementType::Float32},
                                                        {"fp64", ElementType::Float64}};
  for (auto [type, elementType] : types)
    for (const std::string &target : onlyForNvidia({"cuda:80", "cuda:90"}))
      for (bool masked : {false, true})
        for (int warps : {1, 4}) {
          SCOPED_TRACE(std::string(type) + " for " + target + (masked ? ", masked" : ""));
          HostArray found = addedTiles(type, elementType, target, masked, warps);
          for (int i = 0; i < 512; ++i) {
            double expected = masked && i >= 301 ? 0 : 4 * (i - 100);
            // Numbers of 8 bits lose up to half a last place in each of the additions.
            double tolerance = elementType == ElementType::BFloat16 ? std::fabs(expected) / 64 : 0;
            ASSERT_NEAR(found.at(i), expected, tolerance) << "element " << i;
          }
        }
}

TEST(Atomics, ExchangeAndCompare) {
  // What was exchanged makes a chain: each value is found once, but for the last.
  for (int warps : {1, 2, 8}) {
    auto arguments =
        runOnSimulator({.source = std::string(imports) + R"(
@triton.jit
def kernel(cell, old_ptr, won_ptr, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    old = tl.atomic_xchg(cell + offs * 0, offs + 1)
    tl.store(old_ptr + offs, old)
    # Only one can have found 0 there.
    won = tl.atomic_cas(cell + 1 + offs * 0, 0, offs + 7)
    tl.store(won_ptr + offs, won)
)",
                        .signature = "*i32, *i32, *i32, 64",
                        .arguments = {toArray(std::vector<int32_t>(2, 0)), unwritten<int32_t>(192),
                                      unwritten<int32_t>(192)},
                        .grid = {3},
                        .numWarps = warps});
    auto cell = fromArray<int32_t>(arguments[0]), old = fromArray<int32_t>(arguments[1]);
    std::set<int32_t> all(old.begin(), old.end());
    all.insert(cell[0]);
    EXPECT_EQ(all.size(), 193u);
    EXPECT_EQ(*all.begin(), 0);
    EXPECT_EQ(*all.rbegin(), 192);
    auto won = fromArray<int32_t>(arguments[2]);
    EXPECT_EQ(std::count(won.begin(), won.end(), 0), 1);
    EXPECT_EQ(std::count(won.begin(), won.end(), cell[1]), 191);
  }
}

TEST(Atomics, ScalarsAreDoneOnceForABlock) {
  for (int warps : {1, 4}) {
    auto arguments = runOnSimulator(
        {.source = std::string(imports) + R"(
@triton.jit
def kernel(cell, old_ptr):
    ticket = tl.atomic_add(cell, 2)
    # All threads have the ticket: they store with it.
    tl.store(old_ptr + ticket * 16 + tl.arange(0, 32), ticket)
    tl.atomic_max(cell + 1, ticket + 100, sem="relaxed", scope="gpu")
    tl.atomic_min(cell + 2, ticket, mask=ticket > 2)
    if tl.atomic_cas(cell + 3, 0, 1, sem="acquire", scope="sys") == 0:
        tl.atomic_xchg(cell + 4, ticket + 50)
)",
         .signature = "*i32, *i32",
         .arguments = {toArray(std::vector<int32_t>{0, 0, 9, 0, 0}), unwritten<int32_t>(160)},
         .grid = {5},
         .numWarps = warps});
    EXPECT_EQ(fromArray<int32_t>(arguments[0]), (std::vector<int32_t>{10, 108, 4, 1, 50}));
    auto old = fromArray<int32_t>(arguments[1]);
    for (int i = 0; i < 160; ++i)
      EXPECT_EQ(old[i], i / 32 * 2);
  }
}

TEST(Atomics, ElementsHeldByManyThreadsAreDoneOnce) {
  // 8 elements in 128 and more threads, in rows and in columns, whose results all of them get.
  for (int warps : {1, 2, 4, 8}) {
    auto arguments =
        runOnSimulator({.source = std::string(imports) + R"(
@triton.jit
def kernel(cell, sum_ptr):
    row = tl.arange(0, 8)
    old = tl.atomic_add(cell + row, row + 1)
    both = old[:, None] * 10 + tl.atomic_add(cell + 8 + row, row)[None, :]
    tl.store(sum_ptr + row[:, None] * 8 + row[None, :], both)
)",
                        .signature = "*i32, *i32",
                        .arguments = {toArray(std::vector<int32_t>(16, 5)), unwritten<int32_t>(64)},
                        .numWarps = warps});
    auto cell = fromArray<int32_t>(arguments[0]);
    for (int i = 0; i < 8; ++i) {
      EXPECT_EQ(cell[i], 5 + i + 1);
      EXPECT_EQ(cell[8 + i], 5 + i);
    }
    EXPECT_EQ(fromArray<int32_t>(arguments[1]), std::vector<int32_t>(64, 55));
  }
}

TEST(Atomics, NarrowElementsCanBeCompared) {
  auto arguments = runOnSimulator(
      {.source = std::string(imports) + R"(
@triton.jit
def kernel(x_ptr, old_ptr):
    offs = tl.arange(0, 32)
    tl.store(old_ptr + offs, tl.atomic_cas(x_ptr + offs, 3, 100 + offs))
)",
       .signature = "*i16, *i16",
       .arguments = {toArray(randomValues<int16_t>(32, 1, 3, 5)), unwritten<int16_t>(32)}});
  auto x = randomValues<int16_t>(32, 1, 3, 5), after = fromArray<int16_t>(arguments[0]);
  EXPECT_EQ(fromArray<int16_t>(arguments[1]), x);
  for (int i = 0; i < 32; ++i)
    EXPECT_EQ(after[i], x[i] == 3 ? 100 + i : x[i]);
}

} // namespace
