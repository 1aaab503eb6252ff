//===- AddressSplitter.cpp - Uniform and per-lane parts of addresses ----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Each value is taken apart once; its parts are made right after it, so that they are there for
// all its users and what users share is made once.
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/address/AddressSplitter.h"

#include "vendor/amd/emit/Uniformity.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;
using namespace tilewright;
using namespace tilewright::emit;

/// Offsets end below this.
static constexpr uint64_t offsetLimit = uint64_t(1) << 31;

AddressSplitter::AddressSplitter(Function &function, TargetMachine &machine)
    : layout(function.getDataLayout()), entry(function.getEntryBlock()) {
  registerUniformity(analyses, machine);
  dominators = &analyses.getResult<DominatorTreeAnalysis>(function);
  cycles = &analyses.getResult<CycleAnalysis>(function);
  uniformity = &analyses.getResult<UniformityInfoAnalysis>(function);

  for (const BasicBlock &block : function) {
    if (!uniformity->hasDivergentTerminator(block))
      continue;
    for (const Cycle *cycle = cycles->getCycle(&block); cycle; cycle = cycle->getParentCycle())
      if (any_of(successors(&block), [&](const BasicBlock *to) { return !cycle->contains(to); }))
        divergentLoopBlocks.insert(cycle->block_begin(), cycle->block_end());
  }
}

std::optional<SplitAddress> AddressSplitter::split(Value *address, uint64_t bytes) {
  std::optional<Parts> parts = partsOf(address);
  if (!parts)
    return std::nullopt;
  if (parts->laneMax + bytes > offsetLimit)
    return std::nullopt;
  if (parts->constant < 0 || parts->laneMax + parts->constant + bytes > offsetLimit) {
    // The constant goes to the base.
    IRBuilder<> builder(address->getContext());
    if (auto *base = dyn_cast<Instruction>(parts->uniform))
      builder.SetInsertPoint(*base->getInsertionPointAfterDef());
    else
      builder.SetInsertPoint(&*entry.getFirstInsertionPt());
    parts->uniform = addToPointer(parts->uniform, nullptr, parts->constant, builder);
    parts->constant = 0;
    if (!uniformity->isUniform(address))
      known[address] = parts;
  }
  return SplitAddress{parts->uniform, parts->large, parts->lane,
                      static_cast<uint32_t>(parts->constant)};
}

Value *AddressSplitter::getLanePointer(const SplitAddress &address) {
  auto *base = dyn_cast<Instruction>(address.base);
  if (base && cycles->getCycle(base->getParent()))
    return nullptr;
  Value *&pointer = lanePointers[{address.base, address.offset}];
  if (pointer)
    return pointer;
  auto *last = dyn_cast<Instruction>(address.offset);
  if (!last || (base && standsBehind(base, last)))
    last = base;
  IRBuilder<> builder(address.base->getContext());
  if (last)
    builder.SetInsertPoint(*last->getInsertionPointAfterDef());
  else
    builder.SetInsertPoint(&*entry.getFirstInsertionPt());
  Value *offset = builder.CreateZExt(address.offset, builder.getInt64Ty());
  return pointer = builder.CreateGEP(builder.getInt8Ty(), address.base, offset);
}

/// The first of `from` and those before it that has a number or is `stop`; null if there is none.
const Instruction *AddressSplitter::findPlaced(const Instruction *from, const Instruction *stop) {
  while (from && from != stop && !places.contains(from))
    from = from->getPrevNode();
  return from;
}

/// Whether `a` comes after `b` on all ways there.
bool AddressSplitter::standsBehind(const Instruction *a, const Instruction *b) {
  if (a->getParent() != b->getParent())
    return dominators->dominates(b->getParent(), a->getParent());
  if (places.empty())
    for (const BasicBlock &block : *a->getFunction())
      for (const Instruction &instruction : block)
        places.try_emplace(&instruction, places.size() + 1);
  const Instruction *placedA = findPlaced(a, /*stop=*/b);
  if (placedA == b)
    return true;
  const Instruction *placedB = findPlaced(b, /*stop=*/a);
  return placedB != a && places.lookup(placedA) > places.lookup(placedB);
}

