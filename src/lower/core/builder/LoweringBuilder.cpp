//===- LoweringBuilder.cpp - Builder of LLVM-dialect ops ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/core/builder/LoweringBuilder.h"

#include "ir/ttg/Dialect.h"
#include "ir/ttg/query/Conversion.h"
#include "lower/core/blocks/WarpSpecialize.h"
#include "lower/core/builder/Scratch.h"
#include "lower/core/types/VectorValues.h"

#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

ThreadBases lower::getThreadBases(const layout::LinearLayout &layout) {
  ThreadBases bases;
  for (layout::Dim dim : {layout::dims::Lane, layout::dims::Warp})
    for (uint64_t basis : layout.bases(dim))
      bases.push_back(basis);
  return bases;
}

LoweringContext::LoweringContext(const TargetLowering &target, ModuleOp module)
    : target(target), plans(ttg::getPlanCache(module)),
      laneBits(llvm::Log2_32(ttg::getThreadsPerWarp(module))),
      numWarps(ttg::getTotalNumWarps(module)) {}

//===--------------------------------------------------------------------------===//
// Values a function has once
//===--------------------------------------------------------------------------===//

/// The region at whose start that is computed which `region` has once: the one whose ops the same
/// warps run.
static Region *getFrameRegion(Region *region) {
  while (isa<ttg::WarpSpecializeOp>(region->getParentOp()))
    region = region->getParentRegion();
  return region;
}

LoweringContext::Frame &LoweringBuilder::getFrame() {
  Region *region = getFrameRegion(builder.getBlock()->getParent());
  auto [entry, isNew] = context.frames.try_emplace(region);
  if (isNew)
    entry->second.group = ttg::getThreadGroup(region);
  return entry->second;
}

unsigned LoweringBuilder::threadBits() {
  return context.laneBits + llvm::Log2_32(getGroup().numWarps);
}

std::optional<NamedBarrier> LoweringBuilder::getOwnBarrier() {
  const ttg::ThreadGroup &group = getGroup();
  if (group.numWarps == context.numWarps)
    return std::nullopt;
  return NamedBarrier{getBarrierId(group), group.numWarps << context.laneBits};
}

void LoweringBuilder::emitSharedBarrier() {
  if (std::optional<NamedBarrier> barrier = getOwnBarrier())
    target.emitNamedBarrier(builder, loc, *barrier);
  else
    target.emitSharedBarrier(builder, loc);
}

void LoweringBuilder::emitGroupBarrier() {
  if (std::optional<NamedBarrier> barrier = getOwnBarrier())
    target.emitNamedBarrier(builder, loc, *barrier);
  else
    target.emitBlockBarrier(builder, loc);
}

Value LoweringBuilder::hoist(LoweringContext::Frame &frame,
                             llvm::function_ref<Operation *()> make) {
  OpBuilder::InsertionGuard guard(builder);
  if (frame.last)
    builder.setInsertionPointAfter(frame.last);
  else
    builder.setInsertionPointToStart(&getFrameRegion(builder.getBlock()->getParent())->front());
  Operation *op = make();
  frame.last = op;
  return op->getResult(0);
}

Value LoweringBuilder::getConstant(TypedAttr value) {
  LoweringContext::Frame &frame = getFrame();
  Value &constant = frame.constants[{value, value.getType()}];
  if (!constant)
    constant = hoist(frame, [&] { return create<LLVM::ConstantOp>(value.getType(), value); });
  return constant;
}

Value LoweringBuilder::getInt(Type type, int64_t value) {
  unsigned width = type.getIntOrFloatBitWidth();
  return getConstant(IntegerAttr::get(type, APInt(width, static_cast<uint64_t>(value),
                                                  /*isSigned=*/false, /*implicitTrunc=*/true)));
}

Value LoweringBuilder::getFloat(Type type, double value) {
  Attribute number = FloatAttr::get(getElementTypeOrSelf(type), value);
  if (auto vector = dyn_cast<VectorType>(type))
    number = SplatElementsAttr::get(vector, number);
  return getConstant(cast<TypedAttr>(number));
}

Value LoweringBuilder::getZero(Type type) {
  if (isa<LLVM::LLVMPointerType>(type)) {
    LoweringContext::Frame &frame = getFrame();
    Value &zero = frame.constants[{Attribute(), type}];
    if (!zero)
      zero = hoist(frame, [&] { return create<LLVM::ZeroOp>(type); });
    return zero;
  }
  return getConstant(cast<TypedAttr>(builder.getZeroAttr(type)));
}

Value LoweringBuilder::getThreadId() {
  LoweringContext::Frame &frame = getFrame();
  if (!frame.threadId)
    frame.threadId = hoistThreadId(frame);
  return frame.threadId;
}

