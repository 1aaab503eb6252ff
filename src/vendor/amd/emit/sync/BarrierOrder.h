//===- BarrierOrder.h - Loads of LDS that stay before barriers ------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// LLVM 22 moves a load to the successor of its block in which alone its value is used
// (machine-sink), past whatever does not write memory. That a barrier orders memory it does not
// ask, so that a wave may read LDS that the others are writing anew:
//
//     %x = load ptr addrspace(3) %p               s_barrier
//     fence; s_barrier; fence                     s_cbranch ..
//     br i1 %c, label %uses_x, label %end         ds_load %x
//
// Assembly that may write memory, though it has no instruction, it does not pass.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_EMIT_SYNC_BARRIERORDER_H
#define TILEWRIGHT_VENDOR_AMD_EMIT_SYNC_BARRIERORDER_H

#include "target/AmdProcessor.h"

namespace llvm {
class Function;
} // namespace llvm

namespace tilewright::emit {

/// Keeps loads of LDS in `function` before the barriers that follow them in their block, where the
/// block has several successors.
void keepLoadsBeforeBarriers(llvm::Function &function);

/// Lets waves wait for their accesses of LDS before each barrier. LLVM drops the wait of the fence
/// at the head of a loop at whose end LDS is written, if the barrier is not in the loop's first
/// block.
void waitBeforeBarriers(llvm::Function &function, target::amd::WaitFormat waits);

/// Where a block with products stores to LDS, after a barrier, what it has loaded from global
/// memory before it: has waves wait once for all such loads. LLVM waits before each store for its
/// own.
void waitForStagedLoads(llvm::Function &function, target::amd::WaitFormat waits);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_AMD_EMIT_SYNC_BARRIERORDER_H