std::optional<AddressSplitter::Parts> AddressSplitter::partsOf(const Use &use) {
  Value *value = use.get();
  if (auto *constant = dyn_cast<ConstantInt>(value); constant && constant->getBitWidth() <= 64)
    return Parts{.constant = constant->getSExtValue()};
  if (isUniform(use))
    return Parts{.uniform = value};
  // Uniform where it is made, but not here: after a loop.
  if (uniformity->isUniform(value))
    return std::nullopt;
  return partsOf(value);
}

std::optional<AddressSplitter::Parts> AddressSplitter::partsOf(Value *value) {
  if (uniformity->isUniform(value))
    return Parts{.uniform = value};
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction)
    return std::nullopt;
  if (auto found = known.find(value); found != known.end())
    return found->second;
  std::optional<Parts> parts = compute(instruction);
  known[value] = parts;
  return parts;
}

bool AddressSplitter::isInLoopThatLanesLeave(const Instruction *instruction) const {
  return divergentLoopBlocks.contains(instruction->getParent());
}

std::optional<AddressSplitter::Parts> AddressSplitter::compute(Instruction *value) {
  std::optional<Parts> parts;
  const bool mayBeSplit = !isInLoopThatLanesLeave(value);
  if (auto *phi = dyn_cast<PHINode>(value); phi && mayBeSplit)
    parts = computeLoopPhi(phi);
  else if (auto *pointer = dyn_cast<GetElementPtrInst>(value); pointer && mayBeSplit)
    parts = computeElementPointer(pointer);
  else if (value->getType()->isIntegerTy() && mayBeSplit)
    parts = computeInteger(value);
  if (parts) {
    // Nothing to take apart: the value itself is the lane's part.
    if (parts->lane && !parts->uniform && !parts->constant && value->getType()->isIntegerTy(32))
      parts->lane = value;
    return parts;
  }
  if (!value->getType()->isIntegerTy())
    return std::nullopt;
  IRBuilder<> builder(value->getParent(), *value->getInsertionPointAfterDef());
  return boundedInteger(value, builder);
}

//===--------------------------------------------------------------------------===//
// Arithmetic on parts
//===--------------------------------------------------------------------------===//

/// A shift where it can be: the code generator's passes that come before instruction selection do
/// not make one of a product. `isSmall`: the product has no sign and does not wrap.
static Value *createProduct(Value *value, uint64_t factor, bool isSmall, IRBuilderBase &builder) {
  if (isPowerOf2_64(factor))
    return builder.CreateShl(value, Log2_64(factor), "", isSmall, isSmall);
  return builder.CreateMul(value, ConstantInt::get(value->getType(), factor), "", isSmall, isSmall);
}

std::optional<AddressSplitter::Parts> AddressSplitter::add(const Parts &a, const Parts &b,
                                                           IRBuilderBase &builder) {
  Parts sum;
  if (a.large || b.large)
    sum.large =
        a.large && b.large ? builder.CreateAdd(a.large, b.large) : (a.large ? a.large : b.large);
  if (AddOverflow(a.constant, b.constant, sum.constant))
    return std::nullopt;
  sum.laneMax = a.laneMax + b.laneMax;
  if (sum.laneMax >= offsetLimit)
    return std::nullopt;
  sum.uniform = a.uniform && b.uniform ? builder.CreateAdd(a.uniform, b.uniform)
                                       : (a.uniform ? a.uniform : b.uniform);
  sum.lane = a.lane && b.lane ? builder.CreateAdd(a.lane, b.lane, "", /*HasNUW=*/true,
                                                  /*HasNSW=*/true)
                              : (a.lane ? a.lane : b.lane);
  return sum;
}

