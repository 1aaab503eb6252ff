//===- ControlFlowTest.cpp - Loops, branches, calls ---------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "Harness.h"

using namespace tilewright::test;

namespace {

std::vector<float> runScalars(const std::string &body, std::vector<int64_t> values,
                              size_t results) {
  std::string source = std::string(imports) + body, signature;
  std::vector<ArgumentValue> arguments = {unwritten<float>(results)};
  signature = "*fp32";
  for (int64_t value : values) {
    arguments.push_back(value);
    signature += ", i32";
  }
  return fromArray<float>(
      runOnSimulator({.source = source, .signature = signature, .arguments = arguments})[0]);
}

TEST(ControlFlow, ForWithSeveralCarriedValues) {
  auto out = runScalars(R"(
@triton.jit
def kernel(out_ptr, n):
    a = 0
    b = 1
    for i in range(2, n):
        a, b = b, a + b
    tl.store(out_ptr, b.to(tl.float32))
    tl.store(out_ptr + 1, a.to(tl.float32))
)",
                        {12}, 2);
  EXPECT_EQ(out, (std::vector<float>{89, 55}));
}

TEST(ControlFlow, NestedLoopsAndSteps) {
  auto out = runScalars(R"(
@triton.jit
def kernel(out_ptr, n):
    total = 0
    for i in range(0, n, 3):
        for j in range(i, n):
            total += i * j
    tl.store(out_ptr, total.to(tl.float32))
)",
                        {10}, 1);
  int total = 0;
  for (int i = 0; i < 10; i += 3)
    for (int j = i; j < 10; ++j)
      total += i * j;
  EXPECT_EQ(out[0], total);
}

TEST(ControlFlow, IfElse) {
  for (int64_t n : {-1, 0, 5, 50}) {
    auto out = runScalars(R"(
@triton.jit
def kernel(out_ptr, n):
    x = 1.0
    if n > 10:
        x = 2.0
    elif n > 0:
        x = 3.0
    else:
        x += 4.0
    tl.store(out_ptr, x)
)",
                          {n}, 1);
    EXPECT_EQ(out[0], n > 10 ? 2 : n > 0 ? 3 : 5);
  }
}

TEST(ControlFlow, WhileAndConditionalExpression) {
  auto out = runScalars(R"(
@triton.jit
def kernel(out_ptr, n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    tl.store(out_ptr, steps.to(tl.float32))
)",
                        {27}, 1);
  EXPECT_EQ(out[0], 111);
}

TEST(ControlFlow, CallsWithDefaultsKeywordsAndTuples) {
  auto out = runScalars(R"(
@triton.jit
def divide(a, b, ROUND_UP: tl.constexpr = False):
    if ROUND_UP:
        return (a + b - 1) // b, a
    return a // b, a % b

@triton.jit
def kernel(out_ptr, n):
    q, r = divide(n, 4)
    up, same = divide(n, b=4, ROUND_UP=True)
    tl.store(out_ptr, (q * 1000 + r * 100 + up * 10 + same).to(tl.float32))
)",
                        {7}, 1);
  EXPECT_EQ(out[0], 1 * 1000 + 3 * 100 + 2 * 10 + 7);
}

TEST(ControlFlow, ConstantsOfTheModule) {
  auto out = runScalars(R"(
SCALE: tl.constexpr = 3
OFFSET = tl.constexpr(4)

@triton.jit
def kernel(out_ptr, n):
    for i in tl.static_range(2):
        tl.store(out_ptr + i, (n * SCALE + OFFSET + i).to(tl.float32))
)",
                        {5}, 2);
  EXPECT_EQ(out, (std::vector<float>{19, 20}));
}

// A condition on a scalar that becomes a select of tensors, between hints and a barrier.
TEST(ControlFlow, ScalarConditionChoosesTensors) {
  for (int64_t n : {3, -3}) {
    auto out = runScalars(R"(
@triton.jit
def kernel(out_ptr, n):
    tl.assume(n < 100)
    offs = tl.arange(0, 1024)
    x = offs
    if n > 0:
        x = offs + 1
    tl.store(out_ptr + offs, x.to(tl.float32))
    tl.debug_barrier()
    tl.store(out_ptr, -1.0)
)",
                          {n}, 1024);
    EXPECT_EQ(out[0], -1);
    for (int i = 1; i < 1024; ++i)
      ASSERT_EQ(out[i], n > 0 ? i + 1 : i);
  }
}

