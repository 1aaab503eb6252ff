//===- PipelineTest.cpp - Loops whose iterations overlap ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Kernels with loops of 1 to 5 stages: how many there are changes no bit of a result, and neither
// does who orders the ops. Trip counts go from none to more than there are stages. The simulator
// completes copies as late as their waits allow, and at once; inputs hold exactly what is to be
// read.
//
//===--------------------------------------------------------------------------===//

#include "Harness.h"

#include "runtime/arrays/SmallFloat.h"

#include "tilewright/Simulator.h"

#include <cmath>

using namespace tilewright;
using namespace tilewright::test;
using simulate::AsyncCompletion;

namespace {

/// A kernel with a constexpr STAGES, the last parameter, for the stages of its loops.
struct Kernel {
  std::string body;
  /// The signature but for STAGES.
  std::string signature;
  std::vector<ArgumentValue> arguments;
  /// The argument that it writes.
  size_t output;
};

/// Whether `target` copies from global to shared memory: every loop here is pipelined for it. For
/// others some are, with tiles in registers or prefetched into the cache.
bool hasCopies(const std::string &target) { return target.starts_with("cuda"); }

/// What the kernel writes, compiled with `stages` for `target`.
std::vector<std::byte> run(const Kernel &kernel, int stages, const std::string &target,
                           AsyncCompletion completion, bool isExact = false) {
  static Compiler compiler;
  CompileOptions options = optionsFor(target);
  options.signature = kernel.signature + ", " + std::to_string(stages);
  options.exactSchedules = isExact;
  const std::string source = imports + kernel.body;
  CompileResult result = compiler.compile({"test.py", source}, options);
  // Warps of 32 threads have no matrix unit on Intel, of which a warning tells.
  for (const Diagnostic &diagnostic : result.diagnostics)
    if (diagnostic.severity != Severity::Warning || hasCopies(target))
      ADD_FAILURE() << render(diagnostic) << source;
  if (!result)
    return {};
  if (hasCopies(target)) {
    const bool isPipelined =
        result.compilation->ttgir.find("ttg.async_copy_global_to_local") != std::string::npos;
    EXPECT_EQ(isPipelined, stages > 1) << result.compilation->ttgir;
  }

  simulate::SimulatorOptions simulatorOptions;
  simulatorOptions.asyncCompletion = completion;
  auto device = simulate::createSimulator(simulatorOptions);
  auto loaded = device->load(result.compilation->kernel);
  if (!loaded) {
    ADD_FAILURE() << render(loaded.error());
    return {};
  }
  noteRun();
  std::vector<ArgumentValue> arguments = kernel.arguments;
  if (auto done = runtime::run(*device, **loaded, Grid{}, arguments); !done) {
    ADD_FAILURE() << render(done.error()) << result.compilation->ttgir;
    return {};
  }
  EXPECT_EQ(device->report().unawaitedCopies, 0u);
  return std::get<HostArray>(arguments[kernel.output]).bytes;
}

/// Checks that 2 to 5 stages give what one gives, and returns that.
template <typename T> std::vector<T> checkStages(const Kernel &kernel) {
  std::vector<std::byte> expected;
  for (const std::string &target : onlyForNvidia({"cuda:80", "cuda:90"})) {
    expected = run(kernel, 1, target, AsyncCompletion::Late);
    // Fewer where stages are a distance of prefetches, or one buffer of registers.
    for (int stages : hasCopies(target) ? std::vector{2, 3, 4, 5} : std::vector{2, 4}) {
      SCOPED_TRACE(target + ", " + std::to_string(stages) + " stages");
      EXPECT_TRUE(run(kernel, stages, target, AsyncCompletion::Late) == expected);
    }
    if (!hasCopies(target))
      continue;
    SCOPED_TRACE(target + ", copies complete at once, or schedules are exact");
    EXPECT_TRUE(run(kernel, 3, target, AsyncCompletion::Early) == expected);
    EXPECT_TRUE(run(kernel, 3, target, AsyncCompletion::Late, /*isExact=*/true) == expected);
  }
  EXPECT_FALSE(expected.empty());
  std::vector<T> values(expected.size() / sizeof(T));
  std::memcpy(values.data(), expected.data(), expected.size());
  return values;
}

class Pipeline : public testing::TestWithParam<int> {};

TEST_P(Pipeline, SumsOfRows) {
  const int count = GetParam();
  auto x = randomValues<float>(512 * count, 1, -9, 9);
  auto sums = checkStages<float>({R"(
@triton.jit
def kernel(x_ptr, out_ptr, n, STAGES: tl.constexpr):
    offsets = tl.arange(0, 512)
    acc = tl.zeros((512,), dtype=tl.float32)
    for i in tl.range(0, n, num_stages=STAGES):
        acc += tl.load(x_ptr + i * 512 + offsets)
    tl.store(out_ptr + offsets, acc)
)",
                                  "*fp32:16, *fp32:16, i32",
                                  {toArray(x), unwritten<float>(512), int64_t(count)},
                                  1});
  for (int i = 0; i < int(sums.size()); ++i) {
    float expected = 0;
    for (int row = 0; row < count; ++row)
      expected += x[512 * row + i];
    ASSERT_EQ(sums[i], expected) << i;
  }
}