std::optional<AddressSplitter::Parts> AddressSplitter::scale(const Parts &parts, uint64_t factor,
                                                             IRBuilderBase &builder) {
  if (factor == 1)
    return parts;
  Parts product;
  if (factor >= offsetLimit || MulOverflow(parts.constant, int64_t(factor), product.constant))
    return std::nullopt;
  product.laneMax = parts.laneMax * factor;
  if (product.laneMax >= offsetLimit)
    return std::nullopt;
  if (parts.uniform)
    product.uniform = createProduct(parts.uniform, factor, /*isSmall=*/false, builder);
  if (parts.lane)
    product.lane = createProduct(parts.lane, factor, /*isSmall=*/true, builder);
  return product;
}

std::optional<AddressSplitter::Parts> AddressSplitter::signExtend(const Parts &parts, Type *from,
                                                                  IRBuilderBase &builder) {
  Parts wide = parts;
  // The lane's part with the constant is what sext(u + t) gives away; both are 0 or more.
  if (parts.constant < 0 || parts.laneMax + parts.constant >= offsetLimit) {
    Constant *constant = ConstantInt::getSigned(from, parts.constant, /*ImplicitTrunc=*/true);
    wide.uniform = parts.uniform ? builder.CreateAdd(parts.uniform, constant) : constant;
    wide.constant = 0;
  }
  if (wide.uniform)
    wide.uniform = builder.CreateSExt(wide.uniform, builder.getInt64Ty());
  return wide;
}

Value *AddressSplitter::addToPointer(Value *base, Value *uniform, int64_t constant,
                                     IRBuilderBase &builder) {
  if (uniform)
    base = builder.CreateGEP(builder.getInt8Ty(), base, uniform);
  if (constant)
    base = builder.CreateGEP(builder.getInt8Ty(), base, builder.getInt64(constant));
  return base;
}

//===--------------------------------------------------------------------------===//
// Integers
//===--------------------------------------------------------------------------===//

/// An integer that no rule takes apart is all the lane's own if it is known to be small.
std::optional<AddressSplitter::Parts> AddressSplitter::boundedInteger(Value *value,
                                                                      IRBuilderBase &builder) {
  const unsigned bits = value->getType()->getIntegerBitWidth();
  if (bits < 16 || bits > 64)
    return std::nullopt;
  const APInt most = computeConstantRange(value, /*ForSigned=*/false).getUnsignedMax();
  const APInt maxByBits = computeKnownBits(value, layout).getMaxValue();
  const uint64_t max = APIntOps::umin(most, maxByBits).getZExtValue();
  if (max >= offsetLimit)
    return std::nullopt;
  return Parts{.lane = builder.CreateZExtOrTrunc(value, builder.getInt32Ty()), .laneMax = max};
}

std::optional<AddressSplitter::Parts> AddressSplitter::computeSum(Instruction *value,
                                                                  bool isDifference) {
  std::optional<Parts> a = partsOf(value->getOperandUse(0));
  std::optional<Parts> b = partsOf(value->getOperandUse(1));
  IRBuilder<> builder(value->getParent(), *value->getInsertionPointAfterDef());
  if (!a || !b)
    return std::nullopt;
  if (isDifference) {
    if (b->lane || SubOverflow(int64_t(0), b->constant, b->constant))
      return std::nullopt;
    if (b->uniform)
      b->uniform = builder.CreateNeg(b->uniform);
  }
  return add(*a, *b, builder);
}

std::optional<AddressSplitter::Parts> AddressSplitter::computeExtension(CastInst *value) {
  Type *from = value->getSrcTy();
  // zext(u + t) is not zext(u) + t where u is negative and t is not; where the result is known not
  // to be negative it is the same as sext.
  const bool isSigned = isa<SExtInst>(value) || cast<ZExtInst>(value)->hasNonNeg();
  if (!isSigned || !from->isIntegerTy(32) || !value->getType()->isIntegerTy(64))
    return std::nullopt;
  std::optional<Parts> parts = partsOf(value->getOperandUse(0));
  if (!parts)
    return std::nullopt;
  IRBuilder<> builder(value->getParent(), *value->getInsertionPointAfterDef());
  return signExtend(*parts, from, builder);
}

