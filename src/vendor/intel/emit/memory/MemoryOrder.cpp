//===- MemoryOrder.cpp - Memory orders in SPIR-V's terms ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/intel/emit/memory/MemoryOrder.h"

#include "vendor/intel/emit/Builtins.h"
#include "vendor/intel/lower/SpirvMemory.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace tilewright;
using namespace tilewright::emit;
using namespace tilewright::vendor::intel::spirv;

/// By the names that the back end knows.
static Scope getScope(LLVMContext &context, SyncScope::ID scope) {
  if (scope == SyncScope::SingleThread)
    return Invocation;
  return StringSwitch<Scope>(context.getSyncScopeName(scope).value_or(""))
      .Case("subgroup", Subgroup)
      .Case("workgroup", Workgroup)
      .Case("device", Device)
      .Default(CrossDevice);
}

static Semantics getSemantics(AtomicOrdering ordering) {
  switch (ordering) {
  case AtomicOrdering::Acquire:
    return Acquire;
  case AtomicOrdering::Release:
    return Release;
  case AtomicOrdering::AcquireRelease:
    return AcquireRelease;
  default:
    return SequentiallyConsistent;
  }
}

static void createBarrier(IRBuilderBase &builder, SyncScope::ID scope, Semantics semantics) {
  callBuiltin(builder, "_Z21__spirv_MemoryBarrierjj", builder.getVoidTy(),
              {builder.getInt32(getScope(builder.getContext(), scope)),
               builder.getInt32(semantics | WorkgroupMemory | CrossWorkgroupMemory)});
}

/// An operation of this ordering is between barriers, before `operation` and after it.
static void surround(Instruction &operation, SyncScope::ID scope, AtomicOrdering ordering) {
  const bool isTotal = ordering == AtomicOrdering::SequentiallyConsistent;
  IRBuilder<> builder(&operation);
  if (isReleaseOrStronger(ordering))
    createBarrier(builder, scope, isTotal ? SequentiallyConsistent : Release);
  builder.SetInsertPoint(std::next(operation.getIterator()));
  builder.SetCurrentDebugLocation(operation.getDebugLoc());
  if (isAcquireOrStronger(ordering))
    createBarrier(builder, scope, isTotal ? SequentiallyConsistent : Acquire);
}

void tilewright::emit::expandMemoryOrdering(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    if (auto *fence = dyn_cast<FenceInst>(&instruction)) {
      IRBuilder<> builder(fence);
      createBarrier(builder, fence->getSyncScopeID(), getSemantics(fence->getOrdering()));
      fence->eraseFromParent();
    } else if (auto *update = dyn_cast<AtomicRMWInst>(&instruction)) {
      surround(*update, update->getSyncScopeID(), update->getOrdering());
      update->setOrdering(AtomicOrdering::Monotonic);
    } else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
      surround(*exchange, exchange->getSyncScopeID(), exchange->getMergedOrdering());
      exchange->setSuccessOrdering(AtomicOrdering::Monotonic);
      exchange->setFailureOrdering(AtomicOrdering::Monotonic);
    }
  }
}
