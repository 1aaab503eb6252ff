//===- PlanInterpreter.cpp - Conversion plans, executed -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "layout/PlanInterpreter.h"

#include "layout/Access.h"

#include <algorithm>
#include <optional>

namespace tilewright::layout {

namespace {

using Word = std::vector<uint64_t>;

/// The part of a map that a thread's place gives.
uint64_t baseOf(const LinearLayout &base, uint32_t lane, uint32_t warp) {
  return base.applyFlat(
      base.packInput(std::vector<DimValue>{{dims::Lane, lane & (base.inSize(dims::Lane) - 1)},
                                           {dims::Warp, warp & (base.inSize(dims::Warp) - 1)}}));
}

void swapWords(std::vector<Word> &words, const std::vector<ShufflePlan::SelectStage> &stages,
               uint32_t lane, uint32_t warp) {
  for (const ShufflePlan::SelectStage &stage : stages) {
    if (!stage.parity(lane, warp))
      continue;
    std::vector<Word> old = words;
    for (size_t i = 0; i < words.size(); ++i)
      words[i] = old[i ^ stage.wordXor];
  }
}

BlockRegisters interpretShuffles(const ShufflePlan &plan, const BlockRegisters &source) {
  size_t threads = source.registers.size();
  auto laneOf = [&](size_t thread) { return static_cast<uint32_t>(thread % source.lanesPerWarp); };
  auto warpOf = [&](size_t thread) { return static_cast<uint32_t>(thread / source.lanesPerWarp); };

  std::vector<std::vector<Word>> sent(threads);
  for (size_t thread = 0; thread < threads; ++thread) {
    for (const std::vector<unsigned> &registers : plan.pack) {
      Word &word = sent[thread].emplace_back();
      for (unsigned r : registers)
        word.push_back(source.registers[thread][r]);
    }
    swapWords(sent[thread], plan.before, laneOf(thread), warpOf(thread));
  }

  BlockRegisters result{source.lanesPerWarp, {}};
  for (size_t thread = 0; thread < threads; ++thread) {
    uint32_t lane = laneOf(thread), warp = warpOf(thread), from = 0;
    for (size_t bit = 0; bit < plan.sourceLane.size(); ++bit)
      from |= uint32_t(plan.sourceLane[bit](lane, warp)) << bit;
    std::vector<Word> words;
    for (ShufflePlan::Route route : plan.routes) {
      uint32_t peer = (plan.sourceIsSameLane ? lane : from) ^ route.laneXor;
      words.push_back(sent[warp * source.lanesPerWarp + peer][route.word]);
    }
    swapWords(words, plan.after, lane, warp);
    std::vector<uint64_t> &registers = result.registers.emplace_back();
    for (ShufflePlan::Place place : plan.unpack)
      registers.push_back(words[place.word][place.position]);
  }
  return result;
}

struct Cell {
  uint64_t element;
  uint32_t warp;
};

class SharedInterpreter {
public:
  SharedInterpreter(const SharedPlan &plan, const BlockRegisters &source,
                    const SharedMemory &memory, PlanReport &report)
      : plan(plan), source(source), memory(memory), report(report) {}

  BlockRegisters run() {
    size_t count = 0;
    for (unsigned r : plan.copies)
      count = std::max<size_t>(count, r + 1);
    loaded.assign(source.registers.size(), std::vector<std::optional<uint64_t>>(count));
    for (const SharedRepetition &round : plan.repetitions) {
      cells.assign(plan.scratchBytes / plan.elementBytes, std::nullopt);
      for (size_t i = 0; i < round.stores.size(); ++i)
        access(round.stores[i], round.storeCondition, plan.storeBase, /*isStore=*/true);
      for (size_t i = 0; i < round.loads.size(); ++i)
        access(round.loads[i], round.loadCondition, plan.loadBase, /*isStore=*/false);
    }
    BlockRegisters result{source.lanesPerWarp, {}};
    for (const std::vector<std::optional<uint64_t>> &registers : loaded) {
      std::vector<uint64_t> &values = result.registers.emplace_back();
      for (unsigned r : plan.copies) {
        if (!registers[r])
          fail("a register is never loaded");
        values.push_back(registers[r].value_or(0));
      }
    }
    return result;
  }

private:
  void fail(const char *text) {
    if (report.error.empty())
      report.error = text;
  }

