//===- SchedulerStrategy.h - Long functions and LLVM's scheduler ----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Before register allocation LLVM schedules a function for as many waves as its registers allow:
// blocks that need more registers than there are up to three times, for more waves, for fewer
// registers, and for less latency. That takes a quarter of the time of functions of ten thousand
// instructions. One that needs more vector registers than there are has the fewest waves anyway,
// and its blocks, unless they are long, spill about as much in the order of their selection.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_EMIT_MACHINE_SCHEDULERSTRATEGY_H
#define TILEWRIGHT_VENDOR_AMD_EMIT_MACHINE_SCHEDULERSTRATEGY_H

namespace llvm {
class FunctionPass;
} // namespace llvm

namespace tilewright::emit {

/// Machine instructions of functions that are scheduled once, and of those that are left in order.
constexpr unsigned longFunction = 8192, veryLongFunction = 10240;

/// Says what the scheduler after it is to do with long functions. Those that need more vector
/// registers than there are, and have no block of `longBlock` instructions, it leaves in order if
/// they are very long. Those that need more vector registers otherwise, or more scalar ones, or
/// that have a block as long as a long function, it schedules once, by the strategy
/// "max-memory-clause" (LLVM, "User Guide for AMDGPU Backend", amdgpu-sched-strategy), which has
/// the same limits of registers.
llvm::FunctionPass *createSchedulerStrategyPass();

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_AMD_EMIT_MACHINE_SCHEDULERSTRATEGY_H
