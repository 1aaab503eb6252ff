//===- AtomicsTest.cpp - Memory that several programs change ------------------===//
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
    auto arguments = runOnSimulator({.source = std::string(imports) + R"(
@triton.jit
def kernel(x_ptr, out_ptr, old_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    x = tl.load(x_ptr + offs, mask=mask)
    old = tl.)" + function + R"((out_ptr + offs % 9, x, mask=mask)
    tl.store(old_ptr + offs, old, mask=mask)
)",
                                     .signature = "*" + type + ", *" + type + ", *" + type +
                                                  ", i32, 256",
                                     .arguments = {toArray(x), toArray(out),
                                                   unwritten<T>(elements), int64_t(elements)},
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
  auto whole = [](auto value) { return std::floor(value); };
  check<float>("atomic_max", "fp32", -3, [](float a, float b) { return std::max(a, b); });
  check<float>("atomic_min", "fp32", -3, [](float a, float b) { return std::min(a, b); });
  check<double>("atomic_max", "fp64", 3, [](double a, double b) { return std::max(a, b); });
  check<double>("atomic_min", "fp64", 3, [](double a, double b) { return std::min(a, b); });
  (void)whole;
}

} // namespace
