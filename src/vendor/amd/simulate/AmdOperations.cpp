//===- AmdOperations.cpp - AMD's simulated operations -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/simulate/AmdOperations.h"

#include "vendor/amd/simulate/Replacer.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/MemoryModelRelaxationAnnotations.h>

#include <vector>

using namespace tilewright;
using namespace tilewright::simulate;
using namespace tilewright::simulate::amd;
using llvm::Value;
namespace Intrinsic = llvm::Intrinsic;

Value *Replacer::threadNumber(Intrinsic::ID id) {
  const Registers &registers = instrumenter.machine.registers;
  switch (id) {
  case Intrinsic::amdgcn_workitem_id_x:
    return readRegister(registers.thread[0]);
  case Intrinsic::amdgcn_workitem_id_y:
    return readRegister(registers.thread[1]);
  case Intrinsic::amdgcn_workitem_id_z:
    return readRegister(registers.thread[2]);
  case Intrinsic::amdgcn_workgroup_id_x:
    return readRegister(registers.block[0]);
  case Intrinsic::amdgcn_workgroup_id_y:
    return readRegister(registers.block[1]);
  case Intrinsic::amdgcn_workgroup_id_z:
    return readRegister(registers.block[2]);
  case Intrinsic::amdgcn_wave_id:
    return readRegister(registers.warp);
  case Intrinsic::amdgcn_wavefrontsize:
    return builder.getInt32(instrumenter.machine.lanesPerWarp());
  case Intrinsic::amdgcn_groupstaticsize:
    return builder.getInt32(instrumenter.machine.shared.size());
  default:
    return unknown;
  }
}

/// Whether the fence orders what threads do in shared memory: those of the block, or of the wave.
/// It may be for other memory only, as its tags say.
static bool ordersShared(const llvm::FenceInst &fence, bool ofWave) {
  llvm::MMRAMetadata tags(fence);
  constexpr llvm::StringLiteral memory = "amdgpu-synchronize-as";
  if (tags.hasTagWithPrefix(memory) && !tags.hasTag(memory, "local"))
    return false;
  llvm::SmallVector<llvm::StringRef> names;
  fence.getContext().getSyncScopeNames(names);
  llvm::StringRef scope = names[fence.getSyncScopeID()];
  scope.consume_back("-one-as");
  return llvm::StringSwitch<bool>(scope)
      .Cases({"", "agent", "cluster", "workgroup"}, true)
      .Case("wavefront", ofWave)
      .Default(false);
}

/// Whether a fence stands before or after the call with no access in between: a barrier itself
/// says nothing of memory.
static bool hasFenceBefore(llvm::CallInst &call, bool ofWave = false) {
  for (llvm::Instruction *at = call.getPrevNode(); at; at = at->getPrevNode()) {
    if (auto *fence = llvm::dyn_cast<llvm::FenceInst>(at);
        fence && ordersShared(*fence, ofWave) && llvm::isReleaseOrStronger(fence->getOrdering()))
      return true;
    if (at->mayWriteToMemory())
      return false;
  }
  return false;
}

static bool hasFenceAfter(llvm::CallInst &call, bool ofWave = false) {
  for (llvm::Instruction *at = call.getNextNode(); at; at = at->getNextNode()) {
    if (auto *fence = llvm::dyn_cast<llvm::FenceInst>(at);
        fence && ordersShared(*fence, ofWave) && llvm::isAcquireOrStronger(fence->getOrdering()))
      return true;
    if (at->mayReadOrWriteMemory())
      return false;
  }
  return false;
}

