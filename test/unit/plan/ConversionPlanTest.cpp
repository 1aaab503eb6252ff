//===- ConversionPlanTest.cpp - Conversion plans, executed ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "tilewright/layout/ConversionPlan.h"

#include "ExpectPlan.h"
#include "test/support/AccessKinds.h"
#include "test/support/RandomLayouts.h"
#include "view/PlanText.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::plan;
using Kind = ConversionPlan::Kind;

namespace {

const unsigned Widths[] = {1, 8, 16, 32, 64};

TEST(ConversionPlan, TileOfMatmulThroughSharedMemory) {
  std::vector<int64_t> shape = {128, 64};
  LinearLayout src = toLinearLayout(Blocked{{1, 1}, {32, 1}, {4, 1}, {1, 0}}, shape);
  LinearLayout dst = toLinearLayout(Blocked{{1, 4}, {2, 16}, {4, 1}, {1, 0}}, shape);
  ConversionPlan plan = planned(src, dst, 32);
  ASSERT_EQ(plan.kind, Kind::SharedMemory);
  EXPECT_EQ(plan.shared.storeVector * 32, 128u);
  EXPECT_EQ(plan.shared.loadVector * 32, 128u);
  EXPECT_EQ(plan.shared.storeConflicts, 0u);
  EXPECT_EQ(plan.shared.loadConflicts, 0u);
  EXPECT_EQ(plan.shared.scratchBytes, 8192u);
  // Rows change warps: warp bits are rows 32 and 64 in src, rows 2 and 4 in dst. So it is those
  // rows that go in rounds, a warp of src at a time.
  EXPECT_EQ(plan.shared.barrier, Barrier::Block);
  EXPECT_EQ(plan.shared.repetitions.size(), 4u);
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
    ExchangeModel memory;
    memory.preferredScratchBytes = 64u << random.below(8);
    ConversionPlan plan = planned(src, dst, Widths[random.below(5)], memory);
    ++kinds[static_cast<unsigned>(plan.kind)];
    ASSERT_NO_FATAL_FAILURE(expectRight(plan, src, dst, memory));
  }
  for (unsigned kind = 0; kind < 4; ++kind)
    EXPECT_GT(kinds[kind], 20u) << "kind " << kind << " is hardly tested";
}

/// Two layouts of one tensor with 2^bits elements, some of them held more than once: fewer than
/// `copies` bits of places. `units`: each bit of a place moves one bit of the element.
std::pair<LinearLayout, LinearLayout> linearPair(RandomLayouts &random, unsigned bits,
                                                 unsigned lanes, unsigned warps, unsigned copies,
                                                 bool units) {
  auto layout = [&] {
    RandomLayouts::Bits basis = units ? random.units(bits) : random.basis(bits);
    return random.deal(basis, lanes, warps, random.below(copies));
  };
  LinearLayout src = layout(), dst = layout();
  return {src, dst};
}

TEST(ConversionPlan, RandomLinearPairs) {
  RandomLayouts random(2);
  unsigned kinds[5] = {};
  for (unsigned i = 0; i < 3000; ++i) {
    unsigned lanes = 1 + random.below(5), warps = random.below(3),
             bits = lanes + warps + random.below(6);
    auto [src, dst] = linearPair(random, bits, lanes, warps, 3, random.below(2));
    ExchangeModel memory;
    memory.preferredScratchBytes = 64u << random.below(8);
    ConversionPlan plan = planned(src, dst, Widths[random.below(5)], memory);
    ++kinds[static_cast<unsigned>(plan.kind)];
    ASSERT_NO_FATAL_FAILURE(expectRight(plan, src, dst, memory));
  }
  for (Kind kind : {Kind::Shuffles, Kind::SharedMemory})
    EXPECT_GT(kinds[static_cast<unsigned>(kind)], 200u) << "kind " << static_cast<unsigned>(kind);
}

