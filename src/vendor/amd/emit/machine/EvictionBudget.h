//===- EvictionBudget.h - A limit for the register allocator's search -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// LLVM's register allocator looks for values that could leave their registers to another one. Each
// search visits all registers and what is in them, and takes a register from a value that then
// searches itself: a kernel that needs a few times the registers that there are makes tens of
// thousands of searches. Those for a value inside one block look, for all that is in a register and
// inside that block too, through all registers again: a third of a millisecond with 256.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_EMIT_MACHINE_EVICTIONBUDGET_H
#define TILEWRIGHT_VENDOR_AMD_EMIT_MACHINE_EVICTIONBUDGET_H

namespace llvm {
class ImmutablePass;
} // namespace llvm

namespace tilewright::emit {

/// The searches for values that may be spilled, in one run of the allocator over a function.
/// Kernels that fit into the registers make a few hundred.
constexpr unsigned evictionBudget = 4000;
/// Those of them for values that live in one block.
constexpr unsigned localEvictionBudget = 200;

/// The allocator's adviser on evictions: LLVM's own choice until a budget is used up. Then a value
/// that may be spilled or split, and that the budget is for, gets no register of another. Goes
/// before the allocator.
llvm::ImmutablePass *createEvictionBudgetPass();

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_AMD_EMIT_MACHINE_EVICTIONBUDGET_H
