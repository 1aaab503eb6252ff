//===- EdgeValues.cpp - Values that one way out of a block wants --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/products/EdgeValues.h"

#include "vendor/amd/emit/products/MatrixInstructions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace tilewright::emit;

/// Whether `instruction` may be executed behind a branch instead.
static bool mayMove(const Instruction &instruction) {
  const auto *call = dyn_cast<CallBase>(&instruction);
  return isPure(instruction) && !(call && call->isConvergent());
}

/// What `from` computes for the phis of `to` alone, users first.
static SmallSetVector<Instruction *, 16> findValues(BasicBlock &from, const BasicBlock &to) {
  SmallSetVector<Instruction *, 16> values;
  auto isOnEdge = [&](const Use &use) {
    auto *user = cast<Instruction>(use.getUser());
    const auto *phi = dyn_cast<PHINode>(user);
    return phi ? phi->getParent() == &to && phi->getIncomingBlock(use) == &from
               : values.contains(user);
  };
  for (Instruction &instruction : reverse(from))
    if (mayMove(instruction) && !instruction.use_empty() && all_of(instruction.uses(), isOnEdge))
      values.insert(&instruction);
  return values;
}

static void moveToEdge(BranchInst &branch, unsigned way, ArrayRef<Instruction *> values) {
  BasicBlock *from = branch.getParent(), *to = branch.getSuccessor(way);
  BasicBlock *edge = BasicBlock::Create(to->getContext(), "", to->getParent(), to);
  IRBuilder<>(edge).CreateBr(to)->setDebugLoc(branch.getDebugLoc());
  branch.setSuccessor(way, edge);
  to->replacePhiUsesWith(from, edge);
  for (Instruction *value : values)
    value->moveBefore(*edge, edge->begin());
}

void tilewright::emit::computeOnEdges(Function &function, unsigned scalarRegisters) {
  if (none_of(function, hasProducts))
    return;
  const DominatorTree dominators(function);
  SmallVector<BranchInst *> branches;
  for (BasicBlock &block : function)
    if (auto *branch = dyn_cast<BranchInst>(block.getTerminator());
        branch && branch->isConditional() && branch->getSuccessor(0) != branch->getSuccessor(1) &&
        !hasProducts(block))
      branches.push_back(branch);
  for (BranchInst *branch : branches)
    for (unsigned way = 0; way < 2; ++way) {
      BasicBlock *from = branch->getParent(), *to = branch->getSuccessor(way);
      // The way back to a loop's beginning is no way out.
      if (to->phis().empty() || dominators.dominates(to, from))
        continue;
      if (auto values = findValues(*from, *to); values.size() > scalarRegisters)
        moveToEdge(*branch, way, values.getArrayRef());
    }
}
