//===- ShufflePlan.cpp - Plans of conversions within warps --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// What has to be done is a linear map: for register u of thread x in dst, the location in src
// that holds the same element, register r of thread m,
//
//     r = Rr u + Rx x        m = Mr u + Mx x.
//
// A shuffle sends one register of every thread, so it can do no more than m = P x + c,
// with c a constant of the register. What is left to do before and after it is to choose
// among registers by the thread: to send, as number t, register V t + B m (B m: selects
// before, with V, a renaming, for free); and to take what arrived as number t for
// register u = t + U x (selects after). Then
//
//     t = u + U x,   m = P x + Mr t,   r = V t + B m
//
// is the wanted map if, and only if,
//
//     P = Mx + Mr U        V = Rr + B Mr        B P = Rx + Rr U.
//
// U is free to choose. If U can make P the identity, shuffles are of the `xor` kind and those
// with Mr t = 0 vanish. Otherwise U is chosen so that P keeps apart threads that want
// different things (in a bijection: so that P is invertible); then the last equation has
// a solution B, and the second gives V. The choice with the fewest non-zero columns of U
// needs the fewest selects.
//
// Narrow elements are packed: a subspace Y of the numbers t is put into one word. All of a
// word comes from one thread, so Mr Y = 0; and selects exchange whole words, so Y is kept
// apart from what U and B move.
//
//===--------------------------------------------------------------------------===//

#include "plan/conversion/ShufflePlan.h"

#include "plan/shared/Packing.h"
#include "support/Bits.h"

#include <algorithm>

namespace tilewright::plan {

namespace {

using Columns = F2Vectors;

/// The map to be done, and the choices made for it: matrices by columns. A thread is its
/// lane bits below its warp bits.
struct Factors {
  unsigned laneBits = 0, threadBits = 0;
  unsigned srcBits = 0, dstBits = 0;
  Columns Rr, Mr; // one column for each register bit of dst
  Columns Rx, Mx; // one for each thread bit
  Columns U, P, B;
  Columns V;
  bool sameLane = false;