TEST(ConversionPlan, RandomWithinWarps) {
  RandomLayouts random(3);
  unsigned kinds[5] = {};
  for (unsigned i = 0; i < 6000; ++i) {
    unsigned lanes = 1 + random.below(5), bits = lanes + random.below(5);
    auto [src, dst] = linearPair(random, bits, lanes, 0, 4, random.below(2));
    ConversionPlan plan = planned(src, dst, Widths[random.below(5)]);
    ++kinds[static_cast<unsigned>(plan.kind)];
    ASSERT_NO_FATAL_FAILURE(expectRight(plan, src, dst));
  }
  EXPECT_GT(kinds[static_cast<unsigned>(Kind::Shuffles)], 1000u);
}

TEST(ConversionPlan, CostsChooseTheKind) {
  // Rows of 32 elements: from four neighbours a lane to every eighth.
  std::vector<int64_t> shape = {16, 32};
  LinearLayout src = toLinearLayout(Blocked{{1, 4}, {4, 8}, {4, 1}, {1, 0}}, shape);
  LinearLayout dst = toLinearLayout(Blocked{{1, 1}, {4, 8}, {4, 1}, {1, 0}}, shape);
  ExchangeModel memory;
  memory.costs.shuffle = {1, 0};
  ConversionPlan plan = planned(src, dst, 32, memory);
  EXPECT_EQ(plan.kind, Kind::Shuffles);
  EXPECT_EQ(plan.cost, plan.shuffles.shuffleCount() +
                           plan.shuffles.selectCount() * memory.costs.select +
                           plan.shuffles.permutes * memory.costs.permute);
  expectRight(plan, src, dst, memory);

  memory.costs.shuffle = {1000, 0};
  plan = planned(src, dst, 32, memory);
  EXPECT_EQ(plan.kind, Kind::SharedMemory);
  expectRight(plan, src, dst, memory);

  // What is known when compiling may be cheaper, and is what counts here.
  memory.costs.fixedShuffle = [](std::span<const unsigned>) { return ShuffleCost{1, 5}; };
  plan = planned(src, dst, 32, memory);
  EXPECT_EQ(plan.kind, Kind::Shuffles);
  EXPECT_EQ(plan.cost, 5 + plan.shuffles.shuffleCount() +
                           plan.shuffles.selectCount() * memory.costs.select +
                           plan.shuffles.permutes * memory.costs.permute);
}

/// The tables that planConversion asks the cost of, in the test below.
std::vector<std::vector<unsigned>> &askedTables() {
  static std::vector<std::vector<unsigned>> tables;
  return tables;
}

TEST(ConversionPlan, CostsAreAskedOfTheTablesThatAreShuffled) {
  ExchangeModel memory;
  memory.costs.shuffle = {1000, 0};
  memory.costs.fixedShuffle = [](std::span<const unsigned> sources) {
    askedTables().emplace_back(sources.begin(), sources.end());
    return ShuffleCost{1, 0};
  };
  RandomLayouts random(5);
  unsigned tested = 0;
  for (unsigned i = 0; i < 500; ++i) {
    unsigned lanes = 1 + random.below(5), bits = lanes + random.below(4);
    auto [src, dst] = linearPair(random, bits, lanes, 0, 3, random.below(2));
    askedTables().clear();
    ConversionPlan plan = planned(src, dst, 32, memory);
    if (plan.kind != Kind::Shuffles)
      continue;
    std::vector<std::vector<unsigned>> expected;
    for (ShufflePlan::Route route : plan.shuffles.routes) {
      if (plan.shuffles.sourceIsSameLane && !route.laneXor)
        continue;
      std::vector<unsigned> table;
      for (unsigned lane = 0; lane < 1u << lanes; ++lane) {
        unsigned source = 0;
        for (unsigned bit = 0; bit < lanes; ++bit)
          source |= unsigned(plan.shuffles.sourceLane[bit](lane, 0)) << bit;
        table.push_back(source ^ route.laneXor);
      }
      if (std::find(expected.begin(), expected.end(), table) == expected.end())
        expected.push_back(table);
    }
    ASSERT_EQ(askedTables(), expected);
    ++tested;
  }
  EXPECT_GT(tested, 200u);
}

