//===- InitialConstants.cpp - What sums of a loop begin with, once ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/emit/InitialConstants.h"

#include "vendor/nvidia/emit/InlinePtx.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace tilewright;
using namespace tilewright::emit;

namespace {
/// A phi of a loop, and the one of the end that gets what it gets.
struct Sum {
  PHINode *inLoop, *atEnd;
  ConstantData *constant;
};
} // namespace

static Value *getIncoming(const PHINode &phi, const BasicBlock *block) {
  const int index = phi.getBasicBlockIndex(block);
  return index < 0 ? nullptr : phi.getIncomingValue(index);
}

/// Whether `value`, what a sum becomes, says that it is one: not a counter, of which the code
/// generator should know where it begins.
static bool isSum(const Value &value) {
  return value.getType()->isFloatTy() ||
         (value.getType()->isIntegerTy(32) && isa<ExtractValueInst>(value));
}

/// The sums of the loop that begins with `header`, comes from `preheader` and is left to `end`,
/// where `front` branches around it. `preheader` may be `front`.
static SmallVector<Sum> findSums(BasicBlock &front, BasicBlock &preheader, BasicBlock &header,
                                 BasicBlock &end) {
  SmallVector<Sum> sums;
  SmallPtrSet<PHINode *, 16> taken;
  for (PHINode &inLoop : header.phis()) {
    auto *constant = dyn_cast_or_null<ConstantData>(getIncoming(inLoop, &preheader));
    if (!constant || isa<UndefValue>(constant) || inLoop.getNumIncomingValues() != 2)
      continue;
    Value *next = inLoop.getIncomingValue(1 - inLoop.getBasicBlockIndex(&preheader));
    if (!isSum(*next))
      continue;
    for (PHINode &atEnd : end.phis())
      if (getIncoming(atEnd, &front) == constant && is_contained(atEnd.incoming_values(), next) &&
          taken.insert(&atEnd).second) {
        sums.push_back({&inLoop, &atEnd, constant});
        break;
      }
  }
  return sums;
}

static APInt getBits(const ConstantData &constant) {
  if (auto *number = dyn_cast<ConstantFP>(&constant))
    return number->getValueAPF().bitcastToAPInt();
  return cast<ConstantInt>(constant).getValue();
}

/// Makes the constants of `sums` in `front`.
static void makeConstants(BasicBlock &front, BasicBlock &preheader, ArrayRef<Sum> sums) {
  IRBuilder<> builder(front.getTerminator());
  InlinePtx ptx(builder);
  for (const Sum &sum : sums)
    ptx.addLine("mov.b32 " + ptx.addOutput(sum.inLoop->getType(), /*isWrittenEarly=*/false) +
                ", 0x" + utohexstr(getBits(*sum.constant).getZExtValue(), true) + ";");
  for (auto [sum, value] : zip_equal(sums, ptx.getOutputs(ptx.emit(/*hasSideEffects=*/false)))) {
    sum.inLoop->setIncomingValueForBlock(&preheader, value);
    sum.atEnd->setIncomingValueForBlock(&front, value);
  }
}

void emit::makeInitialConstantsOnce(Function &function) {
  for (BasicBlock &front : function) {
    auto *branch = dyn_cast<BranchInst>(front.getTerminator());
    if (!branch || !branch->isConditional())
      continue;
    for (unsigned i : {0, 1}) {
      BasicBlock *next = branch->getSuccessor(i), *end = branch->getSuccessor(1 - i);
      BasicBlock *const after = next->getSinglePredecessor() ? next->getSingleSuccessor() : nullptr;
      BasicBlock &preheader = after ? *next : front, &header = after ? *after : *next;
      const SmallVector<Sum> sums = findSums(front, preheader, header, *end);
      if (!sums.empty())
        makeConstants(front, preheader, sums);
    }
  }
}
