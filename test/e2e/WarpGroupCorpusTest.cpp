//===- WarpGroupCorpusTest.cpp - Triton's kernels with wgmma ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// What Triton 3.6 printed for Hopper of kernels that multiply matrices, with layouts, pipelines of
// cp.async and TMA, and products of warpgroups of Triton's choice: CASE/*.ttgir of the folder that
// TILEWRIGHT_TRITON_CORPUS names and of test/data/corpus. The results are compared with plain sums.
// ctest also gives it test/data/triton-sm100: the same kernels with products in tensor memory.
//
//===--------------------------------------------------------------------------===//

#include "Harness.h"
#include "RunKernel.h"

#include <cstdlib>
#include <filesystem>
#include <optional>

using namespace tilewright;
using namespace tilewright::test;

namespace {

/// The case's .ttgir; nothing where there is none.
std::optional<std::filesystem::path> findCase(const std::string &name) {
  std::vector<std::filesystem::path> folders;
  if (const char *first = std::getenv("TILEWRIGHT_TRITON_CORPUS"))
    folders.push_back(first);
  folders.push_back(TILEWRIGHT_CORPUS);
  for (const std::filesystem::path &folder : folders)
    if (std::filesystem::exists(folder / name))
      for (const auto &entry : std::filesystem::directory_iterator(folder / name))
        if (entry.path().extension() == ".ttgir")
          return entry.path();
  return std::nullopt;
}

std::vector<ArgumentValue> run(const std::filesystem::path &file,
                               std::vector<ArgumentValue> arguments, Grid grid) {
  Expected<Source> source = readSource(file.string());
  if (!source) {
    ADD_FAILURE() << render(source.error());
    return arguments;
  }
  noteRun();
  CompileResult result = Compiler().compile(*source, {});
  for (const Diagnostic &diagnostic : result.diagnostics)
    ADD_FAILURE() << render(diagnostic);
  if (result)
    if (auto done = runKernel(result.compilation->kernel, grid, arguments); !done)
      ADD_FAILURE() << render(done.error());
  return arguments;
}

/// Multiples of 1/8 from -1 to 1, or integers.
HostArray numbers(ElementType type, int64_t rows, int64_t columns, unsigned seed) {
  HostArray array(type, {rows, columns});
  std::mt19937 generator(seed);
  const double unit = type == ElementType::Int8 ? 1 : 0.125;
  for (size_t i = 0; i < array.size(); ++i)
    array.set(i, unit * (static_cast<int>(generator() % 17) - 8));
  return array;
}

struct Matmul {
  const char *name;
  ElementType type, result;
  int64_t tileM, tileN;
  /// b is stored [N, K].
  bool isTransposed = false;
  int64_t m = 256, n = 256, k = 192;
};

class WarpGroupCorpus : public testing::TestWithParam<Matmul> {};

// Products of multiples of 1/8 and their sums are exact but for 8-bit floats, whose sums have 14
// bits; results are rounded to their own type.
TEST_P(WarpGroupCorpus, Matmul) {
  const Matmul &c = GetParam();
  const std::optional<std::filesystem::path> file = findCase(c.name);
  if (!file)
    GTEST_SKIP() << "there is no IR of " << c.name;
  const HostArray a = numbers(c.type, c.m, c.k, 1),
                  b = c.isTransposed ? numbers(c.type, c.n, c.k, 2) : numbers(c.type, c.k, c.n, 2);
  HostArray out(c.result, {c.m, c.n});
  std::ranges::fill(out.bytes, std::byte(0xFF));
  const auto programs =
      static_cast<uint32_t>((c.m + c.tileM - 1) / c.tileM * ((c.n + c.tileN - 1) / c.tileN));
  std::vector<ArgumentValue> arguments =
      run(*file, {a, b, out, c.m, c.n, c.k, c.k, c.isTransposed ? c.k : c.n, c.n}, {programs});
  const HostArray &result = std::get<HostArray>(arguments[2]);
  const double relative = c.type == ElementType::Float8E4M3   ? 0x1p-9
                          : c.result == ElementType::BFloat16 ? 0x1p-8
                                                              : 0x1p-11;
  for (int64_t i = 0; i < c.m; ++i)
    for (int64_t j = 0; j < c.n; ++j) {
      double sum = 0;
      for (int64_t k = 0; k < c.k; ++k)
        sum += a.at(i * c.k + k) * b.at(c.isTransposed ? j * c.k + k : k * c.n + j);
      ASSERT_NEAR(result.at(i * c.n + j), sum, relative * std::max(1.0, std::fabs(sum)))
          << i << ", " << j;
    }
}

using enum ElementType;
INSTANTIATE_TEST_SUITE_P(
    Cases, WarpGroupCorpus,
    testing::Values(Matmul{"matmul_f16", Float16, Float16, 128, 256},
                    Matmul{"matmul_bf16", BFloat16, BFloat16, 128, 256},
                    Matmul{"matmul_bt_f16", Float16, Float16, 128, 256, true},
                    Matmul{"matmul_f16_1k", Float16, Float16, 64, 128},
                    Matmul{"matmul_f16_small_tile", Float16, Float16, 128, 128},
                    Matmul{"matmul_f16_odd", Float16, Float16, 128, 128, false, 200, 133, 91},
                    Matmul{"matmul_tf32", Float32, Float32, 128, 128},
                    Matmul{"matmul_fp8", Float8E4M3, Float16, 128, 256, true, 256, 256, 256},
                    Matmul{"matmul_int8", Int8, Int32, 128, 128, true}),
    [](const testing::TestParamInfo<Matmul> &info) { return info.param.name; });

/// Through tensor descriptors, b stored [N, K]. A persistent kernel of 132 programs is given two,
/// which go through two tiles each; the others are nobody's.
TEST(WarpGroupCorpusDescriptors, Matmul) {
  constexpr int64_t tileM = 128, tileN = 256;
  struct Case {
    const char *name;
    int64_t m, n, k;
    uint32_t programs;
    int64_t tiles;
  };
  for (const Case &c :
       {Case{"matmul_desc", 256, 256, 192, 2, 2}, Case{"matmul_desc", 160, 336, 112, 4, 4},
        Case{"matmul_persistent", 17 * tileM, 8 * tileN, 128, 2, 4}}) {
    const std::optional<std::filesystem::path> file = findCase(c.name);
    if (!file)
      continue;
    SCOPED_TRACE(c.name);
    const HostArray a = numbers(Float16, c.m, c.k, 1), b = numbers(Float16, c.n, c.k, 2);
    HostArray out(Float16, {c.m, c.n});
    std::ranges::fill(out.bytes, std::byte(0xFF));
    std::vector<ArgumentValue> arguments = run(*file, {a, b, out, c.m, c.n, c.k}, {c.programs});
    const HostArray &result = std::get<HostArray>(arguments[2]);
    int64_t tiles = 0;
    for (int64_t i0 = 0; i0 < c.m; i0 += tileM)
      for (int64_t j0 = 0; j0 < c.n; j0 += tileN) {
        if (std::isnan(result.at(i0 * c.n + j0)))
          continue;
        ++tiles;
        for (int64_t i = i0; i < std::min(i0 + tileM, c.m); ++i)
          for (int64_t j = j0; j < std::min(j0 + tileN, c.n); ++j) {
            double sum = 0;
            for (int64_t k = 0; k < c.k; ++k)
              sum += a.at(i * c.k + k) * b.at(j * c.k + k);
            ASSERT_NEAR(result.at(i * c.n + j), sum, 0x1p-11 * std::max(1.0, std::fabs(sum)))
                << i << ", " << j;
          }
      }
    EXPECT_EQ(tiles, c.tiles);
  }
}

/// b has two numbers of 4 bits a byte along K, and each column a scale.
TEST(WarpGroupCorpusPacked, Matmul) {
  const std::optional<std::filesystem::path> file = findCase("matmul_w4a16");
  if (!file)
    GTEST_SKIP() << "there is no IR of matmul_w4a16";
  constexpr int64_t m = 128, n = 128, k = 192;
  const HostArray a = numbers(Float16, m, k, 1), scale = numbers(Float16, 1, n, 3);
  HostArray b(Int8, {k / 2, n});
  std::mt19937 generator(2);
  for (std::byte &byte : b.bytes)
    byte = static_cast<std::byte>(generator());
  std::vector<ArgumentValue> arguments =
      run(*file, {a, b, scale, HostArray(Float16, {m, n}), m, n, k, k, n, n}, {1, 2});
  const HostArray &result = std::get<HostArray>(arguments[3]);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double sum = 0;
      for (int64_t l = 0; l < k; ++l) {
        const int byte = static_cast<int>(b.at(l / 2 * n + j));
        sum += a.at(i * k + l) * (l % 2 ? byte >> 4 : static_cast<int8_t>(byte << 4) >> 4);
      }
      sum *= scale.at(j);
      ASSERT_NEAR(result.at(i * n + j), sum, 0x1p-10 * std::max(1.0, std::fabs(sum)))
          << i << ", " << j;
    }
}

