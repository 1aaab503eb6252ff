//===- BarrierOrder.cpp - Loads of LDS that stay before barriers --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/sync/BarrierOrder.h"

#include "vendor/amd/emit/SchedulerBarrier.h"
#include "vendor/amd/emit/address/LoadRuns.h"
#include "vendor/amd/emit/matrix/MatrixInstructions.h"
#include "vendor/amd/emit/sync/Waits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;
using namespace tilewright::emit;
using tilewright::target::amd::WaitFormat;

static constexpr unsigned sharedSpace = 3;

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

/// Computations between a load and what is stored of it: byte permutes of its words are as many,
/// conversions more, with which it is better to begin as loads come.
static constexpr unsigned maxComputedPerLoad = 32;

/// The first instruction that stores to LDS, or computes what is stored there, of loads that all
/// stand before an earlier barrier; null where there is none.
static Instruction *findStagedStore(BasicBlock &block) {
  SmallPtrSet<const Value *, 32> dependents;
  Instruction *first = nullptr;
  unsigned loads = 0, computed = 0;
  bool isBehindBarrier = false, stores = false;
  for (Instruction &instruction : block) {
    if (isGlobalLoad(instruction)) {
      if (isBehindBarrier)
        return nullptr;
      ++loads;
      dependents.insert(&instruction);
    } else if (isBarrier(instruction)) {
      isBehindBarrier = loads != 0;
    } else if (any_of(instruction.operands(),
                      [&](const Use &use) { return dependents.contains(use); })) {
      dependents.insert(&instruction);
      if (isBehindBarrier && !first)
        first = &instruction;
      const auto *store = dyn_cast<StoreInst>(&instruction);
      stores |= store && store->getPointerAddressSpace() == sharedSpace;
      computed += !store;
    }
  }
  return stores && computed <= maxComputedPerLoad * loads ? first : nullptr;
}

void tilewright::emit::waitForStagedLoads(Function &function, WaitFormat waits) {
  for (BasicBlock &block : function) {
    if (!hasProducts(block) || hasNItemsOrMore(block, longBlock))
      continue;
    Instruction *store = findStagedStore(block);
    if (!store)
      continue;
    IRBuilder<> builder(store);
    waitForGlobal(builder, waits);
    // Computations on the loads stay after it: in front they would have products wait, too.
    if (none_of(make_range(store->getIterator(), block.end()),
                [](const Instruction &instruction) { return isProduct(&instruction); }))
      createSchedulerBarrier(builder, /*mask=*/0);
  }
}

/// Whether no instruction comes of `instruction`, though it may access memory.
static bool isHint(const Instruction &instruction) {
  const auto *call = dyn_cast<CallInst>(&instruction);
  if (!call)
    return isa<FenceInst>(instruction);
  const auto *assembly = dyn_cast<InlineAsm>(call->getCalledOperand());
  return call->getIntrinsicID() == Intrinsic::amdgcn_sched_barrier ||
         (assembly && assembly->getAsmString().empty());
}

/// Whether a wait for accesses of LDS stands before `barrier` in its block, and none of these in
/// between.
static bool isWaitedFor(const Instruction &barrier, WaitFormat waits) {
  for (const Instruction *at = barrier.getPrevNode(); at; at = at->getPrevNode()) {
    if (isWaitForShared(*at, waits))
      return true;
    if (at->mayReadOrWriteMemory() && !isHint(*at))
      return false;
  }
  return false;
}

void tilewright::emit::waitBeforeBarriers(Function &function, WaitFormat waits) {
  for (BasicBlock &block : function)
    for (Instruction &instruction : block)
      if (isBarrier(instruction) && !isWaitedFor(instruction, waits)) {
        IRBuilder<> builder(&instruction);
        waitForShared(builder, waits);
      }
}
