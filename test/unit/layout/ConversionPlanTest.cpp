//===- ConversionPlanTest.cpp - Conversion plans, executed ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "layout/ConversionPlan.h"

#include "RandomLayouts.h"
#include "layout/PlanInterpreter.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace tilewright::layout;
using Kind = ConversionPlan::Kind;

namespace {

/// Checks `plan` against its meaning: each register of dst holds dst's element, whatever
/// the way; and what the plan says of itself is what the interpreter counts.
void expectRight(const ConversionPlan &plan, const LinearLayout &src, const LinearLayout &dst,
                 const SharedMemory &memory = {}) {
  auto lanes = static_cast<unsigned>(std::max(src.inSize(dims::Lane), dst.inSize(dims::Lane)));
  auto warps = static_cast<unsigned>(std::max(src.inSize(dims::Warp), dst.inSize(dims::Warp)));
  std::vector<Dim> order;
  for (SizedDim d : src.outs())
    order.push_back(d.dim);
  PlanReport report;
  BlockRegisters result = interpretPlan(plan, registersOf(src, lanes, warps), memory, report);
  std::string what = "from " + src.toString() + "\nto   " + dst.toString() + "\n" + plan.toString();
  ASSERT_EQ(report.error, "") << what;
  ASSERT_EQ(result.registers, registersOf(dst.transposeOuts(order), lanes, warps).registers)
      << what;
  if (plan.kind == Kind::SharedMemory) {
    ASSERT_EQ(report.storeWavefronts, plan.shared.storeWavefronts) << what;
    ASSERT_EQ(report.loadWavefronts, plan.shared.loadWavefronts) << what;
    ASSERT_EQ(report.storeConflicts, plan.shared.storeConflicts) << what;
    ASSERT_EQ(report.loadConflicts, plan.shared.loadConflicts) << what;
    ASSERT_EQ(plan.shared.storeConflicts, 0u) << what;
    ASSERT_EQ(plan.shared.loadConflicts, 0u) << what;
    ASSERT_LE(report.scratchBytes, plan.shared.scratchBytes) << what;
    if (report.crossedWarps) {
      ASSERT_EQ(plan.shared.barrier, Barrier::Block) << what;
    }
  }
}

const unsigned Widths[] = {1, 8, 16, 32, 64};

TEST(ConversionPlan, TileOfMatmulThroughSharedMemory) {
  std::vector<int64_t> shape = {128, 64};
  LinearLayout src = toLinearLayout(Blocked{{1, 1}, {32, 1}, {4, 1}, {1, 0}}, shape);
  LinearLayout dst = toLinearLayout(Blocked{{1, 4}, {2, 16}, {4, 1}, {1, 0}}, shape);
  ConversionPlan plan = planConversion(src, dst, 32);
  ASSERT_EQ(plan.kind, Kind::SharedMemory);
  EXPECT_EQ(plan.shared.storeVector * 32, 128u);
  EXPECT_EQ(plan.shared.loadVector * 32, 128u);
  EXPECT_EQ(plan.shared.storeConflicts, 0u);
  EXPECT_EQ(plan.shared.loadConflicts, 0u);
  EXPECT_LE(plan.shared.scratchBytes, 8192u);
  // Rows change warps: warp bits are rows 32 and 64 in src, rows 2 and 4 in dst.
  EXPECT_EQ(plan.shared.barrier, Barrier::Block);
  expectRight(plan, src, dst);
}

TEST(ConversionPlan, RandomBlockedPairs) {
  RandomLayouts random(1);
  unsigned kinds[5] = {};
  for (unsigned i = 0; i < 3000; ++i) {
    unsigned lanes = random.below(6), warps = random.below(3);
    std::vector<int64_t> shape = {1 << random.below(7), 1 << random.below(6)};
    if (random.below(4) == 0)
      shape.push_back(1 << random.below(4));
    LinearLayout src = toLinearLayout(random.blocked(shape, lanes, warps), shape);
    LinearLayout dst = toLinearLayout(random.blocked(shape, lanes, warps), shape);
    SharedMemory memory;
    memory.preferredScratchBytes = 256u << random.below(8);
    ConversionPlan plan = planConversion(src, dst, Widths[random.below(5)], memory);
    ++kinds[static_cast<unsigned>(plan.kind)];
    ASSERT_NE(plan.kind, Kind::Unsupported) << plan.reason;
    ASSERT_NO_FATAL_FAILURE(expectRight(plan, src, dst, memory));
  }
  for (unsigned kind = 0; kind < 4; ++kind)
    EXPECT_GT(kinds[kind], 20u) << "kind " << kind << " is hardly tested";
}

TEST(ConversionPlan, RandomLinearPairs) {
  RandomLayouts random(2);
  unsigned kinds[5] = {};
  for (unsigned i = 0; i < 3000; ++i) {
    unsigned lanes = 1 + random.below(5), warps = random.below(3),
             bits = lanes + warps + random.below(6);
    bool units = random.below(2);
    LinearLayout src =
        random.deal(units ? random.units(bits) : random.basis(bits), lanes, warps, random.below(3));
    LinearLayout dst =
        random.deal(units ? random.units(bits) : random.basis(bits), lanes, warps, random.below(3));
    SharedMemory memory;
    memory.preferredScratchBytes = 64u << random.below(8);
    ConversionPlan plan = planConversion(src, dst, Widths[random.below(5)], memory);
    ++kinds[static_cast<unsigned>(plan.kind)];
    ASSERT_NE(plan.kind, Kind::Unsupported) << plan.reason;
    ASSERT_NO_FATAL_FAILURE(expectRight(plan, src, dst, memory));
  }
}

TEST(ConversionPlan, RandomWithinWarps) {
  RandomLayouts random(3);
  unsigned kinds[5] = {};
  for (unsigned i = 0; i < 6000; ++i) {
    unsigned lanes = 1 + random.below(5), bits = lanes + random.below(5);
    bool units = random.below(2);
    LinearLayout src =
        random.deal(units ? random.units(bits) : random.basis(bits), lanes, 0, random.below(4));
    LinearLayout dst =
        random.deal(units ? random.units(bits) : random.basis(bits), lanes, 0, random.below(4));
    ConversionPlan plan = planConversion(src, dst, Widths[random.below(5)]);
    ++kinds[static_cast<unsigned>(plan.kind)];
    ASSERT_NO_FATAL_FAILURE(expectRight(plan, src, dst));
  }
  EXPECT_GT(kinds[static_cast<unsigned>(Kind::Shuffles)], 1000u);
}

} // namespace