  void access(const SharedAccess &access, const ThreadCondition &condition,
              const LinearLayout &base, bool isStore) {
    std::vector<uint64_t> addresses;
    std::vector<unsigned> lanes;
    for (size_t thread = 0; thread < source.registers.size(); ++thread) {
      auto lane = static_cast<uint32_t>(thread % source.lanesPerWarp);
      auto warp = static_cast<uint32_t>(thread / source.lanesPerWarp);
      if (!condition(lane, warp))
        continue;
      uint64_t start = (baseOf(base, lane, warp) ^ access.xorOffset) + access.addOffset;
      if (start % access.registers.size())
        fail("an access is not aligned");
      if (warp == 0) {
        addresses.push_back(start * plan.elementBytes);
        lanes.push_back(lane);
      }
      for (size_t i = 0; i < access.registers.size(); ++i) {
        if (start + i >= cells.size())
          return fail("an access is outside the scratch memory");
        if (isStore)
          store(thread, warp, access.registers[i], cells[start + i]);
        else
          load(thread, warp, access.registers[i], cells[start + i]);
        report.scratchBytes =
            std::max<uint64_t>(report.scratchBytes, (start + i + 1) * plan.elementBytes);
      }
    }
    auto bytes = static_cast<unsigned>(access.registers.size() * plan.elementBytes);
    Wavefronts wavefronts = countWavefronts(addresses, lanes, bytes, memory);
    (isStore ? report.storeWavefronts : report.loadWavefronts) += wavefronts.actual;
    (isStore ? report.storeConflicts : report.loadConflicts) += wavefronts.conflicts();
  }

  void store(size_t thread, uint32_t warp, unsigned r, std::optional<Cell> &cell) {
    uint64_t element = source.registers[thread][r];
    if (cell)
      fail(cell->element == element ? "an element is stored twice"
                                    : "two elements are stored to one place");
    cell = Cell{element, warp};
  }

  void load(size_t thread, uint32_t warp, unsigned r, const std::optional<Cell> &cell) {
    if (!cell)
      return fail("a place is loaded that was not stored");
    report.crossedWarps |= cell->warp != warp;
    if (loaded[thread][r])
      fail("a register is loaded twice");
    loaded[thread][r] = cell->element;
  }

  const SharedPlan &plan;
  const BlockRegisters &source;
  const SharedMemory &memory;
  PlanReport &report;
  std::vector<std::optional<Cell>> cells;
  std::vector<std::vector<std::optional<uint64_t>>> loaded;
};

} // namespace

BlockRegisters interpretPlan(const ConversionPlan &plan, const BlockRegisters &source,
                             const SharedMemory &memory, PlanReport &report) {
  switch (plan.kind) {
  case ConversionPlan::Kind::None:
  case ConversionPlan::Kind::Registers: {
    BlockRegisters result{source.lanesPerWarp, {}};
    for (const std::vector<uint64_t> &registers : source.registers) {
      std::vector<uint64_t> &values = result.registers.emplace_back();
      for (unsigned r : plan.registerSources)
        values.push_back(registers[r]);
    }
    return result;
  }
  case ConversionPlan::Kind::Shuffles:
    return interpretShuffles(plan.shuffles, source);
  case ConversionPlan::Kind::SharedMemory:
    return SharedInterpreter(plan.shared, source, memory, report).run();
  case ConversionPlan::Kind::Unsupported:
    report.error = plan.reason;
    return {source.lanesPerWarp, {}};
  }
  return {};
}

BlockRegisters registersOf(const LinearLayout &layout, unsigned lanesPerWarp, unsigned warps,
                           unsigned block) {
  BlockRegisters result{lanesPerWarp, {}};
  for (unsigned warp = 0; warp < warps; ++warp)
    for (unsigned lane = 0; lane < lanesPerWarp; ++lane) {
      std::vector<uint64_t> &registers = result.registers.emplace_back();
      uint64_t place = layout.packInput(
          std::vector<DimValue>{{dims::Lane, lane & (layout.inSize(dims::Lane) - 1)},
                                {dims::Warp, warp & (layout.inSize(dims::Warp) - 1)},
                                {dims::Block, block & (layout.inSize(dims::Block) - 1)}});
      for (uint64_t r = 0; r < layout.inSize(dims::Register); ++r)
        registers.push_back(
            layout.applyFlat(place | layout.packInput(std::vector<DimValue>{{dims::Register, r}})));
    }
  return result;
}

} // namespace tilewright::layout
