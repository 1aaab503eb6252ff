//===- DescriptorTest.cpp - Tensor descriptors --------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "Harness.h"

using namespace tilewright::test;

namespace {

constexpr int warpCounts[] = {1, 2, 4, 8};

/// A transposing copy of an m x n matrix; blocks hang over both edges.
template <typename T> void transposes(const char *type) {
  constexpr int64_t m = 37, n = 53;
  std::string source = std::string(imports) + R"(
@triton.jit
def kernel(in_ptr, out_ptr, m, n, BM: tl.constexpr, BN: tl.constexpr):
    source = tl.make_tensor_descriptor(in_ptr, [m, n], [n, 1], [BM, BN])
    target = tl.make_tensor_descriptor(out_ptr, [n, m], [m, 1], [BN, BM])
    row = tl.program_id(0) * BM
    for column in range(0, n, BN):
        target.store([column, row], source.load([row, column]).T)
)";
  std::vector<T> in = randomValues<T>(m * n, 1, -100, 100);
  for (int warps : warpCounts) {
    auto out = fromArray<T>(
        runOnSimulator({.source = source,
                        .signature = std::string("*") + type + ", *" + type + ", i32, i32, 16, 32",
                        .arguments = {toArray(in), unwritten<T>(m * n), m, n},
                        .grid = {(m + 15) / 16, 1, 1},
                        .numWarps = warps})[1]);
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j)
        ASSERT_EQ(out[j * m + i], in[i * n + j]) << type << " " << i << " " << j;
  }
}

TEST(Descriptors, TransposeInEachType) {
  transposes<float>("fp32");
  transposes<double>("fp64");
  transposes<int8_t>("i8");
  transposes<int16_t>("i16");
  transposes<int32_t>("i32");
  transposes<uint32_t>("u32");
  transposes<int64_t>("i64");
}

/// Blocks that begin outside, before the first and after the last element.
TEST(Descriptors, PaddingAndNegativeOffsets) {
  for (bool nan : {false, true}) {
    std::string source = std::string(imports) + R"(
@triton.jit
def kernel(in_ptr, out_ptr, n, at, PADDING: tl.constexpr):
    source = tl.make_tensor_descriptor(in_ptr, [n], [1], [16], padding_option=PADDING)
    x = source.load([at])
    tl.store(out_ptr + tl.arange(0, 16), x)
)";
    std::vector<float> in = randomValues<float>(21, 2, -1, 1);
    for (int64_t at : {-20, -5, 0, 10, 21, 100}) {
      auto out = fromArray<float>(runOnSimulator(
          {.source = source,
           .signature = nan ? "*fp32, *fp32, i32, i32, 'nan'" : "*fp32, *fp32, i32, i32, 'zero'",
           .arguments = {toArray(in), unwritten<float>(16), int64_t(21), at},
           .numWarps = 1})[1]);
      for (int64_t i = 0; i < 16; ++i) {
        bool inside = at + i >= 0 && at + i < 21;
        if (inside)
          EXPECT_EQ(out[i], in[at + i]);
        else if (nan)
          EXPECT_TRUE(std::isnan(out[i]));
        else
          EXPECT_EQ(out[i], 0);
      }
    }
  }
}

/// Three dimensions, with strides that are not dense.
TEST(Descriptors, ThreeDimensions) {
  std::string source = std::string(imports) + R"(
@triton.jit
def kernel(in_ptr, out_ptr, a, b, c, stride):
    source = tl.make_tensor_descriptor(in_ptr, [a, b, c], [b * stride, stride, 1], [2, 4, 8])
    target = tl.make_tensor_descriptor(out_ptr, [a, b, c], [b * c, c, 1], [2, 4, 8])
    for i in range(0, a, 2):
        for j in range(0, b, 4):
            for k in range(0, c, 8):
                tl.store_tensor_descriptor(target, [i, j, k],
                                           tl.load_tensor_descriptor(source, [i, j, k]) * 2)
)";
  constexpr int64_t a = 3, b = 5, c = 11, stride = 13;
  std::vector<int32_t> in = randomValues<int32_t>(a * b * stride, 3, -1000, 1000);
  for (int warps : warpCounts) {
    auto out = fromArray<int32_t>(
        runOnSimulator({.source = source,
                        .signature = "*i32, *i32, i32, i32, i32, i32",
                        .arguments = {toArray(in), unwritten<int32_t>(a * b * c), a, b, c, stride},
                        .numWarps = warps})[1]);
    for (int64_t i = 0; i < a * b; ++i)
      for (int64_t k = 0; k < c; ++k)
        ASSERT_EQ(out[i * c + k], 2 * in[i * stride + k]);
  }
}