Value *Replacer::synchronization(Intrinsic::ID id) {
  // The barrier of all of the block's threads.
  constexpr int64_t wholeBlock = -1;
  switch (id) {
  case Intrinsic::amdgcn_s_barrier:
    return blockBarrier(hasFenceBefore(call) && hasFenceAfter(call));
  case Intrinsic::amdgcn_s_barrier_signal:
    if (llvm::cast<llvm::ConstantInt>(operand(0))->getSExtValue() != wholeBlock)
      return unknown;
    machineCall(simulate::runtime_call::signalBarrier, builder.getVoidTy(),
                {builder.getInt32(hasFenceBefore(call))});
    return done();
  case Intrinsic::amdgcn_s_barrier_wait:
    if (llvm::cast<llvm::ConstantInt>(operand(0))->getSExtValue() != wholeBlock)
      return unknown;
    machineCall(simulate::runtime_call::waitAtBarrier, builder.getVoidTy(),
                {builder.getInt32(hasFenceAfter(call))});
    return done();
  case Intrinsic::amdgcn_wave_barrier:
    if (hasFenceBefore(call, /*ofWave=*/true) && hasFenceAfter(call, /*ofWave=*/true))
      return warpBarrier(allLanes());
    ballot(allLanes(), builder.getTrue());
    return done();
  // Memory is in order here and has no caches, one thread runs at a time, and nothing is scheduled.
  case Intrinsic::amdgcn_s_waitcnt:
  case Intrinsic::amdgcn_s_wait_bvhcnt:
  case Intrinsic::amdgcn_s_wait_dscnt:
  case Intrinsic::amdgcn_s_wait_expcnt:
  case Intrinsic::amdgcn_s_wait_kmcnt:
  case Intrinsic::amdgcn_s_wait_loadcnt:
  case Intrinsic::amdgcn_s_wait_samplecnt:
  case Intrinsic::amdgcn_s_wait_storecnt:
  case Intrinsic::amdgcn_s_prefetch_data:
  case Intrinsic::amdgcn_s_sleep:
  case Intrinsic::amdgcn_s_setprio:
  case Intrinsic::amdgcn_sched_barrier:
  case Intrinsic::amdgcn_sched_group_barrier:
  case Intrinsic::amdgcn_iglp_opt:
    return done();
  default:
    return unknown;
  }
}

Value *Replacer::replacement() {
  Intrinsic::ID id = call.getIntrinsicID();
  using Part = Value *(Replacer::*)(Intrinsic::ID);
  for (Part part :
       {&Replacer::threadNumber, &Replacer::synchronization, &Replacer::laneOperation,
        &Replacer::reduction, &Replacer::arithmetic, &Replacer::dotProduct, &Replacer::conversion,
        &Replacer::bufferAccess, &Replacer::matrixProduct, &Replacer::mfmaProduct})
    if (Value *value = (this->*part)(id))
      return value;
  return unknown;
}

static bool replace(Instrumenter &instrumenter, llvm::CallInst &call) {
  llvm::StringRef name = call.getCalledFunction()->getName();
  name.consume_front("llvm.amdgcn.");
  Replacer replacer(instrumenter, call, name.str());
  return replacer.finish(replacer.replacement());
}

/// "amdgpu-flat-work-group-size"="128,128": the least and the most threads.
static LaunchBounds statedLaunch(const llvm::Function &kernel) {
  auto [least, most] =
      kernel.getFnAttribute("amdgpu-flat-work-group-size").getValueAsString().split(',');
  uint64_t threads = 0;
  if (least != most || most.getAsInteger(10, threads))
    return {};
  return {.threadsPerBlock = threads};
}

const VendorOperations &amd::operations() {
  static const std::string_view prefixes[] = {"llvm.amdgcn."};
  static const std::vector<RuntimeSymbol> symbols = [] {
    std::vector<RuntimeSymbol> all;
    for (std::span<const RuntimeSymbol> part :
         {laneOperationSymbols(), conversionSymbols(), bufferSymbols(), matrixProductSymbols(),
          mfmaSymbols()})
      all.insert(all.end(), part.begin(), part.end());
    return all;
  }();
  static const VendorOperations table = {.prefixes = prefixes,
                                         .replace = replace,
                                         .symbols = symbols,
                                         .statedLaunch = statedLaunch,
                                         .addressSpaces = {.generic = 0, .shared = 3, .stack = 5},
                                         .launchBlocks = launchBlocks()};
  return table;
}
