//===- ScanPlan.cpp - Plans of scans ------------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "plan/collective/ScanPlan.h"

#include <algorithm>
#include <map>

namespace tilewright::plan {

namespace {

enum class Part { Registers, Lanes, Warps };

/// A bit of the coordinate along the axis: what moves it, and nothing else.
struct AxisBit {
  Part part;
  uint64_t direction;
};

/// The location within one part of locations, with these first and past-the-end bits, that has
/// these coordinates.
std::optional<uint64_t> findWithin(const AxisView &view, unsigned begin, unsigned end,
                                   uint64_t coordinates) {
  F2Basis span;
  for (unsigned bit = begin; bit < end; ++bit)
    span.insert(view.coordinatesOf(unit(bit)), unit(bit));
  F2Basis::Reduced rest = span.reduce(coordinates);
  return rest.vector ? std::nullopt : std::optional(rest.tag);
}

/// The axis's bits, lowest first. Nothing if one of them is not moved by one part alone, or a
/// part also moves bits that are another's: then threads would differ in the order of their
/// elements.
std::optional<std::vector<AxisBit>> findAxisBits(const AxisView &view) {
  struct Range {
    Part part;
    unsigned begin, end;
  };
  const unsigned lanes = view.registerBits, warps = lanes + view.laneBits;
  const Range parts[] = {{Part::Registers, 0, lanes},
                         {Part::Lanes, lanes, warps},
                         {Part::Warps, warps, view.locationBits()}};
  std::vector<AxisBit> bits;
  uint64_t movedBy[3] = {};
  for (unsigned j = 0; j < view.axisBits; ++j) {
    std::optional<uint64_t> direction;
    for (const Range &range : parts)
      if ((direction = findWithin(view, range.begin, range.end, view.alongAxis(unit(j))))) {
        bits.push_back({range.part, *direction});
        movedBy[static_cast<size_t>(range.part)] |= unit(j);
        break;
      }
    if (!direction)
      return std::nullopt;
  }
  for (const Range &range : parts)
    for (unsigned bit = range.begin; bit < range.end; ++bit)
      if (view.axis[bit] & ~movedBy[static_cast<size_t>(range.part)])
        return std::nullopt;
  return bits;
}

/// A layout of the same tensor for as many threads whose bits are dealt out one by one: to the
/// lanes first, then to the warps, then to registers; the axis's bits come first.
LinearLayout makePlain(const LinearLayout &layout, Dim axis) {
  std::vector<uint64_t> bits;
  for (uint64_t mask : {layout.outMask(axis), ~layout.outMask(axis)})
    for (unsigned bit = 0; bit < layout.totalOutBits(); ++bit)
      if (mask >> bit & 1)
        bits.push_back(unit(bit));
  size_t next = 0;
  auto take = [&](unsigned count) {
    std::vector<uint64_t> taken;
    for (unsigned i = 0; i < count; ++i)
      taken.push_back(next < bits.size() ? bits[next++] : 0);
    return taken;
  };
  const unsigned laneBits = layout.inBits(dims::Lane), warpBits = layout.inBits(dims::Warp);
  std::vector<uint64_t> lanes = take(laneBits), warps = take(warpBits);
  std::vector<uint64_t> bases = take(static_cast<unsigned>(bits.size() - next));
  const auto registerBits = static_cast<unsigned>(bases.size());
  bases.insert(bases.end(), lanes.begin(), lanes.end());
  bases.insert(bases.end(), warps.begin(), warps.end());
  LinearLayout::DimList outs;
  for (SizedDim out : layout.outs())
    outs.push_back(out);
  return LinearLayout::fromPacked({SizedDim{dims::Register, registerBits},
                                   SizedDim{dims::Lane, laneBits}, SizedDim{dims::Warp, warpBits},
                                   SizedDim{dims::Block, 0}},
                                  outs, bases);
}

class Planner {
public:
  Planner(const AxisView &view, const std::vector<AxisBit> &bits, bool reverse,
          unsigned maxVectorBits)
      : view(view), bits(bits), maxVectorBits(maxVectorBits) {
    plan.reverse = reverse;
  }

  ScanPlan run() {
    unsigned next = 0;
    while (next < bits.size() && bits[next].part == Part::Registers)
      ++next;
    makeChunks(next);
    while (next < bits.size()) {
      unsigned begin = next;
      while (next < bits.size() && bits[next].part == bits[begin].part)
        ++next;
      switch (bits[begin].part) {
      case Part::Lanes:
        addLanes(begin, next);
        break;
      case Part::Warps:
        addWarps(begin, next);
        break;
      case Part::Registers:
        addRegisters(begin, next);
        break;
      }
    }
    return std::move(plan);
  }

private:
  /// The coordinate along the axis as the scan counts it.
  uint64_t orderOf(uint64_t location) const {
    return view.axisOf(location) ^ (plan.reverse ? unit(view.axisBits) - 1 : 0);
  }
  /// The coordinates of a location without the first `done` bits along the axis: those of its
  /// block.
  uint64_t blockOf(uint64_t location, unsigned done) const {
    return view.coordinatesOf(location) & ~view.alongAxis(unit(done) - 1);
  }