/// One query a head, multiply-adds only.
TEST(WarpGroupCorpusFlash, Decode) {
  const std::optional<std::filesystem::path> file = findCase("decode_attention");
  if (!file)
    GTEST_SKIP() << "there is no IR of decode_attention";
  constexpr int64_t heads = 2, sequence = 144, d = 128;
  const HostArray q = numbers(Float16, heads, d, 3), k = numbers(Float16, heads * sequence, d, 4),
                  v = numbers(Float16, heads * sequence, d, 5);
  const double scale = 1 / std::sqrt(static_cast<double>(d));
  std::vector<ArgumentValue> arguments =
      run(*file, {q, k, v, HostArray(Float16, {heads, d}), scale, sequence}, {heads});
  const HostArray &out = std::get<HostArray>(arguments[3]);
  for (int64_t head = 0; head < heads; ++head) {
    std::vector<double> weights(sequence);
    double sum = 0;
    for (int64_t j = 0; j < sequence; ++j) {
      double score = 0;
      for (int64_t l = 0; l < d; ++l)
        score += q.at(head * d + l) * k.at((head * sequence + j) * d + l);
      sum += weights[j] = std::exp(score * scale);
    }
    for (int64_t l = 0; l < d; ++l) {
      double value = 0;
      for (int64_t j = 0; j < sequence; ++j)
        value += weights[j] / sum * v.at((head * sequence + j) * d + l);
      ASSERT_NEAR(out.at(head * d + l), value, 2 * 0x1p-11) << head << ", " << l;
    }
  }
}

