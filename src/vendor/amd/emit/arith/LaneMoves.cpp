//===- LaneMoves.cpp - Moves between lanes beside their users -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/arith/LaneMoves.h"

#include "vendor/amd/emit/SchedulerBarrier.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;
using namespace tilewright::emit;

/// Instructions between a move and its user of which LLVM finds the user for sure: it looks at 20
/// of the machine's, some of which are not in LLVM IR.
static constexpr unsigned maxDistance = 12;

/// The move and the casts of its result, up to the one instruction that is none; nothing if there
/// are several users, or in another block.
static SmallVector<Instruction *, 4> chainTo(Instruction &move) {
  SmallVector<Instruction *, 4> chain = {&move};
  while (chain.size() == 1 || isa<BitCastInst>(chain.back())) {
    if (!chain.back()->hasOneUse())
      return {};
    auto *user = cast<Instruction>(chain.back()->user_back());
    if (user->getParent() != move.getParent() || isa<PHINode>(user))
      return {};
    chain.push_back(user);
  }
  return chain;
}

static void placeInBlock(BasicBlock &block) {
  DenseMap<const Instruction *, unsigned> numbers;
  SmallVector<Instruction *> moves;
  unsigned number = 0;
  for (Instruction &instruction : block) {
    numbers[&instruction] = number;
    number += !isa<BitCastInst>(instruction);
    if (auto *call = dyn_cast<IntrinsicInst>(&instruction);
        call && call->getIntrinsicID() == Intrinsic::amdgcn_update_dpp)
      moves.push_back(call);
  }
  for (Instruction *move : moves) {
    SmallVector<Instruction *, 4> chain = chainTo(*move);
    if (chain.empty() || numbers.lookup(chain.back()) - numbers.lookup(move) <= maxDistance)
      continue;
    Instruction *user = chain.pop_back_val();
    for (Instruction *instruction : chain)
      instruction->moveBefore(user->getIterator());
  }
}

void tilewright::emit::placeLaneMovesAtUsers(Function &function) {
  for (BasicBlock &block : function)
    if (!hasNItemsOrMore(block, longBlock))
      placeInBlock(block);
}
