//===- MemoryOrder.h - Memory orders in SPIR-V's terms --------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Memory semantics in SPIR-V name an order and the storage classes that it is for (SPIR-V
// Specification, "Memory Semantics <id>"); with none of these, nothing is ordered. LLVM's back end
// writes the order only, for a fence as for an atomic operation, and drivers leave out such fences.
// So a fence becomes the built-in of OpMemoryBarrier, which takes the semantics as a number, and an
// atomic operation that orders memory a relaxed one between such fences:
//
//     %old = atomicrmw xchg ptr addrspace(1) %p, i32 0 syncscope("device") acq_rel
//
// becomes
//
//     call spir_func void @_Z21__spirv_MemoryBarrierjj(i32 1, i32 772)
//     %old = atomicrmw xchg ptr addrspace(1) %p, i32 0 syncscope("device") monotonic
//     call spir_func void @_Z21__spirv_MemoryBarrierjj(i32 1, i32 770)
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_INTEL_EMIT_MEMORY_MEMORYORDER_H
#define TILEWRIGHT_VENDOR_INTEL_EMIT_MEMORY_MEMORYORDER_H

namespace llvm {
class Function;
} // namespace llvm

namespace tilewright::emit {

/// Replaces the fences of `function`, and the order of its atomic operations, by barriers for
/// global and shared memory.
void expandMemoryOrdering(llvm::Function &function);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_INTEL_EMIT_MEMORY_MEMORYORDER_H