/// A memory of one of the shapes that hardware has, or near to one.
ExchangeModel anyMemory(RandomLayouts &random) {
  ExchangeModel memory;
  memory.banks = 16u << random.below(3);
  memory.bankBytes = 4u << random.below(2);
  memory.maxAccessBits = 64u << random.below(2);
  memory.preferredScratchBytes = 64u << random.below(8);
  return memory;
}

TEST(ConversionPlan, RandomPairsInMemoriesOfAllShapes) {
  RandomLayouts random(4);
  for (unsigned i = 0; i < 3000; ++i) {
    unsigned lanes = 4 + random.below(3), warps = random.below(3),
             bits = lanes + warps + random.below(5);
    auto [src, dst] = linearPair(random, bits, lanes, warps, 3, random.below(4));
    ExchangeModel memory = anyMemory(random);
    ConversionPlan plan = planned(src, dst, Widths[random.below(5)], memory);
    ASSERT_NO_FATAL_FAILURE(expectRight(plan, src, dst, memory));
  }
}

/// What each place of one side holds, as vectors: registers, five lanes, warps.
struct Sides {
  RandomLayouts::Bits registers, lanes, warps;

  LinearLayout layout(unsigned bits) const {
    LinearLayout::DimList ins;
    RandomLayouts::Bits bases;
    for (auto [dim, vectors] :
         {std::pair(dims::Register, &registers), {dims::Lane, &lanes}, {dims::Warp, &warps}}) {
      ins.push_back({dim, static_cast<unsigned>(vectors->size())});
      bases.insert(bases.end(), vectors->begin(), vectors->end());
    }
    return LinearLayout::fromPacked(ins, {SizedDim{dims::Dim0, bits}}, bases);
  }
};

/// A pair in which lanes of one side are registers of the other, such that a matrix's rows
/// are vectors; or the same lanes of both. The rest is as it comes, some of it copies.
std::pair<LinearLayout, LinearLayout> pairForMatrices(RandomLayouts &random, unsigned wordBits) {
  unsigned warps = random.below(3), registers = 4 + random.below(3), bits = 5 + warps + registers;
  RandomLayouts::Bits all = random.below(4) ? random.units(bits) : random.basis(bits);
  auto take = [](RandomLayouts::Bits &from, size_t count) {
    RandomLayouts::Bits taken(from.end() - static_cast<long>(count), from.end());
    from.resize(from.size() - count);
    return taken;
  };
  RandomLayouts::Bits rest = all;
  Sides one;
  one.registers = take(rest, registers);
  one.lanes = take(rest, 5);
  one.warps = rest;

  // Vectors that the other side is to have in its registers, or its lanes.
  bool transposed = wordBits == 1 && random.below(2), sameLanes = random.below(2);
  RandomLayouts::Bits row, fixedLanes;
  if (transposed) {
    row.assign(one.lanes.begin() + 2, one.lanes.end());
  } else {
    row.assign(one.registers.begin(), one.registers.begin() + wordBits);
    row.insert(row.end(), one.lanes.begin(), one.lanes.begin() + 2);
  }
  std::vector<uint64_t> left;
  for (uint64_t v : all)
    if (std::find(row.begin(), row.end(), v) == row.end())
      left.push_back(v);
  random.shuffle(left);
  Sides other;
  if (sameLanes) {
    // The same matrices on both sides, or a transposition of all: lanes 0 and 1 of one are
    // lanes 3 and 4 of the other.
    left = all;
    bool turn = wordBits == 1 && random.below(2);
    RandomLayouts::Bits lanes =
        turn ? RandomLayouts::Bits{one.lanes[3], one.lanes[4], one.registers[0], one.lanes[0],
                                   one.lanes[1]}
             : one.lanes;
    other.lanes = lanes;
    for (uint64_t v : lanes)
      left.erase(std::find(left.begin(), left.end(), v));
    if (turn) {
      left.erase(std::find(left.begin(), left.end(), one.lanes[2]));
      other.registers.push_back(one.lanes[2]);
    }
    random.shuffle(left);
  } else {
    random.shuffle(row);
    other.registers = row;
    other.lanes = take(left, 5);
  }
  while (other.warps.size() < warps)
    other.warps.push_back(take(left, 1)[0]);
  while (!left.empty())
    other.registers.push_back(take(left, 1)[0]);

  // Copies: zeros, and repetitions of other vectors.
  for (Sides *side : {&one, &other})
    for (RandomLayouts::Bits *part : {&side->registers, &side->warps})
      while (random.below(4) == 0)
        part->insert(part->begin() + random.below(static_cast<unsigned>(part->size()) + 1),
                     random.below(2) ? 0 : all[random.below(bits)]);
  if (random.below(4) == 0)
    (random.below(2) ? one : other).lanes[random.below(5)] = 0;
  LinearLayout a = one.layout(bits), b = other.layout(bits);
  if (!a.isSurjective() || !b.isSurjective())
    return pairForMatrices(random, wordBits);
  return random.below(2) ? std::pair(a, b) : std::pair(b, a);
}

