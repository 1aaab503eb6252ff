//===- CollectivePlansTest.cpp - Reductions, scans and gathers, executed ------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Plans are carried out on the threads of a block, one value a register, and what comes out is
// compared with what the layouts say of each place.
//
//===--------------------------------------------------------------------------===//

#include "plan/collective/GatherPlan.h"
#include "plan/collective/ReductionPlan.h"
#include "plan/collective/ScanPlan.h"
#include "test/support/RandomLayouts.h"

#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <set>

using namespace tilewright;
using namespace tilewright::plan;

namespace {

/// Any layout of a tensor of 2^axisBits x 2^otherBits elements for 8 lanes and 4 warps, with some
/// copies; the axis is dim0. `pure`: each basis moves along one dimension, by a power of two.
LinearLayout anyLayout(RandomLayouts &random, unsigned axisBits, unsigned otherBits, bool pure) {
  if (axisBits + otherBits == 0)
    axisBits = 1;
  const unsigned bits = axisBits + otherBits, missing = bits < 5 ? 5 - bits : 0;
  RandomLayouts::Bits basis = pure ? random.units(bits) : random.basis(bits);
  LinearLayout flat = random.deal(basis, 3, 2, missing + (pure ? 0 : random.below(3)));
  return flat.reshapeOuts({{dims::Dim0, axisBits}, {dims::Dim1, otherBits}});
}

/// The threads of a block, and the parts of their places.
struct Block {
  explicit Block(const LinearLayout &layout)
      : layout(layout), registers(layout.inSize(dims::Register)), lanes(layout.inSize(dims::Lane)),
        warps(layout.inSize(dims::Warp)) {}