Value LoweringBuilder::hoistThreadId(LoweringContext::Frame &frame) {
  // The warps of the default group are the first ones.
  if (!frame.group.firstWarp)
    return hoist(frame,
                 [&] { return target.getThreadId(builder, loc, numThreads()).getDefiningOp(); });
  Value inBlock = hoist(frame, [&] {
    return target.getThreadId(builder, loc, context.numThreads()).getDefiningOp();
  });
  Value first = getI32(frame.group.firstWarp << context.laneBits);
  return hoist(
      frame, [&] { return create<LLVM::SubOp>(inBlock, first, LLVM::IntegerOverflowFlags::nuw); });
}

Value LoweringBuilder::getWarpThreadId() {
  Value threadId = getThreadId();
  LoweringContext::Frame &frame = getFrame();
  if (!frame.warpThreadId) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfter(frame.last);
    frame.warpThreadId = target.makeUniform(builder, loc, threadId);
    if (frame.warpThreadId != threadId)
      frame.last = frame.warpThreadId.getDefiningOp();
  }
  return frame.warpThreadId;
}

Value LoweringBuilder::getSharedBase() {
  LoweringContext::Frame &frame = getFrame();
  if (!frame.sharedBase)
    frame.sharedBase = hoist(frame, [&] {
      auto type = LLVM::LLVMPointerType::get(builder.getContext(), AddressSpace::Shared);
      return create<LLVM::AddressOfOp>(type, sharedMemorySymbol);
    });
  return frame.sharedBase;
}

Value LoweringBuilder::getThreadValue(const ThreadBases &bases) {
  if (llvm::all_of(bases, [](uint64_t basis) { return basis == 0; }))
    return {};
  auto [entry, isNew] = getFrame().threadValues.try_emplace(bases);
  if (isNew)
    entry->second = hoistThreadValue(bases);
  return entry->second;
}

// Bits that move by the same distance move together: (id & mask) << distance. For the usual
// layouts there are one or two distances.
Value LoweringBuilder::hoistThreadValue(const ThreadBases &bases) {
  std::map<int, uint32_t> masksOfShift;
  for (auto [from, basis] : llvm::enumerate(bases))
    for (uint64_t rest = basis; rest; rest &= rest - 1)
      masksOfShift[llvm::countr_zero(rest) - static_cast<int>(from)] |= uint32_t(1) << from;

  const uint32_t all = numThreads() - 1;
  const uint32_t lanes = (uint32_t(1) << context.laneBits) - 1;
  LoweringContext::Frame &frame = getFrame();
  Type i32 = builder.getI32Type();
  Value result;
  uint64_t resultBits = 0;
  for (auto [shift, mask] : masksOfShift) {
    Value term = (mask & lanes) ? getThreadId() : getWarpThreadId();
    // A shift to the right drops the bits below.
    uint32_t dropped = shift < 0 ? (uint32_t(1) << -shift) - 1 : 0;
    if ((mask | dropped) != all) {
      Value constant = getI32(mask);
      term = hoist(frame, [&] { return create<LLVM::AndOp>(i32, term, constant); });
    }
    if (shift) {
      Value amount = getI32(std::abs(shift));
      term = hoist(frame, [&]() -> Operation * {
        if (shift < 0)
          return create<LLVM::LShrOp>(i32, term, amount);
        return create<LLVM::ShlOp>(i32, term, amount, LLVM::IntegerOverflowFlags::nuw);
      });
    }
    uint64_t termBits = shift < 0 ? mask >> -shift : uint64_t(mask) << shift;
    if (!result) {
      result = term;
    } else {
      result = hoist(frame, [&]() -> Operation * {
        if (resultBits & termBits)
          return create<LLVM::XOrOp>(i32, result, term);
        return create<LLVM::OrOp>(i32, result, term, /*isDisjoint=*/true);
      });
    }
    resultBits |= termBits;
  }
  return result;
}

Value LoweringBuilder::testThread(const ThreadBases &bases, uint64_t expected) {
  Value value = getThreadValue(bases);
  if (!value)
    return {};
  return create<LLVM::ICmpOp>(LLVM::ICmpPredicate::eq, value, getI32(expected));
}

Value LoweringBuilder::testThreadBitsZero(uint32_t mask) {
  ThreadBases bases(threadBits());
  for (auto [bit, basis] : llvm::enumerate(bases))
    basis = mask & (uint32_t(1) << bit);
  return testThread(bases, 0);
}

//===--------------------------------------------------------------------------===//
// Arithmetic on indices
//===--------------------------------------------------------------------------===//

