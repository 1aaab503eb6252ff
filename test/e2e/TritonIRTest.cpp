//===- TritonIRTest.cpp - Kernels from Triton's IR ----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Compilation goes on from what Triton 3.6 makes of the example kernels, before layouts (.ttir)
// and with layouts of Triton's choice (.ttgir). The results are those of the kernel's source,
// which CorpusTest compares with plain references.
//
// test/data/corpus has some of these files. More are run where TILEWRIGHT_TRITON_CORPUS names a
// folder with KERNEL/KERNEL.ttir and .ttgir.
//
//===--------------------------------------------------------------------------===//

#include "Harness.h"
#include "RunKernel.h"

#include <cstdlib>
#include <filesystem>

using namespace tilewright;
using namespace tilewright::test;

namespace {

struct Case {
  std::string kernel, file, signature;
  std::vector<ArgumentValue> arguments;
  Grid grid;
  int numWarps = 4;
  double tolerance = 0;
};

std::vector<std::filesystem::path> findFiles(const std::string &kernel) {
  std::vector<std::filesystem::path> folders = {TILEWRIGHT_CORPUS}, files;
  if (const char *more = std::getenv("TILEWRIGHT_TRITON_CORPUS"))
    folders.push_back(more);
  for (const std::filesystem::path &folder : folders)
    for (const char *ending : {".ttir", ".ttgir"})
      if (auto file = folder / kernel / (kernel + ending); std::filesystem::exists(file))
        files.push_back(file);
  return files;
}

std::vector<ArgumentValue> runFile(const std::filesystem::path &file, const Case &c) {
  std::vector<ArgumentValue> arguments = c.arguments;
  Expected<Source> source = readSource(file.string());
  if (!source) {
    ADD_FAILURE() << render(source.error());
    return arguments;
  }
  CompileOptions options;
  // TTGIR has its own.
  if (source->language == SourceLanguage::TTIR) {
    options = optionsFor(defaultTarget());
    options.numWarps = c.numWarps;
  }
  options.kernel = c.kernel;
  noteRun();
  CompileResult result = Compiler().compile(*source, options);
  for (const Diagnostic &diagnostic : result.diagnostics)
    ADD_FAILURE() << render(diagnostic);
  if (!result)
    return arguments;
  if (auto done = runKernel(result.compilation->kernel, c.grid, arguments); !done)
    ADD_FAILURE() << render(done.error());
  return arguments;
}

/// Each file's results against those of the kernel's source.
void testCase(Case c) {
  std::vector<std::filesystem::path> files = findFiles(c.kernel);
  if (files.empty())
    GTEST_SKIP() << "there is no IR of " << c.kernel;
  std::vector<ArgumentValue> expected = runOnSimulator({.source = exampleSource(c.file),
                                                        .signature = c.signature,
                                                        .arguments = c.arguments,
                                                        .grid = c.grid,
                                                        .numWarps = c.numWarps,
                                                        .kernel = c.kernel});
  for (const std::filesystem::path &file : files) {
    SCOPED_TRACE(file.string());
    std::vector<ArgumentValue> arguments = runFile(file, c);
    for (size_t i = 0; i < arguments.size(); ++i) {
      const auto *array = std::get_if<HostArray>(&arguments[i]);
      if (!array)
        continue;
      const auto &wanted = std::get<HostArray>(expected[i]);
      for (size_t k = 0; k < array->size(); ++k)
        ASSERT_NEAR(array->at(k), wanted.at(k),
                    c.tolerance * std::max(1.0, std::fabs(wanted.at(k))))
            << "argument " << i << ", element " << k;
    }
  }
}

HostArray zeros(ElementType type, int64_t size) { return HostArray(type, {size}); }

HostArray halves(int64_t size, unsigned seed) {
  HostArray array = zeros(ElementType::Float16, size);
  auto values = randomValues<float>(size, seed, -2, 2);
  for (int64_t i = 0; i < size; ++i)
    array.set(i, values[i]);
  return array;
}

} // namespace

