//===- ThreadAccess.cpp - Accesses of one thread to a tensor ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/memory/ThreadAccess.h"

#include "ir/ttg/Dialect.h"
#include "lower/core/builder/SourceLane.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using layout::LinearLayout;

SmallVector<SmallVector<unsigned>> lower::getAccesses(const LinearLayout &layout,
                                                      const AccessWidth &width) {
  const unsigned shift = layout.inShift(layout::dims::Register);
  const uint64_t copies = layout.freeMask() >> shift;
  uint64_t vectorBits = 0;
  for (unsigned bit : width.registerBits)
    vectorBits |= uint64_t(1) << bit;
  SmallVector<SmallVector<unsigned>> accesses;
  for (unsigned first = 0; first < layout.inSize(layout::dims::Register); ++first) {
    if (first & (vectorBits | copies))
      continue;
    SmallVector<unsigned> &access = accesses.emplace_back();
    for (unsigned i = 0; i < width.elements(); ++i) {
      unsigned element = first;
      for (auto [k, bit] : llvm::enumerate(width.registerBits))
        element |= (i >> k & 1) << bit;
      access.push_back(element);
    }
  }
  return accesses;
}

SmallVector<SmallVector<unsigned>> lower::getAccesses(Type type, const AccessWidth &width) {
  if (auto tensorType = dyn_cast<RankedTensorType>(type))
    return getAccesses(ttg::toLinearLayout(tensorType), width);
  return {{0}};
}

/// The bits of `dim` in a mask of the layout's flat input.
static uint64_t maskOf(uint64_t flat, const LinearLayout &layout, layout::Dim dim) {
  return flat >> layout.inShift(dim) & (layout.inSize(dim) - 1);
}

uint32_t lower::getCopyThreads(const LinearLayout &layout, LoweringBuilder &e) {
  uint64_t free = layout.freeMask();
  return static_cast<uint32_t>(maskOf(free, layout, layout::dims::Lane) |
                               maskOf(free, layout, layout::dims::Warp) << e.context.laneBits);
}

uint32_t lower::getCopyThreads(Type type, LoweringBuilder &e) {
  if (auto tensorType = dyn_cast<RankedTensorType>(type))
    return getCopyThreads(ttg::toLinearLayout(tensorType), e);
  return e.numThreads() - 1;
}

void lower::fillCopies(const LinearLayout &layout, MutableArrayRef<Value> registers) {
  const unsigned shift = layout.inShift(layout::dims::Register);
  auto elementOf = [&](size_t r) { return layout.applyFlat(uint64_t(r) << shift); };
  llvm::DenseMap<uint64_t, Value> known;
  for (auto [r, value] : llvm::enumerate(registers))
    if (value)
      known.try_emplace(elementOf(r), value);
  for (auto [r, value] : llvm::enumerate(registers))
    if (!value)
      value = known.lookup(elementOf(r));
}

static bool isTrue(Value predicate) {
  auto constant = predicate.getDefiningOp<LLVM::ConstantOp>();
  auto value = constant ? dyn_cast<IntegerAttr>(constant.getValue()) : IntegerAttr();
  return value && value.getValue().isOne();
}

Value lower::getPredicate(ValueRange mask, unsigned element) {
  return mask.empty() || isTrue(mask[element]) ? Value() : mask[element];
}

//===--------------------------------------------------------------------------===//
// Broadcast of the canonical locations' values
//===--------------------------------------------------------------------------===//

namespace {

/// How the other locations of an element get the value of the canonical one.
struct BroadcastPlan {
  /// The lanes that are copies of the one with these bits zero, where shuffles suffice.
  uint32_t lanes = 0;
  bool throughMemory = false;
};

BroadcastPlan planBroadcast(const LinearLayout &layout) {
  const uint64_t free = layout.freeMask();
  const uint64_t lanes = maskOf(free, layout, layout::dims::Lane);
  if (maskOf(free, layout, layout::dims::Warp))
    return {0, true};
  // Where a lane's basis is a sum of other bases, its canonical location has other registers.
  for (auto [bit, basis] : llvm::enumerate(layout.bases(layout::dims::Lane)))
    if (lanes >> bit & 1 && basis != 0)
      return {0, true};
  return {static_cast<uint32_t>(lanes), false};
}

/// The bytes of an element of `type` in memory.
unsigned getBytes(Type type) { return tt::getStorageBits(tt::getElementTypeOrSelf(type)) / 8; }

} // namespace

uint64_t lower::getCopyScratchBytes(Type type) {
  auto tensorType = dyn_cast<RankedTensorType>(type);
  if (!tensorType)
    return getBytes(type);
  LinearLayout layout = ttg::toLinearLayout(tensorType);
  return planBroadcast(layout).throughMemory ? uint64_t(getBytes(type)) << layout.totalOutBits()
                                             : 0;
}

SmallVector<Value> lower::sendToCopies(LoweringBuilder &e, Type type, ValueRange registers,
                                       uint64_t scratch) {
  auto tensorType = dyn_cast<RankedTensorType>(type);
  // A scalar is a tensor of one element that all threads hold.
  LinearLayout layout;
  ThreadBases bases(e.threadBits());
  if (tensorType) {
    layout = ttg::toLinearLayout(tensorType);
    BroadcastPlan plan = planBroadcast(layout);
    if (!plan.throughMemory) {
      if (!plan.lanes)
        return SmallVector<Value>(registers);
      ThreadBases firstLane(e.threadBits());
      for (unsigned bit = 0; bit < e.context.laneBits; ++bit)
        if (!(plan.lanes >> bit & 1))
          firstLane[bit] = uint64_t(1) << bit;
      SourceLane lane(e, firstLane, 0);
      return llvm::map_to_vector(registers, [&](Value value) { return lane.shuffle(value); });
    }
    bases = getThreadBases(layout);
  }

  Type elementType = registers[0].getType();
  const unsigned bytes = e.getMemoryBytes(elementType);
  for (uint64_t &basis : bases)
    basis *= bytes;
  auto vectorType = VectorType::get(1, e.getMemoryType(elementType));
  auto offsetOf = [&](unsigned r) {
    return tensorType
               ? layout.applyFlat(uint64_t(r) << layout.inShift(layout::dims::Register)) * bytes
               : 0;
  };
  llvm::DenseMap<uint64_t, Value> pointers;
  auto pointerOf = [&](unsigned r) {
    Value &pointer = pointers[offsetOf(r)];
    if (!pointer)
      pointer = e.addBytes(e.addBytes(e.getSharedBase(), e.getIndex(bases, offsetOf(r))), scratch);
    return pointer;
  };

  Value isFirst = e.testThreadBitsZero(getCopyThreads(type, e));
  llvm::DenseMap<uint64_t, Value> values;
  for (unsigned r = 0; r < registers.size(); ++r)
    if (values.try_emplace(offsetOf(r)).second)
      e.target.emitStore(e.builder, e.loc, e.packVector(e.toMemory(registers[r])), pointerOf(r),
                         bytes, isFirst, {});
  e.emitGroupBarrier();
  SmallVector<Value> results;
  for (unsigned r = 0; r < registers.size(); ++r) {
    Value &value = values[offsetOf(r)];
    if (!value)
      value =
          e.fromMemory(e.unpackVector(e.target.emitLoad(e.builder, e.loc, vectorType, pointerOf(r),
                                                        bytes, Value(), Value(), {}))[0],
                       elementType);
    results.push_back(value);
  }
  return results;
}