/// Pointers that a second loop goes on from: of the iterations that there are.
TEST_P(Pipeline, PointersAfterTheLoop) {
  const int count = GetParam();
  auto x = randomValues<float>(256 * (count + 2), 2, -9, 9);
  auto sums = checkStages<float>({R"(
@triton.jit
def kernel(x_ptr, out_ptr, n, STAGES: tl.constexpr):
    offsets = tl.arange(0, 256)
    acc = tl.zeros((256,), dtype=tl.float32)
    p = x_ptr + offsets
    for i in tl.range(0, n, num_stages=STAGES):
        acc += tl.load(p)
        p += 256
    for i in tl.range(0, 2, num_stages=STAGES):
        acc = acc * 0.5 + tl.load(p)
        p += 256
    tl.store(out_ptr + offsets, acc)
)",
                                  "*fp32:16, *fp32:16, i32",
                                  {toArray(x), unwritten<float>(256), int64_t(count)},
                                  1});
  for (int i = 0; i < int(sums.size()); ++i) {
    float expected = 0;
    for (int row = 0; row < count; ++row)
      expected += x[256 * row + i];
    for (int row = count; row < count + 2; ++row)
      expected = expected * 0.5f + x[256 * row + i];
    ASSERT_EQ(sums[i], expected) << i;
  }
}

/// A branch stores to memory that the iteration loads from after it, as does the next one.
TEST_P(Pipeline, TilesThatABranchStores) {
  const int count = GetParam();
  auto x = randomValues<float>(256 * std::max(count, 1), 17, -9, 9);
  auto values = checkStages<float>({R"(
@triton.jit
def kernel(x_ptr, out_ptr, n, STAGES: tl.constexpr):
    offsets = tl.arange(0, 256)
    acc = tl.zeros((256,), dtype=tl.float32)
    tl.store(out_ptr + offsets, acc)
    for i in tl.range(0, n, num_stages=STAGES):
        x = tl.load(x_ptr + i * 256 + offsets)
        if i % 3 != 1:
            tl.store(out_ptr + (i - i) * 256 + offsets, x)
        acc = acc * 0.5 + x * 2.0 + tl.load(out_ptr + offsets)
    tl.store(out_ptr + 256 + offsets, acc)
)",
                                    "*fp32:16, *fp32:16, i32",
                                    {toArray(x), unwritten<float>(512), int64_t(count)},
                                    1});
  for (int i = 0; i < 256 && !values.empty(); ++i) {
    float sum = 0, stored = 0;
    for (int row = 0; row < count; ++row) {
      if (row % 3 != 1)
        stored = x[256 * row + i];
      sum = sum * 0.5f + x[256 * row + i] * 2 + stored;
    }
    ASSERT_EQ(values[i], stored) << i;
    ASSERT_EQ(values[256 + i], sum) << i;
  }
}

