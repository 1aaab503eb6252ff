//===- SchedulerBarrier.h - Places that LLVM's scheduler respects ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// llvm.amdgcn.sched.barrier (LLVM, "User Guide for AMDGPU Backend") lets the kinds of instructions
// that its mask names pass. LLVM 22 makes an edge of the graph for every other instruction of the
// block, and looks for each edge among those that are there: with the barriers of an unrolled
// kernel, whose number grows with the block, that is the third power of the block's length. A
// barrier that nothing passes instead cuts the block in two.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_EMIT_SCHEDULERBARRIER_H
#define TILEWRIGHT_VENDOR_AMD_EMIT_SCHEDULERBARRIER_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

namespace tilewright::emit {

/// The bits of the mask that are used here.
namespace may_pass {
constexpr unsigned VectorArithmetic = 0x2, ScalarArithmetic = 0x4, GlobalMemory = 0x10,
                   SharedMemory = 0x80, Transcendentals = 0x400;
} // namespace may_pass

/// Blocks of this many instructions are long: twice as many as the longest of a product.
constexpr unsigned longBlock = 2048;

/// Makes a barrier that instructions of the kinds in `mask` may pass; in a long block, none.
inline llvm::CallInst *createSchedulerBarrier(llvm::IRBuilder<> &builder, unsigned mask) {
  if (llvm::hasNItemsOrMore(*builder.GetInsertBlock(), longBlock))
    mask = 0;
  return builder.CreateIntrinsic(llvm::Intrinsic::amdgcn_sched_barrier, {},
                                 {builder.getInt32(mask)});
}

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_AMD_EMIT_SCHEDULERBARRIER_H
