//===- LocalTransfer.cpp - Transfers between registers and shared memory ------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/shared/LocalTransfer.h"

#include "lower/core/blocks/Branch.h"
#include "lower/layout/EmitConversion.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

std::optional<uint64_t> LocalView::constantOffset() const {
  auto constant = offset.getDefiningOp<LLVM::ConstantOp>();
  auto value = constant ? dyn_cast<IntegerAttr>(constant.getValue()) : IntegerAttr();
  return value ? std::optional(value.getValue().getZExtValue()) : std::nullopt;
}

unsigned lower::getLocalElementBytes(ttg::MemDescType type) {
  return std::max(8u, tt::getStorageBits(type.getElementType())) / 8;
}

//===--------------------------------------------------------------------------===//
// Addresses
//===--------------------------------------------------------------------------===//

LocalAddresses::LocalAddresses(LoweringBuilder &e, ttg::MemDescType type, LocalView view)
    : e(e), view(view), elementBytes(getLocalElementBytes(type)) {
  // Holes are a linear function of the offset's bits: what bit k adds beyond twice what bit
  // k - 1 does is the padding of an interval of 2^k.
  ttg::SharedLayoutEncoding encoding = type.getSharedEncoding();
  uint64_t before = 0;
  for (unsigned k = 0; k < type.toLinearLayout().inBits(layout::dims::Offset); ++k) {
    uint64_t holes = encoding.paddedOffset(uint64_t(1) << k) - (uint64_t(1) << k);
    if (holes != 2 * before)
      paddings.push_back({k, holes - 2 * before});
    before = holes;
  }
}

uint64_t LocalAddresses::contiguous() const {
  uint64_t most = ~uint64_t(0);
  for (const Padding &padding : paddings)
    most =
        std::min({most, uint64_t(1) << padding.intervalBits, padding.elements & -padding.elements});
  return most;
}

Value LocalAddresses::get(const ThreadBases &bases, uint64_t xorOffset, uint64_t addOffset) {
  uint64_t threadBits = 0;
  for (uint64_t basis : bases)
    threadBits |= basis;
  uint64_t whole = xorOffset | addOffset, added = 0;
  if (std::optional<uint64_t> constant = view.constantOffset()) {
    whole ^= *constant;
    added = whole & ~threadBits;
  }
  Value &base = baseOfXor[whole & ~added];
  if (!base)
    base = getBase(bases, whole & ~added);
  return e.addBytes(base, static_cast<int64_t>(padded(added) * elementBytes));
}

Value LocalAddresses::get(Value offset) {
  if (view.constantOffset() != 0)
    offset = e.create<LLVM::XOrOp>(offset, view.offset);
  return toPointer(offset);
}

uint64_t LocalAddresses::padded(uint64_t offset) const {
  uint64_t result = offset;
  for (const Padding &padding : paddings)
    result += (offset >> padding.intervalBits) * padding.elements;
  return result;
}

Value LocalAddresses::getBase(const ThreadBases &bases, uint64_t constant) {
  const bool isConstant = view.constantOffset().has_value();
  if (paddings.empty() && isConstant) {
    ThreadBases byteBases(bases);
    for (uint64_t &basis : byteBases)
      basis *= elementBytes;
    return e.addBytes(view.pointer, e.getIndex(byteBases, constant * elementBytes));
  }
  Value offset = e.getIndex(bases, constant);
  if (!isConstant)
    offset = e.create<LLVM::XOrOp>(offset, view.offset);
  return toPointer(offset);
}

Value LocalAddresses::toPointer(Value offset) {
  Value result = offset;
  for (const Padding &padding : paddings) {
    Value intervals = e.create<LLVM::LShrOp>(offset, e.getI32(padding.intervalBits));
    result =
        e.create<LLVM::AddOp>(result, e.create<LLVM::MulOp>(intervals, e.getI32(padding.elements)));
  }
  return e.addBytes(view.pointer, e.create<LLVM::MulOp>(result, e.getI32(elementBytes)));
}

//===--------------------------------------------------------------------------===//
// Transfers
//===--------------------------------------------------------------------------===//

Result<void> LocalTransfer::plan(plan::LocalDirection direction, bool takesWholeWarps) {
  target::ExchangeModel shared = e.target.getTarget().sharedMemory();
  if (!takesWholeWarps)
    shared = shared.withLanesOnly();
  if (!memory.getBufferShape().empty())
    return Failure("with several buffers at once: pick one by ttg.memdesc_index");
  Result<plan::LocalAccessPlan> result =
      plan::planLocalAccess(ttg::toLinearLayout(tensor),
                            {memory.toLinearLayout(), tt::getStorageBits(memory.getElementType()),
                             addresses.contiguous()},
                            direction, shared);
  if (!result)
    return Failure("because " + result.error());
  steps = *std::move(result);
  bases = getThreadBases(steps.base);
  return {};
}

void LocalTransfer::store(ValueRange values) {
  Value predicate = testCondition(e, steps.condition);
  // Matrices have no predicates; whole warps go around their stores.
  const bool branches = predicate && steps.atom->issuer != target::Issuer::Lane;
  auto storeAll = [&] {
    for (const plan::SharedAccess &access : steps.accesses) {
      SmallVector<Value> stored;
      for (unsigned r : access.registers)
        stored.push_back(e.toMemory(values[r]));
      emitSharedStore(e, *steps.atom, pointerOf(access), stored, branches ? Value() : predicate);
    }
    return SmallVector<Value>();
  };
  if (branches)
    emitBranch(e, rewriter, predicate, {}, storeAll);
  else
    storeAll();
}

SmallVector<Value> LocalTransfer::load(Type type) {
  SmallVector<Value> loaded(steps.copies.size()), results;
  for (const plan::SharedAccess &access : steps.accesses)
    for (auto [r, value] : llvm::zip_equal(
             access.registers, emitSharedLoad(e, *steps.atom, pointerOf(access),
                                              access.registers.size(), e.getMemoryType(type))))
      loaded[r] = e.fromMemory(value, type);
  for (unsigned copy : steps.copies)
    results.push_back(loaded[copy]);
  return results;
}
