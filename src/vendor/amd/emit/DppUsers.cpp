//===- DppUsers.cpp - Lane moves folded into their users as DPP operands ------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/DppUsers.h"

#include "target/AmdProcessor.h"
#include "vendor/amd/emit/Uniformity.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace tilewright;

static bool isLaneMove(const Instruction &instruction) {
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  if (!call)
    return false;
  switch (call->getIntrinsicID()) {
  case Intrinsic::amdgcn_update_dpp:
  case Intrinsic::amdgcn_mov_dpp:
  case Intrinsic::amdgcn_mov_dpp8:
    return true;
  default:
    return false;
  }
}

/// Whether the words of an operand may be words of the result, in the registers that they are in: a
/// cast, a choice of words, or their concatenation; also a sum with a constant, of which a product
/// is made a product of its own, (x + 1) y = x y + y.
static bool passesWords(const Instruction &instruction) {
  if (instruction.getOpcode() == Instruction::Add && isa<ConstantData>(instruction.getOperand(1)))
    return true;
  return isa<CastInst, FreezeInst, ExtractElementInst, InsertElementInst, ShuffleVectorInst,
             ExtractValueInst, InsertValueInst>(instruction) ||
         is_contained({Instruction::Or, Instruction::And, Instruction::Shl, Instruction::LShr,
                       Instruction::AShr},
                      instruction.getOpcode());
}

/// Whether it only names words of `operand`, or puts them together: no instruction does that.
static bool onlyRenamesWords(const Instruction &instruction, const Value *operand) {
  const auto isWords = [](const Type *type) { return type->getScalarSizeInBits() >= 32; };
  if (isa<TruncInst, ZExtInst>(instruction))
    return isWords(instruction.getType()) && isWords(operand->getType());
  if (isa<BitCastInst, FreezeInst>(instruction))
    return true;
  auto *shift = dyn_cast<BinaryOperator>(&instruction);
  auto *distance =
      shift && shift->isLogicalShift() ? dyn_cast<ConstantInt>(shift->getOperand(1)) : nullptr;
  return distance && distance->getValue().urem(32) == 0;
}

/// Whether `user` may be selected as an instruction with a constant or a scalar register beside a
/// word of `moved`: one with such an operand, a cast, which is a field of bits, or a count of bits,
/// which is added to 0.
static bool mayHaveScalarBeside(const Instruction &user, const Value *moved,
                                const UniformityInfo &uniformity) {
  if (onlyRenamesWords(user, moved))
    return false;
  if (isa<CastInst>(user))
    return true;
  ArrayRef<Use> operands(user.op_begin(), user.op_end());
  if (auto *call = dyn_cast<IntrinsicInst>(&user)) {
    if (call->getIntrinsicID() == Intrinsic::ctpop)
      return true;
    // They move what they take.
    if (call->isConvergent())
      return false;
    operands = operands.take_front(call->arg_size());
  } else if (isa<SelectInst>(user)) {
    operands = operands.drop_front();
  } else if (!isa<BinaryOperator, UnaryOperator, CmpInst>(user)) {
    return false;
  }
  return any_of(operands, [&](const Use &operand) {
    return operand != moved && uniformity.isUniform(operand);
  });
}

/// Whether it is a product of integers, or becomes one: quotients and addresses do.
static bool mayMultiply(const Instruction &instruction) {
  if (auto *intrinsic = dyn_cast<WithOverflowInst>(&instruction))
    return intrinsic->getBinaryOp() == Instruction::Mul;
  return isa<GetElementPtrInst>(instruction) ||
         is_contained({Instruction::Mul, Instruction::UDiv, Instruction::SDiv, Instruction::URem,
                       Instruction::SRem},
                      instruction.getOpcode());
}

/// Whether the result has two words and what may be moved is one of another kind: an integer that
/// becomes a double, the distance of a shift, an exponent.
static bool widensWord(const Instruction &instruction, const Value *moved) {
  if (instruction.getType()->getScalarSizeInBits() <= 32)
    return false;
  if (auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction))
    return intrinsic->getIntrinsicID() == Intrinsic::ldexp && intrinsic->getArgOperand(1) == moved;
  return isa<SIToFPInst, UIToFPInst>(instruction) ||
         (instruction.isShift() && instruction.getOperand(1) == moved);
}

/// Whether the pass can make `moved` an operand of what uses it or a word of it. `uniformity` is of
/// its function, or null where scalars may stand beside moves.
static bool canCombine(const Instruction &moved, const UniformityInfo *uniformity,
                       bool hasProducts) {
  SmallSetVector<const Instruction *, 8> values;
  values.insert(&moved);
  for (size_t i = 0; i < values.size(); ++i)
    for (const User *user : values[i]->users()) {
      const auto &instruction = *cast<Instruction>(user);
      if (widensWord(instruction, values[i]) || (!hasProducts && mayMultiply(instruction)) ||
          (uniformity && mayHaveScalarBeside(instruction, values[i], *uniformity)))
        return false;
      if (passesWords(instruction))
        values.insert(&instruction);
    }
  return true;
}

bool tilewright::emit::mayCombineLaneMoves(Module &module, TargetMachine &machine,
                                           const target::Target &target) {
  const target::amd::Processor &processor = target::amd::processorOf(target);
  for (Function &function : module) {
    SmallVector<const Instruction *> moves;
    for (const Instruction &instruction : instructions(function))
      if (isLaneMove(instruction))
        moves.push_back(&instruction);
    if (moves.empty())
      continue;
    FunctionAnalysisManager analyses;
    const UniformityInfo *uniformity = nullptr;
    if (!processor.hasScalarsWithDpp) {
      registerUniformity(analyses, machine);
      uniformity = &analyses.getResult<UniformityInfoAnalysis>(function);
    }
    if (!all_of(moves, [&](const Instruction *move) {
          return canCombine(*move, uniformity, processor.hasProductsWithDpp);
        }))
      return false;
  }
  return true;
}
