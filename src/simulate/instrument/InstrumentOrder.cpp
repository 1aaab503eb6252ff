//===- InstrumentOrder.cpp - Instrumentation for the order of global memory ---===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Where the order of global memory is checked, the machine hears of each access to it, of the
// order that atomic operations state, and of fences.
//
//===--------------------------------------------------------------------------===//

#include "simulate/VendorOperations.h"
#include "simulate/instrument/Instrument.h"

#include <llvm/Support/AtomicOrdering.h>

using namespace tilewright;
using namespace tilewright::simulate;

bool Instrumenter::watchesOrder(uint32_t siteIndex) const {
  const Site &site = machine.sites[siteIndex];
  return options.globalOrder && site.object.empty() &&
         (site.space == MemorySpace::Global || site.space == MemorySpace::Generic);
}

void Instrumenter::plantLoad(llvm::IRBuilderBase &builder, llvm::Value *pointer, uint32_t site) {
  if (watchesOrder(site))
    callMachine(builder, runtime_call::loadGlobal, builder.getVoidTy(), site,
                {builder.CreatePtrToInt(pointer, builder.getInt64Ty())});
}

void Instrumenter::plantStore(llvm::StoreInst &store, uint32_t site) {
  if (!watchesOrder(site))
    return;
  llvm::IRBuilder<> builder(&store);
  llvm::Value *address = builder.CreatePtrToInt(store.getPointerOperand(), builder.getInt64Ty());
  callMachine(builder, runtime_call::keepStored, builder.getVoidTy(), site, {address});
  builder.SetInsertPoint(store.getNextNode());
  callMachine(builder, runtime_call::storedGlobal, builder.getVoidTy(), site, {address});
}

/// Whether a scope is within a block, whatever the vendor calls it.
static bool isNarrow(const llvm::LLVMContext &context, llvm::SyncScope::ID scope) {
  if (scope == llvm::SyncScope::System)
    return false;
  const std::optional<llvm::StringRef> name = context.getSyncScopeName(scope);
  return scope == llvm::SyncScope::SingleThread ||
         (name && (name->starts_with("block") || name->starts_with("workgroup") ||
                   name->starts_with("wavefront") || name->starts_with("subgroup")));
}

static uint32_t flagsOf(llvm::AtomicOrdering ordering, bool narrow) {
  return (llvm::isReleaseOrStronger(ordering) ? runtime_call::releases : 0) |
         (llvm::isAcquireOrStronger(ordering) ? runtime_call::acquires : 0) |
         (narrow ? runtime_call::isNarrow : 0);
}

void Instrumenter::plantAtomic(llvm::Instruction &instruction, llvm::Value *pointer,
                               uint32_t site) {
  if (!watchesOrder(site))
    return;
  llvm::IRBuilder<> builder(&instruction);
  llvm::LLVMContext &context = module.getContext();
  llvm::Value *flags = nullptr;
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    flags =
        builder.getInt32(flagsOf(load->getOrdering(), isNarrow(context, load->getSyncScopeID())));
  } else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    flags =
        builder.getInt32(flagsOf(store->getOrdering(), isNarrow(context, store->getSyncScopeID())) |
                         runtime_call::replaces);
  } else if (auto *modify = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    flags = builder.getInt32(
        flagsOf(modify->getOrdering(), isNarrow(context, modify->getSyncScopeID())));
  } else {
    // Releases nothing where it fails. Nobody else has a turn before it is done.
    auto &exchange = llvm::cast<llvm::AtomicCmpXchgInst>(instruction);
    const bool narrow = isNarrow(context, exchange.getSyncScopeID());
    llvm::Value *expected = exchange.getCompareOperand();
    llvm::Value *succeeds =
        builder.CreateICmpEQ(builder.CreateLoad(expected->getType(), pointer), expected);
    flags = builder.CreateSelect(succeeds,
                                 builder.getInt32(flagsOf(exchange.getSuccessOrdering(), narrow)),
                                 builder.getInt32(flagsOf(exchange.getFailureOrdering(), narrow)));
  }
  callMachine(builder, runtime_call::operateOnGlobal, builder.getVoidTy(), site,
              {builder.CreatePtrToInt(pointer, builder.getInt64Ty()), flags});
}

void Instrumenter::instrumentFence(llvm::FenceInst &fence) {
  if (isNarrow(module.getContext(), fence.getSyncScopeID()))
    return;
  llvm::IRBuilder<> builder(&fence);
  callMachine(builder, runtime_call::fenceGlobal, builder.getVoidTy(), addSite(fence, "fence"),
              {builder.getInt32(flagsOf(fence.getOrdering(), false))});
}
