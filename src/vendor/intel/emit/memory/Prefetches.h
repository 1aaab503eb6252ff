//===- Prefetches.h - Prefetches of lines of the cache --------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// LLVM's SPIR-V back end drops llvm.prefetch. OpenCL has a function for it, an instruction of the
// extended set OpenCL.std.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_INTEL_EMIT_MEMORY_PREFETCHES_H
#define TILEWRIGHT_VENDOR_INTEL_EMIT_MEMORY_PREFETCHES_H

namespace llvm {
class Function;
} // namespace llvm

namespace tilewright::emit {

/// Makes of llvm.prefetch from global memory OpenCL's prefetch of one byte.
void usePrefetchFunction(llvm::Function &function);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_INTEL_EMIT_MEMORY_PREFETCHES_H
