//===- DualOperands.cpp - Arithmetic that is issued in twos -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/arith/DualOperands.h"

#include "vendor/amd/emit/LaneRegisters.h"
#include "vendor/amd/emit/matrix/MatrixInstructions.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace tilewright::emit;

/// Fewer users are not worth a register.
static constexpr unsigned minUsers = 8;

/// More values of a block would take registers that fragments need: the scales of rows and columns
/// of a scaled product, where attention has a row's maximum and factor.
static constexpr unsigned maxValues = 4;

static bool isSum(const Value *value) {
  return match(value, m_FAdd(m_Value(), m_Value())) || match(value, m_FSub(m_Value(), m_Value()));
}

static bool isMultiplication(const Value *value) {
  return match(value, m_FMul(m_Value(), m_Value()));
}

void tilewright::emit::fuseButSharedProducts(Function &function) {
  for (BasicBlock &block : function) {
    const bool areApart = hasProducts(block);
    for (Instruction &instruction : block)
      if (isSum(&instruction))
        instruction.setHasAllowContract(true);
      else if (isMultiplication(&instruction))
        instruction.setHasAllowContract(!areApart || !instruction.getType()->isFloatTy() ||
                                        all_of(instruction.users(), isSum));
  }
}

/// Whether the product `value` becomes part of multiply-adds.
static bool isFused(const Value *value) {
  return isMultiplication(value) && cast<Instruction>(value)->hasAllowContract() &&
         all_of(value->users(), isSum);
}

/// Whether `instruction` has a dual form. A product with itself has one register in any case.
static bool isDual(const Instruction &instruction) {
  return instruction.getType()->isFloatTy() &&
         (isSum(&instruction) || isMultiplication(&instruction)) && !isFused(&instruction) &&
         none_of(instruction.operands(), [](const Use &operand) { return isFused(operand); }) &&
         instruction.getOperand(0) != instruction.getOperand(1);
}

/// The place of `operand`'s other operand in a vector, which is the place of its register among
/// those of the vector; where it is none, `ordinal`.
static unsigned getPlace(const Use &operand, unsigned ordinal) {
  const Value *other = operand.getUser()->getOperand(1 - operand.getOperandNo());
  uint64_t place;
  return match(other, m_ExtractElt(m_Value(), m_ConstantInt(place))) ? place : ordinal;
}

using Operands = MapVector<Value *, SmallVector<Use *>>;

/// Adds to `shared` the values that many sums and products of `block` take, with the operands that
/// they are.
static void addSharedOperands(BasicBlock &block, Operands &shared) {
  Operands operands;
  for (Instruction &instruction : block) {
    if (!isDual(instruction))
      continue;
    for (Use &operand : instruction.operands())
      if (isa<Instruction, Argument>(operand))
        operands[operand].push_back(&operand);
  }
  operands.remove_if([](const auto &entry) { return entry.second.size() < minUsers; });
  if (operands.size() <= maxValues)
    for (auto &[value, uses] : operands)
      append_range(shared[value], uses);
}

static BasicBlock::iterator getPlaceBehind(Value *value) {
  if (auto *instruction = dyn_cast<Instruction>(value))
    return *instruction->getInsertionPointAfterDef();
  return cast<Argument>(value)->getParent()->getEntryBlock().getFirstInsertionPt();
}

/// Makes `value` a vector of two, which LLVM does not know to be the same. Every second one of
/// `uses` takes the second, all others the first.
static void useTwoRegisters(Value *value, ArrayRef<Use *> uses) {
  const BasicBlock::iterator place = getPlaceBehind(value);
  IRBuilder<> builder(place->getParent(), place);
  auto *pairType = FixedVectorType::get(value->getType(), 2);
  auto *copy = builder.CreateCall(
      InlineAsm::get(FunctionType::get(pairType, {pairType}, /*isVarArg=*/false), "", "=v,0",
                     /*hasSideEffects=*/false),
      {PoisonValue::get(pairType)});
  copy->setDoesNotAccessMemory();
  Value *halves[] = {builder.CreateExtractElement(copy, uint64_t(0)),
                     builder.CreateExtractElement(copy, uint64_t(1))};
  for (auto [ordinal, use] : enumerate(uses))
    if (getPlace(*use, ordinal) % 2)
      use->set(halves[1]);
  value->replaceAllUsesWith(halves[0]);
  builder.SetInsertPoint(copy);
  copy->setArgOperand(0, builder.CreateVectorSplat(2, value));
}

/// Has `value`, which is made of scalars, in a scalar register, which both instructions of two may
/// read: processors without scalar instructions for f32 make it in a vector register.
static void useScalarRegister(Value *value) {
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || !isMadeOfScalars(value) || isa<PHINode>(instruction))
    return;
  const BasicBlock::iterator place = getPlaceBehind(value);
  IRBuilder<> builder(place->getParent(), place);
  auto *scalar = builder.CreateIntrinsic(Intrinsic::amdgcn_readfirstlane, {value->getType()},
                                         {PoisonValue::get(value->getType())});
  value->replaceAllUsesWith(scalar);
  scalar->setArgOperand(0, value);
}

void tilewright::emit::doubleSharedOperands(Function &function, TargetMachine &machine) {
  Operands shared;
  for (BasicBlock &block : function)
    if (hasProducts(block))
      addSharedOperands(block, shared);
  if (shared.empty())
    return;
  const bool hasScalarFloats = machine.getMCSubtargetInfo()->checkFeatures("+salu-float");
  const LaneRegisters registers(function, machine);
  // Asked before any of them changes: the analysis knows nothing of what is new.
  SmallVector<bool> areUniform =
      map_to_vector(shared, [&](const auto &entry) { return registers.getBits(entry.first) == 0; });
  for (const auto &[entry, isUniform] : zip_equal(shared, areUniform)) {
    if (!isUniform)
      useTwoRegisters(entry.first, entry.second);
    else if (!hasScalarFloats)
      useScalarRegister(entry.first);
  }
}
