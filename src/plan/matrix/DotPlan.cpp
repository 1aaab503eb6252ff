//===- DotPlan.cpp - Plans of matrix products by multiply-adds ----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "plan/matrix/DotPlan.h"

#include "support/Bits.h"

#include <algorithm>
#include <utility>

namespace tilewright::plan {

namespace {

/// Products of a thread that are emitted without a loop, and at least in each iteration of one.
constexpr uint64_t minProducts = 512;
/// Bytes of registers that a thread may need for one operand's vectors along K.
constexpr uint64_t vectorBytes = 128;

/// The next multiple of `alignment`, a power of two.
uint64_t alignTo(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) & ~(alignment - 1);
}

uint64_t deposit(uint64_t value, std::span<const unsigned> positions) {
  uint64_t result = 0;
  for (size_t bit = 0; bit < positions.size(); ++bit)
    result |= (value >> bit & 1) << positions[bit];
  return result;
}

/// Whether some register bit of `map` moves along bit `bit` of `dim`, and along nothing else.
bool hasRegisterBit(const LinearLayout &map, Dim dim, unsigned bit) {
  return std::ranges::count(map.bases(dims::Register), unit(map.outShift(dim) + bit)) != 0;
}

/// The bits of `dim` along which bits of `in` move, in the order of these.
std::vector<unsigned> movedBits(const LinearLayout &map, Dim in, Dim dim) {
  std::vector<unsigned> bits;
  for (uint64_t basis : map.bases(in))
    if (uint64_t value = map.outValue(basis, dim))
      bits.push_back(log2Of(value));
  return bits;
}

/// Whether every bit of a location moves along one bit of one dimension, or not at all.
bool movesSingleBits(const LinearLayout &map) {
  return std::ranges::all_of(map.bases(),
                             [](uint64_t basis) { return (basis & (basis - 1)) == 0; });
}

/// Whether no two bits of a location move along the same bit of a dimension. For layouts whose bits
/// move along single bits.
bool movesEachBitOnce(const LinearLayout &map) {
  uint64_t moved = 0;
  return std::ranges::all_of(map.bases(), [&](uint64_t basis) {
    return (std::exchange(moved, moved | basis) & basis) == 0;
  });
}

/// Plans one operand.
class OperandPlanner {
public:
  /// `maxAccessBytes`: of the widest access to shared memory.
  OperandPlanner(const LinearLayout &source, unsigned elementBits, const LinearLayout &result,
                 unsigned index, unsigned maxAccessBytes)
      : source(source), result(result), maxAccessBytes(maxAccessBytes) {
    const auto rank = static_cast<unsigned>(source.outs().size());
    plan.hasBatch = rank == 3;
    plan.rowDim = index == 0 ? rank - 2 : rank - 1;
    plan.kDim = index == 0 ? rank - 1 : rank - 2;
    plan.elementBytes = elementBits / 8;
    row = Dim::tensor(plan.rowDim);
    k = Dim::tensor(plan.kDim);
  }

  uint64_t size(unsigned dim) const { return source.outSize(Dim::tensor(dim)); }
  uint64_t kSize() const { return size(plan.kDim); }

  /// Whether each thread holds, in this operand's layout, all of K for the elements that it has
  /// of the result.
  bool isAtHand() const {
    if (!movesSingleBits(source))
      return false;
    std::vector<Dim> kept = {row};
    if (plan.hasBatch)
      kept.push_back(Dim::tensor(0));
    for (Dim in : {dims::Lane, dims::Warp}) {
      const auto own = source.bases(in), wanted = result.bases(in);
      for (size_t bit = 0; bit < own.size(); ++bit)
        if (source.outValue(own[bit], k) || std::ranges::any_of(kept, [&](Dim dim) {
              return source.outValue(own[bit], dim) != result.outValue(wanted[bit], dim);
            }))
          return false;
    }
    return true;
  }

