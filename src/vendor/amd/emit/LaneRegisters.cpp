//===- LaneRegisters.cpp - Which values are in vector registers ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/LaneRegisters.h"

#include "vendor/amd/emit/Uniformity.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace tilewright::emit;

LaneRegisters::LaneRegisters(Function &function, TargetMachine &machine) {
  registerUniformity(analyses, machine);
  uniformity = &analyses.getResult<UniformityInfoAnalysis>(function);
  for (bool hasChanged = true; hasChanged;) {
    hasChanged = false;
    for (const BasicBlock &block : reverse(function))
      hasChanged |= update(block);
  }
}

unsigned LaneRegisters::getBits(const Value *value) const {
  if (!isa<Instruction, Argument>(value) || !value->getType()->isSized() ||
      uniformity->isUniform(value) || value->getType()->isIntegerTy(1))
    return 0;
  const auto *instruction = dyn_cast<Instruction>(value);
  const DataLayout &layout = instruction ? instruction->getDataLayout()
                                         : cast<Argument>(value)->getParent()->getDataLayout();
  return layout.getTypeSizeInBits(value->getType()).getFixedValue();
}

static constexpr StringLiteral scalarCopy = "=s,0", laneCopy = "=v,0";

/// Whether the call gives a scalar if its operands are such: the number of the block, a minimum or
/// a maximum, or a copy that createCopy has made.
static bool isCallOfScalars(const CallBase &call) {
  if (const auto *assembly = dyn_cast<InlineAsm>(call.getCalledOperand()))
    return assembly->getConstraintString() == scalarCopy;
  const Intrinsic::ID id = call.getIntrinsicID();
  return isa<MinMaxIntrinsic>(call) || id == Intrinsic::amdgcn_workgroup_id_x ||
         id == Intrinsic::amdgcn_workgroup_id_y || id == Intrinsic::amdgcn_workgroup_id_z;
}

/// Whether `value` is computed of the kernel's arguments, of the block's number and of what
/// v_readfirstlane gives alone: of what is surely in scalar registers.
static bool isMadeOfScalars(const Value *value) {
  SmallPtrSet<const Value *, 16> seen = {value};
  SmallVector<const Value *> open = {value};
  while (!open.empty()) {
    const auto *instruction = dyn_cast<Instruction>(open.pop_back_val());
    if (!instruction)
      continue;
    if (isa<IntrinsicInst>(instruction) &&
        cast<IntrinsicInst>(instruction)->getIntrinsicID() == Intrinsic::amdgcn_readfirstlane)
      continue;
    const auto *call = dyn_cast<CallBase>(instruction);
    if (call ? !isCallOfScalars(*call) : instruction->mayReadOrWriteMemory())
      return false;
    for (const Value *operand : instruction->operands())
      if (seen.insert(operand).second)
        open.push_back(operand);
  }
  return true;
}

Value *LaneRegisters::createCopy(IRBuilder<> &builder, Value *value) const {
  const bool isOfLanes = getBits(value) != 0;
  if (!isOfLanes && !isMadeOfScalars(value))
    return value;
  auto *type = FunctionType::get(value->getType(), {value->getType()}, /*isVarArg=*/false);
  const StringRef constraints = isOfLanes ? laneCopy : scalarCopy;
  return builder.CreateCall(InlineAsm::get(type, "", constraints, /*hasSideEffects=*/false),
                            {value});
}

/// The value whose registers `value` is in: an address with the rest in the instruction is where
/// what differs between lanes is.
const Value *LaneRegisters::getHolder(const Value *value) const {
  while (const auto *address = dyn_cast<GetElementPtrInst>(value)) {
    const Value *only = nullptr;
    for (const Value *operand : address->operands())
      if (getBits(operand))
        if (std::exchange(only, operand))
          return value;
    if (!only)
      return value;
    value = only;
  }
  if (const auto *extended = dyn_cast<ZExtInst>(value))
    return extended->getOperand(0);
  return value;
}

void LaneRegisters::stepBack(Values &alive, const Instruction &instruction) const {
  alive.erase(&instruction);
  if (isa<PHINode>(instruction))
    return;
  for (const Value *operand : instruction.operands())
    if (const Value *holder = getHolder(operand); getBits(holder))
      alive.insert(holder);
}

/// Says whether what is alive at the beginning of `block` has become more.
bool LaneRegisters::update(const BasicBlock &block) {
  Values alive;
  for (const BasicBlock *next : successors(&block)) {
    const Values &begin = begins[next];
    alive.insert_range(begin);
    for (const PHINode &phi : next->phis())
      if (const Value *holder = getHolder(phi.getIncomingValueForBlock(&block)); getBits(holder))
        alive.insert(holder);
  }
  ends[&block] = alive;
  for (const Instruction &instruction : reverse(block))
    stepBack(alive, instruction);
  Values &begin = begins[&block];
  if (alive.size() == begin.size())
    return false;
  begin = std::move(alive);
  return true;
}
