//===- ShapeTest.cpp - Transposes, reshapes, layout conversions ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "Harness.h"

using namespace tilewright::test;

namespace {

/// The example `transpose` on an M x N matrix of T.
template <typename T>
void testTranspose(const std::string &type, int64_t M, int64_t N, int bm, int bn, int numWarps) {
  SCOPED_TRACE(type + " " + std::to_string(M) + "x" + std::to_string(N) + " tiles of " +
               std::to_string(bm) + "x" + std::to_string(bn));
  auto x = randomValues<T>(M * N, 31, -100, 100);
  std::vector<double> expected(M * N);
  for (int64_t i = 0; i < M; ++i)
    for (int64_t j = 0; j < N; ++j)
      expected[j * M + i] = static_cast<double>(x[i * N + j]);
  std::string size = M % 16 == 0 && N % 16 == 0 ? "i32:16" : "i32";
  auto arguments = runOnSimulator(
      {.source = exampleSource("elementwise.py"),
       .signature = "*" + type + ":16, *" + type + ":16, " + size + ", " + size + ", " +
                    std::to_string(bm) + ", " + std::to_string(bn),
       .arguments = {toArray(x), unwritten<T>(M * N), M, N},
       .grid = {static_cast<uint32_t>((M + bm - 1) / bm), static_cast<uint32_t>((N + bn - 1) / bn)},
       .numWarps = numWarps,
       .kernel = "transpose"});
  expectClose(fromArray<T>(arguments[1]), expected, 0);
}

// Loads want rows, stores want columns: a conversion through shared memory between them.
TEST(Shape, TransposeElementWidths) {
  testTranspose<int8_t>("i8", 64, 64, 64, 64, 4);
  testTranspose<int16_t>("i16", 64, 64, 64, 64, 4);
  testTranspose<float>("fp32", 64, 64, 64, 64, 4);
  testTranspose<double>("fp64", 64, 64, 32, 64, 4);
}

TEST(Shape, TransposeTilesAndWarps) {
  testTranspose<float>("fp32", 128, 64, 32, 16, 1);
  testTranspose<float>("fp32", 64, 128, 16, 64, 8);
  testTranspose<float>("fp32", 33, 70, 32, 32, 4);
}

TEST(Shape, ReshapeAndPermute) {
  std::string source = std::string(imports) + R"(
@triton.jit
def kernel(x_ptr, out_ptr):
    x = tl.load(x_ptr + tl.arange(0, 1024))
    y = tl.permute(tl.reshape(x, (8, 4, 32)), (2, 0, 1))
    tl.store(out_ptr + tl.arange(0, 1024), tl.reshape(y, (1024,)))
)";
  auto x = randomValues<float>(1024, 32, -9, 9);
  std::vector<double> expected(1024);
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 4; ++j)
      for (int k = 0; k < 32; ++k)
        expected[(k * 8 + i) * 4 + j] = x[(i * 4 + j) * 32 + k];
  auto arguments = runOnSimulator({.source = source,
                                   .signature = "*fp32:16, *fp32:16",
                                   .arguments = {toArray(x), unwritten<float>(1024)}});
  expectClose(fromArray<float>(arguments[1]), expected, 0);
}

TEST(Shape, Broadcasts) {
  std::string source = std::string(imports) + R"(
@triton.jit
def kernel(x_ptr, y_ptr, out_ptr, R: tl.constexpr, C: tl.constexpr):
    r = tl.arange(0, R)
    c = tl.arange(0, C)
    x = tl.load(x_ptr + r)
    y = tl.load(y_ptr + c)
    tl.store(out_ptr + r[:, None] * C + c[None, :], x[:, None] * y[None, :] + 1)
)";
  auto x = randomValues<float>(32, 33, -9, 9), y = randomValues<float>(64, 34, -9, 9);
  std::vector<double> expected;
  for (float left : x)
    for (float right : y)
      expected.push_back(double(left) * right + 1);
  auto arguments =
      runOnSimulator({.source = source,
                      .signature = "*fp32:16, *fp32:16, *fp32:16, 32, 64",
                      .arguments = {toArray(x), toArray(y), unwritten<float>(32 * 64)}});
  expectClose(fromArray<float>(arguments[2]), expected, 2e-7);
}

/// Numbers of a row-major matrix of 5 rows, by columns within each group of 2 rows; the last group
/// has one row only.
TEST(Shape, Swizzle2d) {
  std::string source = std::string(imports) + R"(
@triton.jit
def kernel(out_ptr, rows, columns, GROUP: tl.constexpr):
    at = tl.arange(0, 32)
    i, j = tl.swizzle2d(at // columns, at % columns, rows, columns, GROUP)
    tl.store(out_ptr + i * columns + j, at, mask=at < rows * columns)
)";
  const std::vector<double> expected = {0,  2,  4, 6,  1,  3,  5,  7,  8,  10,
                                        12, 14, 9, 11, 13, 15, 16, 17, 18, 19};
  for (int numWarps : {1, 4}) {
    auto arguments = runOnSimulator({.source = source,
                                     .signature = "*i32, i32, i32, 2",
                                     .arguments = {unwritten<int32_t>(20), int64_t(5), int64_t(4)},
                                     .numWarps = numWarps});
    expectClose(fromArray<int32_t>(arguments[0]), expected, 0);
  }
}

} // namespace
