//===- LeastBlocks.h - Blocks that a kernel wants resident ----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// ptxas chooses how many registers a thread has: more resident blocks, or more instructions under
// way. `.minnctapersm N` says that N resident blocks are enough: then it takes what N leave to a
// thread where that shortens the code. Two kinds of kernels are better off so:
//
//     values that do not fit    N = 1. Of some of them ptxas takes 32 registers otherwise, and
//                               spills nearly everything.
//     loops bound by loads      as many blocks as fit with the registers that the kernel's values
//                               take. ptxas would save the registers of all loads of an iteration
//                               but one, so that each waits for the one before it.
//
// What the values take is what is alive at one time in the order of the LLVM IR. All others are
// better off with its own choice (bench/notes/emit.md).
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_EMIT_LEASTBLOCKS_H
#define TILEWRIGHT_VENDOR_NVIDIA_EMIT_LEASTBLOCKS_H

#include "emit/Step.h"

namespace tilewright::emit {

/// The registers of 32 bits that a thread takes for what is alive at one time in `function`, at
/// most. Masks, parameters, and addresses at constant distances from others take none.
unsigned estimateLiveRegisters(const llvm::Function &function);

/// Gives a kernel the attribute from which `.minnctapersm` comes if its values take a quarter more
/// than all of a thread's registers, or if it multiplies no matrices and loads hold up a loop of
/// it: an innermost one that loads at least two values of global memory an iteration, with at most
/// two exchanges (shuffles, votes, barriers) for each, and that computes for no longer than memory
/// takes to bring them, or has three quarters of the warps that keep a multiprocessor busy. A
/// kernel whose number of registers or blocks is given keeps it.
void chooseLeastBlocks(llvm::Function &function, const StepInput &input);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_NVIDIA_EMIT_LEASTBLOCKS_H
