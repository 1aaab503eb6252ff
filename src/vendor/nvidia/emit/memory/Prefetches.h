//===- Prefetches.h - Prefetches of lines of the cache --------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// LLVM's NVPTX back end drops llvm.prefetch, and has prefetches of PTX from sm_90 on only; all
// processors know them.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_EMIT_MEMORY_PREFETCHES_H
#define TILEWRIGHT_VENDOR_NVIDIA_EMIT_MEMORY_PREFETCHES_H

namespace llvm {
class Function;
} // namespace llvm

namespace tilewright::emit {

/// Makes of llvm.prefetch from global memory prefetch.global.L2.
void expandPrefetches(llvm::Function &function);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_NVIDIA_EMIT_MEMORY_PREFETCHES_H
