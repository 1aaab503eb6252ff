//===- SimulateBench.cpp - Benchmarks of simulated kernels --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// matmul_fma on N x N x N matrices, tiles of 128 x 64, four warps, all checks on. The
// rate is in multiply-adds a second.
//
//===--------------------------------------------------------------------------===//

#include "tilewright/Compiler.h"
#include "tilewright/Runtime.h"
#include "tilewright/Simulator.h"

#include <benchmark/benchmark.h>
#include <cstdlib>
#include <iostream>

using namespace tilewright;

static void simulateMatmul(benchmark::State &state) {
  const int64_t size = state.range(0);
  auto source = readSource(TILEWRIGHT_EXAMPLES "/gemm.py");
  CompileOptions options;
  options.kernel = "matmul_fma";
  options.signature = "*fp32:16, *fp32:16, *fp32:16, i32:16, i32:16, i32:16, i32:16, 1, i32:16, 1, "
                      "i32:16, 1, 128, 64";
  Compiler compiler;
  CompileResult result = compiler.compile(*source, options);
  for (const Diagnostic &diagnostic : result.diagnostics)
    std::cerr << render(diagnostic);
  if (!result)
    return state.SkipWithError("the kernel does not compile");

  auto device = simulate::createSimulator();
  auto kernel = device->load(result.compilation->kernel);
  runtime::HostArray matrix;
  matrix.shape = {size, size};
  matrix.bytes.resize(size * size * sizeof(float));
  runtime::Grid grid{static_cast<uint32_t>(size / 64), static_cast<uint32_t>(size / 128)};
  for (auto _ : state) {
    std::vector<runtime::ArgumentValue> arguments = {matrix, matrix, matrix, size, size,
                                                     size,   size,   size,   size};
    if (auto done = runtime::run(*device, **kernel, grid, arguments); !done) {
      std::cerr << render(done.error());
      return state.SkipWithError("the kernel does not run");
    }
  }
  state.counters["multiply-adds"] =
      benchmark::Counter(double(size) * size * size, benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(simulateMatmul)->Arg(128)->Arg(256)->Unit(benchmark::kMillisecond);
