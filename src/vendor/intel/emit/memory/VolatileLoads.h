//===- VolatileLoads.h - Loads that observe other threads' stores ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A volatile load in SPIR-V is done each time, but may be answered by the first cache, which knows
// nothing of the writes of other cores: a loop that waits for a flag would not end. OpAtomicLoad
// goes to where all cores write.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_INTEL_EMIT_MEMORY_VOLATILELOADS_H
#define TILEWRIGHT_VENDOR_INTEL_EMIT_MEMORY_VOLATILELOADS_H

namespace llvm {
class Function;
} // namespace llvm

namespace tilewright::emit {

/// Makes of the volatile loads of `function` from global memory the built-in of OpAtomicLoad,
/// relaxed, for each element. Those of 8 and 16 bits stay, as there are no atomic ones of them.
void makeVolatileLoadsAtomic(llvm::Function &function);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_INTEL_EMIT_MEMORY_VOLATILELOADS_H