  /// Decides between vectors along K and along rows. `unit` elements along K belong together.
  void chooseVector(unsigned unit) {
    const unsigned most = std::max(1u, maxAccessBytes / plan.elementBytes);
    unsigned storedAlongK = 0;
    while (storedAlongK < log2Of(kSize()) && hasRegisterBit(source, k, storedAlongK))
      ++storedAlongK;
    for (unsigned bit = 0; bit < log2Of(size(plan.rowDim)); ++bit)
      if ((2u << rowVector.size()) <= most && hasRegisterBit(result, row, bit) &&
          hasRegisterBit(source, row, bit))
        rowVector.push_back(bit);

    plan.alongK = unit > 1 || storedAlongK > rowVector.size();
    if (!plan.alongK && rowVector.empty()) {
      // Nothing is side by side in the registers it comes from; loads still can be wide.
      for (unsigned bit = 0; bit < log2Of(size(plan.rowDim)); ++bit)
        if ((2u << rowVector.size()) <= most && hasRegisterBit(result, row, bit))
          rowVector.push_back(bit);
      plan.alongK = rowVector.empty();
    }
    if (!plan.alongK) {
      plan.loadVector = 1u << rowVector.size();
      return;
    }
    rowVector.clear();
    plan.loadVector = std::min<uint64_t>(most, kSize());
    const uint64_t rows = rowsOfThread();
    while (plan.loadVector > unit && plan.loadVector * plan.elementBytes > 4 &&
           rows * plan.loadVector * plan.elementBytes > vectorBytes)
      plan.loadVector /= 2;
  }

  /// Bytes of a chunk of `chunk` along K.
  uint64_t chunkBytes(uint64_t chunk) {
    orderBits(chunk);
    return plan.padded(uint64_t(1) << plan.chunkBits) * plan.elementBytes;
  }

  /// Orders the bits of the coordinates, with `chunk` along K in memory at a time. After each
  /// group of rows the bytes of a widest access are left out.
  void orderBits(uint64_t chunk) {
    const unsigned kBits = log2Of(kSize()), chunkKBits = log2Of(chunk);
    const unsigned vectorKBits = plan.alongK ? log2Of(plan.loadVector) : 0;
    plan.kBits.assign(kBits, 0);
    plan.rowBits.assign(log2Of(size(plan.rowDim)), 0);
    plan.batchBits.assign(plan.hasBatch ? log2Of(size(0)) : 0, 0);
    unsigned next = 0;
    for (unsigned bit = 0; bit < vectorKBits; ++bit)
      plan.kBits[bit] = next++;
    std::vector<bool> placed(plan.rowBits.size());
    auto place = [&](unsigned bit) {
      if (!placed[bit])
        plan.rowBits[bit] = next++;
      placed[bit] = true;
    };
    std::ranges::for_each(rowVector, place);
    std::ranges::for_each(movedBits(result, dims::Lane, row), place);
    for (unsigned bit = 0; bit < plan.rowBits.size(); ++bit)
      place(bit);
    plan.groupBits = next;
    for (unsigned bit = vectorKBits; bit < chunkKBits; ++bit)
      plan.kBits[bit] = next++;
    for (unsigned &position : plan.batchBits)
      position = next++;
    plan.chunkBits = next;
    for (unsigned bit = chunkKBits; bit < kBits; ++bit)
      plan.kBits[bit] = next++;
    plan.pad = plan.groupBits < plan.chunkBits ? maxAccessBytes / plan.elementBytes : 0;
  }

  /// The widest store: registers whose bits are the lowest of the offset, which no thread moves.
  void chooseStoreVector() {
    auto offsetOf = [&](uint64_t basis) { return plan.offset(plan.coordinates(source, basis)); };
    uint64_t threads = 0;
    for (Dim in : {dims::Lane, dims::Warp})
      for (uint64_t basis : source.bases(in))
        threads |= offsetOf(basis);
    std::vector<uint64_t> registers;
    for (uint64_t basis : source.bases(dims::Register))
      registers.push_back(offsetOf(basis));
    plan.storeVector = 1;
    while (2 * plan.storeVector * plan.elementBytes <= maxAccessBytes &&
           plan.storeVector < uint64_t(1) << plan.groupBits && !(threads & plan.storeVector) &&
           std::ranges::count(registers, uint64_t(plan.storeVector)))
      plan.storeVector *= 2;
  }

