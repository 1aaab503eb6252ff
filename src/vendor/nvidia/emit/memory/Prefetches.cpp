//===- Prefetches.cpp - Prefetches of lines of the cache ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/emit/memory/Prefetches.h"

#include "vendor/nvidia/emit/InlinePtx.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace tilewright;

void emit::expandPrefetches(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *prefetch = dyn_cast<IntrinsicInst>(&instruction);
    if (!prefetch || prefetch->getIntrinsicID() != Intrinsic::prefetch)
      continue;
    Value *address = prefetch->getArgOperand(0);
    IRBuilder<> builder(prefetch);
    if (stateSpaceSuffix(address->getType()->getPointerAddressSpace()) == ".global") {
      InlinePtx assembly(builder);
      const std::string pointer = assembly.addInput(address);
      assembly.addLine("prefetch.global.L2 [" + pointer + "];");
      assembly.emit(/*hasSideEffects=*/true);
    }
    prefetch->eraseFromParent();
  }
}
