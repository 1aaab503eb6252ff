//===- PhaseBarriers.cpp - mbarrier and the fences of proxies -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Semantics from the PTX ISA, sections on mbarrier and on membar/fence. A try_wait waits here until
// the phase is over and then says so: what programs do where it says no, they do not.
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
// After machine and site: i64 address of the barrier, and
/// i32 arrivals of a phase
constexpr char make[] = "tilewright.nvidia.make_phase_barrier";
constexpr char end[] = "tilewright.nvidia.end_phase_barrier";
/// i32 arrivals, i32 bytes
constexpr char arrive[] = "tilewright.nvidia.arrive_at_phase";
/// i32 whether the thread's arrival is one of those that the phase is for
constexpr char arriveAfterCopies[] = "tilewright.nvidia.arrive_after_copies";
/// i32 parity
constexpr char wait[] = "tilewright.nvidia.wait_for_phase";
/// No address.
constexpr char fenceProxies[] = "tilewright.nvidia.fence_proxies";
} // namespace symbol
} // namespace

/// PTX ISA, "mbarrier.init": the range of the count.
static constexpr uint32_t maxArrivals = (1u << 20) - 1;

static void make(Machine *machine, uint32_t site, uint64_t address, uint32_t arrivals) {
  if (arrivals < 1 || arrivals > maxArrivals)
    machine->fail(site, "a barrier is for 1 to " + std::to_string(maxArrivals) +
                            " arrivals, not for " + std::to_string(arrivals));
  else
    machine->makePhaseBarrier(site, address, arrivals);
  machine->leaveIfFailed();
}

static void end(Machine *machine, uint32_t site, uint64_t address) {
  machine->endPhaseBarrier(site, address);
  machine->leaveIfFailed();
}

static void arrive(Machine *machine, uint32_t site, uint64_t address, uint32_t arrivals,
                   uint32_t bytes) {
  machine->arriveAtPhase(site, address, arrivals, bytes);
  machine->leaveIfFailed();
}

static void arriveAfterCopies(Machine *machine, uint32_t site, uint64_t address, uint32_t counts) {
  machine->arriveAfterCopies(site, address, counts != 0);
  machine->leaveIfFailed();
}

static void wait(Machine *machine, uint32_t site, uint64_t address, uint32_t parity) {
  machine->waitForPhase(site, address, parity & 1);
  machine->leaveIfFailed();
}

static void fenceProxies(Machine *machine, uint32_t) { machine->fenceProxies(); }

std::span<const RuntimeSymbol> nvidia::phaseBarrierSymbols() {
  static const RuntimeSymbol symbols[] = {{symbol::make, addressOf(make)},
                                          {symbol::end, addressOf(end)},
                                          {symbol::arrive, addressOf(arrive)},
                                          {symbol::arriveAfterCopies, addressOf(arriveAfterCopies)},
                                          {symbol::wait, addressOf(wait)},
                                          {symbol::fenceProxies, addressOf(fenceProxies)}};
  return symbols;
}

Value *Replacer::phaseBarrier() {
  using namespace llvm::Intrinsic;
  auto onBarrier = [&](const char *symbol, llvm::ArrayRef<Value *> values) {
    instrumenter.machine.trackAsyncUnits();
    const uint32_t index = instrumenter.addSite(call, operation);
    Site &site = instrumenter.machine.sites[index];
    site.space = MemorySpace::Shared;
    site.kind = AccessKind::Store;
    site.bytes = site.alignment = 8;
    llvm::SmallVector<Value *> arguments = {
        builder.CreatePtrToInt(operand(0), builder.getInt64Ty())};
    arguments.append(values.begin(), values.end());
    instrumenter.callMachine(builder, symbol, builder.getVoidTy(), index, arguments);
  };
  // The state that an arrival gives is for waits that are not simulated.
  auto arrives = [&](Value *arrivals, Value *bytes) -> Value * {
    if (!call.use_empty())
      return unknown;
    onBarrier(symbol::arrive, {arrivals, bytes});
    return llvm::PoisonValue::get(call.getType());
  };
  switch (call.getIntrinsicID()) {
  case nvvm_mbarrier_init_shared:
    onBarrier(symbol::make, {operand(1)});
    return done();
  case nvvm_mbarrier_inval_shared:
    onBarrier(symbol::end, {});
    return done();
  case nvvm_mbarrier_arrive_shared:
    return arrives(builder.getInt32(1), builder.getInt32(0));
  case nvvm_mbarrier_arrive_scope_cta_space_cta:
    return arrives(operand(1), builder.getInt32(0));
  case nvvm_mbarrier_arrive_expect_tx_scope_cta_space_cta:
    return arrives(builder.getInt32(1), operand(1));
  case nvvm_cp_async_mbarrier_arrive_noinc_shared:
    onBarrier(symbol::arriveAfterCopies, {builder.getInt32(1)});
    return done();
  case nvvm_cp_async_mbarrier_arrive_shared:
    onBarrier(symbol::arriveAfterCopies, {builder.getInt32(0)});
    return done();
  case nvvm_mbarrier_try_wait_parity_scope_cta_space_cta:
    onBarrier(symbol::wait, {operand(1)});
    return builder.getTrue();
  case nvvm_fence_proxy_async_shared_cta:
  case nvvm_fence_proxy_async_shared_cluster:
  case nvvm_fence_proxy_async:
    instrumenter.machine.trackAsyncUnits();
    machineCall(symbol::fenceProxies, builder.getVoidTy());
    return done();
  // Barriers that were made are there for all that meet the thread that made them.
  case nvvm_fence_mbarrier_init_release_cluster:
    return done();
  default:
    return unknown;
  }
}
