//===- SharedAccessCost.cpp - Cost of loads and stores of shared memory -------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "plan/shared/SharedAccessCost.h"

#include "layout/F2.h"
#include "plan/shared/LayoutBases.h"

#include <algorithm>

namespace tilewright::plan {

namespace {

/// Where the elements of block `bit` of the cluster begin; 0 for a block that the layout does
/// not have.
uint64_t blockBasis(const LinearLayout &layout, unsigned bit) {
  return bit < layout.inBits(dims::Block) ? layout.basis(dims::Block, bit) : 0;
}

/// (register, lane, warp) -> offset, for any block: each finds its elements in its own memory,
/// and the offsets of two blocks differ by a constant.
Result<LinearLayout> offsetMap(const LinearLayout &registers, const LinearLayout &shared) {
  if (!sameTensor(registers, shared))
    return Failure("the layouts of registers and of memory are of different tensors");
  std::vector<Dim> order;
  for (SizedDim out : shared.outs())
    order.push_back(out.dim);
  LinearLayout source = registers.transposeOuts(order);
  LinearLayout ofBlock = source.dropIn(dims::Block), memory = shared.dropIn(dims::Block);
  F2Basis reached(memory.bases());
  auto outside = [&](uint64_t element) { return !reached.contains(element); };
  bool crosses = std::any_of(ofBlock.bases().begin(), ofBlock.bases().end(), outside);
  unsigned blockBits = std::max(source.inBits(dims::Block), shared.inBits(dims::Block));
  for (unsigned bit = 0; bit < blockBits; ++bit)
    crosses |= outside(blockBasis(source, bit) ^ blockBasis(shared, bit));
  if (crosses)
    return Failure("a block holds elements that are in the memory of another block");
  return ofBlock.invertAndCompose(memory);
}

/// The accesses of one tensor: what they have in common.
struct Accesses {
  LinearLayout offsets;
  unsigned elementBytes;
  /// Elements a vector, as a number of bits, before the memory's limit.
  unsigned vectorBits = 0;

  Accesses(const LinearLayout &offsets, unsigned elementBits)
      : offsets(offsets), elementBytes(memoryBitsOf(elementBits) / 8) {
    F2Basis held(offsets.bases(dims::Register));
    uint64_t moved = 0;
    for (Dim in : {dims::Lane, dims::Warp})
      for (uint64_t basis : offsets.bases(in))
        moved |= basis;
    while (vectorBits < offsets.totalOutBits() && held.contains(uint64_t(1) << vectorBits) &&
           !(moved >> vectorBits & 1))
      ++vectorBits;
  }

  void limitVector(uint64_t elements) { vectorBits = std::min(vectorBits, log2Of(elements)); }
  uint64_t vector() const { return uint64_t(1) << vectorBits; }

  /// The bases of the first offsets of the vectors that a thread has.
  F2Vectors vectors() const {
    F2Basis upper;
    F2Vectors result;
    for (uint64_t basis : offsets.bases(dims::Register))
      if (upper.insert(basis >> vectorBits).vector)
        result.push_back(basis >> vectorBits << vectorBits);
    return result;
  }

  /// An element that is wider than the widest access takes several.
  unsigned accessBytes(const ExchangeModel &memory) const {
    return static_cast<unsigned>(
        std::min<uint64_t>(vector() * elementBytes, memory.maxAccessBits / 8));
  }
  unsigned accessesPerVector(const ExchangeModel &memory) const {
    return static_cast<unsigned>(vector() * elementBytes) / accessBytes(memory);
  }
};

Accesses makeAccesses(const LinearLayout &offsets, unsigned elementBits,
                      const ExchangeModel &memory) {
  Accesses accesses(offsets, elementBits);
  accesses.limitVector(std::max(1u, memory.maxAccessBits / 8 / accesses.elementBytes));
  return accesses;
}

} // namespace

Result<SharedAccessCost> sharedAccessCost(const LinearLayout &registers, const LinearLayout &shared,
                                          unsigned elementBits, const ExchangeModel &memory,
                                          LocalDirection direction) {
  Result<LinearLayout> offsets = offsetMap(registers, shared);
  if (!offsets)
    return Failure(offsets.error());
  Accesses accesses = makeAccesses(*offsets, elementBits, memory);
  // All accesses of all warps are translates of one.
  F2Vectors lanes;
  for (uint64_t basis : offsets->bases(dims::Lane))
    lanes.push_back(basis * accesses.elementBytes);
  Transactions one = countTransactions(lanes, accesses.accessBytes(memory), direction, memory);
  SharedAccessCost cost;
  cost.vector = static_cast<unsigned>(accesses.vector());
  cost.accesses = (uint64_t(accesses.accessesPerVector(memory)) << accesses.vectors().size()) *
                  offsets->inSize(dims::Warp);
  cost.transactions = cost.accesses * one.actual;
  cost.idealTransactions = cost.accesses * one.ideal;
  return cost;
}

Result<SharedAccessCost> sharedAccessCost(const LinearLayout &registers, const PaddedShared &shared,
                                          unsigned elementBits, const ExchangeModel &memory,
                                          LocalDirection direction) {
  std::vector<int64_t> shape;
  for (SizedDim out : registers.outs())
    shape.push_back(static_cast<int64_t>(out.size()));
  if (Result<void> valid = verifyShape(shared, shape); !valid)
    return Failure(valid.error());
  Result<LinearLayout> offsets = offsetMap(registers, toLinearLayout(shared, shape));
  if (!offsets)
    return Failure(offsets.error());
  Accesses accesses = makeAccesses(*offsets, elementBits, memory);
  for (const std::vector<unsigned> *limits : {&shared.intervals, &shared.paddings})
    for (unsigned limit : *limits)
      accesses.limitVector(limit);

  SharedAccessCost cost;
  cost.vector = static_cast<unsigned>(accesses.vector());
  F2Vectors vectors = accesses.vectors();
  std::vector<unsigned> lanes(offsets->inSize(dims::Lane));
  for (unsigned lane = 0; lane < lanes.size(); ++lane)
    lanes[lane] = lane;
  std::vector<uint64_t> addresses(lanes.size());
  unsigned bytes = accesses.accessBytes(memory);
  for (uint64_t warp = 0; warp < offsets->inSize(dims::Warp); ++warp)
    for (uint64_t number = 0; number < uint64_t(1) << vectors.size(); ++number)
      for (unsigned part = 0; part < accesses.accessesPerVector(memory); ++part) {
        uint64_t base = sumOf(offsets->bases(dims::Warp), warp) ^ sumOf(vectors, number);
        for (unsigned lane : lanes)
          addresses[lane] = paddedOffset(shared, base ^ sumOf(offsets->bases(dims::Lane), lane)) *
                                accesses.elementBytes +
                            part * bytes;
        Transactions one = countTransactions(addresses, lanes, bytes, direction, memory);
        ++cost.accesses;
        cost.transactions += one.actual;
        cost.idealTransactions += one.ideal;
      }
  return cost;
}

} // namespace tilewright::plan