TEST(WarpGroupCorpusFlash, Attention) {
  for (auto [name, d, causal] : {std::tuple("flash_d64", 64, false),
                                 {"flash_d128", 128, false},
                                 {"flash_d128_causal", 128, true}}) {
    const std::optional<std::filesystem::path> file = findCase(name);
    if (!file)
      GTEST_SKIP() << "there is no IR of " << name;
    SCOPED_TRACE(name);
    const int64_t sequence = 256;
    const HostArray q = numbers(Float16, sequence, d, 3), k = numbers(Float16, sequence, d, 4),
                    v = numbers(Float16, sequence, d, 5);
    const double scale = 1 / std::sqrt(static_cast<double>(d));
    std::vector<ArgumentValue> arguments = run(*file,
                                               {q, k, v, HostArray(Float16, {sequence, d}),
                                                HostArray(Float32, {sequence}), scale, sequence},
                                               {2, 1});
    const HostArray &out = std::get<HostArray>(arguments[3]);
    for (int64_t i = 0; i < sequence; i += 7) {
      const int64_t visible = causal ? i + 1 : sequence;
      std::vector<double> weights(visible);
      double sum = 0;
      for (int64_t j = 0; j < visible; ++j) {
        double score = 0;
        for (int64_t l = 0; l < d; ++l)
          score += q.at(i * d + l) * k.at(j * d + l);
        sum += weights[j] = std::exp(score * scale);
      }
      // Weights of at most 1 are rounded to f16 before they are multiplied by numbers up to 1, and
      // so is the result: half a last place each, 2^-11.
      for (int64_t l = 0; l < d; ++l) {
        double value = 0;
        for (int64_t j = 0; j < visible; ++j)
          value += weights[j] / sum * v.at(j * d + l);
        ASSERT_NEAR(out.at(i * d + l), value, 2 * 0x1p-11) << i << ", " << l;
      }
    }
  }
}

} // namespace
