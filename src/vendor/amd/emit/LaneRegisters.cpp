//===- LaneRegisters.cpp - Which values are in vector registers ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/LaneRegisters.h"

#include "vendor/amd/emit/Uniformity.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instructions.h"
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
