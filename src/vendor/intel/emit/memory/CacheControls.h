//===- CacheControls.h - Which caches keep what is accessed ---------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// With SPV_INTEL_cache_controls the pointer of a load or a store is decorated with what each level
// of caches does: 0 is the first, 1 the last, which Intel's GPUs call L1 and L3.
//
//   policy (emit/CachePolicy.h)       load                  store
//   ca                                cached, cached
//   cg                                uncached, cached      uncached, write-back
//   wb, evict_last                    cached, cached        write-back, write-back
//   wt                                                      write-through, write-through
//   cs, evict_first                   streaming, cached     streaming, write-back
//
// These are pairs that messages have ("L1UC_L3C", "L1S_L3C" and so on of LSC messages).
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_INTEL_EMIT_MEMORY_CACHECONTROLS_H
#define TILEWRIGHT_VENDOR_INTEL_EMIT_MEMORY_CACHECONTROLS_H

namespace llvm {
class Function;
} // namespace llvm

namespace tilewright::emit {

/// Decorates the pointers of loads, stores and 2D block messages that have a policy. Volatile and
/// atomic ones stay.
void useCacheControls(llvm::Function &function);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_INTEL_EMIT_MEMORY_CACHECONTROLS_H
