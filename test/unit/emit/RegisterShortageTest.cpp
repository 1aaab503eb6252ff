//===- RegisterShortageTest.cpp - Kernels with too few vector registers -------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "EmitText.h"

#include "vendor/amd/emit/SchedulerBarrier.h"
#include "vendor/amd/emit/machine/EvictionBudget.h"
#include "vendor/amd/emit/machine/SchedulerStrategy.h"
#include "llvm/ADT/Statistic.h"
#include "gtest/gtest.h"

using namespace tilewright::emit;
using namespace tilewright::emit::test;

/// A statistic is kept only if they are enabled before it first counts.
[[maybe_unused]] static const bool countsSearches = [] {
  llvm::EnableStatistics(/*DoPrintOnExit=*/false);
  return true;
}();

static size_t countOf(llvm::StringRef name) {
  for (auto [one, value] : llvm::GetStatistics())
    if (one == name)
      return value;
  return 0;
}

/// A kernel that loads `values` numbers and then, `rounds` times, replaces each by its sum with
/// another one, all of them alive throughout. Each round is a loop of one block, or all are one
/// block.
static std::string manyValues(unsigned values, unsigned rounds, bool areLoops = false) {
  std::string text = "define amdgpu_kernel void @many(ptr addrspace(1) %p) {\nentry:\n";
  auto at = [](unsigned round, unsigned i) {
    return "%v" + std::to_string(round) + "." + std::to_string(i);
  };
  auto place = [&](const std::string &name, unsigned i) {
    text += "  " + name + " = getelementptr float, ptr addrspace(1) %p, i64 " +
            std::to_string(i * 1024) + "\n";
  };
  text += "  %lane = call i32 @llvm.amdgcn.workitem.id.x()\n";
  text += "  %x = sitofp i32 %lane to float\n";
  for (unsigned i = 0; i < values; ++i) {
    place("%p" + std::to_string(i), i);
    text += "  %l" + std::to_string(i) + " = load volatile float, ptr addrspace(1) %p" +
            std::to_string(i) + "\n";
    text += "  " + at(0, i) + " = fadd float %x, %l" + std::to_string(i) + "\n";
  }
  for (unsigned round = 1; round <= rounds; ++round) {
    const std::string block = "loop" + std::to_string(round);
    auto before = [&](unsigned i) { return at(round - 1, i) + (areLoops ? ".phi" : ""); };
    if (areLoops) {
      text += "  br label %" + block + "\n" + block + ":\n";
      for (unsigned i = 0; i < values; ++i)
        text += "  " + before(i) + " = phi float [" + at(round - 1, i) + ", %" +
                (round == 1 ? "entry" : "afterloop" + std::to_string(round - 1)) + "], [" +
                at(round, i) + ", %" + block + "]\n";
    }
    for (unsigned i = 0; i < values; ++i)
      text += "  " + at(round, i) + " = fadd float " + before(i) + ", " +
              before((i * 7 + round) % values) + "\n";
    if (areLoops) {
      text += "  %again" + block + " = load volatile i1, ptr addrspace(1) %p\n";
      text += "  br i1 %again" + block + ", label %" + block + ", label %after" + block + "\n";
      text += "after" + block + ":\n";
    }
  }
  for (unsigned i = 0; i < values; ++i)
    text += "  store volatile float " + at(rounds, i) + ", ptr addrspace(1) %p" +
            std::to_string(i) + "\n";
  return text + "  ret void\n}\ndeclare i32 @llvm.amdgcn.workitem.id.x()\n";
}

namespace {
/// What compiling a kernel makes of the statistics.
struct Counts {
  size_t searches, localSearches, refused, spilledAhead, scheduledOnce, leftInOrder;
};
} // namespace

static Counts currentCounts() {
  return {countOf("numSearches"),     countOf("numLocalSearches"), countOf("numRefusedSearches"),
          countOf("numSpilledAhead"), countOf("numScheduledOnce"), countOf("numLeftInOrder")};
}

static Counts countsOf(const std::string &kernel, EmittedCode &code) {
  const Counts before = currentCounts();
  code = codeOf("hip:gfx1201", kernel);
  const Counts after = currentCounts();
  return {after.searches - before.searches,
          after.localSearches - before.localSearches,
          after.refused - before.refused,
          after.spilledAhead - before.spilledAhead,
          after.scheduledOnce - before.scheduledOnce,
          after.leftInOrder - before.leftInOrder};
}

TEST(EvictionBudget, EndsTheSearchesInsideABlock) {
  EmittedCode code;
  const Counts few = countsOf(manyValues(/*values=*/64, /*rounds=*/2), code);
  EXPECT_LT(few.localSearches, localEvictionBudget);
  EXPECT_EQ(few.refused, 0u);
  const Counts many = countsOf(manyValues(/*values=*/215, /*rounds=*/4), code);
  EXPECT_NE(code.assembly.find("scratch_store"), std::string::npos);
  EXPECT_EQ(many.spilledAhead, 0u);
  EXPECT_GE(many.localSearches, localEvictionBudget);
  EXPECT_LT(many.searches, evictionBudget);
  EXPECT_GT(many.refused, 0u);
}

TEST(PressureSpills, RunsFromAQuarterMoreThanTheRegisters) {
  EmittedCode code;
  const Counts counts = countsOf(manyValues(/*values=*/280, /*rounds=*/2), code);
  EXPECT_NE(code.assembly.find("scratch_store"), std::string::npos);
  // At most 256 values are in registers at once.
  EXPECT_GE(counts.spilledAhead, 280u - 256u);
  EXPECT_LE(counts.localSearches, localEvictionBudget);
}

TEST(SchedulerStrategy, IsForLongFunctions) {
  EmittedCode code;
  constexpr unsigned values = 300, enough = longFunction / values;
  const Counts shorter = countsOf(manyValues(values, /*rounds=*/enough / 2), code);
  EXPECT_EQ(shorter.scheduledOnce, 0u);
  EXPECT_EQ(shorter.leftInOrder, 0u);
  const Counts oneBlock = countsOf(manyValues(values, enough), code);
  EXPECT_EQ(oneBlock.scheduledOnce, 1u);
  EXPECT_EQ(oneBlock.leftInOrder, 0u);
}

TEST(SchedulerStrategy, LeavesVeryLongFunctionsOfShortBlocksInOrder) {
  EmittedCode code;
  constexpr unsigned values = 300, enough = veryLongFunction / values;
  static_assert(values < longBlock / 4);
  const Counts loops = countsOf(manyValues(values, enough, /*areLoops=*/true), code);
  EXPECT_EQ(loops.scheduledOnce, 0u);
  EXPECT_EQ(loops.leftInOrder, 1u);
  // A hundred values keep within the registers.
  const Counts small = countsOf(manyValues(100, veryLongFunction / 100, /*areLoops=*/true), code);
  EXPECT_EQ(small.scheduledOnce, 0u);
  EXPECT_EQ(small.leftInOrder, 0u);
}
