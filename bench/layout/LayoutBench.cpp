//===- LayoutBench.cpp - Benchmarks of the layout algebra and of planning -----===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// On layouts of a 128x256 tile held by 8 warps, 128 registers a thread: blocked ones, the
// accumulator of wgmma, and operands of mma.sync. compare_triton_class.py runs the algebra's
// part beside Triton's.
//
//===--------------------------------------------------------------------------===//

#include "layout/encoding/Encodings.h"
#include "layout/encoding/NvidiaMma.h"
#include "plan/collective/GatherPlan.h"
#include "plan/collective/ReductionPlan.h"
#include "plan/collective/ScanPlan.h"
#include "target/Target.h"
#include "tilewright/layout/ConversionPlan.h"

#include <benchmark/benchmark.h>

using namespace tilewright;
using namespace tilewright::layout;
using tilewright::layout::nvidia::Mma;
using tilewright::target::Target;

namespace {

const std::vector<int64_t> Shape = {128, 256};
const Blocked RowsEncoding{{1, 8}, {1, 32}, {8, 1}, {1, 0}};
const Blocked ColumnsEncoding{{8, 1}, {16, 2}, {1, 8}, {0, 1}};
const Blocked NarrowRowsEncoding{{1, 4}, {2, 16}, {8, 1}, {1, 0}};
const Mma AccumulatorEncoding{3, 0, {8, 1}, {16, 256, 16}};
const Mma WarpMmaEncoding{2, 0, {4, 2}, {16, 8}};

LinearLayout rows() { return toLinearLayout(RowsEncoding, Shape); }
LinearLayout columns() { return toLinearLayout(ColumnsEncoding, Shape); }
LinearLayout narrowRows() { return toLinearLayout(NarrowRowsEncoding, Shape); }
LinearLayout accumulator() { return toLinearLayout(AccumulatorEncoding, Shape); }
LinearLayout warpAccumulator() { return toLinearLayout(WarpMmaEncoding, Shape); }
LinearLayout operandA() { return operandLayout(WarpMmaEncoding, 0, 2, Shape); }
LinearLayout operandB() { return operandLayout(WarpMmaEncoding, 1, 2, Shape); }

void toLinearLayoutOfBlocked(benchmark::State &state) {
  for (auto _ : state)
    benchmark::DoNotOptimize(toLinearLayout(RowsEncoding, Shape));
}
BENCHMARK(toLinearLayoutOfBlocked);

// Of these three the layout that is given is the one that all compare.

void compose(benchmark::State &state, const LinearLayout &layout) {
  LinearLayout outer = columns().invert();
  for (auto _ : state)
    benchmark::DoNotOptimize(layout.compose(outer));
}
BENCHMARK_CAPTURE(compose, blocked, rows());
BENCHMARK_CAPTURE(compose, accumulator, accumulator());
BENCHMARK_CAPTURE(compose, operand, operandA());

void invert(benchmark::State &state, const LinearLayout &layout) {
  for (auto _ : state)
    benchmark::DoNotOptimize(layout.invert());
}
BENCHMARK_CAPTURE(invert, blocked, rows());
BENCHMARK_CAPTURE(invert, accumulator, accumulator());

void invertAndCompose(benchmark::State &state, const LinearLayout &layout) {
  LinearLayout dst = columns();
  for (auto _ : state)
    benchmark::DoNotOptimize(layout.invertAndCompose(dst));
}
BENCHMARK_CAPTURE(invertAndCompose, blocked, rows());
BENCHMARK_CAPTURE(invertAndCompose, accumulator, accumulator());
BENCHMARK_CAPTURE(invertAndCompose, operand, operandA());

void plan(benchmark::State &state, const LinearLayout &src, const LinearLayout &dst,
          unsigned elementBits) {
  ExchangeModel memory = Target::find("cuda:90")->sharedMemory();
  for (auto _ : state)
    benchmark::DoNotOptimize(planConversion(src, dst, elementBits, memory));
}
BENCHMARK_CAPTURE(plan, same, rows(), rows(), 32);
BENCHMARK_CAPTURE(plan, rowsToNarrowRows32, rows(), narrowRows(), 32);
BENCHMARK_CAPTURE(plan, rowsToColumns16, rows(), columns(), 16);
BENCHMARK_CAPTURE(plan, rowsToColumns32, rows(), columns(), 32);
BENCHMARK_CAPTURE(plan, accumulatorToRows16, accumulator(), rows(), 16);
BENCHMARK_CAPTURE(plan, accumulatorToRows32, accumulator(), rows(), 32);
BENCHMARK_CAPTURE(plan, accumulatorToColumns16, accumulator(), columns(), 16);
BENCHMARK_CAPTURE(plan, accumulatorToWarpAccumulator32, accumulator(), warpAccumulator(), 32);
BENCHMARK_CAPTURE(plan, rowsToOperandA16, rows(), operandA(), 16);
BENCHMARK_CAPTURE(plan, rowsToOperandB16, rows(), operandB(), 16);
BENCHMARK_CAPTURE(plan, accumulatorToOperandA16, accumulator(), operandA(), 16);

void planReductionOf(benchmark::State &state, const LinearLayout &layout, Dim axis) {
  for (auto _ : state)
    benchmark::DoNotOptimize(planReduction(layout, axis, 2));
}
BENCHMARK_CAPTURE(planReductionOf, rows, rows(), dims::Dim1);
BENCHMARK_CAPTURE(planReductionOf, columns, columns(), dims::Dim1);
BENCHMARK_CAPTURE(planReductionOf, accumulator, accumulator(), dims::Dim1);

void planScanOf(benchmark::State &state, const LinearLayout &layout, Dim axis) {
  for (auto _ : state)
    benchmark::DoNotOptimize(planScan(layout, axis, false, 2));
}
BENCHMARK_CAPTURE(planScanOf, rows, rows(), dims::Dim1);
BENCHMARK_CAPTURE(planScanOf, columns, columns(), dims::Dim1);
BENCHMARK_CAPTURE(planScanOf, accumulator, accumulator(), dims::Dim1);

void planGatherOf(benchmark::State &state, const LinearLayout &layout, Dim axis) {
  for (auto _ : state)
    benchmark::DoNotOptimize(planGather(layout, layout, axis, 2));
}
BENCHMARK_CAPTURE(planGatherOf, rows, rows(), dims::Dim1);
BENCHMARK_CAPTURE(planGatherOf, columns, columns(), dims::Dim1);

} // namespace
