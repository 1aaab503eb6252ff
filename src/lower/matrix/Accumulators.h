//===- Accumulators.h - What products of a matrix unit add to -------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The accumulators of all products of a tile, in as few registers as the unit allows: where it adds
// to either half of a register (MatrixUnits::getAccumulatorsPerFragment), two share a fragment.
// Those that do are far apart in the order of products, so that an instruction does not wait for
// the one before it.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_MATRIX_ACCUMULATORS_H
#define TILEWRIGHT_LOWER_MATRIX_ACCUMULATORS_H

#include "lower/core/TargetLowering.h"

namespace tilewright::lower {

class Accumulators {
public:
  using Registers = llvm::SmallVector<mlir::Value>;

  /// `registers` has those of each accumulator, as the maps of `atom` number them.
  Accumulators(const MatrixUnits &units, mlir::OpBuilder &builder, mlir::Location loc,
               const target::MmaAtom &atom, llvm::ArrayRef<Registers> registers);

  /// Adds the product of the fragments `a` and `b` to accumulator `number`.
  void add(unsigned number, mlir::ValueRange a, mlir::ValueRange b);

  /// The registers of each accumulator, of `type`.
  llvm::SmallVector<Registers> unpack(mlir::Type type) const;

private:
  unsigned getFragment(unsigned number) const { return number % fragments.size(); }
  unsigned getPart(unsigned number) const { return number / fragments.size(); }

  const MatrixUnits &units;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  const target::MmaAtom &atom;
  unsigned count;
  llvm::SmallVector<llvm::SmallVector<mlir::Value>> fragments;
};

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_MATRIX_ACCUMULATORS_H
