//===- BlockMessageBench.cpp - Benchmarks of planning block messages ----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The operands of DPAS instructions of a 256x256 tile held by 32 warps, on xpu:bmg.
//
//===--------------------------------------------------------------------------===//

#include "layout/encoding/IntelDpas.h"
#include "plan/block2d/BlockMessages.h"

#include <benchmark/benchmark.h>

using namespace tilewright;
using namespace tilewright::target;
using namespace tilewright::target::intel;

namespace {

using Shape = std::vector<int64_t>;

Dpas dpas(unsigned opsPerChan, std::vector<unsigned> repCluster) {
  Dpas encoding;
  encoding.opsPerChan = opsPerChan;
  encoding.warpsPerCTA = {8, 4};
  encoding.repCluster = std::move(repCluster);
  return encoding;
}

const Dpas F16 = dpas(2, {4, 2}), Tf32 = dpas(1, {4, 1}), I8 = dpas(4, {4, 4});

void plan(benchmark::State &state, const Dpas &parent, unsigned opIdx, unsigned elementBits,
          const Shape &shape, unsigned contiguousDim, BlockAccess access) {
  BlockMessageRequest request;
  unsigned kWidth = opIdx ? parent.opsPerChan : std::max(1u, parent.opsPerChan / 2);
  request.layout =
      opIdx < 2 ? operandLayout(parent, opIdx, kWidth, shape) : toLinearLayout(parent, shape);
  request.elementBits = elementBits;
  request.contiguousDim = contiguousDim;
  request.access = access;
  request.limits = *blockMessageLimits(*Target::find("xpu:bmg"));
  request.wordBits = opIdx == 1 ? 32 : 0;
  for (auto _ : state)
    benchmark::DoNotOptimize(planBlockMessages(request));
}

constexpr BlockAccess Load = BlockAccess::Load;
BENCHMARK_CAPTURE(plan, A_f16_rows, F16, 0, 16, {256, 32}, 1, Load);
BENCHMARK_CAPTURE(plan, A_f16_columns, F16, 0, 16, {256, 32}, 0, Load);
BENCHMARK_CAPTURE(plan, B_f16_rows, F16, 1, 16, {32, 256}, 1, Load);
BENCHMARK_CAPTURE(plan, B_f16_columns, F16, 1, 16, {32, 256}, 0, Load);
BENCHMARK_CAPTURE(plan, A_tf32_rows, Tf32, 0, 32, {256, 32}, 1, Load);
BENCHMARK_CAPTURE(plan, B_tf32_columns, Tf32, 1, 32, {32, 256}, 0, Load);
BENCHMARK_CAPTURE(plan, A_i8_columns, I8, 0, 8, {256, 64}, 0, Load);
BENCHMARK_CAPTURE(plan, B_i8_rows, I8, 1, 8, {64, 256}, 1, Load);
BENCHMARK_CAPTURE(plan, C_f16_store, F16, 2, 16, {256, 256}, 1, BlockAccess::Store);
BENCHMARK_CAPTURE(plan, A_f16_prefetch, F16, 0, 16, {256, 32}, 1, BlockAccess::Prefetch);

} // namespace
