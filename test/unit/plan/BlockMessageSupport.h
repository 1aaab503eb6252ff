//===- BlockMessageSupport.h - Proving plans of block messages ------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Executes plans on an array in memory, and searches all messages that there are.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TEST_UNIT_PLAN_BLOCKMESSAGESUPPORT_H
#define TILEWRIGHT_TEST_UNIT_PLAN_BLOCKMESSAGESUPPORT_H

#include "layout/F2.h"
#include "plan/interpret/BlockMessageInterpreter.h"
#include "view/PlanText.h"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

namespace tilewright::plan::block2d {

inline const BlockMessageLimits &limitsOf(std::string_view target) {
  return *blockMessageLimits(*Target::find(target));
}

inline BlockMessageRequest requestFor(layout::LinearLayout layout, unsigned elementBits,
                                      unsigned contiguousDim,
                                      BlockAccess access = BlockAccess::Load) {
  return {.layout = std::move(layout),
          .elementBits = elementBits,
          .contiguousDim = contiguousDim,
          .access = access,
          .limits = limitsOf("xpu:bmg")};
}

/// An array that has the tensor somewhere in its middle, with the strides that surfaces want.
inline TensorMemory arrayAround(const BlockMessageRequest &request) {
  TensorMemory memory;
  memory.base = uint64_t(1) << 20;
  auto outs = request.layout.outs();
  memory.strides.resize(outs.size());
  uint64_t bytes = request.elementBits / 8;
  for (const layout::SizedDim &out : outs) {
    memory.starts.push_back(64);
    memory.sizes.push_back(64 + std::max<uint64_t>(out.size(), 8) + 64);
  }
  // Base addresses may be aligned down by up to 63 bytes, which a row must have room for.
  uint64_t stride = (memory.sizes[request.contiguousDim] * bytes + 64 + 15) / 16 * 16;
  memory.strides[request.contiguousDim] = bytes;
  for (unsigned d = static_cast<unsigned>(outs.size()); d-- > 0;)
    if (d != request.contiguousDim) {
      memory.strides[d] = stride;
      stride *= memory.sizes[d];
    }
  return memory;
}

/// The address of the first byte of the element at packed coordinates.
inline ByteAddress addressOf(const layout::LinearLayout &layout, const TensorMemory &memory,
                             uint64_t element) {
  uint64_t address = memory.base;
  auto coordinates = layout.unpackOutput(element);
  for (size_t d = 0; d < coordinates.size(); ++d)
    address += (memory.starts[d] + coordinates[d].value) * memory.strides[d];
  return static_cast<ByteAddress>(address);
}

/// Executes the plan and compares each byte of each register with what the layout says.
/// False, with a failure that names the layout, at the first that differs.
inline bool isProved(const BlockMessageRequest &request, const BlockMessagePlan &plan) {
  namespace dims = layout::dims;
  const layout::LinearLayout &layout = request.layout;
  auto fail = [&](const std::string &what) {
    ADD_FAILURE() << what << "\n"
                  << layout.toString() << ", " << request.elementBits << " bits, contiguous dim"
                  << request.contiguousDim << "\n"
                  << view::toText(plan);
    return false;
  };
  if (Result<void> legal = verifyMessage(plan.message, request.limits); !legal)
    return fail(legal.error());
  if (request.spirvFormsOnly && !hasSpirvForm(plan.message, plan.threadsPerWarp))
    return fail("no SPIR-V form");

  TensorMemory memory = arrayAround(request);
  uint64_t bytes = request.elementBits / 8;
  bool isPrefetch = plan.access == BlockAccess::Prefetch;
  bool isStore = plan.access == BlockAccess::Store;
  std::map<ByteAddress, unsigned> written;
  std::set<ByteAddress> touchedOfBlock;
  for (unsigned block = 0; block < layout.inSize(dims::Block); ++block) {
    touchedOfBlock.clear();
    for (unsigned warp = 0; warp < layout.inSize(dims::Warp); ++warp) {
      Result<DeliveredWarp> result = deliverWarp(plan, memory, warp, block);
      if (!result)
        return fail(result.error());
      const DeliveredWarp &delivered = *result;
      if (isPrefetch) {
        touchedOfBlock.insert(delivered.touched.begin(), delivered.touched.end());
        continue;
      }
      if (isStore)
        for (ByteAddress address : delivered.touched)
          ++written[address];
      size_t at = 0;
      for (uint64_t lane = 0; lane < plan.threadsPerWarp; ++lane)
        for (uint64_t reg = 0; reg < layout.inSize(dims::Register); ++reg) {
          uint64_t element = layout.applyFlat(
              layout.packInput(std::vector<layout::DimValue>{{dims::Register, reg},
                                                             {dims::Lane, lane},
                                                             {dims::Warp, warp},
                                                             {dims::Block, block}}));
          ByteAddress address = addressOf(layout, memory, element);
          for (uint64_t byte = 0; byte < bytes; ++byte, ++at) {
            bool isUnused = isStore && delivered.bytes[at] == NoByte;
            if (!isUnused && delivered.bytes[at] != address + static_cast<ByteAddress>(byte))
              return fail("warp " + std::to_string(warp) + " lane " + std::to_string(lane) +
                          " register " + std::to_string(reg) + " has address " +
                          std::to_string(delivered.bytes[at]) + ", not " +
                          std::to_string(address + static_cast<ByteAddress>(byte)));
          }
        }
    }
    if (isPrefetch)
      for (uint64_t in = 0; in < uint64_t(1) << layout.totalInBits(); ++in) {
        if (layout.inValue(in, dims::Block) != block)
          continue;
        ByteAddress address = addressOf(layout, memory, layout.applyFlat(in));
        for (uint64_t byte = 0; byte < bytes; ++byte)
          if (!touchedOfBlock.count(address + static_cast<ByteAddress>(byte)))
            return fail("an element is not prefetched");
      }
  }
  if (isStore) {
    std::set<ByteAddress> wanted;
    for (uint64_t in = 0; in < uint64_t(1) << layout.totalInBits(); ++in)
      for (uint64_t byte = 0; byte < bytes; ++byte)
        wanted.insert(addressOf(layout, memory, layout.applyFlat(in)) +
                      static_cast<ByteAddress>(byte));
    if (written.size() != wanted.size())
      return fail("not all elements are stored");
    for (auto &[address, count] : written)
      if (count != 1 || !wanted.count(address))
        return fail("an element is stored twice, or one that the layout has not");
  }
  return true;
}

//===----------------------------------------------------------------------------===//
// All messages that there are
//===----------------------------------------------------------------------------===//

/// The fewest messages a warp for a load or store, by trying every message of the limits
/// with every kind of rows and looking at what it delivers; nothing if there are none. Elements
/// as a whole: of 64 bits not in halves.
class ExhaustiveSearch {
public:
  explicit ExhaustiveSearch(const BlockMessageRequest &request) : request(request) {
    for (unsigned bits = 8; bits <= 64; bits *= 2)
      for (unsigned width = 1; width <= 64; width *= 2)
        for (unsigned height = 1; height <= 32; height *= 2)
          for (unsigned blocks = 1; blocks <= 4; blocks *= 2)
            for (unsigned form = 0; form < 3; ++form)
              shapes.push_back({request.access, bits, width, height, blocks, form == 1, form == 2});
  }