  DotOperandPlan plan;

private:
  /// Rows, of all batches, that one thread reads.
  uint64_t rowsOfThread() const {
    uint64_t rows = 1;
    for (uint64_t basis : result.bases(dims::Register))
      if (result.outValue(basis, row) || (plan.hasBatch && result.outValue(basis, Dim::tensor(0))))
        rows *= 2;
    return rows;
  }

  const LinearLayout &source, &result;
  unsigned maxAccessBytes;
  Dim row = dims::Dim0, k = dims::Dim1;
  /// The bits of a row's number within a vector along rows.
  std::vector<unsigned> rowVector;
};

} // namespace

uint64_t DotOperandPlan::offset(DotCoordinates at) const {
  return deposit(at.batch, batchBits) | deposit(at.row, rowBits) | deposit(at.k, kBits);
}

DotCoordinates DotOperandPlan::coordinates(const LinearLayout &map, uint64_t packed) const {
  DotCoordinates at = resultCoordinates(map, packed);
  at.k = map.outValue(packed, Dim::tensor(kDim));
  return at;
}

DotCoordinates DotOperandPlan::resultCoordinates(const LinearLayout &map, uint64_t packed) const {
  return {.batch = hasBatch ? map.outValue(packed, Dim::tensor(0)) : 0,
          .row = map.outValue(packed, Dim::tensor(rowDim))};
}

Result<DotPlan> planDot(const ProductLayouts &layouts, const DotTypes &types,
                        const ExchangeModel &memory) {
  const LinearLayout &result = layouts.result;
  if (!movesSingleBits(result))
    return Failure("with a result whose layout mixes its dimensions");
  if (!movesEachBitOnce(result))
    return Failure("with a result whose layout has two bits of a place move along the same bit");
  DotPlan plan;
  const unsigned accessBytes = memory.maxAccessBits / 8;
  OperandPlanner a(layouts.a, types.aBits, result, 0, accessBytes);
  OperandPlanner b(layouts.b, types.bBits, result, 1, accessBytes);
  plan.k = a.kSize();
  const uint64_t elements = result.removeZeroBasesAlong(dims::Register).inSize(dims::Register);
  plan.operands = {a.plan, b.plan};
  plan.inRegisters = a.isAtHand() && b.isAtHand() && elements * plan.k <= 2 * minProducts;
  if (plan.inRegisters)
    return plan;

  if (types.areBytes && plan.k >= 4)
    plan.unit = 4;
  plan.step = plan.unit;
  for (OperandPlanner *operand : {&a, &b}) {
    operand->chooseVector(plan.unit);
    if (operand->plan.alongK)
      plan.step = std::max<uint64_t>(plan.step, operand->plan.loadVector);
  }
  while (plan.step < plan.k && plan.step / plan.unit * elements < minProducts)
    plan.step *= 2;

  plan.chunk = plan.k;
  auto bytes = [&] {
    a.plan.begin = 0;
    b.plan.begin = alignTo(a.chunkBytes(plan.chunk), accessBytes);
    return b.plan.begin + b.chunkBytes(plan.chunk);
  };
  plan.scratchBytes = bytes();
  while (plan.scratchBytes > memory.maxBytes && plan.chunk > plan.step) {
    plan.chunk /= 2;
    plan.scratchBytes = bytes();
  }
  for (OperandPlanner *operand : {&a, &b})
    operand->chooseStoreVector();
  plan.operands = {a.plan, b.plan};
  return plan;
}

} // namespace tilewright::plan
