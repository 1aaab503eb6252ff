//===- SharedAddresses.cpp - Addresses of LDS in blocks of products -----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/matrix/SharedAddresses.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace tilewright::emit;

static constexpr unsigned sharedSpace = 3;

/// The operand of `access` that is an address of LDS; null if there is none.
static Use *getSharedAddress(Instruction &access) {
  if (!isa<LoadInst, StoreInst>(access))
    return nullptr;
  const unsigned number = isa<LoadInst>(access) ? LoadInst::getPointerOperandIndex()
                                                : StoreInst::getPointerOperandIndex();
  Use &address = access.getOperandUse(number);
  return address->getType()->getPointerAddressSpace() == sharedSpace ? &address : nullptr;
}

/// The steps from `address` back to the one that changes bits of another address, none of which
/// `block` makes; empty if it is no such address.
static SmallVector<Instruction *> getSteps(Value *address, const BasicBlock &block) {
  SmallVector<Instruction *> steps;
  while (auto *step = dyn_cast<Instruction>(address)) {
    if (step->getParent() == &block)
      return {};
    steps.push_back(step);
    if (step->getType()->isIntegerTy(32) && match(step, m_Xor(m_Value(), m_ConstantInt())))
      return steps;
    auto *sum = dyn_cast<GetElementPtrInst>(step);
    if (!sum || sum->getNumIndices() != 1)
      return {};
    Value *base = sum->getPointerOperand(), *index = sum->getOperand(1);
    if (isa<Constant>(base) == isa<Constant>(index))
      return {};
    address = isa<Constant>(index) ? base : index;
  }
  return {};
}

SharedAddresses::SharedAddresses(BasicBlock &block) : block(block) {
  if (!is_contained(successors(&block), &block))
    return;
  for (Instruction &access : block)
    if (Use *address = getSharedAddress(access))
      if (const SmallVector<Instruction *> steps = getSteps(*address, block); !steps.empty())
        changed.insert(steps.back());
}

/// `base` as the loop carries it from iteration to iteration, in one register: LLVM does not know
/// that it stays the same, and computes nothing of it ahead of the loop.
static Value *carry(Value *base, BasicBlock &block) {
  IRBuilder<> builder(&block, block.begin());
  PHINode *carried = builder.CreatePHI(base->getType(), 2);
  auto *type = FunctionType::get(base->getType(), {base->getType()}, /*isVarArg=*/false);
  builder.SetInsertPoint(block.getTerminator());
  Value *next =
      builder.CreateCall(InlineAsm::get(type, "", "=v,0", /*hasSideEffects=*/false), {carried});
  for (BasicBlock *before : predecessors(&block))
    carried->addIncoming(before == &block ? next : base, before);
  return carried;
}

void SharedAddresses::computeAgain() {
  DenseMap<Value *, Value *> carried;
  for (Instruction &access : make_early_inc_range(block)) {
    Use *address = getSharedAddress(access);
    if (!address)
      continue;
    const SmallVector<Instruction *> steps = getSteps(*address, block);
    if (steps.empty())
      continue;
    Value *from = steps.back()->getOperand(0);
    Value *&base = carried[from];
    if (!base)
      base = carry(from, block);
    Value *to = base;
    for (Instruction *step : reverse(steps)) {
      Instruction *again = step->clone();
      again->insertBefore(access.getIterator());
      again->replaceUsesOfWith(from, to);
      from = step;
      to = again;
    }
    address->set(to);
  }
}
