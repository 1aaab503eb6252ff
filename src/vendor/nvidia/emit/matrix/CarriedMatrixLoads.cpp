//===- CarriedMatrixLoads.cpp - Fragments that loops carry --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/emit/matrix/CarriedMatrixLoads.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace tilewright;

/// `value` if it is a matrix load for nothing but a phi, and may as well stand at the end of
/// `block`: nothing after it writes memory. Null otherwise.
static CallInst *getMovableLoad(Value *value, BasicBlock *block) {
  auto *load = dyn_cast<CallInst>(value);
  const Function *callee = load ? load->getCalledFunction() : nullptr;
  if (!callee || !callee->getName().starts_with("llvm.nvvm.ldmatrix.") || !load->hasOneUse())
    return nullptr;
  for (; block; block = block->getSinglePredecessor())
    for (Instruction &instruction : reverse(*block)) {
      if (&instruction == load)
        return load;
      if (instruction.mayWriteToMemory())
        return nullptr;
    }
  return nullptr;
}

/// Whether matrix loads bring `phi` from both of its blocks.
static bool isCarriedLoad(PHINode &phi) {
  return phi.getNumIncomingValues() == 2 && all_of(seq(2u), [&](unsigned i) {
           return getMovableLoad(phi.getIncomingValue(i), phi.getIncomingBlock(i));
         });
}

/// The first of `numbers`, the places of instructions in their function, of those that compute with
/// what `value` holds.
static unsigned getFirstUse(Value &value, const DenseMap<Instruction *, unsigned> &numbers) {
  unsigned first = std::numeric_limits<unsigned>::max();
  for (User *user : value.users()) {
    auto *instruction = cast<Instruction>(user);
    const bool passesOn = isa<ExtractValueInst, BitCastInst>(instruction);
    first = std::min(first,
                     passesOn ? getFirstUse(*instruction, numbers) : numbers.lookup(instruction));
  }
  return first;
}

static void loadAtHead(PHINode &phi) {
  IRBuilder<> builder(&phi);
  auto *pattern = cast<CallInst>(phi.getIncomingValue(0));
  PHINode *address = builder.CreatePHI(pattern->getArgOperand(0)->getType(), 2);
  for (auto [value, block] : zip_equal(phi.incoming_values(), phi.blocks()))
    address->addIncoming(cast<CallInst>(value)->getArgOperand(0), block);
  BasicBlock *head = phi.getParent();
  builder.SetInsertPoint(head, head->getFirstInsertionPt());
  Instruction *load = builder.Insert(pattern->clone());
  load->setOperand(0, address);
  phi.replaceAllUsesWith(load);
  SmallVector<Value *, 2> replaced(phi.incoming_values());
  phi.eraseFromParent();
  for (Value *value : replaced)
    cast<Instruction>(value)->eraseFromParent();
}

void emit::loadOneAtHead(Function &function) {
  DenseMap<Instruction *, unsigned> numbers;
  for (auto [number, instruction] : enumerate(instructions(function)))
    numbers[&instruction] = number;
  for (BasicBlock &block : function) {
    SmallVector<PHINode *> carried;
    for (PHINode &phi : block.phis())
      if (isCarriedLoad(phi))
        carried.push_back(&phi);
    if (carried.size() < 2)
      continue;
    loadAtHead(**max_element(carried, [&](PHINode *a, PHINode *b) {
      return getFirstUse(*a, numbers) < getFirstUse(*b, numbers);
    }));
  }
}
