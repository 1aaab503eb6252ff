//===- LoadBoundLoops.h - Registers for loads under way -------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// ptxas chooses how many registers a thread has: more resident blocks, or more instructions under
// way. Of a loop that loads several values in each iteration and in which little waits for other
// threads it saves the registers of all loads but one, and each load waits for the one before it.
// What such a loop needs is loads under way. `.minnctapersm 1` says that one resident block is
// enough; then ptxas issues the loads together.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_EMIT_MEMORY_LOADBOUNDLOOPS_H
#define TILEWRIGHT_VENDOR_NVIDIA_EMIT_MEMORY_LOADBOUNDLOOPS_H

namespace llvm {
class Function;
} // namespace llvm

namespace tilewright::emit {

/// Gives a kernel the attribute from which `.minnctapersm 1` comes if it multiplies no matrices and
/// has an innermost loop that loads at least two values of global memory an iteration, with at most
/// two exchanges (shuffles, votes, barriers) for each. A kernel whose number of registers or blocks
/// is given keeps it.
void freeRegistersForLoads(llvm::Function &function);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_NVIDIA_EMIT_MEMORY_LOADBOUNDLOOPS_H