  std::optional<unsigned> fewest() {
    namespace dims = layout::dims;
    const layout::LinearLayout &layout = request.layout;
    lanes = layout.bases(dims::Lane);
    for (uint64_t basis : layout.bases(dims::Register)) {
      registers.insert(basis);
      registerSupport |= basis;
    }
    // The bits that move the places of messages: for stores only those of no copy.
    layout::F2Basis held = registers;
    for (uint64_t basis : lanes)
      held.insert(basis);
    for (layout::Dim dim : {dims::Warp, dims::Block})
      for (uint64_t basis : layout.bases(dim))
        if (held.insert(basis).vector || request.access == BlockAccess::Load)
          locationSupport |= basis;

    std::optional<unsigned> best;
    auto outs = layout.outs();
    for (const BlockMessage &shape : shapes) {
      if (shape.elementBits < request.elementBits || !isLegalMessage(shape, request.limits))
        continue;
      if (request.spirvFormsOnly && !hasSpirvForm(shape, 1u << lanes.size()))
        continue;
      // The same by one element a row, whatever rows are.
      BlockSurface surface{.base = 0, .width = 1024, .height = 1024, .pitch = 1024};
      std::vector<ByteAddress> payload = payloadOf(shape, surface, request.limits.registerBytes);
      for (unsigned d = 0; d < outs.size(); ++d)
        for (unsigned shift = 0; shift < std::max(1u, outs[d].bits); ++shift) {
          bool folds = d == request.contiguousDim;
          if (folds && shape.height > 1 &&
              (!request.foldRows || ((request.elementBits / 8) << shift) < 64))
            continue;
          if (std::optional<unsigned> count = countWith(shape, payload, d, shift))
            best = std::min(best.value_or(~0u), *count);
        }
    }
    return best;
  }

private:
  /// The packed coordinate of the tensor's element that byte 0 of it comes from; nothing if it
  /// is outside of the tensor.
  std::optional<uint64_t> coordinate(ByteAddress address, unsigned rowDim, unsigned shift) const {
    auto outs = request.layout.outs();
    uint64_t row = static_cast<uint64_t>(address) / 1024 << shift;
    uint64_t column = static_cast<uint64_t>(address) % 1024 / (request.elementBits / 8);
    const layout::SizedDim &x = outs[request.contiguousDim], &y = outs[rowDim];
    if (column >= x.size() || row >= y.size())
      return std::nullopt;
    return column << request.layout.outShift(x.dim) ^ row << request.layout.outShift(y.dim);
  }

