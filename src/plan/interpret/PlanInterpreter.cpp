//===- PlanInterpreter.cpp - An interpreter of conversion plans ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "plan/interpret/PlanInterpreter.h"

#include "plan/shared/Access.h"
#include "support/Bits.h"

#include <algorithm>
#include <optional>

namespace tilewright::plan {

namespace {

using Word = std::vector<uint64_t>;

/// The part of a map that a thread's location gives.
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
    for (ShufflePlan::WordPosition place : plan.unpack)
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
                    const ExchangeModel &memory, PlanReport &report)
      : plan(plan), source(source), memory(memory), report(report) {}

  BlockRegisters run() {
    size_t count = 0;
    for (unsigned r : plan.copies)
      count = std::max<size_t>(count, r + 1);
    loaded.assign(source.registers.size(), std::vector<std::optional<uint64_t>>(count));
    for (const SharedRepetition &round : plan.repetitions) {
      cells.assign(plan.scratchBytes / plan.elementBytes, std::nullopt);
      for (const SharedAccess &store : round.stores)
        access(store, round.storeCondition, plan.storeBase, /*isStore=*/true);
      for (const SharedAccess &load : round.loads)
        access(load, round.loadCondition, plan.loadBase, /*isStore=*/false);
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
    const CopyAtom &atom = *(isStore ? plan.storeAtom : plan.loadAtom);
    size_t warps = source.registers.size() / source.lanesPerWarp;
    for (uint32_t warp = 0; warp < warps; ++warp) {
      std::vector<uint64_t> starts;
      std::vector<unsigned> lanes;
      for (uint32_t lane = 0; lane < source.lanesPerWarp; ++lane)
        if (condition(lane, warp)) {
          lanes.push_back(lane);
          starts.push_back((baseOf(base, lane, warp) ^ access.xorOffset) + access.addOffset);
        }
      if (lanes.empty())
        continue;
      if (atom.issuer == Issuer::Lane)
        moveVectors(access, warp, lanes, starts, isStore);
      else if (lanes.size() == source.lanesPerWarp)
        moveByWarp(atom, access, warp, starts, isStore);
      else
        fail("a part of a warp does what takes the whole");
    }
  }

  /// Each lane moves one vector.
  void moveVectors(const SharedAccess &access, uint32_t warp, const std::vector<unsigned> &lanes,
                   const std::vector<uint64_t> &starts, bool isStore) {
    std::vector<uint64_t> addresses;
    for (size_t n = 0; n < lanes.size(); ++n) {
      addresses.push_back(starts[n] * plan.elementBytes);
      if (starts[n] % access.registers.size())
        fail("an access is not aligned");
      for (size_t i = 0; i < access.registers.size(); ++i)
        move(lanes[n], warp, access.registers[i], starts[n] + i, isStore);
    }
    if (warp == 0)
      count(addresses, lanes, access.registers.size() * plan.elementBytes, isStore);
  }

  /// The warp does an atom some times, as its maps say. Each time is a phase of its own.
  void moveByWarp(const CopyAtom &atom, const SharedAccess &access, uint32_t warp,
                  const std::vector<uint64_t> &starts, bool isStore) {
    const AccessForm *form = atom.form(plan.elementBytes);
    const size_t registers = access.registers.size(),
                 times = form ? registers >> form->registerBits : 0;
    if (!form || source.lanesPerWarp != size_t(1) << form->laneBits || !isPowerOfTwo(times) ||
        times > atom.maxTimes)
      return fail("there is no such access");
    const size_t addressed = size_t(1) << form->addressed.size();
    const size_t contiguous = size_t(1) << form->contiguous.size();
    for (size_t time = 0; time < times; ++time) {
      std::vector<uint64_t> addresses;
      std::vector<unsigned> lanes;
      for (size_t i = 0; i < addressed; ++i) {
        const uint64_t start = starts[time * addressed + i];
        lanes.push_back(static_cast<unsigned>(i));
        addresses.push_back(start * plan.elementBytes);
        if (start % contiguous)
          fail("an address of a warp's access is not aligned");
      }
      if (warp == 0)
        count(addresses, lanes, contiguous * plan.elementBytes, isStore);
    }
    for (uint32_t lane = 0; lane < source.lanesPerWarp; ++lane)
      for (unsigned i = 0; i < registers; ++i) {
        AccessForm::Position at = form->locate(i, lane);
        move(lane, warp, access.registers[i], starts[at.addressLane] + at.offset, isStore);
      }
  }

  void count(const std::vector<uint64_t> &addresses, const std::vector<unsigned> &lanes,
             size_t bytes, bool isStore) {
    const LocalDirection direction = isStore ? LocalDirection::Store : LocalDirection::Load;
    Transactions transactions =
        countTransactions(addresses, lanes, static_cast<unsigned>(bytes), direction, memory);
    (isStore ? report.storeTransactions : report.loadTransactions) += transactions.actual;
    (isStore ? report.storeConflicts : report.loadConflicts) += transactions.conflicts();
  }

  /// Between a register and the memory at `offset`.
  void move(uint32_t lane, uint32_t warp, unsigned r, uint64_t offset, bool isStore) {
    if (offset >= cells.size())
      return fail("an access is outside the scratch memory");
    size_t thread = size_t(warp) * source.lanesPerWarp + lane;
    if (isStore)
      store(thread, warp, r, cells[offset]);
    else
      load(thread, warp, r, cells[offset]);
    report.scratchBytes = std::max<uint64_t>(report.scratchBytes, (offset + 1) * plan.elementBytes);
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
  const ExchangeModel &memory;
  PlanReport &report;
  std::vector<std::optional<Cell>> cells;
  std::vector<std::vector<std::optional<uint64_t>>> loaded;
};

} // namespace

BlockRegisters interpretPlan(const ConversionPlan &plan, const BlockRegisters &source,
                             const ExchangeModel &memory, PlanReport &report) {
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

} // namespace tilewright::plan
