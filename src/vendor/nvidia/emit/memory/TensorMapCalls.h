//===- TensorMapCalls.h - Making tensor maps, as PTX ----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// PTX ISA, "tensormap.cp_fenceproxy" and "trap".
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_EMIT_MEMORY_TENSORMAPCALLS_H
#define TILEWRIGHT_VENDOR_NVIDIA_EMIT_MEMORY_TENSORMAPCALLS_H

namespace llvm {
class Module;
} // namespace llvm

namespace tilewright::emit {

/// Makes PTX of the calls of plan/TensorMapFunctions.h.
void expandTensorMapCalls(llvm::Module &module);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_NVIDIA_EMIT_MEMORY_TENSORMAPCALLS_H
