//===- CommonBase.cpp - Addresses without their constants ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/address/CommonBase.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace tilewright::emit;

CommonBase::CommonBase(Function &function)
    : function(function), layout(function.getDataLayout()), dominators(function) {
  next.push_back(&*function.getEntryBlock().getFirstInsertionPt());
  for (BasicBlock &block : function)
    for (Instruction &instruction : block) {
      places[&instruction] = {&block, unsigned(next.size())};
      Instruction *after = instruction.getNextNode();
      next.push_back(isa_and_nonnull<PHINode>(after) ? &*block.getFirstInsertionPt() : after);
    }
}

CommonBase::Place CommonBase::placeOf(Value *value) const {
  auto found = places.find(value);
  return found == places.end() ? Place{&function.getEntryBlock(), 0} : found->second;
}

/// Compares two places one of which is on all ways to the other.
bool CommonBase::isAfter(Place a, Place b) const {
  return a.block == b.block ? a.number > b.number : dominators.dominates(b.block, a.block);
}

/// The instruction of `key`, made once: after the later of its operands. Those that are made there
/// stand in the order in which they are made.
Value *CommonBase::getCommon(const Key &key, function_ref<Value *(IRBuilderBase &)> create) {
  Value *&value = common[key];
  if (value)
    return value;
  auto [opcode, type, first, second] = key;
  Place place = placeOf(first);
  if (second) {
    const Place other = placeOf(second);
    if (isAfter(other, place))
      place = other;
  }
  IRBuilder<> builder(next[place.number]);
  value = create(builder);
  if (isa<Instruction>(value))
    places[value] = place;
  return value;
}

BaseAndConstant CommonBase::split(Value *value) {
  if (auto *number = dyn_cast<ConstantInt>(value); number && number->getBitWidth() <= 64)
    return {nullptr, number->getSExtValue()};
  auto *instruction = dyn_cast<Instruction>(value);
  // What is before the first instruction of its block that is no phi has no place of its own.
  if (!instruction || isa<PHINode>(instruction))
    return {value, 0};
  if (auto found = known.find(value); found != known.end())
    return found->second;
  const BaseAndConstant parts = compute(instruction);
  known[value] = parts;
  return parts;
}

BaseAndConstant CommonBase::compute(Instruction *value) {
  if (auto *pointer = dyn_cast<GetElementPtrInst>(value))
    return computeElementPointer(pointer);
  if (!value->getType()->isIntegerTy(32) && !value->getType()->isIntegerTy(64))
    return {value, 0};
  switch (value->getOpcode()) {
  case Instruction::Or:
    if (!cast<PossiblyDisjointInst>(value)->isDisjoint())
      return {value, 0};
    [[fallthrough]];
  case Instruction::Add: {
    const BaseAndConstant a = split(value->getOperand(0)), b = split(value->getOperand(1));
    BaseAndConstant sum;
    if (AddOverflow(a.constant, b.constant, sum.constant))
      return {value, 0};
    sum.base = a.base ? a.base : b.base;
    if (a.base && b.base) {
      // In one order, so that a + b and b + a are the same.
      Value *first = a.base, *second = b.base;
      if (isAfter(placeOf(second), placeOf(first)))
        std::swap(first, second);
      sum.base =
          getCommon({Instruction::Add, value->getType(), first, second},
                    [&](IRBuilderBase &builder) { return builder.CreateAdd(first, second); });
    }
    return sum;
  }
  case Instruction::Shl:
    if (auto *count = dyn_cast<ConstantInt>(value->getOperand(1));
        count && count->getValue().ult(31))
      return computeScaled(value, uint64_t(1) << count->getZExtValue());
    return {value, 0};
  case Instruction::Mul:
    if (auto *factor = dyn_cast<ConstantInt>(value->getOperand(1));
        factor && !factor->isNegative() && factor->getValue().isIntN(31))
      return computeScaled(value, factor->getZExtValue());
    return {value, 0};
  case Instruction::SExt:
  case Instruction::ZExt:
    return computeExtension(cast<CastInst>(value));
  default:
    return {value, 0};
  }
}

BaseAndConstant CommonBase::computeScaled(Instruction *value, uint64_t factor) {
  const BaseAndConstant parts = split(value->getOperand(0));
  BaseAndConstant product;
  if (!parts.base || MulOverflow(parts.constant, int64_t(factor), product.constant))
    return {value, 0};
  Type *type = value->getType();
  product.base =
      getCommon({Instruction::Mul, type, parts.base, ConstantInt::get(type, factor)},
                [&](IRBuilderBase &builder) {
                  return isPowerOf2_64(factor)
                             ? builder.CreateShl(parts.base, Log2_64(factor))
                             : builder.CreateMul(parts.base, ConstantInt::get(type, factor));
                });
  return product;
}

/// ext(b + c) is ext(b) + c where c only has bits that b does not have.
BaseAndConstant CommonBase::computeExtension(CastInst *value) {
  Type *from = value->getSrcTy();
  const BaseAndConstant parts = split(value->getOperand(0));
  if (!from->isIntegerTy(32) || !parts.base || !isInt<32>(parts.constant) || parts.constant < 0)
    return {value, 0};
  const APInt constant(32, uint64_t(parts.constant));
  if (parts.constant && !constant.isSubsetOf(computeKnownBits(parts.base, layout).Zero))
    return {value, 0};
  Value *base = getCommon(
      {value->getOpcode(), value->getType(), parts.base, nullptr}, [&](IRBuilderBase &builder) {
        return builder.CreateCast(value->getOpcode(), parts.base, value->getType());
      });
  return {base, parts.constant};
}

BaseAndConstant CommonBase::computeElementPointer(GetElementPtrInst *value) {
  if (value->getType()->isVectorTy() || value->getNumIndices() != 1 ||
      layout.getIndexTypeSizeInBits(value->getType()) != 64)
    return {value, 0};
  const TypeSize stride = layout.getTypeAllocSize(value->getSourceElementType());
  Value *index = value->getOperand(1);
  if (stride.isScalable() || !index->getType()->isIntegerTy(64))
    return {value, 0};
  const BaseAndConstant pointer = split(value->getPointerOperand()), offset = split(index);
  BaseAndConstant sum;
  if (MulOverflow(offset.constant, int64_t(stride), sum.constant) ||
      AddOverflow(pointer.constant, sum.constant, sum.constant))
    return {value, 0};
  sum.base = pointer.base;
  if (offset.base)
    sum.base = getCommon(
        {Instruction::GetElementPtr, value->getSourceElementType(), pointer.base, offset.base},
        [&](IRBuilderBase &builder) {
          return builder.CreateGEP(value->getSourceElementType(), pointer.base, offset.base);
        });
  return sum;
}
