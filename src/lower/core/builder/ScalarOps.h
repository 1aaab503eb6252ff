//===- ScalarOps.h - Elementwise ops on one element -----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// An elementwise op does the same to each element, so one description serves its scalar
// form, each register of its tensor form, and its use in the region of a reduction.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_CORE_BUILDER_SCALAROPS_H
#define TILEWRIGHT_LOWER_CORE_BUILDER_SCALAROPS_H

#include "lower/core/builder/LoweringBuilder.h"

namespace tilewright::lower {

/// One element of an op.
struct ScalarOp {
  /// The op: its attributes count, its operands and types do not.
  mlir::Operation *op;
  /// One value for each operand, and the LLVM type of each result: vectors of one size, if
  /// ScalarOps::takesVectors.
  llvm::ArrayRef<mlir::Value> operands;
  llvm::ArrayRef<mlir::Type> types;

  mlir::Value operator[](unsigned i) const { return operands[i]; }
  mlir::Type type() const { return types[0]; }
};

/// The elementwise ops that can be lowered.
class ScalarOps {
public:
  /// Emits one element and appends its results; a null result means that the target cannot
  /// compute it.
  using Lowering = void (*)(LoweringBuilder &, const ScalarOp &,
                            llvm::SmallVectorImpl<mlir::Value> &);

  explicit ScalarOps(mlir::MLIRContext *context);

  /// Null for an op that is not elementwise, or has no lowering.
  Lowering find(mlir::OperationName name) const { return table.lookup(name); }

  /// Whether the lowering of `op` is the same for vectors, of LLVM's types, element by element.
  bool takesVectors(mlir::Operation *op) const;

  /// Runs the lowering of an op that has one: in f32, where the op's bf16 are kept as bits.
  void emit(LoweringBuilder &e, const ScalarOp &op,
            llvm::SmallVectorImpl<mlir::Value> &results) const;

private:
  void addArith(mlir::MLIRContext *context);
  void addMath(mlir::MLIRContext *context);
  void addCasts(mlir::MLIRContext *context);

  llvm::DenseMap<mlir::OperationName, Lowering> table;
};

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_CORE_BUILDER_SCALAROPS_H