/// Rows by index, also by indices outside of the tensor.
TEST(Descriptors, GatherAndScatter) {
  std::string source = std::string(imports) + R"(
@triton.jit
def kernel(in_ptr, out_ptr, index_ptr, m, n, at):
    source = tl.make_tensor_descriptor(in_ptr, [m, n], [n, 1], [1, 16])
    target = tl.make_tensor_descriptor(out_ptr, [m, n], [n, 1], [1, 16])
    rows = tl.load(index_ptr + tl.arange(0, 8))
    x = source.gather(rows, at)
    target.scatter(x + 1, 8 - tl.arange(0, 8), 0)
)";
  constexpr int64_t m = 9, n = 21, at = 7;
  std::vector<float> in = randomValues<float>(m * n, 4, -1, 1);
  std::vector<int32_t> rows = {3, 3, 0, 8, 9, -1, 5, 100};
  for (int warps : warpCounts) {
    std::vector<float> before(m * n, 50);
    auto out = fromArray<float>(
        runOnSimulator({.source = source,
                        .signature = "*fp32, *fp32, *i32, i32, i32, i32",
                        .arguments = {toArray(in), toArray(before), toArray(rows), m, n, at},
                        .numWarps = warps})[1]);
    std::vector<float> expected = before;
    for (int64_t i = 0; i < 8; ++i)
      for (int64_t j = 0; j < 16; ++j) {
        bool inside = rows[i] >= 0 && rows[i] < m && at + j < n;
        expected[(8 - i) * n + j] = (inside ? in[rows[i] * n + at + j] : 0) + 1;
      }
    EXPECT_EQ(out, expected);
  }
}

/// Made in a branch, carried by a loop, given to functions that are inlined and not.
TEST(Descriptors, GoThroughControlFlow) {
  std::string source = std::string(imports) + R"(
@triton.jit(noinline=True)
def total_at(d, at):
    return tl.sum(d.load([at]))

@triton.jit
def next_of(d, at):
    return d, at + d.block_shape[0]

@triton.jit
def kernel(a_ptr, b_ptr, out_ptr, n, flag):
    d = tl.make_tensor_descriptor(a_ptr, [n], [1], [8])
    if flag > 0:
        d = tl.make_tensor_descriptor(b_ptr, [n - 3], [1], [8])
    total = 0
    at = 0
    while at < n:
        total += total_at(d, at)
        d, at = next_of(d, at)
    for i in range(0, n, 8):
        total += tl.max(d.load([i]))
        if i == 8:
            d = tl.make_tensor_descriptor(a_ptr, [n], [1], [8])
    tl.store(out_ptr, total)
)";
  constexpr int64_t n = 29;
  std::vector<int32_t> a = randomValues<int32_t>(n, 5, 1, 100);
  std::vector<int32_t> b = randomValues<int32_t>(n, 6, 1, 100);
  auto blockOf = [](const std::vector<int32_t> &x, int64_t size, int64_t at) {
    std::vector<int32_t> block(8, 0);
    for (int64_t i = 0; i < 8 && at + i < size; ++i)
      block[i] = x[at + i];
    return block;
  };
  for (int64_t flag : {0, 1}) {
    int32_t total = 0;
    const std::vector<int32_t> *now = flag ? &b : &a;
    int64_t size = flag ? n - 3 : n;
    for (int64_t at = 0; at < n; at += 8)
      for (int32_t value : blockOf(*now, size, at))
        total += value;
    for (int64_t i = 0; i < n; i += 8) {
      std::vector<int32_t> block = blockOf(*now, size, i);
      total += *std::max_element(block.begin(), block.end());
      if (i == 8) {
        now = &a;
        size = n;
      }
    }
    auto out = fromArray<int32_t>(
        runOnSimulator({.source = source,
                        .signature = "*i32, *i32, *i32, i32, i32",
                        .arguments = {toArray(a), toArray(b), unwritten<int32_t>(1), n, flag},
                        .kernel = "kernel"})[2]);
    EXPECT_EQ(out[0], total);
  }
}

