//===- EarlyRoundings.cpp - Roundings before loads between products -----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/arith/EarlyRoundings.h"

#include "vendor/amd/emit/address/LoadRuns.h"
#include "vendor/amd/emit/matrix/MatrixInstructions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;
using namespace tilewright::emit;

static bool isSharedStore(const Instruction &instruction) {
  constexpr unsigned sharedSpace = 3;
  const auto *store = dyn_cast<StoreInst>(&instruction);
  return store && store->getPointerAddressSpace() == sharedSpace;
}

/// The first load from global memory after a product of `block` that is stored to LDS before the
/// next barrier; null if there is none.
static Instruction *findLoadBetweenProducts(BasicBlock &block) {
  Instruction *first = nullptr;
  SmallPtrSet<const Value *, 32> loaded;
  bool isBehindProduct = false;
  for (Instruction &instruction : block) {
    isBehindProduct |= isProduct(&instruction);
    if (isBarrier(instruction)) {
      first = nullptr;
      loaded.clear();
    } else if (isBehindProduct && isGlobalLoad(instruction)) {
      if (!first)
        first = &instruction;
      loaded.insert(&instruction);
    } else if (any_of(instruction.operands(),
                      [&](const Use &use) { return loaded.contains(use); })) {
      if (isSharedStore(instruction))
        return first;
      loaded.insert(&instruction);
    }
  }
  return nullptr;
}

void tilewright::emit::roundBeforeLoads(BasicBlock &block) {
  Instruction *load = findLoadBetweenProducts(block);
  if (!load)
    return;
  SmallPtrSet<const Value *, 32> before;
  for (const Instruction &instruction : make_range(block.begin(), load->getIterator()))
    before.insert(&instruction);
  bool hasMoved = false;
  for (Instruction &instruction :
       make_early_inc_range(make_range(load->getIterator(), block.end())))
    if (isa<FPTruncInst>(instruction) && before.contains(instruction.getOperand(0))) {
      instruction.moveBefore(load->getIterator());
      hasMoved = true;
    }
  if (!hasMoved)
    return;
  IRBuilder<> builder(load);
  createSchedulerBarrier(builder, may_pass::ScalarArithmetic);
}
