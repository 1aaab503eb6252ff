//===- ConversionPlanTest.cpp - Conversion plans, executed ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "layout/ConversionPlan.h"
#include "layout/Encodings.h"
#include "layout/PlanInterpreter.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

using namespace tilewright::layout;
using Kind = ConversionPlan::Kind;

namespace {

using Bits = std::vector<uint64_t>;

/// A layout of `1 << (bits)` elements of a one-dimensional tensor from literal bases.
LinearLayout fromBits(const Bits &registers, const Bits &lanes, const Bits &warps,
                      unsigned bits) {
  Bits all = registers;
  all.insert(all.end(), lanes.begin(), lanes.end());
  all.insert(all.end(), warps.begin(), warps.end());
  return LinearLayout::fromPacked({SizedDim{dims::Register, (unsigned)registers.size()},
                                   SizedDim{dims::Lane, (unsigned)lanes.size()},
                                   SizedDim{dims::Warp, (unsigned)warps.size()},
                                   SizedDim{dims::Block, 0}},
                                  {SizedDim{dims::Dim0, bits}}, all);
}

/// Checks `plan` against its meaning: each register of dst holds dst's element, whatever
/// the way; and what the plan says of itself is what the interpreter counts.
void expectRight(const ConversionPlan &plan, const LinearLayout &src, const LinearLayout &dst,
                 const SharedMemory &memory = {}) {
  auto lanes = (unsigned)std::max(src.inSize(dims::Lane), dst.inSize(dims::Lane));
  auto warps = (unsigned)std::max(src.inSize(dims::Warp), dst.inSize(dims::Warp));
  std::vector<Dim> order;
  for (SizedDim d : src.outs())
    order.push_back(d.dim);
  PlanReport report;
  BlockRegisters result =
      interpretPlan(plan, registersOf(src, lanes, warps), memory, report);
  std::string what = "from " + src.toString() + "\nto   " + dst.toString() + "\n" +
                     plan.toString();
  ASSERT_EQ(report.error, "") << what;
  ASSERT_EQ(result.registers,
            registersOf(dst.transposeOuts(order), lanes, warps).registers)
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

std::mt19937 rng(12345);
unsigned below(unsigned n) { return (unsigned)(rng() % n); }

/// A random invertible list of `bits` vectors of as many bits.
Bits randomBasis(unsigned bits) {
  while (true) {
    Bits basis;
    for (unsigned i = 0; i < bits; ++i)
      basis.push_back(rng() & ((1u << bits) - 1));
    if (fromBits(basis, {}, {}, bits).isInvertible())
      return basis;
  }
}

/// A random permutation of unit vectors.
Bits randomUnits(unsigned bits) {
  Bits units;
  for (unsigned i = 0; i < bits; ++i)
    units.push_back(1u << i);
  std::shuffle(units.begin(), units.end(), rng);
  return units;
}

/// `basis` dealt out to registers, lanes and warps, with `copies` dependent vectors put
/// in at random.
LinearLayout deal(Bits basis, unsigned bits, unsigned lanes, unsigned warps, unsigned copies) {
  auto cut = [&](unsigned count) {
    count = std::min<unsigned>(count, (unsigned)basis.size());
    Bits part(basis.end() - count, basis.end());
    basis.resize(basis.size() - count);
    return part;
  };
  Bits all = basis;
  for (unsigned i = 0; i < copies; ++i) {
    uint64_t copy = below(2) ? 0 : all[below((unsigned)all.size())];
    basis.insert(basis.begin() + below((unsigned)basis.size() + 1), copy);
  }
  std::rotate(basis.begin(), basis.begin() + below((unsigned)basis.size()), basis.end());
  Bits laneBits = cut(lanes), warpBits = cut(warps);
  laneBits.resize(lanes, 0);
  warpBits.resize(warps, 0);
  return fromBits(basis, laneBits, warpBits, bits);
}

Blocked randomBlocked(const std::vector<int64_t> &shape, unsigned lanes, unsigned warps) {
  auto rank = (unsigned)shape.size();
  Blocked b;
  auto split = [&](unsigned bits) {
    std::vector<unsigned> list(rank, 1);
    for (unsigned i = 0; i < bits; ++i)
      list[below(rank)] *= 2;
    return list;
  };
  b.sizePerThread = split(below(5));
  b.threadsPerWarp = split(lanes);
  b.warpsPerCTA = split(warps);
  for (unsigned d = 0; d < rank; ++d)
    b.order.push_back(d);
  std::shuffle(b.order.begin(), b.order.end(), rng);
  return b;
}

const unsigned Widths[] = {1, 8, 16, 32, 64};

TEST(ConversionPlan, TileOfMatmulThroughSharedMemory) {
  std::vector<int64_t> shape = {128, 64};
  LinearLayout src =
      toLinearLayout(Blocked{{1, 1}, {32, 1}, {4, 1}, {1, 0}}, shape);
  LinearLayout dst =
      toLinearLayout(Blocked{{1, 4}, {2, 16}, {4, 1}, {1, 0}}, shape);
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
  unsigned kinds[5] = {};
  for (unsigned i = 0; i < 3000; ++i) {
    unsigned lanes = below(6), warps = below(3);
    std::vector<int64_t> shape = {1 << below(7), 1 << below(6)};
    if (below(4) == 0)
      shape.push_back(1 << below(4));
    LinearLayout src = toLinearLayout(randomBlocked(shape, lanes, warps), shape);
    LinearLayout dst = toLinearLayout(randomBlocked(shape, lanes, warps), shape);
    SharedMemory memory;
    memory.preferredScratchBytes = 256u << below(8);
    ConversionPlan plan = planConversion(src, dst, Widths[below(5)], memory);
    ++kinds[(unsigned)plan.kind];
    ASSERT_NE(plan.kind, Kind::Unsupported) << plan.reason;
    ASSERT_NO_FATAL_FAILURE(expectRight(plan, src, dst, memory));
  }
  for (unsigned kind = 0; kind < 4; ++kind)
    EXPECT_GT(kinds[kind], 20u) << "kind " << kind << " is hardly tested";
}

TEST(ConversionPlan, RandomLinearPairs) {
  unsigned kinds[5] = {};
  for (unsigned i = 0; i < 3000; ++i) {
    unsigned lanes = 1 + below(5), warps = below(3), bits = lanes + warps + below(6);
    bool units = below(2);
    LinearLayout src =
        deal(units ? randomUnits(bits) : randomBasis(bits), bits, lanes, warps, below(3));
    LinearLayout dst =
        deal(units ? randomUnits(bits) : randomBasis(bits), bits, lanes, warps, below(3));
    SharedMemory memory;
    memory.preferredScratchBytes = 64u << below(8);
    ConversionPlan plan = planConversion(src, dst, Widths[below(5)], memory);
    ++kinds[(unsigned)plan.kind];
    ASSERT_NE(plan.kind, Kind::Unsupported) << plan.reason;
    ASSERT_NO_FATAL_FAILURE(expectRight(plan, src, dst, memory));
  }
}

TEST(ConversionPlan, RandomWithinWarps) {
  unsigned kinds[5] = {};
  for (unsigned i = 0; i < 6000; ++i) {
    unsigned lanes = 1 + below(5), bits = lanes + below(5);
    bool units = below(2);
    LinearLayout src = deal(units ? randomUnits(bits) : randomBasis(bits), bits, lanes, 0, below(4));
    LinearLayout dst = deal(units ? randomUnits(bits) : randomBasis(bits), bits, lanes, 0, below(4));
    ConversionPlan plan = planConversion(src, dst, Widths[below(5)]);
    ++kinds[(unsigned)plan.kind];
    ASSERT_NO_FATAL_FAILURE(expectRight(plan, src, dst));
  }
  EXPECT_GT(kinds[(unsigned)Kind::Shuffles], 1000u);
}

} // namespace
