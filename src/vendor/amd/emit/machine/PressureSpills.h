//===- PressureSpills.h - Spills ahead of the register allocator ----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// LLVM's register allocator looks for a place for one value after the other. In a kernel that needs
// clearly more registers than there are, it tries for thousands of values all registers and all
// ways to split them, which takes up to seconds. Here what is to be spilled is chosen for the whole
// function at once (SpillChoice.h), and each run of instructions that shares a load gets a virtual
// register of its own.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_EMIT_MACHINE_PRESSURESPILLS_H
#define TILEWRIGHT_VENDOR_AMD_EMIT_MACHINE_PRESSURESPILLS_H

namespace llvm {
class FunctionPass;
} // namespace llvm

namespace tilewright::emit {

/// Spills vector registers of kernels that need over 4/3 of those that there are, so that the
/// register allocator after it finds few that it has to split or spill. Runs right before the
/// allocator for vector registers: what scalar ones are spilled to has been reserved.
llvm::FunctionPass *createPressureSpillsPass();

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_AMD_EMIT_MACHINE_PRESSURESPILLS_H
