//===- LoopSums.cpp - Sums of loop counters and lanes' numbers ----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/address/LoopSums.h"

#include "vendor/amd/emit/LaneRegisters.h"
#include "vendor/amd/emit/matrix/MatrixInstructions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace tilewright::emit;

namespace {
/// counter + (lane + constant), in a block with products.
struct Sum {
  Instruction *whole;
  Value *counter, *lane;
  ConstantInt *constant;
};
} // namespace

/// The sum that `instruction` is, if what it adds to the counter comes from another block and all
/// its uses are such sums of this one.
static std::optional<Sum> getSum(Instruction &instruction, const LaneRegisters &registers) {
  if (!instruction.getType()->isIntegerTy(32))
    return std::nullopt;
  Value *left, *right;
  if (!match(&instruction, m_Add(m_Value(left), m_Value(right))))
    return std::nullopt;
  if (registers.getBits(left) != 0)
    std::swap(left, right);
  auto *other = dyn_cast<Instruction>(right);
  Value *lane;
  ConstantInt *constant;
  if (isa<Constant>(left) || registers.getBits(left) != 0 || !other ||
      other->getParent() == instruction.getParent() ||
      !match(other, m_AddLike(m_Value(lane), m_ConstantInt(constant))))
    return std::nullopt;
  const bool isForBlockAlone = all_of(other->users(), [&](const User *user) {
    const auto *sum = cast<Instruction>(user);
    return sum->getParent() == instruction.getParent() && sum->getOpcode() == Instruction::Add;
  });
  return isForBlockAlone ? std::optional(Sum{&instruction, left, lane, constant}) : std::nullopt;
}

static void rewrite(BasicBlock &block, const LaneRegisters &registers) {
  // Of one counter and lane's number in the order of the block: the first makes their sum.
  MapVector<std::pair<Value *, Value *>, SmallVector<Sum>> groups;
  for (Instruction &instruction : block)
    if (std::optional<Sum> sum = getSum(instruction, registers))
      groups[{sum->counter, sum->lane}].push_back(*sum);
  for (const auto &[terms, sums] : groups) {
    if (sums.size() < 2)
      continue;
    Value *at = IRBuilder<>(sums.front().whole).CreateAdd(sums.front().counter, sums.front().lane);
    for (const Sum &sum : sums) {
      Value *added = IRBuilder<>(sum.whole).CreateAdd(at, sum.constant);
      sum.whole->replaceAllUsesWith(added);
      sum.whole->eraseFromParent();
    }
  }
}

void tilewright::emit::addConstantsLast(Function &function, TargetMachine &machine) {
  SmallVector<BasicBlock *> blocks;
  for (BasicBlock &block : function)
    if (hasProducts(block))
      blocks.push_back(&block);
  if (blocks.empty())
    return;
  const LaneRegisters registers(function, machine);
  for (BasicBlock *block : blocks)
    rewrite(*block, registers);
}
