//===- UniformValues.cpp - Values uniform across lanes ------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/intel/emit/registers/UniformValues.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace tilewright;
using namespace tilewright::emit;

/// Whether the lanes may get different results although they give the same operands.
static bool isSource(const Instruction &instruction) {
  if (isa<AtomicRMWInst, AtomicCmpXchgInst, AllocaInst>(instruction))
    return true;
  auto *call = dyn_cast<CallInst>(&instruction);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  if (!call || isa<IntrinsicInst>(call))
    return false;
  return !callee || callee->getName().contains("get_local_id") ||
         callee->getName().contains("atomic") || callee->getName().contains("block_read");
}

/// Whether the lanes get the same although their operands differ.
static bool isSink(const Instruction &instruction) {
  auto *call = dyn_cast<CallInst>(&instruction);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  if (!callee)
    return false;
  if (callee->getName().contains("sub_group_reduce"))
    return true;
  // From one lane to all.
  return callee->getName().contains("sub_group_shuffleij") && isa<Constant>(call->getArgOperand(1));
}

UniformValues::UniformValues(const Function &kernel) {
  SmallVector<const Instruction *> worklist;
  auto add = [&](const Instruction &instruction) {
    if (!isSink(instruction) && divergent.insert(&instruction).second)
      worklist.push_back(&instruction);
  };
  for (const Instruction &instruction : instructions(kernel))
    if (isSource(instruction))
      add(instruction);
  while (!worklist.empty()) {
    const Instruction *value = worklist.pop_back_val();
    for (const User *user : value->users())
      add(*cast<Instruction>(user));
    // Where the ways of a branch meet again, each lane has what its way gives.
    if (value->isTerminator())
      for (const BasicBlock *next : successors(value->getParent()))
        for (const BasicBlock *join : {next, next->getSingleSuccessor()})
          if (join && !join->hasNPredecessors(1))
            for (const PHINode &phi : join->phis())
              add(phi);
  }
}
