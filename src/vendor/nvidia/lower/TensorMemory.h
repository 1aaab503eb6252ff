//===- TensorMemory.h - Tensor memory, as the lowering sees it ------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A tensor in tensor memory becomes the address of its first element, an i32: the row in the upper
// half, the column in the lower (PTX ISA, "Tensor Memory Addressing"). A kernel takes columns once,
// for all its tensors, and gives them back where it ends.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_LOWER_TENSORMEMORY_H
#define TILEWRIGHT_VENDOR_NVIDIA_LOWER_TENSORMEMORY_H

#include "lower/core/builder/LoweringBuilder.h"
#include "lower/space/MemorySpace.h"

namespace tilewright::lower::nvidia {

/// Two bands, the lower and the upper 16 of each warp's 32 rows, of 512 columns. A block is given a
/// power of two of them, at least 32.
extern const MemorySpace tensorMemorySpace;

/// Whether `target` has tensor memory: an atom of it accesses that.
bool hasTensorMemory(const target::Target &target);
/// Whether the kernel that `op` is in has any, so that its barriers are for that, too.
bool usesTensorMemory(mlir::Operation *op);

/// LLVM's pointer to the tensor memory at an address.
mlir::Value getTensorMemoryPointer(LoweringBuilder &e, mlir::Value address);

/// The fences that order tcgen05's operations by what threads do otherwise (PTX ISA,
/// "tcgen05.fence").
void emitFenceBeforeSync(LoweringBuilder &e);
void emitFenceAfterSync(LoweringBuilder &e);

} // namespace tilewright::lower::nvidia

#endif // TILEWRIGHT_VENDOR_NVIDIA_LOWER_TENSORMEMORY_H
