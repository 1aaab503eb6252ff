//===- LayoutBench.cpp - How long the algebra and planning take -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// On layouts of a 128x256 tile held by 8 warps, 128 registers a thread.
//
//===--------------------------------------------------------------------------===//

#include "layout/ConversionPlan.h"
#include "layout/Encodings.h"

#include <benchmark/benchmark.h>

using namespace tilewright::layout;

namespace {

const std::vector<int64_t> Shape = {128, 256};
const Blocked RowsEncoding{{1, 8}, {1, 32}, {8, 1}, {1, 0}};
const Blocked ColumnsEncoding{{8, 1}, {16, 2}, {1, 8}, {0, 1}};
const Blocked NarrowRowsEncoding{{1, 4}, {2, 16}, {8, 1}, {1, 0}};

LinearLayout rows() { return toLinearLayout(RowsEncoding, Shape); }
LinearLayout columns() { return toLinearLayout(ColumnsEncoding, Shape); }
LinearLayout narrowRows() { return toLinearLayout(NarrowRowsEncoding, Shape); }

void toLinearLayoutOfBlocked(benchmark::State &state) {
  for (auto _ : state)
    benchmark::DoNotOptimize(toLinearLayout(RowsEncoding, Shape));
}
BENCHMARK(toLinearLayoutOfBlocked);

void compose(benchmark::State &state) {
  LinearLayout inner = rows(), outer = columns().invert();
  for (auto _ : state)
    benchmark::DoNotOptimize(inner.compose(outer));
}
BENCHMARK(compose);

void invert(benchmark::State &state) {
  LinearLayout layout = rows();
  for (auto _ : state)
    benchmark::DoNotOptimize(layout.invert());
}
BENCHMARK(invert);

void invertAndCompose(benchmark::State &state) {
  LinearLayout src = rows(), dst = columns();
  for (auto _ : state)
    benchmark::DoNotOptimize(src.invertAndCompose(dst));
}
BENCHMARK(invertAndCompose);

void plan(benchmark::State &state, const LinearLayout &src, const LinearLayout &dst,
          unsigned elementBits) {
  SharedMemory memory;
  memory.maxBytes = 227 * 1024;
  for (auto _ : state)
    benchmark::DoNotOptimize(planConversion(src, dst, elementBits, memory));
}
BENCHMARK_CAPTURE(plan, same, rows(), rows(), 32);
BENCHMARK_CAPTURE(plan, rowsToNarrowRows32, rows(), narrowRows(), 32);
BENCHMARK_CAPTURE(plan, rowsToColumns16, rows(), columns(), 16);
BENCHMARK_CAPTURE(plan, rowsToColumns32, rows(), columns(), 32);

} // namespace