TEST(ConversionPlan, RandomPairsWithMatrices) {
  RandomLayouts random(5);
  // By the kinds of stores and loads.
  unsigned counts[3][3] = {};
  unsigned cheaper = 0;
  for (unsigned i = 0; i < 3000; ++i) {
    unsigned bits = 8u << random.below(3);
    auto [src, dst] = pairForMatrices(random, bits == 32 ? 0 : bits == 16 ? 1 : 2);
    ExchangeModel memory;
    // Where scratch memory does not matter, plans are chosen by what they cost.
    bool byCost = random.below(2);
    memory.preferredScratchBytes = byCost ? memory.maxBytes : 64u << random.below(8);
    unsigned vectorCost = planned(src, dst, bits, memory).cost;
    if (random.below(4))
      memory.loads = withMatrices().loads;
    if (random.below(4))
      memory.stores = withMatrices().stores;
    ConversionPlan plan = planned(src, dst, bits, memory);
    ASSERT_NO_FATAL_FAILURE(expectRight(plan, src, dst, memory));
    if (byCost)
      ASSERT_LE(plan.cost, vectorCost) << src.toString() << dst.toString() << view::toText(plan);
    cheaper += plan.cost < vectorCost;
    if (plan.kind == Kind::SharedMemory)
      ++counts[static_cast<unsigned>(kindOf(*plan.shared.storeAtom))]
              [static_cast<unsigned>(kindOf(*plan.shared.loadAtom))];
  }
  EXPECT_GT(cheaper, 300u);
  for (unsigned store = 0; store < 3; ++store)
    for (unsigned load = 0; load < 3; ++load)
      EXPECT_GT(counts[store][load], 0u) << "kinds " << store << " and " << load;
}

LinearLayout parsed(std::string_view text) {
  Result<LinearLayout> layout = LinearLayout::parse(text);
  EXPECT_TRUE(layout) << layout.error();
  return *layout;
}

TEST(ConversionPlan, NothingToDo) {
  LinearLayout layout = parsed("{register = [[1]], lane = [[2], [4]], warp = []} -> {dim0 = 8}");
  ConversionPlan plan = planned(layout, layout, 32);
  EXPECT_EQ(plan.kind, Kind::None);
  EXPECT_EQ(plan.registerSources, (std::vector<unsigned>{0, 1}));
}

TEST(ConversionPlan, RegistersAreRenamed) {
  LinearLayout src = parsed("{register = [[1], [2]], lane = [[4]]} -> {dim0 = 8}");
  LinearLayout dst = parsed("{register = [[2], [0], [1]], lane = [[4]]} -> {dim0 = 8}");
  ConversionPlan plan = planned(src, dst, 32);
  EXPECT_EQ(plan.kind, Kind::Registers);
  EXPECT_EQ(plan.cost, 0u);
  EXPECT_EQ(plan.registerSources, (std::vector<unsigned>{0, 2, 0, 2, 1, 3, 1, 3}));
}

