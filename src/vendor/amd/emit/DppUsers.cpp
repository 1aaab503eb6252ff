//===- DppUsers.cpp - Lane moves folded into their users as DPP operands ------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/DppUsers.h"

#include "vendor/amd/lower/Processor.h"

#include "llvm/ADT/SetVector.h"
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
/// cast, a choice of words, or their concatenation.
static bool passesWords(const Instruction &instruction) {
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

/// Whether `user` may be selected as an instruction with a constant beside a word of `moved`: an
/// operation with a constant, a cast, which is a field of bits, or a count of bits, which is added
/// to 0.
static bool mayHaveConstantBeside(const Instruction &user, const Value *moved) {
  if (onlyRenamesWords(user, moved))
    return false;
  if (isa<CastInst>(user))
    return true;
  if (auto *call = dyn_cast<IntrinsicInst>(&user)) {
    if (Intrinsic::getBaseName(call->getIntrinsicID()).starts_with("llvm.amdgcn."))
      return false;
    if (call->getIntrinsicID() == Intrinsic::ctpop)
      return true;
  } else if (!isa<BinaryOperator, UnaryOperator, CmpInst>(user)) {
    return false;
  }
  return any_of(user.operand_values(), [&](const Value *operand) {
    return operand != moved && isa<ConstantData>(operand);
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

/// Whether it shifts a number of more than a word by `distance`.
static bool isWideShift(const Instruction &instruction, const Value *distance) {
  return instruction.isShift() && instruction.getType()->getScalarSizeInBits() > 32 &&
         instruction.getOperand(1) == distance;
}

/// Whether the pass can make `moved` an operand of what uses it or a word of it.
static bool canCombine(const Instruction &moved, vendor::amd::ProcessorVersion version) {
  constexpr vendor::amd::ProcessorVersion firstWithConstants = {11, 5};
  constexpr vendor::amd::ProcessorVersion firstWithoutProducts = {12, 0};
  SmallSetVector<const Instruction *, 8> values;
  values.insert(&moved);
  for (size_t i = 0; i < values.size(); ++i)
    for (const User *user : values[i]->users()) {
      const auto &instruction = *cast<Instruction>(user);
      if (isWideShift(instruction, values[i]) ||
          (version >= firstWithoutProducts && mayMultiply(instruction)) ||
          (!(version >= firstWithConstants) && mayHaveConstantBeside(instruction, values[i])))
        return false;
      if (passesWords(instruction))
        values.insert(&instruction);
    }
  return true;
}

bool tilewright::emit::mayCombineLaneMoves(const Module &module, const target::Target &target) {
  const vendor::amd::ProcessorVersion version = vendor::amd::getVersion(target);
  for (const Function &function : module)
    for (const Instruction &instruction : instructions(function))
      if (isLaneMove(instruction) && !canCombine(instruction, version))
        return false;
  return true;
}