TEST(TritonIR, VectorAdd) {
  const int64_t n = 2500;
  testCase(
      {.kernel = "vector_add",
       .file = "elementwise.py",
       .signature = "*fp32:16, *fp32:16, *fp32:16, i32, 1024",
       .arguments = {toArray(randomValues<float>(n, 1, -9, 9)),
                     toArray(randomValues<float>(n, 2, -9, 9)), zeros(ElementType::Float32, n), n},
       .grid = {3}});
}

TEST(TritonIR, Softmax) {
  const int64_t rows = 2, columns = 1008;
  testCase({.kernel = "softmax",
            .file = "rowwise.py",
            .signature = "*fp32:16, *fp32:16, i32:16, i32:16, 4096",
            .arguments = {toArray(randomValues<float>(rows * columns, 3, -9, 9)),
                          zeros(ElementType::Float32, rows * columns), columns, columns},
            .grid = {rows},
            .numWarps = 8,
            .tolerance = 1e-6});
}

TEST(TritonIR, LayerNorm) {
  const int64_t rows = 2, columns = 2064;
  testCase(
      {.kernel = "layer_norm",
       .file = "rowwise.py",
       .signature = "*fp16:16, *fp16:16, *fp16:16, *fp16:16, *fp32:16, *fp32:16, i32:16, "
                    "i32:16, fp32, 2048",
       .arguments = {halves(rows * columns, 4), halves(columns, 5), halves(columns, 6),
                     zeros(ElementType::Float16, rows * columns), zeros(ElementType::Float32, rows),
                     zeros(ElementType::Float32, rows), columns, columns, 1e-5},
       .grid = {rows},
       .numWarps = 8,
       .tolerance = 2e-3}); // a rounding of f16
}

TEST(TritonIR, Transpose) {
  const int64_t rows = 128, columns = 64;
  testCase({.kernel = "transpose",
            .file = "elementwise.py",
            .signature = "*fp32:16, *fp32:16, i32:16, i32:16, 64, 64",
            .arguments = {toArray(randomValues<float>(rows * columns, 7, -9, 9)),
                          zeros(ElementType::Float32, rows * columns), rows, columns},
            .grid = {rows / 64, columns / 64}});
}

TEST(TritonIR, Dropout) {
  const int64_t n = 2048;
  testCase({.kernel = "dropout",
            .file = "elementwise.py",
            .signature = "*fp32:16, *fp32:16, i32:16, fp32, i32, 1024",
            .arguments = {toArray(randomValues<float>(n, 8, -9, 9)), zeros(ElementType::Float32, n),
                          n, 0.3, int64_t(12345)},
            .grid = {2},
            .tolerance = 1e-6});
}

TEST(TritonIR, RowArgmax) {
  const int64_t rows = 8, columns = 1000;
  testCase({.kernel = "row_argmax",
            .file = "rowwise.py",
            .signature = "*fp32:16, *fp32:16, *i32:16, i32, i32, 4, 1024",
            .arguments = {toArray(randomValues<float>(rows * columns, 9, -9, 9)),
                          zeros(ElementType::Float32, rows), zeros(ElementType::Int32, rows),
                          columns, columns},
            .grid = {rows / 4}});
}

TEST(TritonIR, MatmulByRankOneUpdates) {
  const int64_t m = 128, n = 32, k = 64;
  testCase({.kernel = "matmul_fma",
            .file = "gemm.py",
            .signature = "*fp32:16, *fp32:16, *fp32:16, i32:16, i32:16, i32:16, i32:16, i32, "
                         "i32:16, i32, i32:16, i32, 128, 64",
            .arguments = {toArray(randomValues<float>(m * n, 10, -1, 1)),
                          toArray(randomValues<float>(n * k, 11, -1, 1)),
                          zeros(ElementType::Float32, m * k), m, n, k, n, int64_t(1), k, int64_t(1),
                          k, int64_t(1)},
            .grid = {1, 1},
            .tolerance = 1e-5});
}