/// Every way out of nested branches, in a function with values and in the kernel.
TEST(ControlFlow, EarlyReturns) {
  auto expected = [](int64_t n, int64_t m) {
    auto find = [](int64_t x, int64_t y) -> std::pair<double, double> {
      if (x > 0) {
        if (y > 0)
          return {x, 1};
        if (y < -5)
          return {y, 2};
        x += y;
      } else if (x == y) {
        return {0, 3};
      }
      return {x * y, 4};
    };
    std::vector<float> out = {-1, -1};
    if (n == 3) {
      if (m == 4)
        return out;
      out[0] = 7;
    }
    auto [a, b] = find(n, m);
    out[1] = static_cast<float>(a + b);
    return out;
  };
  for (auto [n, m] : std::initializer_list<std::pair<int64_t, int64_t>>{
           {3, 4}, {3, 5}, {3, -2}, {3, -9}, {1, 1}, {0, 0}, {-2, 8}}) {
    auto out = runScalars(R"(
@triton.jit
def find(x, y):
    if x > 0:
        if y > 0:
            return x, 1.0
        elif y < -5:
            return y, 2.0
        x = x + y
    else:
        if x == y:
            return 0, 3.0
    return x * y, 4.0

@triton.jit
def kernel(out_ptr, n, m):
    for i in tl.static_range(2):
        tl.store(out_ptr + i, -1.0)
    if n == 3:
        if m == 4:
            return
        tl.store(out_ptr, 7.0)
    a, b = find(n, m)
    tl.store(out_ptr + 1, a + b)
)",
                          {n, m}, 2);
    EXPECT_EQ(out, expected(n, m)) << n << " " << m;
  }
}

/// A `while` with branches in its body, and one in another, over tensors and scalars.
TEST(ControlFlow, WhileWithBranches) {
  for (int64_t n : {0, 1, 17}) {
    auto out = runScalars(R"(
@triton.jit
def kernel(out_ptr, n):
    offs = tl.arange(0, 32)
    total = tl.zeros([32], tl.float32)
    i = 0
    while i < n and i < 100:
        if i % 3 == 0:
            total += tl.where(offs < i, 1.0, 0.0)
            i += 1
        elif i > 8:
            j = i
            while j > 6:
                total += 2
                j -= 3
            i += 3
        else:
            i += 2
    tl.store(out_ptr + offs, total)
)",
                          {n}, 32);
    std::vector<float> total(32, 0);
    for (int64_t i = 0; i < n && i < 100;) {
      if (i % 3 == 0) {
        for (int64_t k = 0; k < i && k < 32; ++k)
          total[k] += 1;
        i += 1;
      } else if (i > 8) {
        for (int64_t j = i; j > 6; j -= 3)
          for (float &value : total)
            value += 2;
        i += 3;
      } else {
        i += 2;
      }
    }
    EXPECT_EQ(out, total) << n;
  }
}

/// What the compiler computes: constexpr functions, comprehensions, functions as arguments.
TEST(ControlFlow, WhatIsComputedWhileCompiling) {
  auto out = runScalars(R"(
WEIGHTS = [3, 1, 2]

@triton.constexpr_function
def prime(n):
    found = 0
    candidate = 1
    while found < n:
        candidate += 1
        for d in range(2, candidate):
            if candidate % d == 0:
                break
        else:
            found += 1
    return candidate

@triton.constexpr_function
def weight(i):
    return sorted(WEIGHTS)[i]

@triton.jit
def square(x):
    return x * x

@triton.jit
def each(f: tl.constexpr, xs):
    total = 0
    for i in tl.static_range(len(xs)):
        total += f(xs[i]) * weight(i)
    return total

@triton.jit
def kernel(out_ptr, n):
    P: tl.constexpr = prime(10)
    xs = [n + i for i in (1, 2, 3) if i != 0]
    tl.store(out_ptr, each(square, xs).to(tl.float32))
    tl.store(out_ptr + 1, tl.sum(tl.arange(0, tl.next_power_of_2(P))).to(tl.float32))
    tl.store(out_ptr + 2, tl.max(tl.arange(0, 8)[None, :], 1).item().to(tl.float32) + P)
)",
                        {4}, 3);
  EXPECT_EQ(out, (std::vector<float>{25 * 1 + 36 * 2 + 49 * 3, 31 * 32 / 2, 7 + 29}));
}

