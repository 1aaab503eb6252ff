//===- LoadBoundLoops.cpp - Registers for loads under way --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/emit/memory/LoadBoundLoops.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace tilewright;
using namespace tilewright::emit;

static StringRef getCalleeName(const Instruction &instruction) {
  auto *call = dyn_cast<CallInst>(&instruction);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee ? callee->getName() : StringRef();
}

static bool isProduct(const Instruction &instruction) {
  return getCalleeName(instruction).contains("mma");
}

static bool isGlobalLoad(const Instruction &instruction) {
  constexpr unsigned globalSpace = 1;
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    return load->getPointerAddressSpace() == globalSpace;
  auto *masked = dyn_cast<IntrinsicInst>(&instruction);
  return masked && masked->getIntrinsicID() == Intrinsic::masked_load &&
         masked->getArgOperand(0)->getType()->getPointerAddressSpace() == globalSpace;
}

/// Whether threads wait for one another.
static bool isExchange(const Instruction &instruction) {
  constexpr StringLiteral prefixes[] = {"llvm.nvvm.shfl.", "llvm.nvvm.redux.", "llvm.nvvm.vote.",
                                        "llvm.nvvm.barrier"};
  const StringRef name = getCalleeName(instruction);
  return any_of(prefixes, [&](StringRef prefix) { return name.starts_with(prefix); });
}

static bool isBoundByLoads(Function &function) {
  constexpr unsigned severalLoads = 2, exchangesPerLoad = 2;
  for (const BasicBlock &block : function)
    if (any_of(block, isProduct))
      return false;
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  return any_of(loops.getLoopsInPreorder(), [](const Loop *loop) {
    if (!loop->isInnermost())
      return false;
    unsigned loads = 0, exchanges = 0;
    for (const BasicBlock *block : loop->blocks()) {
      loads += count_if(*block, isGlobalLoad);
      exchanges += count_if(*block, isExchange);
    }
    return loads >= severalLoads && exchanges <= exchangesPerLoad * loads;
  });
}

void emit::freeRegistersForLoads(Function &function) {
  // ptxas takes the directive of kernels that say how many threads they have.
  if (function.getCallingConv() == CallingConv::PTX_Kernel &&
      function.hasFnAttribute("nvvm.reqntid") && !function.hasFnAttribute("nvvm.maxnreg") &&
      !function.hasFnAttribute("nvvm.minctasm") && isBoundByLoads(function))
    function.addFnAttr("nvvm.minctasm", "1");
}
