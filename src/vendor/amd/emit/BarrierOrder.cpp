//===- BarrierOrder.cpp - Loads of LDS that stay before barriers --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/BarrierOrder.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

static constexpr unsigned sharedSpace = 3;

static bool isBarrier(const Instruction &instruction) {
  const auto *call = dyn_cast<IntrinsicInst>(&instruction);
  return call && (call->getIntrinsicID() == Intrinsic::amdgcn_s_barrier ||
                  call->getIntrinsicID() == Intrinsic::amdgcn_s_barrier_signal);
}

void tilewright::emit::keepLoadsBeforeBarriers(Function &function) {
  auto *type = FunctionType::get(Type::getVoidTy(function.getContext()), /*isVarArg=*/false);
  InlineAsm *nothing = InlineAsm::get(type, "", "~{memory}", /*hasSideEffects=*/true);
  for (BasicBlock &block : function) {
    if (block.getTerminator()->getNumSuccessors() < 2)
      continue;
    bool hasLoaded = false;
    for (Instruction &instruction : block) {
      const auto *load = dyn_cast<LoadInst>(&instruction);
      hasLoaded |= load && load->getPointerAddressSpace() == sharedSpace;
      if (!hasLoaded || !isBarrier(instruction))
        continue;
      IRBuilder<>(&instruction).CreateCall(nothing);
      hasLoaded = false;
    }
  }
}
