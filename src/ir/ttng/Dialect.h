//===- Dialect.h - The ttng dialect: NVIDIA Hopper and Blackwell ----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTNG_DIALECT_H
#define TILEWRIGHT_IR_TTNG_DIALECT_H

#include "ir/ttg/Dialect.h"

#include "ir/ttng/Dialect.h.inc"
#include "ir/ttng/Enums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "ir/ttng/Attrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "ir/ttng/Types.h.inc"

namespace tilewright::ttng {

/// The memory of `#ttng.tensor_memory`.
struct TensorMemory : mlir::SideEffects::Resource::Base<TensorMemory> {
  llvm::StringRef getName() final { return "<TensorMemory>"; }
};

/// The accesses of `op` by its memory effects; of `barriers` it counts as reading, so that ops on
/// barriers are ordered with what makes and ends them only.
void getViewAccesses(mlir::Operation *op, mlir::ValueRange barriers,
                     llvm::SmallVectorImpl<ttg::ViewAccess> &accesses);

} // namespace tilewright::ttng

#define GET_OP_CLASSES
#include "ir/ttng/Ops.h.inc"

#endif // TILEWRIGHT_IR_TTNG_DIALECT_H
