//===- SharedBase.h - The address of shared memory, once ------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The array of shared memory is a constant to LLVM, and each block of code that uses its address
// gets an instruction for it. To the machine the address is none: it depends on the block's place
// in its cluster, which ptxas may read from a special register in each iteration of a loop, in
// front of the product whose descriptors it computes from it.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_EMIT_MEMORY_SHAREDBASE_H
#define TILEWRIGHT_VENDOR_NVIDIA_EMIT_MEMORY_SHAREDBASE_H

namespace llvm {
class Function;
} // namespace llvm

namespace tilewright::emit {

/// Lets a kernel whose products of warp groups read what its threads copy take the address of
/// shared memory once, where it begins.
void takeSharedBaseOnce(llvm::Function &function);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_NVIDIA_EMIT_MEMORY_SHAREDBASE_H