/// The same beside a product: the branch comes before the load, though nothing waits for it.
TEST_P(Pipeline, SumsThatABranchStores) {
  const int k = 16 * GetParam();
  auto a = randomWholeNumbers(std::max(32 * k, 1), 18, -100, 100);
  auto b = randomWholeNumbers(std::max(32 * k, 1), 19, -100, 100);
  auto c = checkStages<float>({R"(
@triton.jit
def kernel(a_ptr, b_ptr, c_ptr, K, STAGES: tl.constexpr):
    rm = tl.arange(0, 32)
    rk = tl.arange(0, 16)
    offsets = rm[:, None] * 32 + rm[None, :]
    acc = tl.zeros((32, 32), dtype=tl.float32)
    sums = tl.zeros((32, 32), dtype=tl.float32)
    tl.store(c_ptr + offsets, acc)
    for k in tl.range(0, K, 16, num_stages=STAGES):
        x = tl.load(a_ptr + rm[:, None] * K + k + rk[None, :])
        y = tl.load(b_ptr + (k + rk)[:, None] * 32 + rm[None, :])
        acc = tl.dot(x, y, acc, input_precision="ieee")
        if k % 32 == 0:
            tl.store(c_ptr + (k - k) + offsets, acc)
        sums += tl.load(c_ptr + offsets)
    tl.store(c_ptr + 1024 + offsets, sums)
)",
                               "*fp32:16, *fp32:16, *fp32:16, i32:16",
                               {toArray(a), toArray(b), unwritten<float>(2048), int64_t(k)},
                               2});
  for (int i = 0; i < 1024 && !c.empty(); ++i) {
    float acc = 0, stored = 0, sums = 0;
    for (int n = 0; n < k; ++n) {
      acc += a[i / 32 * k + n] * b[n * 32 + i % 32];
      if (n % 16 != 15)
        continue;
      if (n / 16 % 2 == 0)
        stored = acc;
      sums += stored;
    }
    ASSERT_EQ(c[i], stored) << i;
    ASSERT_EQ(c[1024 + i], sums) << i;
  }
}

/// What is masked off is minus infinity, not zero.
TEST_P(Pipeline, MaskedTailWithOther) {
  const int count = 200 * GetParam();
  auto x = randomValues<float>(std::max(count, 1), 3, -9, -1);
  auto largest = checkStages<float>({R"(
@triton.jit
def kernel(x_ptr, out_ptr, n, STAGES: tl.constexpr):
    offsets = tl.arange(0, 128)
    m = tl.full((128,), -float("inf"), tl.float32)
    for start in tl.range(0, n, 128, num_stages=STAGES):
        inside = start + offsets < n
        m = tl.maximum(m, tl.load(x_ptr + start + offsets, mask=inside, other=-float("inf")))
    tl.store(out_ptr + offsets, m)
)",
                                     "*fp32:16, *fp32:16, i32",
                                     {toArray(x), unwritten<float>(128), int64_t(count)},
                                     1});
  for (int i = 0; i < int(largest.size()); ++i) {
    float expected = -std::numeric_limits<float>::infinity();
    for (int k = i; k < count; k += 128)
      expected = std::max(expected, x[k]);
    ASSERT_EQ(largest[i], expected) << i;
  }
}

/// Rows by an index from memory: two levels of loads.
TEST_P(Pipeline, IndirectRows) {
  const int count = GetParam(), rows = 40;
  auto index = randomValues<int32_t>(std::max(4 * count, 1), 4, 0, rows - 1);
  auto x = randomValues<float>(128 * rows, 5, -9, 9);
  auto sums =
      checkStages<float>({R"(
@triton.jit
def kernel(i_ptr, x_ptr, out_ptr, n, STAGES: tl.constexpr):
    r = tl.arange(0, 4)
    c = tl.arange(0, 128)
    acc = tl.zeros((4, 128), dtype=tl.float32)
    for i in tl.range(0, n, num_stages=STAGES):
        row = tl.load(i_ptr + i * 4 + r)
        acc += tl.load(x_ptr + row[:, None] * 128 + c[None, :])
    tl.store(out_ptr + r[:, None] * 128 + c[None, :], acc)
)",
                          "*i32:16, *fp32:16, *fp32:16, i32",
                          {toArray(index), toArray(x), unwritten<float>(512), int64_t(count)},
                          2});
  for (int i = 0; i < int(sums.size()); ++i) {
    float expected = 0;
    for (int k = 0; k < count; ++k)
      expected += x[128 * index[4 * k + i / 128] + i % 128];
    ASSERT_EQ(sums[i], expected) << i;
  }
}