Value LoweringBuilder::getIndex(const ThreadBases &bases, uint64_t constant) {
  Value value = getThreadValue(bases);
  if (!value)
    return getI32(constant);
  if (!constant)
    return value;
  uint64_t threadBits = 0;
  for (uint64_t basis : bases)
    threadBits |= basis;
  if (threadBits & constant)
    return create<LLVM::XOrOp>(value, getI32(constant));
  return create<LLVM::OrOp>(builder.getI32Type(), value, getI32(constant), /*isDisjoint=*/true);
}

Value LoweringBuilder::addBytes(Value base, Value offset) {
  return create<LLVM::GEPOp>(base.getType(), builder.getI8Type(), base, offset,
                             LLVM::GEPNoWrapFlags::inbounds);
}

Value LoweringBuilder::addBytes(Value base, int64_t offset) {
  if (!offset)
    return base;
  return create<LLVM::GEPOp>(base.getType(), builder.getI8Type(), base,
                             ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)},
                             LLVM::GEPNoWrapFlags::inbounds);
}

Value LoweringBuilder::andPredicates(Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  return create<LLVM::AndOp>(a, b);
}

//===--------------------------------------------------------------------------===//
// Values in memory and in shuffles
//===--------------------------------------------------------------------------===//

Type LoweringBuilder::getMemoryType(Type type) {
  if (isa<LLVM::LLVMPointerType>(type))
    return builder.getI64Type();
  if (auto integer = dyn_cast<IntegerType>(type); integer && integer.getWidth() < 8)
    return builder.getI8Type();
  return type;
}

Value LoweringBuilder::toMemory(Value value) {
  Type type = value.getType(), memoryType = getMemoryType(type);
  if (type == memoryType)
    return value;
  if (isa<LLVM::LLVMPointerType>(type))
    return create<LLVM::PtrToIntOp>(memoryType, value);
  return create<LLVM::ZExtOp>(memoryType, value);
}

Value LoweringBuilder::fromMemory(Value value, Type type) {
  if (value.getType() == type)
    return value;
  if (isa<LLVM::LLVMPointerType>(type))
    return create<LLVM::IntToPtrOp>(type, value);
  return create<LLVM::TruncOp>(type, value);
}

unsigned LoweringBuilder::getMemoryBytes(Type type) {
  return getMemoryType(type).getIntOrFloatBitWidth() / 8;
}

Value LoweringBuilder::packVector(ValueRange values) {
  auto type = VectorType::get(values.size(), values[0].getType());
  // A constant in all locations is one constant.
  if (llvm::all_equal(values))
    if (auto constant = values[0].getDefiningOp<LLVM::ConstantOp>())
      return getConstant(DenseElementsAttr::get(type, constant.getValue()));
  if (Value whole = findUnpacked(values))
    return whole;
  if (target.hasVectorArithmetic())
    if (std::optional<VectorShuffle> shuffle = findShuffle(values))
      return create<LLVM::ShuffleVectorOp>(shuffle->first, shuffle->second, shuffle->mask);
  Value vector = create<LLVM::PoisonOp>(type);
  for (auto [i, value] : llvm::enumerate(values))
    vector = create<LLVM::InsertElementOp>(vector, value, getI32(i));
  return vector;
}

SmallVector<Value> LoweringBuilder::unpackVector(Value vector) {
  SmallVector<Value> values;
  for (int64_t i : llvm::seq(cast<VectorType>(vector.getType()).getNumElements()))
    values.push_back(create<LLVM::ExtractElementOp>(vector, getI32(i)));
  return values;
}

Value LoweringBuilder::shuffle(Value value, llvm::function_ref<Value(Value)> shuffleWord) {
  Type type = value.getType(), memoryType = getMemoryType(type), i32 = builder.getI32Type();
  Value bits = toMemory(value);
  unsigned width = memoryType.getIntOrFloatBitWidth();
  Type integer = builder.getIntegerType(width);
  if (memoryType != integer)
    bits = create<LLVM::BitcastOp>(integer, bits);
  if (width == 64) {
    Type pair = VectorType::get(2, i32);
    SmallVector<Value> halves = unpackVector(create<LLVM::BitcastOp>(pair, bits));
    for (Value &half : halves)
      half = shuffleWord(half);
    bits = create<LLVM::BitcastOp>(integer, packVector(halves));
  } else if (width == 32) {
    bits = shuffleWord(bits);
  } else {
    bits = create<LLVM::TruncOp>(integer, shuffleWord(create<LLVM::ZExtOp>(i32, bits)));
  }
  if (memoryType != integer)
    bits = create<LLVM::BitcastOp>(memoryType, bits);
  return fromMemory(bits, type);
}

Value LoweringBuilder::shuffleXor(Value value, unsigned laneMask) {
  return shuffle(value,
                 [&](Value word) { return target.shuffleXor(builder, loc, word, laneMask); });
}
