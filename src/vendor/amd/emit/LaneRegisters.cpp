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
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace tilewright::emit;

LaneRegisters::LaneRegisters(Function &function, TargetMachine &machine) {
  registerUniformity(analyses, machine);
  uniformity = &analyses.getResult<UniformityInfoAnalysis>(function);
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

bool tilewright::emit::isMadeOfScalars(const Value *value) {
  SmallPtrSet<const Value *, 16> seen = {value};
  SmallVector<const Value *> open = {value};
  while (!open.empty()) {
    const auto *instruction = dyn_cast<Instruction>(open.pop_back_val());
    if (!instruction)
      continue;
    const auto *call = dyn_cast<CallBase>(instruction);
    if (call && call->getIntrinsicID() == Intrinsic::amdgcn_readfirstlane)
      continue;
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

unsigned LaneRegisters::getFilledBits(const Value *value) const {
  const unsigned bits = getBits(value);
  if (const auto *shuffle = dyn_cast<ShuffleVectorInst>(value)) {
    const ArrayRef<int> mask = shuffle->getShuffleMask();
    return bits / mask.size() * count_if(mask, [](int from) { return from >= 0; });
  }
  // Back to the first insertion, or to a vector that is whole.
  unsigned inserted = 0;
  while (const auto *insertion = dyn_cast<InsertElementInst>(value)) {
    inserted += insertion->getOperand(1)->getType()->getPrimitiveSizeInBits();
    value = insertion->getOperand(0);
  }
  return isa<UndefValue>(value) ? std::min(bits, inserted) : bits;
}

void LaneRegisters::stepBack(Values &alive, const Instruction &instruction,
                             function_ref<void(const Value *, bool isAlive)> change) const {
  if (alive.erase(&instruction))
    change(&instruction, /*isAlive=*/false);
  if (isa<PHINode>(instruction))
    return;
  for (const Value *operand : instruction.operands())
    if (const Value *holder = getHolder(operand); getBits(holder) && alive.insert(holder).second)
      change(holder, /*isAlive=*/true);
}

LaneLiveness::LaneLiveness(const Function &function, const LaneRegisters &registers)
    : registers(registers) {
  auto addValue = [&](const Value &value) {
    if (registers.getBits(&value) == 0)
      return;
    numbers[&value] = values.size();
    values.push_back(&value);
  };
  for (const Argument &argument : function.args())
    addValue(argument);
  for (const Instruction &instruction : instructions(function))
    addValue(instruction);
  for (const BasicBlock &block : function)
    collect(block);
  for (bool hasChanged = true; hasChanged;) {
    hasChanged = false;
    for (const BasicBlock &block : reverse(function))
      hasChanged |= update(block);
  }
}

/// The number of what holds `value`, if that is in vector registers.
std::optional<unsigned> LaneLiveness::findNumber(const Value *value) const {
  auto found = numbers.find(registers.getHolder(value));
  return found == numbers.end() ? std::nullopt : std::optional(found->second);
}

/// What `source` itself uses and defines, and what of the next blocks' phis is alive at its end.
void LaneLiveness::collect(const BasicBlock &source) {
  Block &block = blocks[&source];
  for (BitVector *set : {&block.used, &block.defined, &block.begin, &block.end})
    set->resize(values.size());
  for (const Instruction &instruction : reverse(source)) {
    if (auto found = numbers.find(&instruction); found != numbers.end()) {
      block.defined.set(found->second);
      block.used.reset(found->second);
    }
    if (isa<PHINode>(instruction))
      continue;
    for (const Value *operand : instruction.operands())
      if (std::optional<unsigned> number = findNumber(operand))
        block.used.set(*number);
  }
  for (const BasicBlock *next : successors(&source))
    for (const PHINode &phi : next->phis())
      if (std::optional<unsigned> number = findNumber(phi.getIncomingValueForBlock(&source)))
        block.end.set(*number);
}

/// Says whether more is alive at the beginning of `source` than was known.
bool LaneLiveness::update(const BasicBlock &source) {
  Block &block = blocks.find(&source)->second;
  for (const BasicBlock *next : successors(&source))
    block.end |= blocks.find(next)->second.begin;
  BitVector begin = block.end;
  begin.reset(block.defined);
  begin |= block.used;
  if (begin == block.begin)
    return false;
  block.begin = std::move(begin);
  return true;
}

LaneRegisters::Values LaneLiveness::getAliveAtEnd(const BasicBlock &block) const {
  LaneRegisters::Values alive;
  for (unsigned number : blocks.find(&block)->second.end.set_bits())
    alive.insert(values[number]);
  return alive;
}
