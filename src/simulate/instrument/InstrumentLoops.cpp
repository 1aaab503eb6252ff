//===- InstrumentLoops.cpp - Counts of loops' iterations and instructions -----===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// An iteration is counted where it ends, at the branch back to the loop's beginning: a loop that
// tests its condition first comes once more to its beginning than it has iterations.
//
//===--------------------------------------------------------------------------===//

#include "simulate/instrument/Instrument.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Dominators.h>

using namespace tilewright;
using namespace tilewright::simulate;

/// The name under which an instruction is counted: of OpenCL's functions the one that it has in the
/// source.
static std::string nameOf(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (!call)
    return instruction.getOpcodeName();
  if (call->isInlineAsm())
    return "asm";
  const llvm::Function *callee = call->getCalledFunction();
  if (!callee)
    return instruction.getOpcodeName();
  const std::string name = llvm::demangle(callee->getName());
  return name.substr(0, name.find('('));
}

/// Whether a GPU may have something to do for it.
static bool isCounted(const llvm::Instruction &instruction) {
  const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return !llvm::isa<llvm::PHINode>(instruction) &&
         !(intrinsic && intrinsic->isAssumeLikeIntrinsic());
}

void Instrumenter::countLoops(llvm::Function &function) {
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo info(dominators);
  llvm::FunctionCallee count = module.getOrInsertFunction(
      runtime_call::countIteration, llvm::Type::getVoidTy(module.getContext()),
      llvm::PointerType::get(module.getContext(), 0), llvm::Type::getInt32Ty(module.getContext()));
  int number = 0;
  for (llvm::Loop *loop : info.getLoopsInPreorder()) {
    const int index = static_cast<int>(machine.loops.size());
    auto &[name, counts] = machine.loops.emplace_back();
    name = {function.getName().str(), number++};
    counts.depth = static_cast<int>(loop->getLoopDepth());
    if (const llvm::DILocation *start = loop->getStartLoc().get())
      counts.where = {placeOfLocation(*start).file, static_cast<int>(start->getLine())};
    for (llvm::BasicBlock *block : loop->blocks()) {
      if (info.getLoopFor(block) != loop)
        continue;
      for (llvm::Instruction &instruction : *block) {
        loopOf[&instruction] = index;
        if (isCounted(instruction))
          ++counts.instructions[nameOf(instruction)];
      }
    }
    llvm::SmallVector<llvm::BasicBlock *> latches;
    loop->getLoopLatches(latches);
    for (llvm::BasicBlock *latch : latches) {
      llvm::IRBuilder<> builder(latch->getTerminator());
      llvm::CallInst *call =
          builder.CreateCall(count, {hostPointer(&machine), builder.getInt32(index)});
      call->setConvergent();
      call->setDoesNotThrow();
    }
  }
}
