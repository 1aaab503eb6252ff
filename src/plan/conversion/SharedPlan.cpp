//===- SharedPlan.cpp - Plans of conversions through shared memory ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Three choices make a plan.
//
// Accesses. Registers that src and dst share along the same elements can be stored and
// loaded as one vector. If they are too few for the widest access, one side alone may
// go on: its vectors then hold what the other side moves one by one. Where there are
// atoms that take whole warps, lanes of one side can match registers of the other (AccessChoice.h).
// Each way is costed, the cheapest taken.
//
// Repetitions. A tile that is too large for the wanted scratch memory goes in several rounds.
// A round moves the elements on which some linear functions have given
// values. In every round all threads do the same with the same registers, so such a function is
// zero on all lanes, and on each side either on all warps (the round is a part of each thread's
// registers) or on all registers (the round is some of the warps, predicated). Warps that take
// turns must wait for each other, so where data stays in its warp they do so only if the whole
// tile would take too much memory.
//
// The order in memory: see Swizzle.h.
//
// Vectors of F2 below are elements in coordinates of the source (ConversionSides.h).
//
//===--------------------------------------------------------------------------===//

#include "plan/conversion/SharedPlan.h"

#include "plan/conversion/AccessChoice.h"
#include "plan/conversion/Swizzle.h"
#include "plan/shared/Access.h"
#include "plan/shared/Packing.h"
#include "support/Bits.h"

#include <algorithm>
#include <optional>

namespace tilewright::plan {

namespace {

unsigned roundCost(Barrier barrier, const CopyAtom &load, const Costs &costs) {
  return costs.latency + load.latency +
         (barrier == Barrier::Warp ? costs.warpBarrier : costs.blockBarrier);
}

class Planner {
public:
  Planner(const ConversionSides &sides, unsigned elementBytes, const ExchangeModel &memory)
      : sides(sides), elementBytes(elementBytes), memory(memory) {}

  /// The rounds for these accesses, as masks: bit i of an element's round is its parity with
  /// mask i. The fewest that stay within the preferred scratch memory, if that can be.
  F2Vectors chooseRounds(const AccessChoice &choice) const;
  /// Lets accesses that take whole warps do their atom as often as the registers of a round allow.
  void countTimes(AccessChoice &choice, size_t roundBits) const;

  /// The cost that the plan will have.
  unsigned estimate(const AccessChoice &choice, const F2Vectors &rounds) const;
  uint64_t scratchBytes(size_t roundBits) const {
    return unit(sides.dimension - roundBits) * elementBytes;
  }

  /// The plan of these choices; nothing if a thread's accesses would start unaligned.
  std::optional<SharedPlan> build(const AccessChoice &choice, const F2Vectors &rounds) const;

private:
  F2Vectors covered(const LayoutBases &side, const AccessShape &shape, const F2Vectors &low) const;
  /// log2 of the lanes, or rows, that one phase serves.
  unsigned phaseBits(unsigned addressBits) const;
  /// A basis of those lanes.
  F2Vectors phaseLanes(const AccessShape &shape) const;
  unsigned transactionsOfAccess(const AccessShape &shape, uint32_t copiedLanes) const;
  unsigned permutes(const LayoutBases &side, const AccessShape &shape) const;
  /// Counts the transactions of `accesses` accesses.
  Transactions count(const LinearLayout &base, const AccessShape &shape, ThreadParity copies,
                     size_t accesses) const;
  /// Who has to wait between stores and loads, and between rounds.
  Barrier barrierOf(const F2Vectors &rounds) const {
    bool byWarps = std::any_of(rounds.begin(), rounds.end(), [&](uint64_t mask) {
      return std::any_of(sides.src.warps.begin(), sides.src.warps.end(),
                         [&](uint64_t warp) { return parity(mask, warp); });
    });
    return sides.sameWarps && !byWarps ? Barrier::Warp : Barrier::Block;
  }
  unsigned wordBits() const {
    return elementBytes < memory.bankBytes ? log2Of(memory.bankBytes / elementBytes) : 0;
  }
  unsigned rowBits() const { return log2Of(memory.banks * memory.bankBytes / elementBytes); }

