//===- Clusters.cpp - Clusters of NVIDIA's blocks -----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Semantics from the PTX ISA, barrier.cluster, mapa and the special registers: a cluster has one
// barrier, in two steps, for all threads of its blocks; shared memory of another block has an
// address that mapa makes of the same address in the own one.
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/simulate/Replacer.h"

#include <llvm/IR/IntrinsicsNVPTX.h>

using namespace tilewright;
using namespace tilewright::simulate;
using namespace tilewright::simulate::nvidia;
using llvm::Value;

namespace {
namespace symbol {
constexpr char arrive[] = "tilewright.nvidia.cluster_arrive";
constexpr char wait[] = "tilewright.nvidia.cluster_wait";
/// After machine and site: i64 address, i32 rank; gives an i64.
constexpr char map[] = "tilewright.nvidia.mapa";
} // namespace symbol
} // namespace

static void arrive(Machine *machine, uint32_t site) {
  machine->signalBarrier(site, /*ordersShared=*/true);
  machine->leaveIfFailed();
}

static void wait(Machine *machine, uint32_t site) {
  machine->waitAtClusterBarrier(site);
  machine->leaveIfFailed();
}

static uint64_t mapToBlock(Machine *machine, uint32_t site, uint64_t address, uint32_t rank) {
  const uint64_t mapped = machine->mapToBlock(site, address, rank);
  machine->leaveIfFailed();
  return mapped;
}

std::span<const RuntimeSymbol> nvidia::clusterSymbols() {
  static const RuntimeSymbol symbols[] = {{symbol::arrive, addressOf(arrive)},
                                          {symbol::wait, addressOf(wait)},
                                          {symbol::map, addressOf(mapToBlock)}};
  return symbols;
}

Value *Replacer::clusterOperation() {
  using namespace llvm::Intrinsic;
  const Registers &registers = instrumenter.machine.registers;
  switch (call.getIntrinsicID()) {
  case nvvm_barrier_cluster_arrive:
  case nvvm_barrier_cluster_arrive_aligned:
    machineCall(symbol::arrive, builder.getVoidTy());
    return done();
  case nvvm_barrier_cluster_wait:
  case nvvm_barrier_cluster_wait_aligned:
    machineCall(symbol::wait, builder.getVoidTy());
    return done();
  case nvvm_mapa_shared_cluster: {
    Value *address = builder.CreatePtrToInt(operand(0), builder.getInt64Ty());
    Value *mapped = machineCall(symbol::map, builder.getInt64Ty(), {address, operand(1)});
    return builder.CreateIntToPtr(mapped, call.getType());
  }
  case nvvm_read_ptx_sreg_cluster_ctarank:
  case nvvm_read_ptx_sreg_cluster_ctaid_x:
    return readRegister(registers.rank);
  case nvvm_read_ptx_sreg_cluster_nctarank:
  case nvvm_read_ptx_sreg_cluster_nctaid_x:
    return readRegister(registers.clusterBlocks);
  case nvvm_read_ptx_sreg_clusterid_x:
    return readRegister(registers.cluster[0]);
  case nvvm_read_ptx_sreg_clusterid_y:
    return readRegister(registers.cluster[1]);
  case nvvm_read_ptx_sreg_clusterid_z:
    return readRegister(registers.cluster[2]);
  case nvvm_read_ptx_sreg_nclusterid_x:
    return readRegister(registers.clusterGrid[0]);
  case nvvm_read_ptx_sreg_nclusterid_y:
    return readRegister(registers.clusterGrid[1]);
  case nvvm_read_ptx_sreg_nclusterid_z:
    return readRegister(registers.clusterGrid[2]);
  default:
    return unknown;
  }
}
