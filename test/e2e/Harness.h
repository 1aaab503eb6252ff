//===- Harness.h - Compile, simulate, compare -----------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Each test compiles a kernel's source through the public API and runs it on the
// simulator, whose checks (bounds, races, uninitialised reads, divergence) are on.
// Outputs start as NaN or as a pattern, so that an element nobody wrote is seen.
//
// Targets are named as on the command line, with the lanes of a warp after a slash where they are
// not the target's default: "cuda:90", "xpu:pvc/32". Tests that choose none run for the one that
// the environment names in TILEWRIGHT_E2E_TARGET; ctest runs them for one of each vendor.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TEST_E2E_HARNESS_H
#define TILEWRIGHT_TEST_E2E_HARNESS_H

#include "tilewright/Compiler.h"
#include "tilewright/Runtime.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tilewright::test {

using runtime::ArgumentValue;
using runtime::ElementType;
using runtime::Grid;
using runtime::HostArray;

/// The first lines of every kernel source.
inline constexpr const char *imports = "import triton\nimport triton.language as tl\n";

/// That of TILEWRIGHT_E2E_TARGET, or cuda:90.
const std::string &defaultTarget();
/// How many lanes its warps have.
int lanesOfDefaultTarget();

/// Whether case number `index` of a long list is to run: all of them for cuda:90, and for other
/// targets, whose code depends on less of them, one of `part` that follow each other.
bool isChosen(unsigned index, unsigned part);

/// `targets`, which are NVIDIA's, where the default is; elsewhere the default.
std::vector<std::string> onlyForNvidia(std::vector<std::string> targets);

/// The options that compile for a target.
CompileOptions optionsFor(const std::string &target);

/// One of each generation: all of the corpus runs for them.
inline constexpr const char *corpusTargets[] = {"cuda:90", "hip:gfx1100", "hip:gfx1201",
                                                "xpu:pvc", "xpu:bmg",     "xpu:bmg/32"};
/// The others, for what is nearest to code that depends on the target.
inline constexpr const char *otherTargets[] = {
    "cuda:80",    "cuda:86",    "cuda:89",     "cuda:100",    "cuda:120", "hip:gfx90a",
    "hip:gfx942", "hip:gfx950", "hip:gfx1150", "hip:gfx1200", "xpu:lnl",  "xpu:ptl"};

/// "xpu_pvc_32": as names of tests have it.
std::string nameOfTarget(const testing::TestParamInfo<const char *> &info);

struct Launch {
  /// Python source; the kernel is its only entry unless `kernel` names it.
  std::string source;
  std::string signature;
  std::vector<ArgumentValue> arguments;
  Grid grid = {};
  int numWarps = 4;
  std::string target = defaultTarget();
  std::string kernel = {};
  /// 0: the default.
  int numStages = 0;
  LaunchOptions options = {};
};

/// Compiles and runs; gives the arguments afterwards. Any diagnostic ends the test, by an
/// exception.
std::vector<ArgumentValue> runOnSimulator(const Launch &launch);

/// Says that the present test runs a kernel, compiles one whose code or diagnostics it checks, or
/// checks a reference. A test that does none of these, and is not skipped, fails.
void noteRun();

/// The text of examples/NAME.
std::string exampleSource(const std::string &name);

/// The element type of a C++ type.
template <typename T> constexpr ElementType elementTypeOf() {
  if constexpr (std::is_same_v<T, float>)
    return ElementType::Float32;
  else if constexpr (std::is_same_v<T, double>)
    return ElementType::Float64;
  else if constexpr (std::is_same_v<T, int8_t>)
    return ElementType::Int8;
  else if constexpr (std::is_same_v<T, int16_t>)
    return ElementType::Int16;
  else if constexpr (std::is_same_v<T, int32_t>)
    return ElementType::Int32;
  else if constexpr (std::is_same_v<T, uint32_t>)
    return ElementType::UInt32;
  else
    return ElementType::Int64;
}

template <typename T> HostArray toArray(const std::vector<T> &values) {
  HostArray array;
  array.type = elementTypeOf<T>();
  array.shape = {static_cast<int64_t>(values.size())};
  array.bytes.resize(values.size() * sizeof(T));
  std::ranges::copy(std::as_bytes(std::span(values)), array.bytes.begin());
  return array;
}

template <typename T> std::vector<T> fromArray(const ArgumentValue &value) {
  const HostArray &array = std::get<HostArray>(value);
  std::vector<T> values(array.bytes.size() / sizeof(T));
  std::ranges::copy(array.bytes, std::as_writable_bytes(std::span(values)).begin());
  return values;
}

/// An output before the run: NaN, or 0x55.. for integers.
template <typename T> HostArray unwritten(size_t count) {
  T value;
  std::memset(&value, std::is_floating_point_v<T> ? 0xFF : 0x55, sizeof(T));
  return toArray(std::vector<T>(count, value));
}

/// Uniform in [low, high], always the same for a seed. Negative ones wrap around in unsigned types.
template <typename T>
std::vector<T> randomValues(size_t count, unsigned seed, double low, double high) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> distribution(low, high);
  std::vector<T> values(count);
  for (T &value : values)
    if constexpr (std::is_floating_point_v<T>)
      value = static_cast<T>(distribution(generator));
    else
      value = static_cast<T>(static_cast<int64_t>(std::floor(distribution(generator))));
  return values;
}

/// The same, each rounded to a whole number: their sums of products are exact in any order as long
/// as they are small.
std::vector<float> randomWholeNumbers(size_t count, unsigned seed, double low, double high);

/// Every element within `tolerance` of the expected one, relative to its size (at least 1).
template <typename T>
void expectClose(const std::vector<T> &values, const std::vector<double> &expected,
                 double tolerance) {
  ASSERT_EQ(values.size(), expected.size());
  for (size_t i = 0; i < values.size(); ++i) {
    if (std::isinf(expected[i]) && static_cast<double>(values[i]) == expected[i])
      continue;
    double bound = tolerance * std::max(1.0, std::fabs(expected[i]));
    ASSERT_LE(std::fabs(static_cast<double>(values[i]) - expected[i]), bound)
        << "element " << i << ": got " << +values[i] << ", expected " << expected[i];
  }
}

} // namespace tilewright::test

#endif // TILEWRIGHT_TEST_E2E_HARNESS_H