/// C = A @ B with a tail of K that is masked.
TEST_P(Pipeline, Products) {
  const int k = 24 * GetParam();
  auto a = randomValues<float>(std::max(32 * k, 1), 6, -1, 1);
  auto b = randomValues<float>(std::max(32 * k, 1), 7, -1, 1);
  auto c = checkStages<float>({R"(
@triton.jit
def kernel(a_ptr, b_ptr, c_ptr, K, STAGES: tl.constexpr):
    rm = tl.arange(0, 32)
    rk = tl.arange(0, 16)
    a = a_ptr + rm[:, None] * K + rk[None, :]
    b = b_ptr + rk[:, None] * 32 + rm[None, :]
    acc = tl.zeros((32, 32), dtype=tl.float32)
    for k in tl.range(0, tl.cdiv(K, 16), num_stages=STAGES):
        x = tl.load(a, mask=rk[None, :] < K - k * 16, other=0.0)
        y = tl.load(b, mask=rk[:, None] < K - k * 16, other=0.0)
        acc = tl.dot(x, y, acc, input_precision="ieee")
        a += 16
        b += 16 * 32
    tl.store(c_ptr + rm[:, None] * 32 + rm[None, :], acc)
)",
                               "*fp32:16, *fp32:16, *fp32:16, i32:8",
                               {toArray(a), toArray(b), unwritten<float>(1024), int64_t(k)},
                               2});
  std::vector<double> expected(c.size());
  for (int i = 0; i < int(c.size()); ++i)
    for (int n = 0; n < k; ++n)
      expected[i] += double(a[i / 32 * k + n]) * b[n * 32 + i % 32];
  // Sums of at most 168 products of numbers up to 1, each rounded to 24 bits.
  expectClose(c, expected, 1e-5);
}

/// The same where units read A in memory, and B, contiguous along N, comes through registers: whole
/// numbers that tf32 has, whose sums are exact.
TEST_P(Pipeline, ProductsOfTransposes) {
  const int k = 24 * GetParam();
  auto a = randomWholeNumbers(std::max(64 * k, 1), 9, -100, 100);
  auto b = randomWholeNumbers(std::max(64 * k, 1), 10, -100, 100);
  auto c = checkStages<float>({R"(
@triton.jit
def kernel(a_ptr, b_ptr, c_ptr, K, STAGES: tl.constexpr):
    rm = tl.arange(0, 64)
    rk = tl.arange(0, 32)
    a = a_ptr + rm[:, None] * K + rk[None, :]
    b = b_ptr + rk[:, None] * 64 + rm[None, :]
    acc = tl.zeros((64, 64), dtype=tl.float32)
    for k in tl.range(0, tl.cdiv(K, 32), num_stages=STAGES):
        x = tl.load(a, mask=rk[None, :] < K - k * 32, other=0.0)
        y = tl.load(b, mask=rk[:, None] < K - k * 32, other=0.0)
        acc = tl.dot(x, y, acc)
        a += 32
        b += 32 * 64
    tl.store(c_ptr + rm[:, None] * 64 + rm[None, :], acc)
)",
                               "*fp32:16, *fp32:16, *fp32:16, i32:8",
                               {toArray(a), toArray(b), unwritten<float>(4096), int64_t(k)},
                               2});
  for (int i = 0; i < int(c.size()); ++i) {
    float expected = 0;
    for (int n = 0; n < k; ++n)
      expected += a[i / 64 * k + n] * b[n * 64 + i % 64];
    ASSERT_EQ(c[i], expected) << i;
  }
}

