//===- MaskCachedAccess.h - Cached accesses in masked form ----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_EMIT_MEMORY_MASKCACHEDACCESS_H
#define TILEWRIGHT_VENDOR_NVIDIA_EMIT_MEMORY_MASKCACHEDACCESS_H

namespace llvm {
class Function;
} // namespace llvm

namespace tilewright::emit {

/// Makes masked ones, with all lanes on, of the loads and stores of `function` that say how they
/// use the caches (CachePolicy.h, nontemporal): the expansion of masked accesses writes the cache
/// operators of PTX, which LLVM's code generator has no names for. Volatile and atomic ones stay.
void maskCachedAccesses(llvm::Function &function);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_NVIDIA_EMIT_MEMORY_MASKCACHEDACCESS_H
