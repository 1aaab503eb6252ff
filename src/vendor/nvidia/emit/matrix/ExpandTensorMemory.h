//===- ExpandTensorMemory.h - Waits for tensor memory as PTX --------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_EMIT_MATRIX_EXPANDTENSORMEMORY_H
#define TILEWRIGHT_VENDOR_NVIDIA_EMIT_MATRIX_EXPANDTENSORMEMORY_H

namespace llvm {
class Module;
} // namespace llvm

namespace tilewright::emit {

/// Replaces calls of the functions of plan/TensorMemoryFunctions.h by inline assembly: a wait whose
/// operands are its results, so that nothing reads them before it.
void expandTensorMemoryCalls(llvm::Module &module);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_NVIDIA_EMIT_MATRIX_EXPANDTENSORMEMORY_H
