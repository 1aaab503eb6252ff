//===- Dialect.h - The tt dialect: tile programs --------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TT_DIALECT_H
#define TILEWRIGHT_IR_TT_DIALECT_H

#include "ir/tt/LayoutOp.h"
#include "ir/tt/ProgramScope.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tilewright/layout/LinearLayout.h"

#include "ir/tt/Dialect.h.inc"
#include "ir/tt/Enums.h.inc"
#include "ir/tt/Interfaces.h.inc"
#define GET_TYPEDEF_CLASSES
#include "ir/tt/Types.h.inc"

namespace tilewright::tt {

/// The memory that tt.load reads and tt.store writes.
struct GlobalMemory : mlir::SideEffects::Resource::Base<GlobalMemory> {
  llvm::StringRef getName() final { return "<GlobalMemory>"; }
};

/// The most elements a tensor may have (Triton's limit as well).
inline constexpr int64_t maxTensorElements = 1 << 20;

/// The pointee of a pointer, or of each pointer of a tensor: a scalar, or a tensor of the same
/// shape and encoding. Null for other types.
mlir::Type getPointeeType(mlir::Type pointerLike);

/// i1, or a tensor of i1 of the shape and encoding of `type`.
mlir::Type getMaskType(mlir::Type type);

/// The element type of a tensor, and any other type itself.
mlir::Type getElementTypeOrSelf(mlir::Type type);

/// `type` with another element type: a tensor keeps its shape and encoding.
mlir::Type withElementType(mlir::Type type, mlir::Type elementType);

/// Bits of a number or, for a tensor, of one of its elements; a pointer has 64.
unsigned getElementBits(mlir::Type type);

/// Bits of an element as it is stored: pointers have 64, i1 has 8.
unsigned getStorageBits(mlir::Type elementType);

/// The layout encoding of a tensor; null where it has none, or none that is linear.
LayoutEncoding getLayoutEncoding(mlir::Type type);

/// Whether the layout of a tensor is still to be chosen: rules about layouts do not apply to it.
bool isUndecided(mlir::Type type);

namespace detail {
mlir::LogicalResult verifyTileSizes(mlir::Operation *op);
mlir::LogicalResult verifySameEncoding(mlir::Operation *op);
} // namespace detail

/// See TT_TileSizes in Ops.td.
template <typename ConcreteOp> struct TileSizes : mlir::OpTrait::TraitBase<ConcreteOp, TileSizes> {
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) {
    return detail::verifyTileSizes(op);
  }
};

/// See TT_SameEncoding in Ops.td.
template <typename ConcreteOp>
struct SameEncoding : mlir::OpTrait::TraitBase<ConcreteOp, SameEncoding> {
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) {
    return detail::verifySameEncoding(op);
  }
};

} // namespace tilewright::tt

#define GET_OP_CLASSES
#include "ir/tt/Ops.h.inc"

#endif // TILEWRIGHT_IR_TT_DIALECT_H
