//===- SharedBase.cpp - The address of shared memory, once --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/emit/memory/SharedBase.h"

#include "lower/core/builder/Scratch.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;
using namespace tilewright;

/// Whether `function` calls an intrinsic whose name begins so.
static bool callsIntrinsic(const Function &function, StringRef prefix) {
  return any_of(instructions(function), [&](const Instruction &instruction) {
    auto *call = dyn_cast<CallInst>(&instruction);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    return callee && callee->getName().starts_with(prefix);
  });
}

void emit::takeSharedBaseOnce(Function &function) {
  GlobalVariable *memory = function.getParent()->getNamedGlobal(lower::sharedMemorySymbol);
  if (!memory || function.isDeclaration() || !callsIntrinsic(function, "llvm.nvvm.wgmma.") ||
      !(callsIntrinsic(function, "llvm.nvvm.cp.async.ca.") ||
        callsIntrinsic(function, "llvm.nvvm.cp.async.cg.")))
    return;
  convertUsersOfConstantsToInstructions({memory}, &function);
  IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  // Assembly, since LLVM would take what it knows to be a constant anew in each block.
  auto *type = FunctionType::get(builder.getInt32Ty(), /*isVarArg=*/false);
  auto *move = InlineAsm::get(type, ("mov.b32 $0, " + lower::sharedMemorySymbol + ";").str(), "=r",
                              /*hasSideEffects=*/false);
  Value *base = builder.CreateIntToPtr(builder.CreateCall(type, move), memory->getType());
  memory->replaceUsesWithIf(base, [&](Use &use) {
    auto *user = dyn_cast<Instruction>(use.getUser());
    return user && user->getFunction() == &function;
  });
}