/// The variable of a loop that has ended has its last value, or the one before a loop that does not
/// run.
TEST(ControlFlow, LoopVariablesAfterTheirLoops) {
  for (int64_t n : {3, 4, 5, 12}) {
    auto out = runScalars(R"(
@triton.jit
def kernel(out_ptr, n):
    total = 0
    for i in range(2, n, 3):
        total += i
    if n > 4:
        tl.store(out_ptr, i.to(tl.float32))
    else:
        tl.store(out_ptr, (i + 0 * total).to(tl.float32))
    for i in range(n, -3, -2):
        total += i
    tl.store(out_ptr + 1, i.to(tl.float32))
    k = 100
    for k in range(5, n):
        total += k
    tl.store(out_ptr + 2, k.to(tl.float32))
    for j in tl.static_range(0, 9, 4):
        total += j
    tl.store(out_ptr + 3, total.to(tl.float32) + j)
    return total
)",
                          {n}, 4);
    int i = 0, k = 100, total = 0;
    for (int j = 2; j < n; j += 3)
      total += i = j;
    EXPECT_EQ(out[0], i);
    for (int j = static_cast<int>(n); j > -3; j -= 2)
      total += i = j;
    EXPECT_EQ(out[1], i);
    for (int j = 5; j < n; ++j)
      total += k = j;
    EXPECT_EQ(out[2], k);
    EXPECT_EQ(out[3], total + 4 + 8 + 8);
  }
}

/// Constructs that Triton lets pass, which real kernels have.
TEST(ControlFlow, WhatTritonLetsPass) {
  auto out = runScalars(R"(
@triton.jit
def kernel(out_ptr, n, m, B: tl.constexpr = 8, T: tl.constexpr = tl.float32):
    o = tl.arange(0, B.value)
    a, b = n, m, n * m
    (c,) = (n + 1,)
    tl.store(out_ptr, (a + b * c).to(T.value))
    double: tl.constexpr = n * 2
    tl.store(out_ptr + 1, double.to(tl.dtype("fp32")))
    s = n.to(tl.float32)
    tl.store(out_ptr + 2, tl.sum(s[:, None] + s[None, :] + tl.zeros([B, B], tl.float32)))
    top = tl.reduce(o * n, 0, tl.standard._elementwise_max)
    at, where = tl.reduce((-o, o), 0, tl.standard._argmax_combine_tie_break_left)
    tl.store(out_ptr + 3, (top + at + where + tl.standard._log2(B)).to(tl.float32))
    masked = tl.where(not (o < n), o, 0)
    tl.store(out_ptr + 4, tl.sum(masked).to(tl.float32))
    assert n != n
    assert B != 8, f"B is {B}"
    whole: tl.constexpr = tl.slice(1, None, None)
    tl.store(out_ptr + 5, (n, m, 7)[whole][0].to(tl.float32) + (B.bit_length() - 1))
    if B > 4:
        bound = n
    if B > 4:
        tl.store(out_ptr + 6, tl.cast(float("-inf"), tl.uint8).to(tl.float32) + bound)
    if tl.target_info.is_cuda() and not tl.target_info.is_hip():
        tl.store(out_ptr + 7, 1.0)
    else:
        tl.store(out_ptr + 7, 0.0)
)",
                        {3, 5}, 8);
  const bool isCuda = defaultTarget().starts_with("cuda");
  EXPECT_EQ(out, (std::vector<float>{3 + 5 * 4, 6, 64 * 6, 21 + 0 + 0 + 3, 3 + 4 + 5 + 6 + 7, 5 + 3,
                                     3, isCuda ? 1.0f : 0.0f}));
}

/// A function of scalars that branches, and one of two elements at once: each thread's own, so that
/// only what holds for any two is checked.
TEST(ControlFlow, FunctionsOfScalarsForEachElement) {
  auto out = runScalars(R"(
@triton.jit
def collatz(x, limit):
    steps = 0
    while (x > 1) & (steps < limit):
        if x % 2 == 0:
            x = x // 2
        else:
            x = 3 * x + 1
        steps += 1
    return steps, x

@triton.jit
def both(a0, a1):
    return a0 + a1, a0 + a1

@triton.jit
def kernel(out_ptr, n):
    o = tl.arange(0, 64)
    steps, last = tl.map_elementwise(collatz, o + 1, n)
    tl.store(out_ptr + o, (steps * 10 + last).to(tl.float32))
    pairs, = tl.map_elementwise(both, o + o, pack=2)
    tl.store(out_ptr + 64, tl.sum(pairs).to(tl.float32))
)",
                        {1000}, 65);
  for (int i = 0; i < 64; ++i) {
    int x = i + 1, steps = 0;
    for (; x > 1; ++steps)
      x = x % 2 ? 3 * x + 1 : x / 2;
    EXPECT_EQ(out[i], static_cast<float>(steps * 10 + x)) << i;
  }
  EXPECT_EQ(out[64], 2 * 2 * 63 * 64 / 2);
}

} // namespace