/// A descriptor as a parameter of the kernel, and an array for it.
TEST(Descriptors, AsParameters) {
  std::string source = std::string(imports) + R"(
@triton.jit
def kernel(source, scale, out_ptr):
    rows = source.shape[0]
    x = source.load([tl.program_id(0) * 4, 4])
    o = tl.program_id(0) * 4 + tl.arange(0, 4)
    tl.store(out_ptr + o, tl.sum(x, 1) * scale + source.strides[0], mask=o < rows)
)";
  constexpr int64_t m = 10, n = 12;
  std::vector<float> in = randomValues<float>(m * n, 7, -1, 1);
  HostArray matrix = toArray(in);
  matrix.shape = {m, n};
  auto out = fromArray<float>(runOnSimulator({.source = source,
                                              .signature = "tensordesc<f32[4, 16]>, fp32, *fp32",
                                              .arguments = {matrix, 2.0, unwritten<float>(m)},
                                              .grid = {3, 1, 1}})[2]);
  std::vector<double> expected(m, n);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 4; j < n; ++j)
      expected[i] += 2.0 * in[i * n + j];
  expectClose(out, expected, 1e-5);
}

/// What a parameter's descriptor reads outside of its tensor, on all targets.
TEST(Descriptors, ParametersThatPadWithNan) {
  std::string source = std::string(imports) + R"(
@triton.jit
def kernel(source, out_ptr):
    x = source.load([4, 8])
    i = tl.arange(0, 8)[:, None] * 16 + tl.arange(0, 16)[None, :]
    tl.store(out_ptr + i, tl.where(x == x, x, -1.0))
)";
  constexpr int64_t m = 10, n = 12;
  std::vector<float> in = randomValues<float>(m * n, 7, 1, 2);
  HostArray matrix = toArray(in);
  matrix.shape = {m, n};
  for (const bool isNan : {false, true})
    for (const char *target : {"cuda:90", "hip:gfx1201", "xpu:bmg"}) {
      auto out =
          fromArray<float>(runOnSimulator({.source = source,
                                           .signature = std::string("tensordesc<fp32[8, 16]") +
                                                        (isNan ? ", nan>" : ">") + ", *fp32",
                                           .arguments = {matrix, unwritten<float>(128)},
                                           .target = target})[1]);
      for (int64_t i = 0; i < 8; ++i)
        for (int64_t j = 0; j < 16; ++j) {
          const bool isInside = 4 + i < m && 8 + j < n;
          ASSERT_EQ(out[i * 16 + j], isInside ? in[(4 + i) * n + 8 + j]
                                     : isNan  ? -1.0f
                                              : 0.0f)
              << target << ", element " << i << ", " << j;
        }
    }
}

/// A product of matrices whose blocks hang over every edge; b is stored by columns.
TEST(Descriptors, Matmul) {
  std::string source = std::string(imports) + R"(
@triton.jit
def kernel(a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    a = tl.make_tensor_descriptor(a_ptr, [M, K], [K, 1], [BM, BK])
    b = tl.make_tensor_descriptor(b_ptr, [N, K], [K, 1], [BN, BK])
    c = tl.make_tensor_descriptor(c_ptr, [M, N], [N, 1], [BM, BN])
    row = tl.program_id(0) * BM
    column = tl.program_id(1) * BN
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        acc = tl.dot(a.load([row, k]), b.load([column, k]).T, acc, input_precision="ieee")
    c.store([row, column], acc)
)";
  constexpr int64_t m = 37, n = 29, k = 43;
  std::vector<float> a = randomValues<float>(m * k, 11, -1, 1);
  std::vector<float> b = randomValues<float>(n * k, 12, -1, 1);
  std::vector<double> expected(m * n, 0);
  for (int64_t i = 0; i < m * n; ++i)
    for (int64_t l = 0; l < k; ++l)
      expected[i] += double(a[i / n * k + l]) * b[i % n * k + l];
  for (int warps : {1, 4}) {
    auto out = fromArray<float>(
        runOnSimulator({.source = source,
                        .signature = "*fp32, *fp32, *fp32, i32, i32, i32, 16, 32, 16",
                        .arguments = {toArray(a), toArray(b), unwritten<float>(m * n), m, n, k},
                        .grid = {3, 1, 1},
                        .numWarps = warps})[2]);
    expectClose(out, expected, 1e-5);
  }
}