TEST(ConversionPlan, TranspositionOfTwoByTwoShufflesOneRegister) {
  LinearLayout src = parsed("{register = [[1]], lane = [[2], [4]]} -> {dim0 = 8}");
  LinearLayout dst = parsed("{register = [[2]], lane = [[1], [4]]} -> {dim0 = 8}");
  ConversionPlan plan = planned(src, dst, 32);
  ASSERT_EQ(plan.kind, Kind::Shuffles);
  EXPECT_TRUE(plan.shuffles.sourceIsSameLane);
  EXPECT_EQ(plan.shuffles.shuffleCount(), 1u);
  EXPECT_EQ(plan.shuffles.selectCount(), 4u);
  // 64-bit elements take two 32-bit registers.
  EXPECT_EQ(planned(src, dst, 64).shuffles.shuffleCount(), 2u);
}

TEST(ConversionPlan, NarrowElementsShareShuffles) {
  LinearLayout src = parsed("{register = [[1], [2]], lane = [[4], [8]]} -> {dim0 = 16}");
  LinearLayout dst = parsed("{register = [[1], [2]], lane = [[8], [4]]} -> {dim0 = 16}");
  EXPECT_EQ(planned(src, dst, 32).shuffles.shuffleCount(), 4u);
  EXPECT_EQ(planned(src, dst, 16).shuffles.shuffleCount(), 2u);
  EXPECT_EQ(planned(src, dst, 8).shuffles.shuffleCount(), 1u);
  EXPECT_EQ(planned(src, dst, 1).shuffles.elementsPerWord, 4u);
}

TEST(ConversionPlan, BroadcastIsStoredOnce) {
  LinearLayout src =
      parsed("{lane = [[1], [0], [2], [4], [8]], warp = [[16], [0]]} -> {dim0 = 32}");
  LinearLayout dst =
      parsed("{lane = [[16], [8], [4], [2], [1]], warp = [[0], [0]]} -> {dim0 = 32}");
  ConversionPlan plan = planned(src, dst, 32);
  ASSERT_EQ(plan.kind, Kind::SharedMemory);
  const ThreadCondition &condition = plan.shared.repetitions[0].storeCondition;
  unsigned stores = 0;
  for (uint32_t warp = 0; warp < 4; ++warp)
    for (uint32_t lane = 0; lane < 32; ++lane)
      stores += condition(lane, warp);
  EXPECT_EQ(stores, 32u);
  EXPECT_EQ(plan.shared.scratchBytes, 128u);
  expectRight(plan, src, dst);
}

TEST(ConversionPlan, MovesWithinWarpsNeedNoBlockBarrier) {
  std::vector<int64_t> shape = {64, 64};
  LinearLayout src = toLinearLayout(Blocked{{1, 8}, {4, 8}, {4, 1}, {1, 0}}, shape);
  LinearLayout dst = toLinearLayout(Blocked{{4, 1}, {1, 32}, {4, 1}, {1, 0}}, shape);
  ConversionPlan plan = planned(src, dst, 16);
  ASSERT_EQ(plan.kind, Kind::SharedMemory);
  EXPECT_EQ(plan.shared.barrier, Barrier::Warp);
  EXPECT_EQ(plan.shared.storeVector, 8u);
  expectRight(plan, src, dst);
}

// Rows of one warp, written by lanes of rows and read by lanes of columns: no part of the registers
// can go by itself. Warps that took turns in the same memory would have to wait for each other.
TEST(ConversionPlan, WarpsTakeTurnsWithBarriersOfTheBlock) {
  for (int64_t warps : {4, 8}) {
    std::vector<int64_t> shape = {32 * warps, 64};
    auto ofWarps = static_cast<unsigned>(warps);
    LinearLayout src = toLinearLayout(Blocked{{1, 4}, {32, 1}, {ofWarps, 1}, {1, 0}}, shape);
    LinearLayout dst = toLinearLayout(Blocked{{16, 4}, {2, 16}, {ofWarps, 1}, {1, 0}}, shape);
    ConversionPlan plan = planned(src, dst, 32);
    ASSERT_EQ(plan.kind, Kind::SharedMemory);
    bool fits = warps == 4; // in 32 KiB
    EXPECT_EQ(plan.shared.barrier, fits ? Barrier::Warp : Barrier::Block);
    EXPECT_EQ(plan.shared.repetitions.size(), fits ? 1u : 8u);
    EXPECT_EQ(plan.shared.scratchBytes, fits ? 32768u : 8192u);
    expectRight(plan, src, dst);
  }
}