std::optional<AddressSplitter::Parts> AddressSplitter::computeInteger(Instruction *value) {
  if (!value->getType()->isIntegerTy(32) && !value->getType()->isIntegerTy(64))
    return std::nullopt;
  switch (value->getOpcode()) {
  case Instruction::Add:
    return computeSum(value, /*isDifference=*/false);
  case Instruction::Sub:
    return computeSum(value, /*isDifference=*/true);
  case Instruction::Or:
    return cast<PossiblyDisjointInst>(value)->isDisjoint()
               ? computeSum(value, /*isDifference=*/false)
               : std::nullopt;
  case Instruction::Mul:
  case Instruction::Shl: {
    auto *constant = dyn_cast<ConstantInt>(value->getOperand(1));
    if (!constant || constant->isNegative())
      return std::nullopt;
    std::optional<Parts> parts = partsOf(value->getOperandUse(0));
    const uint64_t number = constant->getZExtValue();
    const bool isShift = value->getOpcode() == Instruction::Shl;
    if (!parts || (isShift && number >= 31))
      return std::nullopt;
    IRBuilder<> builder(value->getParent(), *value->getInsertionPointAfterDef());
    return scale(*parts, isShift ? uint64_t(1) << number : number, builder);
  }
  case Instruction::SExt:
  case Instruction::ZExt:
    return computeExtension(cast<CastInst>(value));
  default:
    return std::nullopt;
  }
}

//===--------------------------------------------------------------------------===//
// Pointers
//===--------------------------------------------------------------------------===//

/// `index`, which no rule takes apart, times `stride` bytes.
AddressSplitter::Parts AddressSplitter::largeOffset(Value *index, uint64_t stride,
                                                    IRBuilderBase &builder) {
  Value *wide = builder.CreateSExtOrTrunc(index, builder.getInt64Ty());
  return Parts{.large = createProduct(wide, stride, /*isSmall=*/false, builder)};
}

std::optional<AddressSplitter::Parts>
AddressSplitter::computeElementPointer(GetElementPtrInst *value) {
  if (value->getType()->isVectorTy() || layout.getIndexTypeSizeInBits(value->getType()) != 64)
    return std::nullopt;
  std::optional<Parts> base = partsOf(value->getOperandUse(0));
  if (!base || !base->uniform)
    return std::nullopt;
  IRBuilder<> builder(value->getParent(), *value->getInsertionPointAfterDef());
  Parts offset;
  for (auto type = gep_type_begin(value), end = gep_type_end(value); type != end; ++type) {
    const Use &index = value->getOperandUse(1 + std::distance(gep_type_begin(value), type));
    std::optional<Parts> term;
    if (StructType *fields = type.getStructTypeOrNull()) {
      const uint64_t field = cast<ConstantInt>(index)->getZExtValue();
      term = Parts{.constant = int64_t(layout.getStructLayout(fields)->getElementOffset(field))};
    } else {
      const TypeSize stride = type.getSequentialElementStride(layout);
      if (stride.isScalable())
        return std::nullopt;
      term = partsOf(index);
      if (term && !index->getType()->isIntegerTy(64))
        term = index->getType()->isIntegerTy(32) ? signExtend(*term, index->getType(), builder)
                                                 : std::nullopt;
      if (term)
        term = scale(*term, stride, builder);
      if (!term)
        term = largeOffset(index, stride, builder);
    }
    if (term)
      term = add(offset, *term, builder);
    if (!term)
      return std::nullopt;
    offset = *term;
  }
  Parts lanes = *base;
  lanes.uniform = nullptr;
  std::optional<Parts> sum = add(lanes, offset, builder);
  if (sum)
    sum->uniform = addToPointer(base->uniform, sum->uniform, 0, builder);
  return sum;
}