/// Masks along K, of which the loop is split off, beside one that holds for some rows in every
/// iteration: products of 16-bit operands that units read in memory and that run on.
TEST_P(Pipeline, MaskedProductsOfSomeRows) {
  const int k = 40 * GetParam(), rows = 50;
  auto half = [](const std::vector<float> &whole) {
    std::vector<int16_t> bits;
    for (float value : whole)
      bits.push_back(static_cast<int16_t>(runtime::encode(runtime::float16, value)));
    HostArray array = toArray(bits);
    array.type = ElementType::Float16;
    return array;
  };
  const auto a = randomWholeNumbers(std::max(rows * k, 1), 15, -8, 8);
  const auto b = randomWholeNumbers(std::max(64 * k, 1), 16, -8, 8);
  auto c =
      checkStages<float>({R"(
@triton.jit
def kernel(a_ptr, b_ptr, c_ptr, M, K, STAGES: tl.constexpr):
    rm = tl.arange(0, 64)
    rk = tl.arange(0, 32)
    a = a_ptr + rm[:, None] * K + rk[None, :]
    b = b_ptr + rk[:, None] * 64 + rm[None, :]
    acc = tl.zeros((64, 64), dtype=tl.float32)
    for k in tl.range(0, tl.cdiv(K, 32), num_stages=STAGES):
        x = tl.load(a, mask=(rm[:, None] < M) & (rk[None, :] < K - k * 32), other=0.0)
        y = tl.load(b, mask=rk[:, None] < K - k * 32, other=0.0)
        acc = tl.dot(x, y, acc)
        a += 32
        b += 32 * 64
    tl.store(c_ptr + rm[:, None] * 64 + rm[None, :], acc)
)",
                          "*fp16:16, *fp16:16, *fp32:16, i32, i32:8",
                          {half(a), half(b), unwritten<float>(4096), int64_t(rows), int64_t(k)},
                          2});
  for (int i = 0; i < int(c.size()); ++i) {
    float expected = 0;
    for (int n = 0; n < k && i / 64 < rows; ++n)
      expected += a[i / 64 * k + n] * b[n * 64 + i % 64];
    ASSERT_EQ(c[i], expected) << i;
  }
}

/// B's tiles are transposed after they are loaded, for the product; a sum takes them as they are.
TEST_P(Pipeline, ProductsOfTransposedTiles) {
  const int k = 24 * GetParam();
  auto a = randomWholeNumbers(std::max(64 * k, 1), 13, -100, 100);
  auto b = randomWholeNumbers(std::max(64 * k, 1), 14, -100, 100);
  auto c = checkStages<float>({R"(
@triton.jit
def kernel(a_ptr, b_ptr, c_ptr, K, STAGES: tl.constexpr):
    rm = tl.arange(0, 64)
    rk = tl.arange(0, 32)
    offsets = rm[:, None] * K + rk[None, :]
    acc = tl.zeros((64, 64), dtype=tl.float32)
    rows = tl.zeros((64,), dtype=tl.float32)
    for k in tl.range(0, tl.cdiv(K, 32), num_stages=STAGES):
        mask = rk[None, :] < K - k * 32
        x = tl.load(a_ptr + k * 32 + offsets, mask=mask, other=0.0)
        y = tl.load(b_ptr + k * 32 + offsets, mask=mask, other=0.0)
        acc = tl.dot(x, y.T, acc)
        rows += tl.sum(y, axis=1)
    tl.store(c_ptr + rm[:, None] * 64 + rm[None, :], acc + rows[None, :])
)",
                               "*fp32:16, *fp32:16, *fp32:16, i32:8",
                               {toArray(a), toArray(b), unwritten<float>(4096), int64_t(k)},
                               2});
  for (int i = 0; i < int(c.size()); ++i) {
    float expected = 0;
    for (int n = 0; n < k; ++n)
      expected += (a[i / 64 * k + n] + 1) * b[i % 64 * k + n];
    ASSERT_EQ(c[i], expected) << i;
  }
}

