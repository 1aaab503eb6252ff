//===- SharedPlan.cpp - Conversions through shared memory -----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Three choices make a plan.
//
// Vectors. Registers that src and dst share along the same elements can be stored and
// loaded as one vector. If they are too few for the widest access, one side alone may
// go on: its vectors then hold what the other side moves one by one. Each way is
// costed, the cheapest taken.
//
// Repetitions. A tile that is too large for the wanted scratch memory goes in several rounds.
// A round moves the elements on which some linear functions have given values. In every
// round all threads do the same with the same registers, so such a function is zero on
// all lanes, and on each side either on all warps (the round is a part of each thread's
// registers) or on all registers (the round is some of the warps, predicated).
//
// The order in memory: see Swizzle.h.
//
// Vectors of F2 below are elements in coordinates of the source: bit i is the i-th of those
// bits of (register, lane, warp) that are no copies. So what src holds is a unit vector.
//
//===--------------------------------------------------------------------------===//

#include "layout/SharedPlan.h"

#include "layout/Access.h"
#include "layout/SharedAccesses.h"
#include "layout/Swizzle.h"

#include <algorithm>
#include <optional>

namespace tilewright::layout {

namespace {

unsigned log2Of(uint64_t value) { return static_cast<unsigned>(std::countr_zero(value)); }
uint64_t unit(size_t bit) { return uint64_t(1) << bit; }

// Costs, in cycles of one of the four schedulers of a multiprocessor, whose shared memory
// moves 128 bytes a cycle for all four; latencies are rounded. See ConversionPlan.cpp.
constexpr unsigned CyclesPerWavefront = 4;
constexpr unsigned CyclesPerAccess = 1;
constexpr unsigned LatencyOfRound = 30;
constexpr unsigned CyclesOfWarpBarrier = 10;
constexpr unsigned CyclesOfBlockBarrier = 30;

/// Both sides in coordinates of the source.
struct Sides {
  Places src, dst;
  unsigned dimension = 0;
  /// The lane and warp bits of src that are copies.
  ThreadParity copies;
  bool sameWarps = false;
};

/// Nothing if dst needs an element that its block does not hold.
std::optional<Sides> intoCoordinates(const Places &src, const Places &dst) {
  if (!(src.blocks == dst.blocks))
    return std::nullopt;
  Sides sides{src, dst, 0, {}, true};
  F2Span span;
  auto insert = [&](uint64_t element) {
    bool isNew = span.insert(element, unit(sides.dimension)).vector != 0;
    sides.dimension += isNew;
    return isNew;
  };
  for (uint64_t element : src.registers)
    insert(element);
  for (size_t i = 0; i < src.lanes.size(); ++i)
    if (!insert(src.lanes[i]))
      sides.copies.lanes |= 1u << i;
  F2Span ofWarp = span;
  for (size_t i = 0; i < src.warps.size(); ++i)
    if (!insert(src.warps[i]))
      sides.copies.warps |= 1u << i;

  // Data stays in its warp if warps differ in the same way on both sides, up to what moves
  // within a warp; and if no warp leaves the storing to another.
  sides.sameWarps = sides.copies.warps == 0;
  for (size_t i = 0; i < src.warps.size(); ++i)
    sides.sameWarps &= ofWarp.contains(src.warps[i] ^ dst.warps[i]);
  for (const F2Vectors *part : {&dst.registers, &dst.lanes})
    for (uint64_t element : *part)
      sides.sameWarps &= ofWarp.contains(element);

  bool reached = true;
  auto convert = [&](F2Vectors &vectors) {
    for (uint64_t &v : vectors) {
      F2Span::Reduced found = span.reduce(v);
      reached &= found.vector == 0;
      v = found.tag;
    }
  };
  for (Places *side : {&sides.src, &sides.dst}) {
    convert(side->registers);
    convert(side->lanes);
    convert(side->warps);
  }
  if (!reached)
    return std::nullopt;
  return sides;
}

/// The vectors of both sides: `low` are the lowest bits of the offset.
struct VectorChoice {
  F2Vectors low;
  unsigned storeBits = 0, loadBits = 0;
};

class Planner {
public:
  Planner(const Sides &sides, unsigned elementBytes, const SharedMemory &memory)
      : sides(sides), elementBytes(elementBytes), memory(memory),
        maxVectorBits(log2Of(memory.maxAccessBits / 8) - log2Of(elementBytes)) {}

  /// The vector choices worth looking at with `sharedBits` shared bits at most, the one with
  /// nothing but them first.
  std::vector<VectorChoice> vectorChoices(unsigned sharedBits) const;
  unsigned sharedVectorBits() const {
    return std::min<unsigned>(maxVectorBits, static_cast<unsigned>(commonRegisters().size()));
  }

