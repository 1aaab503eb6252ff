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

/// Whether `user` may be selected as an instruction with a constant beside `moved`: an operation
/// with a constant, or a cast, which is a field of bits.
static bool mayHaveConstantBeside(const Instruction *user, const Value *moved) {
  if (isa<BitCastInst>(user))
    return any_of(user->users(), [&](const User *next) {
      return mayHaveConstantBeside(cast<Instruction>(next), user);
    });
  if (isa<CastInst>(user))
    return true;
  if (auto *call = dyn_cast<IntrinsicInst>(user);
      call && Intrinsic::getBaseName(call->getIntrinsicID()).starts_with("llvm.amdgcn."))
    return false;
  if (!isa<BinaryOperator, UnaryOperator, CmpInst, IntrinsicInst>(user))
    return false;
  return any_of(user->operand_values(), [&](const Value *operand) {
    return operand != moved && isa<ConstantData>(operand);
  });
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

/// Whether it is a product of integers, or becomes one: quotients and addresses do.
static bool mayMultiply(const Instruction &instruction) {
  if (auto *intrinsic = dyn_cast<WithOverflowInst>(&instruction))
    return intrinsic->getBinaryOp() == Instruction::Mul;
  return isa<GetElementPtrInst>(instruction) ||
         is_contained({Instruction::Mul, Instruction::UDiv, Instruction::SDiv, Instruction::URem,
                       Instruction::SRem},
                      instruction.getOpcode());
}

/// Whether a word of `moved` may be one of a factor of a product.
static bool isInFactor(const Instruction &moved) {
  SmallSetVector<const Instruction *, 8> values;
  values.insert(&moved);
  for (size_t i = 0; i < values.size(); ++i)
    for (const User *user : values[i]->users()) {
      const auto &instruction = *cast<Instruction>(user);
      if (mayMultiply(instruction))
        return true;
      if (passesWords(instruction))
        values.insert(&instruction);
    }
  return false;
}

bool tilewright::emit::mayCombineLaneMoves(const Module &module, const target::Target &target) {
  constexpr vendor::amd::ProcessorVersion firstWithConstants = {11, 5};
  constexpr vendor::amd::ProcessorVersion firstWithoutProducts = {12, 0};
  const vendor::amd::ProcessorVersion version = vendor::amd::getVersion(target);
  if (version >= firstWithoutProducts)
    for (const Function &function : module)
      for (const Instruction &instruction : instructions(function))
        if (isLaneMove(instruction) && isInFactor(instruction))
          return false;
  if (version >= firstWithConstants)
    return true;
  for (const Function &function : module)
    for (const Instruction &instruction : instructions(function))
      if (isLaneMove(instruction) && any_of(instruction.users(), [&](const User *user) {
            return mayHaveConstantBeside(cast<Instruction>(user), &instruction);
          }))
        return false;
  return true;
}