TEST(ConversionPlan, WhatCannotBeDoneIsSaid) {
  LinearLayout src = parsed("{lane = [[1]], warp = [], block = [[2]]} -> {dim0 = 4}");
  LinearLayout dst = parsed("{lane = [[2]], warp = [], block = [[1]]} -> {dim0 = 4}");
  EXPECT_EQ(planConversion(src, dst, 32).error(), "the conversion would move data between blocks");
  EXPECT_EQ(planConversion(src, parsed("{lane = [[1]]} -> {dim0 = 2}"), 32).error(),
            "the layouts are of different tensors");
  EXPECT_EQ(planConversion(src, src, 128).error(), "elements of 128 bits cannot be converted");

  LinearLayout rows = parsed("{register = [], lane = [[1], [2]], warp = [[4]]} -> {dim0 = 8}");
  LinearLayout mixed = parsed("{register = [], lane = [[4], [2]], warp = [[1]]} -> {dim0 = 8}");
  ExchangeModel tiny;
  tiny.maxBytes = tiny.preferredScratchBytes = 16;
  EXPECT_EQ(planConversion(rows, mixed, 32, tiny).error(),
            "the conversion needs at least 32 bytes of shared memory, but there are only 16");
}

TEST(ConversionPlan, TextAndJson) {
  LinearLayout src = parsed("{register = [[1], [2]], lane = [[4]]} -> {dim0 = 8}");
  LinearLayout dst = parsed("{register = [[2], [1]], lane = [[4]]} -> {dim0 = 8}");
  ConversionPlan plan = planned(src, dst, 32);
  EXPECT_EQ(view::toText(plan), "kind: registers\ncost: 0\nsource registers: 0 2 1 3\n");
  EXPECT_EQ(view::toJson(plan),
            "{\"kind\": \"registers\", \"cost\": 0, \"source_registers\": [0, 2, 1, 3]}");
}

TEST(ConversionPlan, TextOfShuffles) {
  LinearLayout src = parsed("{register = [[1], [2]], lane = [[4]]} -> {dim0 = 8}");
  LinearLayout dst = parsed("{register = [[4], [2]], lane = [[1]]} -> {dim0 = 8}");
  std::string text = view::toText(planned(src, dst, 32));
  EXPECT_THAT(text, testing::HasSubstr("pack: 4 words of 1 element, 1 32-bit register each\n"));
  EXPECT_THAT(text, testing::HasSubstr("\nkeep: words "));
  EXPECT_THAT(text, testing::HasSubstr(" of lane ^ 1\n"));
  EXPECT_THAT(text, testing::HasSubstr("\nunpack: 4 elements\n"));
}

TEST(ConversionPlan, TextOfAccesses) {
  ConversionPlan plan;
  plan.kind = Kind::SharedMemory;
  plan.shared.elementBytes = 2;
  const ExchangeModel memory = withMatrices();
  plan.shared.storeAtom = &atomOf(memory.stores, AccessKind::TransposedMatrix, 0);
  plan.shared.storeVector = 2;
  plan.shared.loadAtom = &atomOf(memory.loads, AccessKind::Matrix, 0);
  plan.shared.loadVector = 8;
  std::string text = view::toText(plan);
  EXPECT_THAT(text, testing::HasSubstr("  1 transposed matrix\n"));
  EXPECT_THAT(text, testing::HasSubstr("  4 matrices\n"));
  plan.shared.loadAtom = &atomOf(memory.loads, AccessKind::Vector, 16);
  plan.shared.loadVector = 1;
  EXPECT_THAT(view::toText(plan), testing::HasSubstr("  vector of 1 element\n"));
}

} // namespace
