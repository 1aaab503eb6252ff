//===- Contraction.cpp - Products and sums in one instruction -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "emit/Contraction.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace tilewright;

static llvm::Value *fuse(llvm::IRBuilder<> &builder, llvm::IntrinsicInst &call) {
  return builder.CreateIntrinsic(
      llvm::Intrinsic::fma, {call.getType()},
      {call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(2)});
}

static llvm::Value *separate(llvm::IRBuilder<> &builder, llvm::IntrinsicInst &call) {
  return builder.CreateFAdd(builder.CreateFMul(call.getArgOperand(0), call.getArgOperand(1)),
                            call.getArgOperand(2));
}

void tilewright::emit::settleContraction(llvm::Module &module, bool isAllowed) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      if (!isAllowed && llvm::isa<llvm::FPMathOperator>(instruction))
        instruction.setHasAllowContract(false);
      auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (!call || call->getIntrinsicID() != llvm::Intrinsic::fmuladd)
        continue;
      llvm::IRBuilder<> builder(call);
      builder.setFastMathFlags(call->getFastMathFlags());
      call->replaceAllUsesWith(isAllowed ? fuse(builder, *call) : separate(builder, *call));
      call->eraseFromParent();
    }
}