/// Whether computeElementPointer gives the parts of `pointer` whatever number is added to the base.
static bool isPlainStep(const GetElementPtrInst &pointer, const DataLayout &layout) {
  if (pointer.getNumIndices() != 1)
    return false;
  const Value *index = *pointer.idx_begin();
  const TypeSize stride = layout.getTypeAllocSize(pointer.getSourceElementType());
  if (stride.isScalable() || stride >= offsetLimit)
    return false;
  const auto *constant = dyn_cast<ConstantInt>(index);
  return (index->getType()->isIntegerTy(32) || index->getType()->isIntegerTy(64)) &&
         (!constant || isInt<32>(constant->getSExtValue()));
}

/// Whether `value` is `phi` with numbers added to it that all lanes share.
bool AddressSplitter::stepsUniformly(Value *value, const PHINode *phi) const {
  while (value != phi) {
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction || isInLoopThatLanesLeave(instruction))
      return false;
    const auto *pointer = dyn_cast<GetElementPtrInst>(instruction);
    const bool isPointer = pointer;
    if (pointer ? !isPlainStep(*pointer, layout) : instruction->getOpcode() != Instruction::Add)
      return false;
    unsigned divergent = 0;
    if (!isPointer && isUniform(instruction->getOperandUse(0)))
      divergent = 1;
    for (const Use &operand : instruction->operands())
      if (operand.getOperandNo() != divergent && !isUniform(operand))
        return false;
    value = instruction->getOperand(divergent);
  }
  return true;
}

/// A pointer or number that a loop moves on: the lane's part stays, the other gets a phi of its
/// own.
std::optional<AddressSplitter::Parts> AddressSplitter::computeLoopPhi(PHINode *phi) {
  Type *type = phi->getType();
  const bool isPointer = type->isPointerTy();
  if (!isPointer && !type->isIntegerTy(32) && !type->isIntegerTy(64))
    return std::nullopt;
  int start = -1;
  for (unsigned index = 0; index < phi->getNumIncomingValues(); ++index) {
    if (stepsUniformly(phi->getIncomingValue(index), phi))
      continue;
    if (start >= 0)
      return std::nullopt;
    start = index;
  }
  if (start < 0 || phi->getNumIncomingValues() < 2)
    return std::nullopt;
  BasicBlock *before = phi->getIncomingBlock(start);
  if (!dominators->dominates(before, phi->getParent()))
    return std::nullopt;
  std::optional<Parts> parts = partsOf(phi->getOperandUse(start));
  if (!parts || parts->large || (isPointer && !parts->uniform))
    return std::nullopt;

  IRBuilder<> builder(before->getTerminator());
  Value *first = parts->uniform;
  if (isPointer)
    first = addToPointer(first, nullptr, parts->constant, builder);
  else if (!first || parts->constant) {
    Constant *constant = ConstantInt::getSigned(type, parts->constant, /*ImplicitTrunc=*/true);
    first = first ? builder.CreateAdd(first, constant) : constant;
  }
  builder.SetInsertPoint(phi);
  PHINode *uniform = builder.CreatePHI(type, phi->getNumIncomingValues());
  Parts result{.uniform = uniform, .lane = parts->lane, .laneMax = parts->laneMax};
  known[phi] = result;
  for (unsigned index = 0; index < phi->getNumIncomingValues(); ++index) {
    BasicBlock *from = phi->getIncomingBlock(index);
    if (int(index) == start) {
      uniform->addIncoming(first, from);
      continue;
    }
    // What stepsUniformly has seen is taken apart by the rules for sums and element pointers.
    std::optional<Parts> step = partsOf(phi->getOperandUse(index));
    Value *next = step->uniform;
    builder.SetInsertPoint(from->getTerminator());
    if (isPointer)
      next = addToPointer(next, nullptr, step->constant, builder);
    else if (step->constant)
      next = builder.CreateAdd(
          next, ConstantInt::getSigned(type, step->constant, /*ImplicitTrunc=*/true));
    uniform->addIncoming(next, from);
  }
  return result;
}
