//===- SessionBench.cpp - Benchmarks of sessions ------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Twenty specializations of one source for cuda:90, as an autotuner asks for them: each by a
// compiler of its own, one after another by one compiler, and by a session with one thread and
// more. The first argument is the kernel: 0 is vector_add, 1 softmax. Real time, of all twenty.
//
//===--------------------------------------------------------------------------===//

#include "tilewright/CompileSession.h"

#include <benchmark/benchmark.h>
#include <iostream>

using namespace tilewright;

namespace {

struct Kernel {
  const char *file, *name, *signature;
};
constexpr Kernel kernels[] = {
    {TILEWRIGHT_EXAMPLES "/elementwise.py", "vector_add", "*fp32:16, *fp32:16, *fp32:16, i32, "},
    {TILEWRIGHT_EXAMPLES "/rowwise.py", "softmax", "*fp32:16, *fp32:16, i32, i32, "}};

Source sourceOf(const Kernel &kernel) { return *readSource(kernel.file); }

/// Five sizes of a block by four numbers of warps.
std::vector<CompileOptions> twenty(const Kernel &kernel) {
  std::vector<CompileOptions> all;
  for (int size : {256, 512, 1024, 2048, 4096})
    for (int numWarps : {1, 2, 4, 8}) {
      CompileOptions &options = all.emplace_back();
      options.kernel = kernel.name;
      options.signature = kernel.signature + std::to_string(size);
      options.numWarps = numWarps;
    }
  return all;
}

void check(benchmark::State &state, const CompileResult &result) {
  for (const Diagnostic &diagnostic : result.diagnostics)
    std::cerr << render(diagnostic);
  if (!result)
    state.SkipWithError("the kernel does not compile");
}

void compileBySeveral(benchmark::State &state) {
  const Kernel &kernel = kernels[state.range(0)];
  const Source source = sourceOf(kernel);
  for (auto _ : state)
    for (const CompileOptions &options : twenty(kernel))
      check(state, Compiler().compile(source, options));
}

void compileByOne(benchmark::State &state) {
  const Kernel &kernel = kernels[state.range(0)];
  const Source source = sourceOf(kernel);
  for (auto _ : state) {
    Compiler compiler;
    for (const CompileOptions &options : twenty(kernel))
      check(state, compiler.compile(source, options));
  }
}

void compileBySession(benchmark::State &state) {
  const Kernel &kernel = kernels[state.range(0)];
  const Source source = sourceOf(kernel);
  for (auto _ : state) {
    CompileSession session(source);
    for (const CompileResult &result : session.compileAll(twenty(kernel), state.range(1)))
      check(state, result);
  }
}

} // namespace

BENCHMARK(compileBySeveral)->DenseRange(0, 1)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(compileByOne)->DenseRange(0, 1)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(compileBySession)
    ->ArgsProduct({{0, 1}, {1, 2, 4}})
    ->ArgNames({"kernel", "threads"})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
