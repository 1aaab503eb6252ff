//===- Prefetches.cpp - Prefetches of lines of the cache ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/intel/emit/memory/Prefetches.h"

#include "vendor/intel/emit/Builtins.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

void tilewright::emit::usePrefetchFunction(Function &function) {
  constexpr unsigned globalSpace = 1;
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *prefetch = dyn_cast<IntrinsicInst>(&instruction);
    if (!prefetch || prefetch->getIntrinsicID() != Intrinsic::prefetch)
      continue;
    Value *address = prefetch->getArgOperand(0);
    if (address->getType()->getPointerAddressSpace() == globalSpace) {
      IRBuilder<> builder(prefetch);
      callBuiltin(builder, "_Z8prefetchPU3AS1Kcm", builder.getVoidTy(),
                  {address, builder.getInt64(1)});
    }
    prefetch->eraseFromParent();
  }
}