  /// Chooses the rounds for a choice of vectors. The fewest that stay within the preferred
  /// scratch memory, if that can be.
  F2Vectors chooseRounds(const VectorChoice &vectors) const;

  unsigned estimate(const VectorChoice &vectors, size_t rounds) const;
  uint64_t scratchBytes(size_t roundBits) const {
    return unit(sides.dimension - roundBits) * elementBytes;
  }

  /// The plan of these choices; nothing if a thread's vectors would start unaligned.
  std::optional<SharedPlan> build(const VectorChoice &vectors, const F2Vectors &rounds) const;

private:
  F2Vectors commonRegisters() const;
  /// What a phase of a warp covers: lanes, and the vector or word of each.
  F2Vectors covered(const Places &side, const VectorChoice &vectors, unsigned vectorBits) const;
  unsigned wavefrontsOfAccess(unsigned vectorBits) const;
  bool isAligned(const Places &side, const MemoryOrder &order, unsigned vectorBits,
                 ThreadParity idle) const;
  unsigned wordBits() const {
    return elementBytes < memory.bankBytes ? log2Of(memory.bankBytes / elementBytes) : 0;
  }
  unsigned rowBits() const { return log2Of(memory.banks * memory.bankBytes / elementBytes); }

  const Sides &sides;
  unsigned elementBytes;
  const SharedMemory &memory;
  unsigned maxVectorBits;
};

/// A basis of what both sides move by registers; source registers as they are first. Only
/// vectors that no threads move, too: else a thread's vectors would start unaligned.
F2Vectors Planner::commonRegisters() const {
  F2Span ofDst(view(sides.dst.registers)), known;
  F2Vectors common;
  for (const F2Vectors *threads :
       {&sides.src.lanes, &sides.src.warps, &sides.dst.lanes, &sides.dst.warps})
    for (uint64_t v : *threads)
      known.insert(v);
  for (uint64_t v : sides.src.registers)
    if (ofDst.contains(v) && known.insert(v).vector)
      common.push_back(v);
  for (uint64_t v : intersect(view(sides.src.registers), view(sides.dst.registers)))
    if (known.insert(v).vector)
      common.push_back(v);
  return common;
}

std::vector<VectorChoice> Planner::vectorChoices(unsigned sharedBits) const {
  VectorChoice shared;
  for (uint64_t v : commonRegisters())
    if (shared.low.size() < sharedBits)
      shared.low.push_back(v);
  shared.storeBits = shared.loadBits = static_cast<unsigned>(shared.low.size());
  std::vector<VectorChoice> choices;
  choices.push_back(shared);

  auto extended = [&](const F2Vectors &registers) {
    VectorChoice choice = shared;
    F2Span span(view(choice.low));
    for (uint64_t v : registers)
      if (choice.low.size() < maxVectorBits && span.insert(v).vector)
        choice.low.push_back(v);
    return choice;
  };
  VectorChoice wideStores = extended(sides.src.registers);
  wideStores.storeBits = static_cast<unsigned>(wideStores.low.size());
  if (wideStores.storeBits > shared.storeBits)
    choices.push_back(wideStores);
  VectorChoice wideLoads = extended(sides.dst.registers);
  wideLoads.loadBits = static_cast<unsigned>(wideLoads.low.size());
  if (wideLoads.loadBits > shared.loadBits)
    choices.push_back(wideLoads);
  return choices;
}

F2Vectors Planner::chooseRounds(const VectorChoice &vectors) const {
  F2Vectors masks;
  F2Span chosen;
  auto enough = [&] { return scratchBytes(masks.size()) <= memory.preferredScratchBytes; };
  if (enough())
    return masks;
  // By registers on both sides if possible, for then all warps work in each round.
  for (bool loadsByWarp : {false, true})
    for (bool storesByWarp : {false, true}) {
      F2Span fixed;
      auto fix = [&](const F2Vectors &vs) {
        for (uint64_t v : vs)
          fixed.insert(v);
      };
      fix(vectors.low);
      fix(sides.src.lanes);
      fix(sides.dst.lanes);
      fix(storesByWarp ? sides.src.registers : sides.src.warps);
      fix(loadsByWarp ? sides.dst.registers : sides.dst.warps);
      F2Vectors spanned;
      for (uint64_t rest = fixed.pivotMask(); rest; rest &= rest - 1)
        spanned.push_back(fixed.row(log2Of(rest)).vector);
      for (uint64_t mask : annihilator(view(spanned), sides.dimension)) {
        if (enough())
          return masks;
        if (chosen.insert(mask).vector)
          masks.push_back(mask);
      }
    }
  return masks;
}

unsigned Planner::wavefrontsOfAccess(unsigned vectorBits) const {
  uint64_t bytes = std::max<uint64_t>(elementBytes << vectorBits, memory.bankBytes);
  uint64_t warpBytes = bytes << sides.src.lanes.size();
  return static_cast<unsigned>(
      std::max<uint64_t>(1, warpBytes / (memory.banks * memory.bankBytes)));
}

unsigned roundCost(Barrier barrier) {
  return LatencyOfRound + (barrier == Barrier::Warp ? CyclesOfWarpBarrier : CyclesOfBlockBarrier);
}

unsigned Planner::estimate(const VectorChoice &vectors, size_t roundBits) const {
  unsigned stores = sides.src.registerCount() >> vectors.storeBits;
  unsigned loads = sides.dst.registerCount() >> vectors.loadBits;
  unsigned wavefronts =
      stores * wavefrontsOfAccess(vectors.storeBits) + loads * wavefrontsOfAccess(vectors.loadBits);
  return wavefronts * CyclesPerWavefront + (stores + loads) * CyclesPerAccess +
         (roundCost(sides.sameWarps ? Barrier::Warp : Barrier::Block) << roundBits);
}

F2Vectors Planner::covered(const Places &side, const VectorChoice &vectors,
                           unsigned vectorBits) const {
  unsigned accessBytes = std::max(elementBytes << vectorBits, memory.bankBytes);
  unsigned phaseLanes = log2Of(memory.banks * memory.bankBytes / accessBytes);
  F2Vectors result;
  for (size_t i = 0; i < std::min<size_t>(phaseLanes, side.lanes.size()); ++i)
    result.push_back(side.lanes[i]);
  size_t own = std::max(vectorBits, wordBits());
  for (size_t i = 0; i < std::min(own, vectors.low.size()); ++i)
    result.push_back(vectors.low[i]);
  return result;
}

bool Planner::isAligned(const Places &side, const MemoryOrder &order, unsigned vectorBits,
                        ThreadParity idle) const {
  uint64_t low = 0;
  for (size_t i = 0; i < side.lanes.size(); ++i)
    if (!(idle.lanes >> i & 1))
      low |= order.offsetOf(side.lanes[i]);
  for (size_t i = 0; i < side.warps.size(); ++i)
    if (!(idle.warps >> i & 1))
      low |= order.offsetOf(side.warps[i]);
  return (low & (unit(vectorBits) - 1)) == 0;
}

std::optional<SharedPlan> Planner::build(const VectorChoice &vectors,
                                         const F2Vectors &rounds) const {
  F2Vectors space = annihilator(view(rounds), sides.dimension);

  // Elements narrower than a word share it even if no access takes them together.
  VectorChoice filled = vectors;
  F2Span span(view(filled.low));
  for (uint64_t v : space)
    if (filled.low.size() < wordBits() && span.insert(v).vector)
      filled.low.push_back(v);

  F2Vectors writers = covered(sides.src, filled, filled.storeBits);
  F2Vectors readers = covered(sides.dst, filled, filled.loadBits);
  // What threads move had best be a bit of the offset each: addresses are then simple, and
  // keep clear of the bits within vectors.
  std::vector<uint64_t> preferred;
  auto inEveryRound = [&](uint64_t v) {
    return std::none_of(rounds.begin(), rounds.end(),
                        [&](uint64_t mask) { return parity(mask, v); });
  };
  for (const F2Vectors *threads :
       {&sides.src.lanes, &sides.src.warps, &sides.dst.lanes, &sides.dst.warps})
    std::copy_if(threads->begin(), threads->end(), std::back_inserter(preferred), inEveryRound);
  preferred.insert(preferred.end(), space.begin(), space.end());
  F2Vectors basis = swizzle({preferred, view(filled.low), view(writers), view(readers), rowBits()});

  MemoryOrder order;
  order.offsetBits = static_cast<unsigned>(space.size());
  for (size_t i = 0; i < basis.size(); ++i)
    order.span.insert(basis[i], unit(i));
  for (unsigned i = 0; i < sides.dimension; ++i)
    order.span.insert(unit(i), 0);
  if (!isAligned(sides.src, order, vectors.storeBits, sides.copies) ||
      !isAligned(sides.dst, order, vectors.loadBits, {}))
    return std::nullopt;

  SharedPlan plan;
  plan.elementBytes = elementBytes;
  plan.storeVector = 1u << vectors.storeBits;
  plan.loadVector = 1u << vectors.loadBits;
  plan.scratchBytes = scratchBytes(rounds.size());
  plan.barrier = sides.sameWarps ? Barrier::Warp : Barrier::Block;
  SideOfPlan stores = listAccesses(sides.src, order, vectors.storeBits, rounds, sides.copies);
  SideOfPlan loads = listAccesses(sides.dst, order, vectors.loadBits, rounds, {});
  plan.storeMap = stores.map;
  plan.storeBase = stores.base;
  plan.loadMap = loads.map;
  plan.loadBase = loads.base;
  for (unsigned whole = 0; whole < sides.dst.wholeRegisterCount(); ++whole)
    plan.copies.push_back(sides.dst.wholeRegister(sides.dst.ownRegister(whole)));

  auto count = [&](const LinearLayout &base, unsigned vectorBits, size_t accesses,
                   uint32_t idleLanes, unsigned &all, unsigned &conflicts) {
    std::vector<uint64_t> addresses;
    std::vector<unsigned> lanes;
    for (unsigned lane = 0; lane < 1u << sides.src.lanes.size(); ++lane)
      if (!(lane & idleLanes)) {
        lanes.push_back(lane);
        addresses.push_back(base.applyFlat(lane) * elementBytes);
      }
    Wavefronts one = countWavefronts(addresses, lanes, elementBytes << vectorBits, memory);
    all = one.actual * static_cast<unsigned>(accesses);
    conflicts = one.conflicts() * static_cast<unsigned>(accesses);
  };
  count(plan.storeBase, vectors.storeBits, sides.src.registerCount() >> vectors.storeBits,
        sides.copies.lanes, plan.storeWavefronts, plan.storeConflicts);
  count(plan.loadBase, vectors.loadBits, sides.dst.registerCount() >> vectors.loadBits, 0,
        plan.loadWavefronts, plan.loadConflicts);

  for (size_t round = 0; round < stores.accesses.size(); ++round)
    plan.repetitions.push_back(
        {std::move(stores.conditions[round]), std::move(loads.conditions[round]),
         std::move(stores.accesses[round]), std::move(loads.accesses[round])});
  return plan;
}

} // namespace

Result<SharedPlan> planShared(const Places &src, const Places &dst, unsigned memoryBits,
                              const SharedMemory &memory) {
  std::optional<Sides> sides = intoCoordinates(src, dst);
  if (!sides)
    return Result<SharedPlan>::failure("the conversion would move data between blocks");
  Planner planner(*sides, memoryBits / 8, memory);

  // Vectors that both sides have come first. They can stand in the way of small scratch
  // memory or of alignment; give some up if so. Single elements are always aligned.
  uint64_t least = ~uint64_t(0);
  for (unsigned sharedBits = planner.sharedVectorBits() + 1; sharedBits-- > 0;) {
    struct Candidate {
      unsigned cost;
      size_t place;
      VectorChoice vectors;
      F2Vectors rounds;
    };
    std::vector<Candidate> candidates;
    for (const VectorChoice &vectors : planner.vectorChoices(sharedBits)) {
      F2Vectors rounds = planner.chooseRounds(vectors);
      uint64_t bytes = planner.scratchBytes(rounds.size());
      least = std::min(least, bytes);
      if (bytes <= memory.maxBytes)
        candidates.push_back(
            {planner.estimate(vectors, rounds.size()), candidates.size(), vectors, rounds});
    }
    std::sort(candidates.begin(), candidates.end(), [](const Candidate &a, const Candidate &b) {
      return std::pair(a.cost, a.place) < std::pair(b.cost, b.place);
    });
    for (const Candidate &candidate : candidates)
      if (std::optional<SharedPlan> plan = planner.build(candidate.vectors, candidate.rounds))
        return std::move(*plan);
  }
  return Result<SharedPlan>::failure("the conversion needs at least " + std::to_string(least) +
                                     " bytes of shared memory, but there are only " +
                                     std::to_string(memory.maxBytes));
}

unsigned costOf(const SharedPlan &plan) {
  unsigned accesses = 0;
  for (const SharedRepetition &round : plan.repetitions)
    if (round.storeCondition(0, 0))
      accesses += static_cast<unsigned>(round.stores.size());
  for (const SharedRepetition &round : plan.repetitions)
    if (round.loadCondition(0, 0))
      accesses += static_cast<unsigned>(round.loads.size());
  return (plan.storeWavefronts + plan.loadWavefronts) * CyclesPerWavefront +
         accesses * CyclesPerAccess +
         static_cast<unsigned>(plan.repetitions.size()) * roundCost(plan.barrier);
}

} // namespace tilewright::layout