  bool readMap(const LayoutBases &src, const LayoutBases &dst);
  bool chooseSameLane();
  bool chooseGeneral();
  void finish();
};

/// Finds r and m for each bit of dst. Fails if an element comes from another warp.
bool Factors::readMap(const LayoutBases &src, const LayoutBases &dst) {
  laneBits = static_cast<unsigned>(src.lanes.size());
  threadBits = laneBits + static_cast<unsigned>(src.warps.size());
  srcBits = static_cast<unsigned>(src.registers.size());
  dstBits = static_cast<unsigned>(dst.registers.size());

  // Locations within one warp; registers come first, so lanes move only where they have to.
  F2Basis ofRegisters, ofWarp;
  for (size_t i = 0; i < srcBits; ++i) {
    ofRegisters.insert(src.registers[i], unit(i));
    ofWarp.insert(src.registers[i], unit(i));
  }
  for (size_t i = 0; i < laneBits; ++i)
    ofWarp.insert(src.lanes[i], unit(srcBits + i));

  auto split = [&](uint64_t tag, Columns &registers, Columns &threads, uint64_t own) {
    registers.push_back(tag & (unit(srcBits) - 1));
    threads.push_back((tag >> srcBits) ^ own);
  };
  for (uint64_t element : dst.registers) {
    F2Basis::Reduced found = ofWarp.reduce(element);
    if (found.vector)
      return false;
    split(found.tag, Rr, Mr, 0);
  }
  for (size_t i = 0; i < laneBits; ++i) {
    // Best is to stay in the lane.
    F2Basis::Reduced found = ofRegisters.reduce(dst.lanes[i] ^ src.lanes[i]);
    if (!found.vector) {
      split(found.tag, Rx, Mx, unit(i));
      continue;
    }
    found = ofWarp.reduce(dst.lanes[i]);
    if (found.vector)
      return false;
    split(found.tag, Rx, Mx, 0);
  }
  for (size_t i = 0; i < dst.warps.size(); ++i) {
    F2Basis::Reduced found = ofWarp.reduce(dst.warps[i] ^ src.warps[i]);
    if (found.vector)
      return false;
    split(found.tag, Rx, Mx, unit(laneBits + i));
  }
  return true;
}

/// U such that P is the identity, if there is one.
bool Factors::chooseSameLane() {
  F2Basis moves;
  for (size_t i = 0; i < dstBits; ++i)
    moves.insert(Mr[i], unit(i));
  Columns choice;
  for (size_t i = 0; i < threadBits; ++i) {
    F2Basis::Reduced found = moves.reduce(Mx[i] ^ unit(i));
    if (found.vector)
      return false;
    choice.push_back(found.tag);
  }
  U = choice;
  P.clear();
  for (size_t i = 0; i < threadBits; ++i)
    P.push_back(unit(i));
  sameLane = true;
  return true;
}

/// U such that threads that want different elements of src read different threads.
bool Factors::chooseGeneral() {
  U = Columns(threadBits, 0);
  P = Columns(threadBits, 0);

  // Threads x with some u such that (u, x) wants what (0, 0) wants need not be kept apart from
  // thread 0: take U x = u, P x = 0. They form a space with a basis of one vector for
  // each dependent thread bit; `relation` has that vector below its u.
  uint64_t dependent = 0;
  Columns relation(threadBits, 0);
  F2Basis wanted;
  for (size_t i = 0; i < dstBits; ++i)
    wanted.insert(Rr[i] | Mr[i] << srcBits, unit(threadBits + i));
  for (size_t i = 0; i < threadBits; ++i) {
    F2Basis::Reduced rest = wanted.insert(Rx[i] | Mx[i] << srcBits, unit(i));
    if (!rest.vector) {
      dependent |= unit(i);
      relation[i] = rest.tag;
    }
  }

  // The others are to have independent columns of P: as they are, where that does; then
  // with some register's move added, best one that brings the bit back to itself.
  F2Basis image, moves;
  for (size_t i = 0; i < dstBits; ++i)
    moves.insert(Mr[i], unit(i));
  uint64_t pending = 0;
  for (size_t i = 0; i < threadBits; ++i) {
    if (dependent >> i & 1)
      continue;
    if (image.insert(Mx[i]).vector)
      P[i] = Mx[i];
    else
      pending |= unit(i);
  }
  for (; pending; pending &= pending - 1) {
    auto i = static_cast<size_t>(std::countr_zero(pending));
    F2Basis::Reduced reduced = moves.reduce(Mx[i] ^ unit(i));
    if (!reduced.vector && !image.contains(unit(i))) {
      U[i] = reduced.tag;
    } else {
      auto moved = std::find_if(Mr.begin(), Mr.end(),
                                [&](uint64_t m) { return !image.contains(Mx[i] ^ m); });
      if (moved == Mr.end())
        return false;
      U[i] = unit(static_cast<size_t>(moved - Mr.begin()));
    }
    P[i] = Mx[i] ^ sumOf(Mr, U[i]);
    image.insert(P[i]);
  }
  for (size_t i = 0; i < threadBits; ++i) {
    if (!(dependent >> i & 1))
      continue;
    // The vector is bit i plus independent bits, whose U and P are known.
    uint64_t others = relation[i] & (unit(threadBits) - 1) & ~unit(i);
    U[i] = (relation[i] >> threadBits) ^ sumOf(U, others);
    P[i] = sumOf(P, others);
  }
  sameLane = false;
  return true;
}

/// B and V from U and P.
void Factors::finish() {
  F2Basis image;
  Columns values;
  for (size_t i = 0; i < threadBits; ++i) {
    image.insert(P[i], unit(i));
    values.push_back(Rx[i] ^ sumOf(Rr, U[i]));
  }
  B.clear();
  for (size_t i = 0; i < threadBits; ++i)
    B.push_back(sumOf(values, image.reduce(unit(i)).tag));
  V.clear();
  for (size_t i = 0; i < dstBits; ++i)
    V.push_back(Rr[i] ^ sumOf(B, Mr[i]));
}

/// A basis of a register space, and so the numbers of its words: the first `packed` vectors
/// count the positions in a word, the others the words.
struct WordSpace {
  F2Vectors basis;
  F2Basis coordinates;
  unsigned packed = 0;

