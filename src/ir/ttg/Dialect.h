//===- Dialect.h - The ttg dialect: tiles with layouts --------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTG_DIALECT_H
#define TILEWRIGHT_IR_TTG_DIALECT_H

#include "ir/EncodingHash.h"
#include "ir/tt/Dialect.h"
#include "ir/ttg/Attributes.h"
#include "ir/ttg/SharedMemoryUser.h"
#include "ir/ttg/ThreadGroup.h"
#include "layout/encoding/AmdMfma.h"
#include "layout/encoding/AmdWmma.h"
#include "layout/encoding/Encodings.h"
#include "layout/encoding/NvidiaMma.h"
#include "layout/encoding/SharedEncodings.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/TensorEncoding.h"

#include <map>
#include <memory>
#include <mutex>

namespace tilewright::target {
struct Target;
} // namespace tilewright::target

#include "ir/ttg/Dialect.h.inc"
#include "ir/ttg/Interfaces.h.inc"
#define GET_ATTRDEF_CLASSES
#include "ir/ttg/Attrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "ir/ttg/Types.h.inc"

namespace tilewright::ttg {

/// The memory of `#ttg.shared_memory`, that a block's threads share.
struct SharedMemory : mlir::SideEffects::Resource::Base<SharedMemory> {
  llvm::StringRef getName() final { return "<SharedMemory>"; }
};

} // namespace tilewright::ttg

#define GET_OP_CLASSES
#include "ir/ttg/Ops.h.inc"

namespace tilewright::ttg {

/// The target of the module around `op`, such as "cuda:90"; empty where none is named.
llvm::StringRef getTargetName(mlir::Operation *op);
/// Its entry; null where none is named, or one that is not known. Passes change nothing then, and
/// the lowering reports it.
const target::Target *getTarget(mlir::Operation *op);

/// The linear layout of a tensor type, which must have a layout encoding.
layout::LinearLayout toLinearLayout(mlir::RankedTensorType type);

/// Registers a thread holds of a tensor in its layout, replicated ones included; 1 for a scalar.
unsigned getElementsPerThread(mlir::Type type);

/// The bits of ttg.barrier's `addressSpaces`.
enum BarrierSpace : int32_t { Local = 1, GlobalRead = 2, GlobalWrite = 4, Tensor = 8, All = 15 };

} // namespace tilewright::ttg

#endif // TILEWRIGHT_IR_TTG_DIALECT_H
