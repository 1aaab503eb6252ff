//===- Barriers.cpp - The barriers of NVIDIA's blocks -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Semantics from the PTX ISA, section on barrier.cta: a block has 16 barriers, at which a number
// of its threads meet, wherever in the program they are. A warp comes as a whole: `.aligned` says
// that its lanes are at one instruction, the other forms that they wait for one another.
// `arrive` does not wait for other warps.
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/simulate/Replacer.h"

#include <llvm/IR/IntrinsicsNVPTX.h>

using namespace tilewright;
using namespace tilewright::simulate;
using namespace tilewright::simulate::nvidia;
using llvm::Value;

static constexpr uint32_t barriersOfBlock = 16;
/// After machine and site: i32 number, i32 threads, i32 flags.
static constexpr char barrierSymbol[] = "tilewright.nvidia.barrier";
static constexpr uint32_t arrivesFlag = 1, alignedFlag = 2;

static void comeToBarrier(Machine *machine, uint32_t site, uint32_t number, uint32_t threads,
                          uint32_t flags) {
  if (number >= barriersOfBlock)
    machine->fail(site, "barrier " + std::to_string(number) +
                            " does not exist: a block has barriers 0 to " +
                            std::to_string(barriersOfBlock - 1));
  else
    machine->barrier(site, {.number = number,
                            .threads = threads,
                            .arrivesOnly = (flags & arrivesFlag) != 0,
                            .samePlace = flags & alignedFlag ? BarrierUse::SamePlace::Warp
                                                             : BarrierUse::SamePlace::Lane});
  machine->leaveIfFailed();
}

std::span<const RuntimeSymbol> nvidia::barrierSymbols() {
  static const RuntimeSymbol symbols[] = {{barrierSymbol, addressOf(comeToBarrier)}};
  return symbols;
}

Value *Replacer::barrier() {
  Machine &machine = instrumenter.machine;
  Value *threads = builder.getInt32(machine.threadsPerBlock());
  uint32_t flags = 0;
  switch (call.getIntrinsicID()) {
  case llvm::Intrinsic::nvvm_barrier_cta_sync_aligned_all:
    flags = alignedFlag;
    break;
  case llvm::Intrinsic::nvvm_barrier_cta_sync_all:
    break;
  case llvm::Intrinsic::nvvm_barrier_cta_sync_aligned_count:
    flags = alignedFlag;
    threads = operand(1);
    break;
  case llvm::Intrinsic::nvvm_barrier_cta_sync_count:
    threads = operand(1);
    break;
  case llvm::Intrinsic::nvvm_barrier_cta_arrive_aligned_count:
    flags = arrivesFlag | alignedFlag;
    threads = operand(1);
    break;
  case llvm::Intrinsic::nvvm_barrier_cta_arrive_count:
    flags = arrivesFlag;
    threads = operand(1);
    break;
  default:
    return unknown;
  }
  auto *count = llvm::dyn_cast<llvm::ConstantInt>(threads);
  if (flags & arrivesFlag || !count || count->getZExtValue() != machine.threadsPerBlock())
    machine.trackWarps();
  machineCall(barrierSymbol, builder.getVoidTy(), {operand(0), threads, builder.getInt32(flags)});
  return done();
}