  bool add(uint64_t vector) {
    if (!coordinates.insert(vector, unit(basis.size())).vector)
      return false;
    basis.push_back(vector);
    return true;
  }
  unsigned wordCount() const { return 1u << (basis.size() - packed); }
  /// The register at a position of a word.
  uint64_t registerAt(unsigned word, unsigned position) const {
    return sumOf(basis, uint64_t(word) << packed | position);
  }
  unsigned wordOf(uint64_t vector) const {
    return static_cast<unsigned>(coordinates.reduce(vector).tag >> packed);
  }
  unsigned positionOf(uint64_t vector) const {
    return static_cast<unsigned>(coordinates.reduce(vector).tag) & ((1u << packed) - 1);
  }
};

/// How registers share words, in src and in flight. Both have the same vectors packed.
struct Packing {
  WordSpace src, flight;
};

Packing choosePacking(const Factors &f, unsigned maxPacked) {
  auto renamed = [&](uint64_t t) { return sumOf(f.V, t); };
  // What selects move, seen in flight and in src.
  F2Vectors movedInFlight, movedInSrc;
  F2Basis inFlight, inSrc;
  for (uint64_t v : f.U)
    if (inFlight.insert(v).vector)
      movedInFlight.push_back(v);
  auto addInSrc = [&](uint64_t v) {
    if (inSrc.insert(v).vector)
      movedInSrc.push_back(v);
  };
  for (uint64_t v : f.B)
    addInSrc(v);
  for (uint64_t v : movedInFlight)
    addInSrc(renamed(v));

  // Y: numbers whose elements come from one thread, independent of those.
  Packing result;
  F2Vectors together;
  F2Basis moves;
  for (size_t i = 0; i < f.dstBits; ++i)
    if (F2Basis::Reduced rest = moves.insert(f.Mr[i], unit(i)); !rest.vector)
      together.push_back(rest.tag);
  for (uint64_t y : together) {
    if (result.flight.basis.size() == maxPacked)
      break;
    if (inFlight.contains(y) || inSrc.contains(renamed(y)))
      continue;
    inFlight.insert(y);
    inSrc.insert(renamed(y));
    result.flight.add(y);
    result.src.add(renamed(y));
  }
  result.flight.packed = result.src.packed = static_cast<unsigned>(result.flight.basis.size());

  for (uint64_t v : movedInSrc)
    result.src.add(v);
  for (size_t i = 0; i < f.srcBits; ++i)
    result.src.add(unit(i));
  for (uint64_t v : movedInFlight)
    result.flight.add(v);
  for (size_t i = 0; i < f.dstBits; ++i) {
    // A word in flight is a word of src, no position changed: take away what would.
    uint64_t shifted = result.src.positionOf(renamed(unit(i)));
    result.flight.add(unit(i) ^ sumOf(result.flight.basis, shifted));
  }
  return result;
}

/// The swaps that add `columns` x to a register number: one stage for each independent
/// column.
std::vector<ShufflePlan::SelectStage> stagesOf(const Columns &columns, unsigned laneBits,
                                               const WordSpace &space) {
  F2Basis span;
  F2Vectors basis;
  for (uint64_t column : columns)
    if (span.insert(column, unit(basis.size())).vector)
      basis.push_back(column);
  std::vector<ShufflePlan::SelectStage> stages;
  for (size_t s = 0; s < basis.size(); ++s) {
    uint64_t threads = 0;
    for (size_t x = 0; x < columns.size(); ++x)
      if (span.reduce(columns[x]).tag >> s & 1)
        threads |= unit(x);
    stages.push_back({{static_cast<uint32_t>(threads & (unit(laneBits) - 1)),
                       static_cast<uint32_t>(threads >> laneBits)},
                      space.wordOf(basis[s])});
  }
  return stages;
}

} // namespace

std::optional<ShufflePlan> planShuffles(const LayoutBases &src, const LayoutBases &dst,
                                        unsigned memoryBits) {
  Factors f;
  if (!(src.blocks == dst.blocks) || !f.readMap(src, dst))
    return std::nullopt;
  if (!f.chooseSameLane() && !f.chooseGeneral())
    return std::nullopt;
  f.finish();

  ShufflePlan plan;
  unsigned wordBits = wordBitsOf(memoryBits);
  Packing packing = choosePacking(f, wordBits);
  plan.elementsPerWord = 1u << packing.src.packed;
  plan.registersPerWord = memoryBits > 32 ? memoryBits / 32 : 1;

  for (unsigned word = 0; word < packing.src.wordCount(); ++word) {
    plan.pack.emplace_back();
    for (unsigned position = 0; position < plan.elementsPerWord; ++position)
      plan.pack.back().push_back(src.wholeRegister(packing.src.registerAt(word, position)));
  }
  plan.before = stagesOf(f.B, f.laneBits, packing.src);

  plan.sourceIsSameLane = f.sameLane;
  for (unsigned lane = 0; lane < f.laneBits; ++lane) {
    ThreadParity bit;
    for (unsigned x = 0; x < f.threadBits; ++x)
      if (f.P[x] >> lane & 1)
        (x < f.laneBits ? bit.lanes : bit.warps) |= 1u << (x < f.laneBits ? x : x - f.laneBits);
    plan.sourceLane.push_back(bit);
  }
  for (unsigned word = 0; word < packing.flight.wordCount(); ++word) {
    uint64_t t = packing.flight.registerAt(word, 0);
    plan.routes.push_back(
        {packing.src.wordOf(sumOf(f.V, t)), static_cast<unsigned>(sumOf(f.Mr, t))});
  }
  plan.after = stagesOf(f.U, f.laneBits, packing.flight);

  for (unsigned whole = 0; whole < dst.wholeRegisterCount(); ++whole) {
    uint64_t own = dst.ownRegister(whole);
    plan.unpack.push_back({packing.flight.wordOf(own), packing.flight.positionOf(own)});
  }

  auto permutes = [&](const LayoutBases &side, const WordSpace &space) {
    F2Vectors piece;
    for (unsigned i = 0; i < space.packed; ++i)
      piece.push_back(side.wholeRegister(space.basis[i]));
    return countPermutes(piece, wordBits, static_cast<unsigned>(side.registers.size()));
  };
  plan.permutes = permutes(src, packing.src) + permutes(dst, packing.flight);
  return plan;
}

/// The lane that each lane takes from, in `plan`, along a route; nothing where that depends on the
/// warp.
static std::optional<std::vector<unsigned>> fixedSources(const ShufflePlan &plan, unsigned lanes,
                                                         unsigned laneXor) {
  std::vector<unsigned> sources(lanes, laneXor);
  for (size_t bit = 0; bit < plan.sourceLane.size(); ++bit) {
    const ThreadParity &parity = plan.sourceLane[bit];
    if (parity.warps)
      return std::nullopt;
    for (unsigned lane = 0; lane < lanes; ++lane)
      sources[lane] ^= parity(lane, 0) ? 1u << bit : 0;
  }
  return sources;
}

unsigned costOf(const ShufflePlan &plan, unsigned lanes, const Costs &costs) {
  // By a route's laneXor.
  std::vector<std::optional<ShuffleCost>> known(lanes);
  auto costAlong = [&](unsigned laneXor) {
    std::optional<ShuffleCost> &cost = known[laneXor];
    if (!cost) {
      std::optional<std::vector<unsigned>> sources;
      if (costs.fixedShuffle)
        sources = fixedSources(plan, lanes, laneXor);
      cost = sources ? costs.fixedShuffle(*sources) : costs.shuffle;
    }
    return *cost;
  };
  unsigned cycles = plan.selectCount() * costs.select + plan.permutes * costs.permute;
  unsigned latency = 0;
  for (ShufflePlan::Route route : plan.routes) {
    if (plan.sourceIsSameLane && !route.laneXor)
      continue;
    const ShuffleCost cost = costAlong(route.laneXor);
    cycles += cost.cycles * plan.registersPerWord;
    latency = std::max(latency, cost.latency);
  }
  return cycles + latency;
}

unsigned ShufflePlan::shuffleCount() const {
  unsigned count = 0;
  for (Route route : routes)
    if (!sourceIsSameLane || route.laneXor)
      count += registersPerWord;
  return count;
}

unsigned ShufflePlan::selectCount() const {
  return static_cast<unsigned>(before.size() * pack.size() + after.size() * routes.size()) *
         registersPerWord;
}

} // namespace tilewright::plan
