//===- Constants.h - Scalar constants of the LLVM dialect -----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// For TargetLowering's functions, which have a builder; what has an LoweringBuilder asks that.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_CORE_BUILDER_CONSTANTS_H
#define TILEWRIGHT_LOWER_CORE_BUILDER_CONSTANTS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

namespace tilewright::lower {

inline mlir::Value getI32(mlir::OpBuilder &builder, mlir::Location loc, uint32_t value) {
  return mlir::LLVM::ConstantOp::create(builder, loc,
                                        builder.getI32IntegerAttr(static_cast<int32_t>(value)));
}

inline mlir::Value getBool(mlir::OpBuilder &builder, mlir::Location loc, bool value) {
  return mlir::LLVM::ConstantOp::create(builder, loc, builder.getBoolAttr(value));
}

inline mlir::Value getF32(mlir::OpBuilder &builder, mlir::Location loc, float value) {
  return mlir::LLVM::ConstantOp::create(builder, loc, builder.getF32FloatAttr(value));
}

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_CORE_BUILDER_CONSTANTS_H
