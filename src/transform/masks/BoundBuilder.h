//===- BoundBuilder.h - Numbers of 64 bits in front of a loop -------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_MASKS_BOUNDBUILDER_H
#define TILEWRIGHT_TRANSFORM_MASKS_BOUNDBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilewright::transform {

/// Emits numbers of 64 bits in front of a loop.
class BoundBuilder {
public:
  explicit BoundBuilder(mlir::scf::ForOp loop) : loop(loop), builder(loop) {}

  mlir::Value constant(int64_t value) {
    return mlir::arith::ConstantOp::create(builder, loop.getLoc(),
                                           builder.getI64IntegerAttr(value));
  }
  template <typename Op> mlir::Value create(mlir::Value a, mlir::Value b) {
    return builder.createOrFold<Op>(loop.getLoc(), a, b);
  }
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value a, mlir::Value b) {
    return builder.createOrFold<mlir::arith::CmpIOp>(loop.getLoc(), predicate, a, b);
  }
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b) {
    return builder.createOrFold<mlir::arith::SelectOp>(loop.getLoc(), condition, a, b);
  }
  mlir::Value widen(mlir::Value value) {
    mlir::Type wide = builder.getI64Type();
    return value.getType() == wide
               ? value
               : builder.createOrFold<mlir::arith::ExtSIOp>(loop.getLoc(), wide, value);
  }
  mlir::Value narrow(mlir::Value value) {
    mlir::Type type = loop.getInductionVar().getType();
    return type == builder.getI64Type()
               ? value
               : builder.createOrFold<mlir::arith::TruncIOp>(loop.getLoc(), type, value);
  }

  mlir::scf::ForOp loop;
  mlir::OpBuilder builder;
};

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_MASKS_BOUNDBUILDER_H