  std::optional<unsigned> countWith(const BlockMessage &shape,
                                    const std::vector<ByteAddress> &payload, unsigned rowDim,
                                    unsigned shift) const {
    unsigned elementBytes = request.elementBits / 8, perSlot = shape.slotBits() / 8 / elementBytes;
    auto laneCount = static_cast<unsigned>(1u << lanes.size());
    // A single block may leave the end of its last register empty.
    size_t bytes = shape.blocks == 1 ? shape.bytes() : payload.size();
    size_t slots = bytes / (size_t(shape.slotBits() / 8) * laneCount);
    if (!slots)
      return std::nullopt;
    uint64_t covered = 0;
    layout::F2Basis slotSpan;
    for (unsigned slot = 0; slot < slots; ++slot)
      for (unsigned part = 0; part < perSlot; ++part) {
        uint64_t first = 0;
        for (unsigned lane = 0; lane < laneCount; ++lane) {
          ByteAddress address = deliver(shape, payload, laneCount, lane, slot, part * elementBytes);
          if (address < 0)
            return std::nullopt;
          std::optional<uint64_t> element = coordinate(address, rowDim, shift);
          if (!element)
            return std::nullopt;
          covered |= *element;
          if (lane == 0)
            first = *element;
          else if ((*element ^ first) != layout::sumOf(lanes, lane))
            return std::nullopt;
        }
        if (!registers.contains(first))
          return std::nullopt;
        slotSpan.insert(first);
      }
    uint64_t laneSupport = 0;
    for (uint64_t basis : lanes)
      laneSupport |= basis;
    if ((covered & locationSupport) || (laneSupport & registerSupport))
      return std::nullopt;
    return 1u << (registers.rank() - slotSpan.rank());
  }

  const BlockMessageRequest &request;
  std::vector<BlockMessage> shapes;
  std::span<const uint64_t> lanes;
  layout::F2Basis registers;
  uint64_t registerSupport = 0, locationSupport = 0;
};

} // namespace tilewright::plan::block2d

#endif // TILEWRIGHT_TEST_UNIT_PLAN_BLOCKMESSAGESUPPORT_H