  /// Numbers the blocks that a thread has once `done` bits are done: block k is that of the sum
  /// of the registers that are the bits of k.
  void numberBlocks(unsigned done) {
    blockRegisters.clear();
    F2Basis span;
    for (unsigned bit = 0; bit < view.registerBits; ++bit)
      if (span.insert(blockOf(unit(bit), done)).vector)
        blockRegisters.push_back(unit(bit));
    blockAt.clear();
    for (uint64_t k = 0; k < unit(blockRegisters.size()); ++k)
      blockAt[blockOf(sumOf(blockRegisters, k), done)] = static_cast<unsigned>(k);
  }
  unsigned blockCount() const { return 1u << blockRegisters.size(); }

  void makeChunks(unsigned done) {
    numberBlocks(done);
    plan.chunks.resize(blockCount());
    const auto length = static_cast<unsigned>(unit(done));
    const uint64_t copies = view.freeBits();
    for (auto &chunk : plan.chunks)
      chunk.resize(length);
    for (unsigned r = 0; r < unit(view.registerBits); ++r) {
      unsigned chunk = blockAt.at(blockOf(r, done));
      auto index = static_cast<unsigned>(orderOf(r) & (length - 1));
      plan.positions.push_back({chunk, index});
      if (!(r & copies))
        plan.chunks[chunk][index] = r;
    }
  }

  std::vector<ThreadParity> parities(unsigned begin, unsigned end) const {
    std::vector<ThreadParity> result;
    for (unsigned j = begin; j < end; ++j) {
      uint64_t threads = 0;
      for (unsigned bit = 0; bit < view.threadBits(); ++bit)
        threads |= (view.axis[view.registerBits + bit] >> j & 1) << bit;
      result.push_back(view.parityOf(threads));
    }
    return result;
  }

  void addLanes(unsigned begin, unsigned end) {
    ScanSegment segment{ScanSegment::Kind::Lanes, parities(begin, end), {}, {}, {}};
    for (unsigned j = begin; j < end; ++j)
      segment.laneXors.push_back(static_cast<uint32_t>(view.lanePart(bits[j].direction)));
    plan.segments.push_back(std::move(segment));
  }

  void addWarps(unsigned begin, unsigned end) {
    ScanSegment segment{ScanSegment::Kind::Warps, parities(begin, end), {}, {}, {}};
    numberBlocks(begin);
    WarpExchangeRequest request;
    request.constant = view.copies();
    for (unsigned j = 0; j < end; ++j) {
      request.directions.push_back(bits[j].direction);
      if (j < begin)
        request.constant.push_back(bits[j].direction);
    }
    request.exchanged = end - begin;
    request.partials = blockRegisters;
    request.maxVectorBits = maxVectorBits;
    segment.exchange = planWarpExchange(view, request);

    // The total of a block is in its last element, and of copies the one without free bits
    // stores.
    ThreadCondition &storing = segment.exchange.storing;
    storing.terms.clear();
    const uint64_t copies = view.threadPart(view.freeBits());
    for (unsigned bit = 0; bit < view.threadBits(); ++bit)
      if (copies >> bit & 1)
        storing.terms.push_back({view.parityOf(unit(bit)), false});
    for (unsigned j = 0; j < begin; ++j)
      if (bits[j].part != Part::Registers)
        storing.terms.push_back({parities(j, j + 1)[0], !plan.reverse});
    plan.segments.push_back(std::move(segment));
  }

  void addRegisters(unsigned begin, unsigned end) {
    ScanSegment segment{ScanSegment::Kind::Registers, {}, {}, {}, {}};
    numberBlocks(begin);
    const F2Vectors before = blockRegisters;
    numberBlocks(end);
    segment.joined.resize(blockCount(), std::vector<unsigned>(unit(end - begin)));
    for (uint64_t k = 0; k < unit(before.size()); ++k) {
      uint64_t location = sumOf(before, k);
      uint64_t index = orderOf(location) >> begin & (unit(end - begin) - 1);
      segment.joined[blockAt.at(blockOf(location, end))][index] = static_cast<unsigned>(k);
    }
    plan.segments.push_back(std::move(segment));
  }

  const AxisView &view;
  const std::vector<AxisBit> &bits;
  unsigned maxVectorBits;
  ScanPlan plan;
  F2Vectors blockRegisters;
  std::map<uint64_t, unsigned> blockAt;
};

} // namespace

ScanPlan planScan(const LinearLayout &layout, Dim axis, bool reverse, unsigned maxVectorBits) {
  const AxisView view(layout, axis);
  if (std::optional<std::vector<AxisBit>> bits = findAxisBits(view))
    return Planner(view, *bits, reverse, maxVectorBits).run();
  const LinearLayout plain = makePlain(layout, axis);
  const AxisView plainView(plain, axis);
  ScanPlan plan = Planner(plainView, *findAxisBits(plainView), reverse, maxVectorBits).run();
  plan.converted = plain;
  return plan;
}

} // namespace tilewright::plan
