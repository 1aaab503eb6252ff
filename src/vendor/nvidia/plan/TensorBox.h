//===- TensorBox.h - Boxes of the tensor memory accelerator ---------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The tensor memory accelerator (TMA) copies boxes between a tensor in global memory and shared
// memory. A box has at most 256 elements in each dimension, and with a swizzle a row of it is as
// wide as the swizzle: a block that is larger is several boxes, one message each.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_PLAN_TENSORBOX_H
#define TILEWRIGHT_VENDOR_NVIDIA_PLAN_TENSORBOX_H

#include "ir/ttg/Dialect.h"
#include "tilewright/support/Result.h"

namespace tilewright::vendor::nvidia {

struct TensorBox {
  /// Elements in each dimension of the block, the fastest last.
  llvm::SmallVector<int64_t> shape;
  /// 0 (none), 32, 64 or 128.
  unsigned swizzleBytes = 0;
  unsigned elementBytes = 0;

  uint64_t bytes() const;
  /// The number that tensor maps have for the swizzle (PTX ISA, tensormap.replace).
  int swizzleMode() const;
};

/// The box of a block with the encoding of shared memory; a failure says why the accelerator
/// does not copy such blocks.
Result<TensorBox> getTensorBox(mlir::RankedTensorType block);

/// The number that tensor maps have for elements of a type, of which boxes are copied (PTX ISA,
/// tensormap.replace); nothing for a type that there is none for.
std::optional<int> getTensorMapElement(mlir::Type type);
/// PTX's name of that number, "f16".
std::optional<llvm::StringRef> getTensorMapElementName(mlir::Type type);

} // namespace tilewright::vendor::nvidia

#endif // TILEWRIGHT_VENDOR_NVIDIA_PLAN_TENSORBOX_H