/// Each combination with what is in memory, in each of its types.
template <typename T, typename Combine>
void combines(const char *type, const char *method, Combine combine) {
  std::string source = std::string(imports) + R"(
@triton.jit
def kernel(in_ptr, out_ptr, n):
    target = tl.make_tensor_descriptor(out_ptr, [n], [1], [32])
    for i in range(0, n, 32):
        offs = i + tl.arange(0, 32)
        target.)" + method +
                       R"(([i], tl.load(in_ptr + offs, mask=offs < n))
)";
  constexpr int64_t n = 45;
  std::vector<T> in = randomValues<T>(n, 8, 0, 100), before = randomValues<T>(n, 9, 0, 100);
  auto out =
      fromArray<T>(runOnSimulator({.source = source,
                                   .signature = std::string("*") + type + ", *" + type + ", i32",
                                   .arguments = {toArray(in), toArray(before), n},
                                   .numWarps = 2})[1]);
  for (int64_t i = 0; i < n; ++i)
    EXPECT_EQ(out[i], combine(before[i], in[i])) << type << " " << method << " " << i;
}

TEST(Descriptors, Atomics) {
  combines<float>("fp32", "atomic_add", [](float a, float b) { return a + b; });
  auto inEachType = [](const char *method, auto combine) {
    combines<int32_t>("i32", method, combine);
    combines<uint32_t>("u32", method, combine);
  };
  inEachType("atomic_add", [](auto a, auto b) { return a + b; });
  inEachType("atomic_min", [](auto a, auto b) { return std::min(a, b); });
  inEachType("atomic_max", [](auto a, auto b) { return std::max(a, b); });
  inEachType("atomic_and", [](auto a, auto b) { return a & b; });
  inEachType("atomic_or", [](auto a, auto b) { return a | b; });
  inEachType("atomic_xor", [](auto a, auto b) { return a ^ b; });
  combines<int64_t>("i64", "atomic_max", [](auto a, auto b) { return std::max(a, b); });
}

/// Block pointers: rows summed up, with and without checks of the bounds.
TEST(BlockPointers, SumOfRows) {
  std::string source = std::string(imports) + R"(
@triton.jit
def kernel(in_ptr, out_ptr, m, n, BM: tl.constexpr, BN: tl.constexpr):
    start = tl.program_id(0) * BM
    block = tl.make_block_ptr(in_ptr, (m, n), (n, 1), (start, 0), (BM, BN), (1, 0))
    total = tl.zeros([BM], tl.float32)
    for i in range(0, n, BN):
        x = tl.load(block, boundary_check=(0, 1), padding_option="zero")
        total += tl.sum(x.to(tl.float32), 1)
        block = tl.advance(block, (0, BN))
    out = tl.make_block_ptr(out_ptr, (m,), (1,), (start,), (BM,), (0,))
    tl.store(out, total, boundary_check=(0,))
)";
  for (auto [m, n] : std::initializer_list<std::pair<int64_t, int64_t>>{{13, 37}, {16, 32}}) {
    std::vector<float> in = randomValues<float>(m * n, 10, -1, 1);
    std::vector<double> expected(m, 0);
    for (int64_t i = 0; i < m * n; ++i)
      expected[i / n] += in[i];
    for (int warps : warpCounts) {
      auto out =
          fromArray<float>(runOnSimulator({.source = source,
                                           .signature = "*fp32, *fp32, i32, i32, 8, 16",
                                           .arguments = {toArray(in), unwritten<float>(m), m, n},
                                           .grid = {2, 1, 1},
                                           .numWarps = warps})[1]);
      expectClose(out, expected, 1e-5);
    }
  }
}

} // namespace
