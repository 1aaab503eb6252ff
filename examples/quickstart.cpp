//===- quickstart.cpp - Compiles and runs kernels from C++ --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// How a program embeds Tilewright: kernel sources are compiled in memory for a GPU of each
// vendor, and the compiled kernels run on a device - here the simulator, which needs no GPU. Each
// result is compared with a plain loop.
//
//   tilewright-quickstart EXAMPLES OUT
//
// EXAMPLES holds the kernels' .py files; the compiled code goes to a folder of OUT for each vendor.
//
//===--------------------------------------------------------------------------===//

#include "tilewright/Compiler.h"
#include "tilewright/Runtime.h"
#include "tilewright/Simulator.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <iostream>
#include <random>

using namespace tilewright;
using namespace tilewright::runtime;

namespace {

using Floats = std::vector<float>;

/// One kernel with its inputs. The output is the array argument `output`, filled with NaN
/// before the run.
struct Example {
  std::string file, kernel, signature;
  int numWarps;
  Grid grid;
  std::vector<ArgumentValue> arguments;
  size_t output;
  std::vector<double> expected;
};

HostArray toArray(const Floats &values) {
  HostArray array;
  array.type = ElementType::Float32;
  array.shape = {static_cast<int64_t>(values.size())};
  array.bytes.resize(values.size() * sizeof(float));
  std::memcpy(array.bytes.data(), values.data(), array.bytes.size());
  return array;
}

Floats toFloats(const HostArray &array) {
  Floats values(array.bytes.size() / sizeof(float));
  std::memcpy(values.data(), array.bytes.data(), array.bytes.size());
  return values;
}

Floats randomFloats(size_t count, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> distribution(-1, 1);
  Floats values(count);
  std::generate(values.begin(), values.end(), [&] { return distribution(generator); });
  return values;
}

HostArray unwritten(size_t count) { return toArray(Floats(count, std::nanf(""))); }

Example vectorAdd() {
  const int64_t n = 10000;
  Floats x = randomFloats(n, 1), y = randomFloats(n, 2);
  std::vector<double> sum(n);
  for (int64_t i = 0; i < n; ++i)
    sum[i] = double(x[i]) + y[i];
  return {"elementwise.py",
          "vector_add",
          "*fp32:16, *fp32:16, *fp32:16, i32, 1024",
          4,
          {static_cast<uint32_t>((n + 1023) / 1024)},
          {toArray(x), toArray(y), unwritten(n), n},
          2,
          sum};
}

Example softmax() {
  const int64_t rows = 16, columns = 1000;
  Floats x = randomFloats(rows * columns, 3);
  std::vector<double> result(rows * columns);
  for (int64_t row = 0; row < rows; ++row) {
    double sum = 0, *out = &result[row * columns];
    for (int64_t i = 0; i < columns; ++i)
      sum += out[i] = std::exp(double(x[row * columns + i]));
    for (int64_t i = 0; i < columns; ++i)
      out[i] /= sum;
  }
  return {"rowwise.py",
          "softmax",
          "*fp32:16, *fp32:16, i32, i32, 1024",
          8,
          {static_cast<uint32_t>(rows)},
          {toArray(x), unwritten(rows * columns), columns, columns},
          1,
          result};
}

Example matmul() {
  const int64_t size = 256;
  Floats a = randomFloats(size * size, 4), b = randomFloats(size * size, 5);
  std::vector<double> c(size * size, 0);
  for (int64_t i = 0; i < size; ++i)
    for (int64_t k = 0; k < size; ++k)
      for (int64_t j = 0; j < size; ++j)
        c[i * size + j] += double(a[i * size + k]) * b[k * size + j];
  // The strides that are 1 are given to the compiler.
  return {"gemm.py",
          "matmul_fma",
          "*fp32:16, *fp32:16, *fp32:16, i32:16, i32:16, i32:16, i32:16, 1, i32:16, 1, i32:16, 1, "
          "128, 64",
          4,
          {static_cast<uint32_t>(size / 64), static_cast<uint32_t>(size / 128)},
          {toArray(a), toArray(b), unwritten(size * size), size, size, size, size, size, size},
          2,
          c};
}

/// ||out - expected|| / ||expected||; NaN where the kernel left an element unwritten.
double relativeError(const Floats &out, const std::vector<double> &expected) {
  double difference = 0, norm = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    difference += (out[i] - expected[i]) * (out[i] - expected[i]);
    norm += expected[i] * expected[i];
  }
  return std::sqrt(difference / norm);
}

[[noreturn]] void fail(const Diagnostic &diagnostic) {
  std::cerr << render(diagnostic);
  std::exit(1);
}

template <typename T> T valueOf(Expected<T> expected) {
  if (!expected)
    fail(expected.error());
  return std::move(*expected);
}

/// Compiles, runs and compares one example; prints its row. Whether it is right.
bool show(Compiler &compiler, Device &device, const std::string &examples, const std::string &out,
          const std::string &target, Example example) {
  Source source = valueOf(readSource(examples + "/" + example.file));
  CompileOptions options;
  options.kernel = example.kernel;
  options.signature = example.signature;
  options.target = target;
  options.numWarps = example.numWarps;
  CompileResult result = compiler.compile(source, options);
  for (const Diagnostic &diagnostic : result.diagnostics)
    std::cerr << render(diagnostic);
  if (!result)
    return false;
  const Compilation &compilation = *result.compilation;
  const std::string folder = out + "/" + target.substr(0, target.find(':'));
  std::error_code ignored; // What cannot be written is an error of the next step.
  std::filesystem::create_directories(folder, ignored);
  if (auto written = writeCompiledKernel(folder, compilation.kernel); !written)
    fail(written.error());

  auto start = std::chrono::steady_clock::now();
  auto kernel = valueOf(device.load(compilation.kernel));
  if (auto done = run(device, *kernel, example.grid, example.arguments); !done)
    fail(done.error());
  std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;

  double error = relativeError(toFloats(std::get<HostArray>(example.arguments[example.output])),
                               example.expected);
  double total = 0;
  for (const StageTime &time : compilation.times)
    total += time.milliseconds;
  bool right = error < 1e-5;
  std::printf("%-12s %-11s %7zu %7zu %7zu %7zu %8.1f %9.2f   %.1e %s\n", target.c_str(),
              example.kernel.c_str(), compilation.ttir.size(), compilation.ttgir.size(),
              compilation.kernel.llir.size(), compilation.kernel.nativeCode.size(), total,
              seconds.count(), error, right ? "" : "WRONG");
  return right;
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: tilewright-quickstart EXAMPLES OUT\n");
    return 1;
  }
  Compiler compiler;
  auto device = simulate::createSimulator();
  std::printf("\nKernels compiled from Python source and run on the simulator.\n\n"
              "                               bytes of each stage           compile  simulate  "
              "relative\n"
              "target       kernel         ttir   ttgir    llir  native       ms         s   "
              "error\n");
  bool right = true;
  for (const char *target : {"cuda:90", "hip:gfx1201", "xpu:bmg"})
    for (auto example : {vectorAdd, softmax, matmul})
      right = show(compiler, *device, argv[1], argv[2], target, example()) && right;
  std::printf("\nThe code is in %s. Next: README.md.\n", argv[2]);
  return right ? 0 : 1;
}
