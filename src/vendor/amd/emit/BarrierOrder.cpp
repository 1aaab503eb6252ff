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

void tilewright::emit::waitBeforeBarriers(Function &function, bool hasOneCounter) {
  // Of s_waitcnt: expcnt 7 and vmcnt 63, which wait for nothing, lgkmcnt 0 (RDNA3 Instruction Set
  // Architecture, S_WAITCNT).
  constexpr unsigned forShared = 63 << 10 | 7;
  for (BasicBlock &block : function)
    for (Instruction &instruction : block) {
      if (!isBarrier(instruction))
        continue;
      IRBuilder<> builder(&instruction);
      if (hasOneCounter)
        builder.CreateIntrinsic(Intrinsic::amdgcn_s_waitcnt, {}, {builder.getInt32(forShared)});
      else
        builder.CreateIntrinsic(Intrinsic::amdgcn_s_wait_dscnt, {}, {builder.getInt16(0)});
    }
}
