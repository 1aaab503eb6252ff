//===- LayoutSolverTest.cpp - Results in the layouts that cost least ----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Who chooses the layouts changes no bit of a result. Sums are of whole numbers, so they are exact
// in any order. The kernels are such that loads, stores, sums of outer products and products of
// matrix units take layouts that the greedy solver does not have (LayoutProvider.h).
//
//===--------------------------------------------------------------------------===//

#include "Harness.h"

#include "runtime/arrays/SmallFloat.h"

#include "tilewright/Simulator.h"

using namespace tilewright;
using namespace tilewright::test;

namespace {

/// The result of a compilation with one of the solvers.
struct Outcome {
  std::string ttgir;
  std::vector<std::byte> output;
};

/// Compiles the kernel of `launch` and runs it; the output is its last array.
Outcome run(const Launch &launch, bool isExact) {
  static Compiler compiler;
  CompileOptions options = optionsFor(launch.target);
  options.signature = launch.signature;
  options.numWarps = launch.numWarps;
  options.exactLayouts = isExact;
  CompileResult result = compiler.compile({"test.py", launch.source}, options);
  if (!result) {
    for (const Diagnostic &diagnostic : result.diagnostics)
      ADD_FAILURE() << render(diagnostic);
    return {};
  }
  auto device = simulate::createSimulator({});
  auto loaded = device->load(result.compilation->kernel);
  if (!loaded) {
    ADD_FAILURE() << render(loaded.error());
    return {};
  }
  noteRun();
  std::vector<ArgumentValue> arguments = launch.arguments;
  if (auto done = runtime::run(*device, **loaded, launch.grid, arguments); !done)
    ADD_FAILURE() << render(done.error()) << result.compilation->ttgir;
  return {result.compilation->ttgir, std::get<HostArray>(arguments.back()).bytes};
}

/// Checks that both solvers' layouts give one result, which is `expected`. Whether they differ on
/// one of `targets` at least.
bool compareSolvers(Launch launch, std::vector<std::string> targets,
                    const std::vector<float> &expected) {
  bool differ = false;
  for (const std::string &target : targets) {
    SCOPED_TRACE(target);
    launch.target = target;
    const Outcome greedy = run(launch, false), exact = run(launch, true);
    EXPECT_TRUE(greedy.output == exact.output) << exact.ttgir;
    EXPECT_TRUE(exact.output == toArray(expected).bytes) << exact.ttgir;
    differ |= greedy.ttgir != exact.ttgir;
  }
  return differ;
}

HostArray toHalves(const std::vector<float> &values) {
  std::vector<int16_t> bits;
  for (float value : values)
    bits.push_back(static_cast<int16_t>(runtime::encode(runtime::float16, value)));
  HostArray array = toArray(bits);
  array.type = ElementType::Float16;
  return array;
}

std::vector<float> multiply(const std::vector<float> &a, const std::vector<float> &b, int m, int n,
                            int k) {
  std::vector<float> d(size_t(m) * n);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      for (int l = 0; l < k; ++l)
        d[i * n + j] += a[i * k + l] * b[l * n + j];
  return d;
}

TEST(LayoutSolver, AccessesWithMasks) {
  const int count = 1000;
  const auto x = randomWholeNumbers(count, 1, -99, 99);
  std::vector<float> expected(1024, -1.0f);
  for (int i = 0; i < count; ++i)
    expected[i] = 2 * x[i] + 1;
  EXPECT_TRUE(compareSolvers({.source = std::string(imports) + R"(
@triton.jit
def kernel(n, x_ptr, out_ptr):
    offsets = tl.arange(0, 1024)
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=-1.0)
    tl.store(out_ptr + offsets, tl.where(offsets < n, 2 * x + 1, -1.0))
)",
                              .signature = "i32, *fp32:16, *fp32:16",
                              .arguments = {int64_t(count), toArray(x), unwritten<float>(1024)}},
                             onlyForNvidia({"cuda:80", "cuda:90"}), expected));
}

TEST(LayoutSolver, ProductsAfterEachOther) {
  // A product of which operand A is another one, and an operand that does not lie along K.
  const int m = 128, n = 64, k = 64;
  const auto a = randomWholeNumbers(m * k, 2, -2, 2), b = randomWholeNumbers(k * n, 3, -2, 2),
             c = randomWholeNumbers(n * n, 4, -1, 1);
  for (int numWarps : {4, 8}) {
    SCOPED_TRACE(numWarps);
    compareSolvers(
        {.source = std::string(imports) + R"(
@triton.jit
def kernel(a_ptr, b_ptr, c_ptr, steps, out_ptr):
    m = tl.arange(0, 128)[:, None]
    n = tl.arange(0, 64)[None, :]
    k = tl.arange(0, 64)
    acc = tl.zeros((128, 64), dtype=tl.float32)
    for i in range(0, steps):
        a = tl.load(a_ptr + m * 64 + k[None, :])
        b = tl.load(b_ptr + k[:, None] * 64 + n)
        c = tl.load(c_ptr + k[:, None] * 64 + n)
        first = tl.dot(a, b)
        acc = tl.dot(first.to(tl.float16), c, acc)
    tl.store(out_ptr + m * 64 + n, acc)
)",
         .signature = "*fp16:16, *fp16:16, *fp16:16, i32, *fp32:16",
         .arguments = {toHalves(a), toHalves(b), toHalves(c), int64_t(1), unwritten<float>(m * n)},
         .numWarps = numWarps},
        onlyForNvidia({"cuda:80", "cuda:90"}), multiply(multiply(a, b, m, n, k), c, m, n, n));
  }
}

TEST(LayoutSolver, SumsOfOuterProducts) {
  const int m = 64, n = 64, k = 5;
  const auto a = randomWholeNumbers(m * k, 5, -9, 9), b = randomWholeNumbers(k * n, 6, -9, 9);
  compareSolvers({.source = std::string(imports) + R"(
@triton.jit
def kernel(a_ptr, b_ptr, steps, out_ptr):
    m = tl.arange(0, 64)[:, None]
    n = tl.arange(0, 64)[None, :]
    acc = tl.zeros((64, 64), dtype=tl.float32)
    for i in range(0, steps):
        acc += tl.load(a_ptr + m * steps + i) * tl.load(b_ptr + i * 64 + n)
    tl.store(out_ptr + m * 64 + n, acc)
)",
                  .signature = "*fp32:16, *fp32:16, i32, *fp32:16",
                  .arguments = {toArray(a), toArray(b), int64_t(k), unwritten<float>(m * n)}},
                 onlyForNvidia({"cuda:80", "cuda:90"}), multiply(a, b, m, n, k));
}

} // namespace