  const ConversionSides &sides;
  unsigned elementBytes;
  const ExchangeModel &memory;
};

F2Vectors Planner::chooseRounds(const AccessChoice &choice) const {
  F2Vectors masks;
  auto enough = [&] { return scratchBytes(masks.size()) <= memory.preferredScratchBytes; };
  if (enough())
    return masks;
  // Accesses of whole warps are best done as often in one instruction as it can be.
  size_t most = sides.dimension;
  auto limit = [&](const LayoutBases &side, const AccessShape &shape) {
    size_t kept = shape.registers.size() + log2Of(shape.atom->maxTimes);
    if (!shape.isByLanes())
      most = std::min(most, side.registers.size() > kept ? side.registers.size() - kept : 0);
  };
  limit(sides.src, choice.store);
  limit(sides.dst, choice.load);

  // By registers on both sides if possible, for then all warps work in each round; and only so
  // where accesses take whole warps, which have to do without conditions.
  const uint64_t maxBytes = std::min(memory.maxBytes, 4 * memory.preferredScratchBytes);
  F2Basis chosen;
  for (bool loadsByWarp : {false, true})
    for (bool storesByWarp : {false, true}) {
      if ((loadsByWarp || storesByWarp) &&
          (!choice.isByLanes() || (sides.sameWarps && scratchBytes(masks.size()) <= maxBytes)))
        continue;
      F2Basis fixed;
      auto fix = [&](const F2Vectors &vs) {
        for (uint64_t v : vs)
          fixed.insert(v);
      };
      fix(choice.low);
      fix(choice.store.registers);
      fix(choice.load.registers);
      fix(sides.src.lanes);
      fix(sides.dst.lanes);
      fix(storesByWarp ? sides.src.registers : sides.src.warps);
      fix(loadsByWarp ? sides.dst.registers : sides.dst.warps);
      F2Vectors spanned;
      for (uint64_t rest = fixed.pivotMask(); rest; rest &= rest - 1)
        spanned.push_back(fixed.row(log2Of(rest)).vector);
      for (uint64_t mask : annihilator(spanned, sides.dimension)) {
        if (enough() || masks.size() == most)
          return masks;
        if (chosen.insert(mask).vector)
          masks.push_back(mask);
      }
    }
  return masks;
}

void Planner::countTimes(AccessChoice &choice, size_t roundBits) const {
  auto countOf = [&](const LayoutBases &side, AccessShape &shape) {
    if (!shape.isByLanes())
      shape.timesBits = static_cast<unsigned>(
          std::min<size_t>(log2Of(shape.atom->maxTimes),
                           side.registers.size() - roundBits - shape.registers.size()));
  };
  countOf(sides.src, choice.store);
  countOf(sides.dst, choice.load);
}

unsigned Planner::phaseBits(unsigned addressBits) const {
  return memory.logPhaseLanes(elementBytes << addressBits);
}

F2Vectors Planner::phaseLanes(const AccessShape &shape) const {
  const target::LaneGroups::Basis &basis =
      memory.groups.of(elementBytes << shape.addressBits(), shape.atom->isLoad());
  F2Vectors lanes;
  for (size_t i = 0; i < std::min<size_t>(phaseBits(shape.addressBits()), sides.src.lanes.size());
       ++i)
    lanes.push_back(basis[i]);
  return lanes;
}

/// One for each phase that has a lane that is no copy.
unsigned Planner::transactionsOfAccess(const AccessShape &shape, uint32_t copiedLanes) const {
  if (!shape.isByLanes()) {
    const unsigned inPhase = phaseBits(shape.addressBits());
    const auto addresses = static_cast<unsigned>(shape.form->addressed.size());
    return 1u << (shape.timesBits + (inPhase < addresses ? addresses - inPhase : 0));
  }
  const F2Vectors together = phaseLanes(shape);
  F2Basis reached(together);
  for (size_t i = 0; i < sides.src.lanes.size(); ++i)
    if (!(copiedLanes & unit(i)))
      reached.insert(unit(i));
  return 1u << (reached.rank() - together.size());
}

unsigned Planner::permutes(const LayoutBases &side, const AccessShape &shape) const {
  unsigned bits = wordBitsOf(elementBytes * 8);
  if (!bits)
    return 0;
  F2Basis solver;
  for (size_t i = 0; i < side.registers.size(); ++i)
    solver.insert(side.registers[i], unit(side.registerBits[i]));
  F2Vectors piece;
  for (size_t i = 0; i < std::min<size_t>(bits, shape.registers.size()); ++i)
    piece.push_back(solver.reduce(shape.registers[i]).tag);
  return countPermutes(piece, bits, static_cast<unsigned>(side.registers.size()));
}

unsigned Planner::estimate(const AccessChoice &choice, const F2Vectors &rounds) const {
  unsigned stores = sides.src.registerCount() >> choice.store.elementBits();
  unsigned loads = sides.dst.registerCount() >> choice.load.elementBits();
  unsigned transactions = stores * transactionsOfAccess(choice.store, sides.copies.lanes) +
                          loads * transactionsOfAccess(choice.load, 0);
  unsigned permuted = permutes(sides.src, choice.store) + permutes(sides.dst, choice.load);
  const Costs &costs = memory.costs;
  return transactions * costs.transaction + (stores + loads) * costs.access +
         permuted * costs.permute +
         (roundCost(barrierOf(rounds), *choice.load.atom, costs) << rounds.size());
}

/// What a phase of a warp covers: lanes, and the vector or word of each; or what one time of an
/// atom does.
F2Vectors Planner::covered(const LayoutBases &side, const AccessShape &shape,
                           const F2Vectors &low) const {
  F2Vectors result;
  size_t own = std::max(shape.addressBits(), wordBits());
  if (shape.isByLanes()) {
    for (uint64_t lane : phaseLanes(shape))
      result.push_back(sumOf(side.lanes, lane));
  } else {
    result = addressedElements(side, shape);
  }
  for (size_t i = 0; i < std::min(own, low.size()); ++i)
    result.push_back(low[i]);
  return result;
}

Transactions Planner::count(const LinearLayout &base, const AccessShape &shape, ThreadParity copies,
                            size_t accesses) const {
  unsigned bytes = elementBytes << shape.addressBits();
  const auto direction = shape.atom->isLoad() ? LocalDirection::Load : LocalDirection::Store;
  Transactions one;
  if (shape.isByLanes() && copies.lanes) {
    std::vector<uint64_t> addresses;
    std::vector<unsigned> lanes;
    for (unsigned lane = 0; lane < 1u << sides.src.lanes.size(); ++lane)
      if (!(lane & copies.lanes)) {
        lanes.push_back(lane);
        addresses.push_back(base.applyFlat(lane) * elementBytes);
      }
    one = countTransactions(addresses, lanes, bytes, direction, memory);
  } else {
    F2Vectors addresses;
    unsigned bits = shape.isByLanes()
                        ? base.inBits(dims::Lane)
                        : static_cast<unsigned>(shape.form->addressed.size()) + shape.timesBits;
    for (unsigned i = 0; i < bits; ++i)
      addresses.push_back(base.basis(dims::Lane, i) * elementBytes);
    one = countTransactions(addresses, bytes, direction, memory);
  }
  return {one.actual * static_cast<unsigned>(accesses),
          one.ideal * static_cast<unsigned>(accesses)};
}

std::optional<SharedPlan> Planner::build(const AccessChoice &choice,
                                         const F2Vectors &rounds) const {
  F2Vectors space = annihilator(rounds, sides.dimension);

  // Elements narrower than a word share it even if no access takes them together.
  F2Vectors low = choice.low;
  F2Basis span(low);
  for (uint64_t v : space)
    if (low.size() < wordBits() && span.insert(v).vector)
      low.push_back(v);

  F2Vectors writers = covered(sides.src, choice.store, low);
  F2Vectors readers = covered(sides.dst, choice.load, low);
  // What threads move had best be a bit of the offset each: addresses are then simple, and
  // keep clear of the bits within vectors. Likewise what tells the times of an
  // atom apart.
  std::vector<uint64_t> preferred;
  auto prefer = [&](const F2Vectors &vectors) {
    std::copy_if(vectors.begin(), vectors.end(), std::back_inserter(preferred), [&](uint64_t v) {
      return std::none_of(rounds.begin(), rounds.end(),
                          [&](uint64_t mask) { return parity(mask, v); });
    });
  };
  for (const LayoutBases *side : {&sides.src, &sides.dst}) {
    prefer(side->lanes);
    prefer(side->warps);
  }
  if (!choice.load.isByLanes())
    prefer(sides.dst.registers);
  preferred.insert(preferred.end(), space.begin(), space.end());
  F2Vectors basis = swizzle({preferred, low, writers, readers, rowBits()});

  MemoryOrder order;
  order.offsetBits = static_cast<unsigned>(space.size());
  for (size_t i = 0; i < basis.size(); ++i)
    order.span.insert(basis[i], unit(i));
  for (unsigned i = 0; i < sides.dimension; ++i)
    order.span.insert(unit(i), 0);
  if (!isAligned(sides.src, order, choice.store, sides.copies) ||
      !isAligned(sides.dst, order, choice.load, {}))
    return std::nullopt;

  SharedPlan plan;
  plan.elementBytes = elementBytes;
  plan.storeAtom = choice.store.atom;
  plan.loadAtom = choice.load.atom;
  plan.storeVector = 1u << choice.store.elementBits();
  plan.loadVector = 1u << choice.load.elementBits();
  plan.scratchBytes = scratchBytes(rounds.size());
  plan.barrier = barrierOf(rounds);
  SideOfPlan stores = listAccesses(sides.src, order, choice.store, rounds, sides.copies);
  SideOfPlan loads = listAccesses(sides.dst, order, choice.load, rounds, {});
  plan.storeMap = stores.map;
  plan.storeBase = stores.base;
  plan.loadMap = loads.map;
  plan.loadBase = loads.base;
  for (unsigned whole = 0; whole < sides.dst.wholeRegisterCount(); ++whole)
    plan.copies.push_back(sides.dst.wholeRegister(sides.dst.ownRegister(whole)));

  Transactions ofStores = count(plan.storeBase, choice.store, sides.copies,
                                sides.src.registerCount() >> choice.store.elementBits());
  plan.storeTransactions = ofStores.actual;
  plan.storeConflicts = ofStores.conflicts();
  Transactions ofLoads =
      count(plan.loadBase, choice.load, {}, sides.dst.registerCount() >> choice.load.elementBits());
  plan.loadTransactions = ofLoads.actual;
  plan.loadConflicts = ofLoads.conflicts();
  plan.storePermutes = permutes(sides.src, choice.store);
  plan.loadPermutes = permutes(sides.dst, choice.load);

  for (size_t round = 0; round < stores.accesses.size(); ++round)
    plan.repetitions.push_back(
        {std::move(stores.conditions[round]), std::move(loads.conditions[round]),
         std::move(stores.accesses[round]), std::move(loads.accesses[round])});
  return plan;
}

} // namespace

Result<SharedPlan> planShared(const LayoutBases &src, const LayoutBases &dst, unsigned memoryBits,
                              const ExchangeModel &memory) {
  std::optional<ConversionSides> sides = ConversionSides::of(src, dst);
  if (!sides)
    return Failure("the conversion would move data between blocks");
  Planner planner(*sides, memoryBits / 8, memory);
  AccessChoices accesses(*sides, memoryBits / 8, memory);

  // Vectors that both sides have come first. They can stand in the way of small scratch
  // memory or of alignment; give some up if so. Single elements are always aligned.
  uint64_t least = ~uint64_t(0);
  for (unsigned commonBits = accesses.commonVectorBits() + 1; commonBits-- > 0;) {
    std::vector<AccessChoice> choices;
    accesses.addVectors(choices, commonBits);
    if (commonBits == accesses.commonVectorBits())
      accesses.addWarpAtoms(choices);

    struct Candidate {
      uint64_t price;
      size_t choice;
      F2Vectors rounds;
    };
    std::vector<Candidate> candidates;
    for (size_t i = 0; i < choices.size(); ++i) {
      F2Vectors rounds = planner.chooseRounds(choices[i]);
      planner.countTimes(choices[i], rounds.size());
      uint64_t bytes = planner.scratchBytes(rounds.size());
      least = std::min(least, bytes);
      if (bytes <= memory.maxBytes)
        // Of the memory that plans take, what a transaction serves weighs as much as a cycle.
        candidates.push_back(
            {planner.estimate(choices[i], rounds) + (bytes >> memory.logRowBytes()), i, rounds});
    }
    std::sort(candidates.begin(), candidates.end(), [](const Candidate &a, const Candidate &b) {
      return std::pair(a.price, a.choice) < std::pair(b.price, b.choice);
    });
    for (const Candidate &candidate : candidates) {
      const AccessChoice &choice = choices[candidate.choice];
      std::optional<SharedPlan> plan = planner.build(choice, candidate.rounds);
      // Vectors never have conflicts; other atoms that do are not worth having.
      if (plan && !(!choice.isByLanes() && plan->storeConflicts + plan->loadConflicts))
        return std::move(*plan);
    }
  }
  return Failure("the conversion needs at least " + std::to_string(least) +
                 " bytes of shared memory, but there are only " + std::to_string(memory.maxBytes));
}

// Warp 0 stands for all: each takes part in as many repetitions. Its lane 0 is no copy.
std::string_view SharedPlan::storeAtomName() const { return storeAtom->name; }
std::string_view SharedPlan::loadAtomName() const { return loadAtom->name; }

unsigned SharedPlan::storeCount() const {
  size_t count = 0;
  for (const SharedRepetition &round : repetitions)
    count += round.storeCondition(0, 0) ? round.stores.size() : 0;
  return static_cast<unsigned>(count);
}

unsigned SharedPlan::loadCount() const {
  size_t count = 0;
  for (const SharedRepetition &round : repetitions)
    count += round.loadCondition(0, 0) ? round.loads.size() : 0;
  return static_cast<unsigned>(count);
}

unsigned costOf(const SharedPlan &plan, const Costs &costs) {
  return (plan.storeTransactions + plan.loadTransactions) * costs.transaction +
         (plan.storeCount() + plan.loadCount()) * costs.access +
         (plan.storePermutes + plan.loadPermutes) * costs.permute +
         static_cast<unsigned>(plan.repetitions.size()) *
             roundCost(plan.barrier, *plan.loadAtom, costs);
}

} // namespace tilewright::plan
