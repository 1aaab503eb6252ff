//===- EvictionBudget.h - A limit for the register allocator's search -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// LLVM's register allocator looks for values that could leave their registers to another one. Each
// search visits all registers, what is in them, and for that again all registers: a third of a
// millisecond with 256. A kernel that needs a few times the registers that there are makes tens of
// thousands of searches, each of which takes a register from a value that then searches itself.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_EMIT_EVICTIONBUDGET_H
#define TILEWRIGHT_VENDOR_AMD_EMIT_EVICTIONBUDGET_H

namespace llvm {
class ImmutablePass;
} // namespace llvm

namespace tilewright::emit {

/// The searches for values that may be spilled, in one run of the allocator over a function.
/// Kernels that fit into the registers make a few hundred.
constexpr unsigned evictionBudget = 4000;

/// What the allocator asks for evictions: LLVM's own choice until `evictionBudget` is used up. Then
/// a value that may be spilled or split gets no register of another. Goes before the allocator.
llvm::ImmutablePass *createEvictionBudgetPass();

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_AMD_EMIT_EVICTIONBUDGET_H
