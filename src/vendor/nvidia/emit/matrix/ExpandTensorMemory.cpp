//===- ExpandTensorMemory.cpp - Waits for tensor memory as PTX ----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/emit/matrix/ExpandTensorMemory.h"

#include "vendor/nvidia/emit/InlinePtx.h"
#include "vendor/nvidia/plan/TensorMemoryFunctions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace tilewright;
using namespace tilewright::emit;
using namespace tilewright::vendor::nvidia;

static void expandWait(CallInst &call) {
  IRBuilder<> builder(&call);
  InlinePtx ptx(builder);
  for (Value *word : call.args())
    ptx.addOutput(word->getType(), /*isWrittenEarly=*/false);
  for (Value *word : call.args())
    ptx.addTied(word);
  ptx.addLine("tcgen05.wait::ld.sync.aligned;");
  CallInst *assembly = ptx.emit(/*hasSideEffects=*/true);
  assembly->setConvergent();
  Value *result = assembly;
  // The function's result is a struct even of one register, the assembly's then is not.
  if (call.arg_size() == 1)
    result = builder.CreateInsertValue(PoisonValue::get(call.getType()), assembly, 0);
  call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

void tilewright::emit::expandTensorMemoryCalls(Module &module) {
  for (Function &function : make_early_inc_range(module)) {
    if (!function.isDeclaration() || !function.getName().starts_with(tensorLoadWaitPrefix))
      continue;
    for (User *user : make_early_inc_range(function.users()))
      expandWait(*cast<CallInst>(user));
    function.eraseFromParent();
  }
}