  const LinearLayout &layout;
  uint64_t registers, lanes, warps;
  uint64_t threads() const { return lanes * warps; }
  uint32_t lane(uint64_t thread) const { return static_cast<uint32_t>(thread % lanes); }
  uint32_t warp(uint64_t thread) const { return static_cast<uint32_t>(thread / lanes); }
  uint64_t element(uint64_t thread, uint64_t reg) const {
    return layout.applyFlat(reg << layout.inShift(dims::Register) |
                            uint64_t(lane(thread)) << layout.inShift(dims::Lane) |
                            uint64_t(warp(thread)) << layout.inShift(dims::Warp));
  }
};

template <typename T> using PerThread = std::vector<std::vector<T>>;

/// What an exchange gives: values[thread][partial][number].
template <typename T>
PerThread<std::vector<T>> exchange(const WarpExchange &plan, const Block &block,
                                   const PerThread<T> &partials) {
  std::map<uint64_t, T> memory;
  for (uint64_t t = 0; t < block.threads(); ++t) {
    if (!plan.storing(block.lane(t), block.warp(t)))
      continue;
    for (size_t k = 0; k < partials[t].size(); ++k) {
      uint64_t address = sumOf(plan.storeBases, t) ^ plan.storeOffsets[k];
      EXPECT_LT(address, plan.elements);
      EXPECT_TRUE(memory.emplace(address, partials[t][k]).second) << "stored twice: " << address;
      // Neighbours lie side by side.
      EXPECT_EQ(address % plan.partialVector, k % plan.partialVector);
    }
  }
  EXPECT_EQ(memory.size(), plan.elements) << "memory that nobody uses";
  PerThread<std::vector<T>> values(block.threads());
  for (uint64_t t = 0; t < block.threads(); ++t)
    for (size_t k = 0; k < partials[t].size(); ++k) {
      values[t].emplace_back();
      for (size_t w = 0; w < plan.warpOffsets.size(); ++w) {
        uint64_t address = sumOf(plan.loadBases, t) ^ plan.loadOffsets[k] ^ plan.warpOffsets[w];
        EXPECT_EQ(address % plan.partialVector, k % plan.partialVector);
        EXPECT_EQ(address % plan.warpVector, w % plan.warpVector);
        auto found = memory.find(address);
        EXPECT_NE(found, memory.end()) << "loaded but not stored: " << address;
        if (found != memory.end())
          values[t].back().push_back(found->second);
      }
    }
  return values;
}

//===----------------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------------===//

/// A set of elements as a sum of numbers, and how it was grouped.
struct Sum {
  uint64_t total, grouping;
  friend bool operator==(const Sum &, const Sum &) = default;
};

uint64_t hash(uint64_t x) {
  x = (x + 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9;
  return (x ^ x >> 31) * 0x94d049bb133111eb;
}

Sum combine(Sum a, Sum b) {
  // Commutative, not associative.
  return {a.total + b.total, hash(a.grouping ^ b.grouping) + a.grouping + b.grouping};
}

Sum combineAll(std::vector<Sum> items) {
  while (items.size() > 1) {
    std::vector<Sum> next;
    for (size_t i = 0; i + 1 < items.size(); i += 2)
      next.push_back(combine(items[i], items[i + 1]));
    items = std::move(next);
  }
  return items[0];
}

/// How values of several warps are combined.
enum class AcrossWarps { ByThread, ByLanes };

/// Lane l takes the value of warp l modulo the warps, and lanes combine.
void combineByLanes(const Block &block, const PerThread<std::vector<Sum>> &values, unsigned warps,
                    PerThread<Sum> &partials) {
  for (uint64_t t = 0; t < block.threads(); ++t)
    for (size_t p = 0; p < partials[t].size(); ++p)
      partials[t][p] = values[t][p][block.lane(t) % warps];
  for (unsigned lane = 1; lane < warps; lane *= 2) {
    const PerThread<Sum> before = partials;
    for (uint64_t t = 0; t < block.threads(); ++t)
      for (size_t p = 0; p < partials[t].size(); ++p)
        partials[t][p] = combine(before[t][p], before[t ^ lane][p]);
  }
}

/// Whether the plan can be carried out so.
bool expectReduction(const LinearLayout &layout, unsigned maxVectorBits,
                     AcrossWarps way = AcrossWarps::ByThread) {
  SCOPED_TRACE(layout.toString());
  const ReductionPlan plan = planReduction(layout, dims::Dim0, maxVectorBits);
  const Block block(layout);
  // As if combining took so much work that any other way is cheaper.
  if (way == AcrossWarps::ByLanes &&
      !combinesWarpsByLanes(plan, {1, 1000}, block.lanes, 4, target::Costs()))
    return false;
  PerThread<Sum> partials(block.threads());
  for (uint64_t t = 0; t < block.threads(); ++t)
    for (const auto &registers : plan.registers) {
      std::vector<Sum> items;
      for (unsigned r : registers) {
        uint64_t number = hash(block.element(t, r));
        items.push_back({number, number});
      }
      partials[t].push_back(combineAll(items));
    }
  for (ReductionPlan::LaneStep step : plan.laneSteps) {
    PerThread<Sum> before = partials;
    for (uint64_t t = 0; t < block.threads(); ++t)
      for (size_t p = 0; p < partials[t].size(); ++p)
        partials[t][p] = combine(before[t][p], before[t ^ step.laneXor][p ^ step.partialXor]);
  }
  if (plan.axisWarps > 1) {
    auto values = exchange(plan.exchange, block, partials);
    if (way == AcrossWarps::ByLanes)
      combineByLanes(block, values, plan.axisWarps, partials);
    else
      for (uint64_t t = 0; t < block.threads(); ++t)
        for (size_t p = 0; p < partials[t].size(); ++p)
          partials[t][p] = combineAll(values[t][p]);
  }

  const uint64_t axisMask = layout.outMask(dims::Dim0);
  std::map<uint64_t, uint64_t> totals;
  for (uint64_t element = 0; element <= layout.outMask(dims::Dim0) + layout.outMask(dims::Dim1);
       ++element)
    totals[element & ~axisMask] += hash(element);
  std::map<uint64_t, Sum> results;
  for (uint64_t t = 0; t < block.threads(); ++t)
    for (size_t p = 0; p < partials[t].size(); ++p) {
      uint64_t at = block.element(t, plan.registers[p][0]) & ~axisMask;
      EXPECT_EQ(partials[t][p].total, totals[at]) << "thread " << t << ", partial " << p;
      // Equal bit for bit wherever it is.
      EXPECT_EQ(results.emplace(at, partials[t][p]).first->second, partials[t][p]);
    }
  return true;
}

TEST(ReductionPlan, AnyLayout) {
  RandomLayouts random(3);
  for (int i = 0; i < 400; ++i)
    expectReduction(anyLayout(random, random.below(6), random.below(6), i % 2), random.below(3));
}

TEST(ReductionPlan, BlockedLayouts) {
  RandomLayouts random(4);
  for (int i = 0; i < 100; ++i) {
    auto shape = random.shape(2, 5);
    expectReduction(toLinearLayout(random.blocked(shape, 3, 2), shape), 2);
  }
}

TEST(ReductionPlan, WarpsByLanes) {
  RandomLayouts random(5);
  unsigned done = 0;
  for (int i = 0; i < 400; ++i)
    done += expectReduction(anyLayout(random, 5 + random.below(3), random.below(3), i % 2), 2,
                            AcrossWarps::ByLanes);
  EXPECT_GT(done, 40u);
}

// The costs of NVIDIA's: a sum of f32 is combined by each thread up to 16 warps, what takes more
// values and instructions by lanes from 16 or 8 on.
TEST(ReductionPlan, WarpsByLanesWhereTheyAreMany) {
  const auto byLanes = [](unsigned warps, CombineWork work) {
    const LinearLayout line =
        toLinearLayout(Blocked{{4}, {32}, {warps}, {0}}, std::vector<int64_t>{128 * warps});
    return combinesWarpsByLanes(planReduction(line, dims::Dim0, 2), work, 32, 4, target::Costs());
  };
  const CombineWork sum = {1, 1}, argmax = {2, 5}, welford = {3, 20};
  EXPECT_FALSE(byLanes(8, sum) || byLanes(16, sum));
  EXPECT_TRUE(byLanes(32, sum));
  EXPECT_FALSE(byLanes(8, argmax));
  EXPECT_TRUE(byLanes(16, argmax));
  EXPECT_FALSE(byLanes(4, welford));
  EXPECT_TRUE(byLanes(8, welford));
  // Lanes have different rows: each has partials of its own.
  const LinearLayout rows =
      toLinearLayout(Blocked{{1, 1}, {32, 1}, {1, 32}, {1, 0}}, std::vector<int64_t>{32, 32});
  EXPECT_FALSE(
      combinesWarpsByLanes(planReduction(rows, dims::Dim1, 2), welford, 32, 4, target::Costs()));
}

// In a layout without mixed bits a lane step is a butterfly, and each is done once.
TEST(ReductionPlan, AsFewStepsAsTheAxisHasLanes) {
  const LinearLayout layout =
      toLinearLayout(Blocked{{1, 4}, {4, 8}, {2, 2}, {1, 0}}, std::vector<int64_t>{64, 128});
  ReductionPlan rows = planReduction(layout, dims::Dim1, 2);
  EXPECT_EQ(rows.laneSteps.size(), 3u);
  EXPECT_EQ(rows.axisWarps, 2u);
  EXPECT_FALSE(rows.wholeWarps);
  EXPECT_EQ(rows.exchange.elements, 2u * 64u);
  EXPECT_EQ(rows.exchange.partialVector, 4u);
  const LinearLayout line =
      toLinearLayout(Blocked{{4}, {32}, {4}, {0}}, std::vector<int64_t>{2048});
  ReductionPlan all = planReduction(line, dims::Dim0, 2);
  EXPECT_TRUE(all.wholeWarps);
  EXPECT_EQ(all.exchange.elements, 4u);
  EXPECT_EQ(all.exchange.warpVector, 4u);
}

//===----------------------------------------------------------------------------===//
// Scans
//===----------------------------------------------------------------------------===//

/// Elements of one line from `begin` on, `length` of them in the order of the scan; what came of
/// joining others than neighbours is no run.
struct Run {
  uint64_t line = 0, begin = 0, length = 0;
  bool isRun = true;
  friend bool operator==(const Run &, const Run &) = default;
};

Run join(const Run &a, const Run &b) {
  return {a.line, a.begin, a.length + b.length,
          a.isRun && b.isRun && a.line == b.line && a.begin + a.length == b.begin};
}

/// Carries out a scan, step by step as ScanPlan.h tells it.
class ScanInterpreter {
public:
  ScanInterpreter(const ScanPlan &plan, const Block &block,
                  const std::function<Run(uint64_t)> &runOf)
      : plan(plan), block(block), states(block.threads()) {
    for (uint64_t t = 0; t < block.threads(); ++t)
      for (const auto &chunk : plan.chunks) {
        State &state = states[t];
        std::vector<Run> items;
        for (unsigned r : chunk) {
          Run item = runOf(block.element(t, r));
          items.push_back(items.empty() ? item : join(items.back(), item));
        }
        state.totals.push_back(items.back());
        state.blocks.push_back({static_cast<unsigned>(state.chunks.size())});
        state.chunks.push_back(std::move(items));
      }
  }

  PerThread<Run> run() {
    for (const ScanSegment &segment : plan.segments)
      switch (segment.kind) {
      case ScanSegment::Kind::Lanes:
        scanLanes(segment);
        break;
      case ScanSegment::Kind::Warps:
        scanWarps(segment);
        break;
      case ScanSegment::Kind::Registers:
        scanRegisters(segment);
        break;
      }
    PerThread<Run> results(block.threads());
    for (uint64_t t = 0; t < block.threads(); ++t)
      for (ScanPlan::Position position : plan.positions)
        results[t].push_back(states[t].chunks[position.chunk][position.index]);
    return results;
  }

private:
  struct State {
    std::vector<std::vector<Run>> chunks;
    std::vector<std::vector<unsigned>> blocks;
    std::vector<Run> totals;

    void prepend(unsigned b, const Run &before) {
      for (unsigned c : blocks[b])
        for (Run &item : chunks[c])
          item = join(before, item);
    }
  };

  uint64_t numberOf(const ScanSegment &segment, uint64_t t) const {
    uint64_t number = 0;
    for (size_t k = 0; k < segment.bits.size(); ++k)
      number |= uint64_t(segment.bits[k](block.lane(t), block.warp(t)) != plan.reverse) << k;
    return number;
  }

  /// The thread with another number in a segment of lanes.
  uint64_t threadAt(const ScanSegment &segment, uint64_t t, uint64_t number) const {
    uint64_t change = numberOf(segment, t) ^ number;
    for (size_t k = 0; k < segment.laneXors.size(); ++k)
      if (change >> k & 1)
        t ^= segment.laneXors[k];
    EXPECT_EQ(numberOf(segment, t), number);
    return t;
  }

  /// Joins to each thread's blocks the totals of the lower numbers in its segment; `totalOf` gives
  /// the total of a number, as a thread sees it, of a block.
  void
  prependLower(const ScanSegment &segment,
               const std::function<Run(uint64_t t, unsigned block, uint64_t number)> &totalOf) {
    const uint64_t count = uint64_t(1) << segment.bits.size();
    for (uint64_t t = 0; t < block.threads(); ++t)
      for (unsigned b = 0; b < states[t].blocks.size(); ++b) {
        Run lower = totalOf(t, b, 0), all = lower;
        for (uint64_t n = 1; n < count; ++n) {
          if (n < numberOf(segment, t))
            lower = join(lower, totalOf(t, b, n));
          all = join(all, totalOf(t, b, n));
        }
        if (numberOf(segment, t))
          states[t].prepend(b, lower);
        states[t].totals[b] = all;
      }
  }

  void scanLanes(const ScanSegment &segment) {
    const std::vector<State> before = states;
    prependLower(segment, [&](uint64_t t, unsigned b, uint64_t number) {
      return before[threadAt(segment, t, number)].totals[b];
    });
    lastLanes.push_back(&segment);
  }

  void scanWarps(const ScanSegment &segment) {
    PerThread<Run> totals;
    for (const State &state : states)
      totals.push_back(state.totals);
    // Only last lanes store: others do not have the total in the lowering.
    for (uint64_t t = 0; t < block.threads(); ++t)
      for (const ScanSegment *lanes : lastLanes)
        if (numberOf(*lanes, t) + 1 != uint64_t(1) << lanes->bits.size()) {
          EXPECT_FALSE(segment.exchange.storing(block.lane(t), block.warp(t)));
        }
    auto values = exchange(segment.exchange, block, totals);
    const uint64_t last = (uint64_t(1) << segment.bits.size()) - 1;
    prependLower(segment, [&](uint64_t t, unsigned b, uint64_t number) {
      return values[t][b][plan.reverse ? last - number : number];
    });
  }

  void scanRegisters(const ScanSegment &segment) {
    for (State &state : states) {
      State next{state.chunks, {}, {}};
      for (const auto &joined : segment.joined) {
        Run total = state.totals[joined[0]];
        std::vector<unsigned> chunks = state.blocks[joined[0]];
        for (size_t k = 1; k < joined.size(); ++k) {
          state.prepend(joined[k], total);
          total = join(total, state.totals[joined[k]]);
          for (unsigned c : state.blocks[joined[k]])
            chunks.push_back(c);
        }
        next.blocks.push_back(chunks);
        next.totals.push_back(total);
      }
      next.chunks = state.chunks;
      state = std::move(next);
    }
  }

  const ScanPlan &plan;
  const Block &block;
  std::vector<State> states;
  std::vector<const ScanSegment *> lastLanes;
};

void expectScan(const LinearLayout &given, bool reverse, bool convertible) {
  SCOPED_TRACE((reverse ? "reverse scan of " : "scan of ") + given.toString());
  const ScanPlan plan = planScan(given, dims::Dim0, reverse, 2);
  if (!convertible) {
    EXPECT_FALSE(plan.converted);
  }
  const LinearLayout layout = plan.converted.value_or(given);
  ASSERT_TRUE(layout.isSurjective());
  const Block block(layout);
  const uint64_t length = layout.outSize(dims::Dim0);
  auto runOf = [&](uint64_t element) {
    uint64_t at = layout.outValue(element, dims::Dim0);
    return Run{layout.outValue(element, dims::Dim1), reverse ? length - 1 - at : at, 1};
  };
  PerThread<Run> results = ScanInterpreter(plan, block, runOf).run();
  for (uint64_t t = 0; t < block.threads(); ++t)
    for (uint64_t r = 0; r < block.registers; ++r) {
      Run own = runOf(block.element(t, r));
      ASSERT_EQ(results[t][r], (Run{own.line, 0, own.begin + 1})) << t << ", " << r;
    }
}

TEST(ScanPlan, AnyLayout) {
  RandomLayouts random(5);
  for (int i = 0; i < 300; ++i)
    expectScan(anyLayout(random, random.below(6), random.below(5), false), i % 2, true);
}

// Bits of the axis in any order among registers, lanes and warps are no reason to convert.
TEST(ScanPlan, AnyOrderOfBits) {
  RandomLayouts random(6);
  for (int i = 0; i < 300; ++i)
    expectScan(anyLayout(random, random.below(8), random.below(4), true), i % 2, true);
  for (int i = 0; i < 100; ++i) {
    auto shape = random.shape(2, 6);
    expectScan(toLinearLayout(random.blocked(shape, 3, 2), shape), i % 2, false);
  }
}

//===----------------------------------------------------------------------------===//
// Gathers
//===----------------------------------------------------------------------------===//

uint64_t valueOf(const GatherMap &map, uint64_t index, uint64_t thread, uint64_t reg) {
  return sumOf(map.ofIndex, index) ^ sumOf(map.ofThread, thread) ^ map.ofRegister[reg];
}

/// For every place of the result and every index, whether the right element is picked.
void expectGather(const LinearLayout &src, const LinearLayout &result, GatherPlan::Kind *kind) {
  SCOPED_TRACE("gather from " + src.toString() + " to " + result.toString());
  const GatherPlan plan = planGather(src, result, dims::Dim0, 2);
  *kind = plan.kind;
  const Block from(src), to(result);
  std::map<uint64_t, uint64_t> memory;
  if (plan.kind == GatherPlan::Kind::SharedMemory)
    for (uint64_t t = 0; t < from.threads(); ++t)
      if (plan.storing(from.lane(t), from.warp(t)))
        for (const GatherPlan::Store &store : plan.stores) {
          uint64_t base = sumOf(plan.storeBases, t) ^ store.offset;
          ASSERT_EQ(base % store.registers.size(), 0u);
          for (size_t i = 0; i < store.registers.size(); ++i)
            ASSERT_TRUE(memory.emplace(base + i, from.element(t, store.registers[i])).second);
        }
  for (uint64_t t = 0; t < to.threads(); ++t)
    for (uint64_t r = 0; r < to.registers; ++r)
      for (uint64_t index = 0; index < src.outSize(dims::Dim0); ++index) {
        const uint64_t line = result.outValue(to.element(t, r), dims::Dim1);
        const uint64_t wanted = line << src.outShift(dims::Dim1) | index
                                                                       << src.outShift(dims::Dim0);
        uint64_t picked;
        if (plan.kind == GatherPlan::Kind::SharedMemory) {
          auto found = memory.find(valueOf(plan.offset, index, t, r));
          ASSERT_NE(found, memory.end());
          picked = found->second;
        } else {
          uint64_t lane = plan.kind == GatherPlan::Kind::Registers
                              ? to.lane(t)
                              : valueOf(plan.lane, index, t, r);
          uint64_t choice = valueOf(plan.choice, index, t, r);
          ASSERT_LT(choice, plan.candidates.size());
          picked = from.element(to.warp(t) * to.lanes + lane,
                                plan.baseRegister[r] ^ plan.candidates[choice]);
        }
        ASSERT_EQ(picked, wanted) << "thread " << t << ", register " << r << ", index " << index;
      }
}

TEST(GatherPlan, AnyLayouts) {
  RandomLayouts random(7);
  std::map<GatherPlan::Kind, int> kinds;
  for (int i = 0; i < 300; ++i) {
    unsigned others = random.below(4);
    GatherPlan::Kind kind;
    expectGather(anyLayout(random, random.below(5), others, i % 2),
                 anyLayout(random, random.below(5), others, i % 3), &kind);
    ++kinds[kind];
  }
  EXPECT_GT(kinds[GatherPlan::Kind::Shuffles], 0);
  EXPECT_GT(kinds[GatherPlan::Kind::SharedMemory], 0);
}

// Rows within a thread, within a warp, and across warps.
TEST(GatherPlan, Kinds) {
  auto layoutOf = [](Blocked blocked) {
    return toLinearLayout(blocked, std::vector<int64_t>{16, 32});
  };
  GatherPlan::Kind kind;
  const LinearLayout threads = layoutOf({{8, 1}, {1, 8}, {1, 4}, {0, 1}});
  const LinearLayout lanes = layoutOf({{2, 1}, {8, 1}, {1, 4}, {0, 1}});
  const LinearLayout warps = layoutOf({{1, 1}, {1, 8}, {4, 1}, {0, 1}});
  expectGather(lanes, lanes, &kind);
  EXPECT_EQ(kind, GatherPlan::Kind::Shuffles);
  expectGather(warps, warps, &kind);
  EXPECT_EQ(kind, GatherPlan::Kind::SharedMemory);
  const LinearLayout few =
      toLinearLayout(Blocked{{8, 1}, {1, 8}, {1, 4}, {0, 1}}, std::vector<int64_t>{8, 32});
  expectGather(few, few, &kind);
  EXPECT_EQ(kind, GatherPlan::Kind::Registers);
  // Sixteen registers of which each may be meant are too many to select from.
  expectGather(threads, threads, &kind);
  EXPECT_EQ(kind, GatherPlan::Kind::SharedMemory);
}

} // namespace