/// Weights of 4 bits, two in a byte along K, which are made f16 between memory and the unit.
TEST_P(Pipeline, ProductsOfPackedWeights) {
  const int k = 64 * GetParam();
  const auto whole = randomWholeNumbers(std::max(32 * k, 1), 11, -8, 8);
  std::vector<int16_t> bits;
  for (float value : whole)
    bits.push_back(static_cast<int16_t>(runtime::encode(runtime::float16, value)));
  HostArray a = toArray(bits);
  a.type = ElementType::Float16;
  auto packed = randomValues<int8_t>(std::max(64 * k / 2, 1), 12, -128, 127);
  auto c = checkStages<float>({R"(
@triton.jit
def kernel(a_ptr, b_ptr, c_ptr, K, STAGES: tl.constexpr):
    rm = tl.arange(0, 32)
    rn = tl.arange(0, 64)
    acc = tl.zeros((32, 64), dtype=tl.float32)
    for k in tl.range(0, K, 64, num_stages=STAGES):
        x = tl.load(a_ptr + rm[:, None] * K + (k + rn)[None, :])
        w = tl.load(b_ptr + (k // 2 + rm)[:, None] * 64 + rn[None, :])
        lo = ((w << 4) >> 4).to(tl.float16)
        hi = (w >> 4).to(tl.float16)
        acc = tl.dot(x, tl.join(lo, hi).permute(0, 2, 1).reshape(64, 64), acc)
    tl.store(c_ptr + rm[:, None] * 64 + rn[None, :], acc)
)",
                               "*fp16:16, *i8:16, *fp32:16, i32:16",
                               {a, toArray(packed), unwritten<float>(2048), int64_t(k)},
                               2});
  for (int i = 0; i < int(c.size()); ++i) {
    float expected = 0;
    for (int n = 0; n < k; ++n) {
      const int byte = packed[n / 2 * 64 + i % 64];
      expected += whole[i / 64 * k + n] * (n % 2 ? byte >> 4 : int8_t(byte << 4) >> 4);
    }
    ASSERT_EQ(c[i], expected) << i;
  }
}

/// A loop for each tile, made one of all tiles.
TEST_P(Pipeline, FlattenedNest) {
  const int tiles = GetParam();
  auto x = randomValues<float>(std::max(128 * 3 * tiles, 1), 8, -9, 9);
  auto sums = checkStages<float>(
      {R"(
@triton.jit
def kernel(x_ptr, out_ptr, tiles, steps, STAGES: tl.constexpr):
    offsets = tl.arange(0, 128)
    for tile in tl.range(0, tiles, flatten=True, num_stages=STAGES):
        acc = tl.zeros((128,), dtype=tl.float32)
        for i in tl.range(0, steps, num_stages=STAGES):
            acc += tl.load(x_ptr + (tile * steps + i) * 128 + offsets)
        tl.store(out_ptr + tile * 128 + offsets, acc)
)",
       "*fp32:16, *fp32:16, i32, i32",
       {toArray(x), unwritten<float>(std::max(128 * tiles, 1)), int64_t(tiles), int64_t(3)},
       1});
  for (int i = 0; i < 128 * tiles; ++i) {
    float expected = 0;
    for (int step = 0; step < 3; ++step)
      expected += x[(i / 128 * 3 + step) * 128 + i % 128];
    ASSERT_EQ(sums[i], expected) << i;
  }
}

/// Products of tiles, made one loop, that run on while the tile before is stored. Integers of few
/// bits: any order of additions gives the same.
TEST_P(Pipeline, FlattenedProducts) {
  const int rows = 64 * GetParam(), columns = 128, k = 40;
  auto a = randomWholeNumbers(std::max(rows * k, 1), 9, -4, 4);
  auto b = randomWholeNumbers(columns * k, 10, -4, 4);
  auto c =
      checkStages<float>({R"(
@triton.jit
def kernel(a_ptr, b_ptr, c_ptr, M, N, K, STAGES: tl.constexpr):
    r = tl.arange(0, 64)
    rk = tl.arange(0, 16)
    columns = N // 64
    for tile in tl.range(0, M // 64 * columns, flatten=True, num_stages=STAGES):
        rm = tile // columns * 64 + r
        rn = tile % columns * 64 + r
        acc = tl.zeros((64, 64), dtype=tl.float32)
        for k in range(0, K, 16):
            inside = (k + rk)[None, :] < K
            x = tl.load(a_ptr + rm[:, None] * K + (k + rk)[None, :], mask=inside, other=0.0)
            y = tl.load(b_ptr + rn[:, None] * K + (k + rk)[None, :], mask=inside, other=0.0)
            acc = tl.dot(x, y.T, acc, input_precision="tf32")
        tl.store(c_ptr + rm[:, None] * N + rn[None, :], acc)
)",
                          "*fp32:16, *fp32:16, *fp32:16, i32:16, i32:16, i32:8",
                          {toArray(a), toArray(b), unwritten<float>(std::max(rows * columns, 1)),
                           int64_t(rows), int64_t(columns), int64_t(k)},
                          2});
  for (int i = 0; i < rows * columns && !c.empty(); ++i) {
    float expected = 0;
    for (int n = 0; n < k; ++n)
      expected += a[i / columns * k + n] * b[i % columns * k + n];
    ASSERT_EQ(c[i], expected) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(TripCounts, Pipeline, testing::Values(0, 1, 2, 3, 7));

} // namespace
