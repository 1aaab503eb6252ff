//===- UnitChoice.h - Which matrix unit computes a product ----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_MATRIX_UNITCHOICE_H
#define TILEWRIGHT_TRANSFORM_MATRIX_UNITCHOICE_H

#include "ir/ttg/query/MatrixUnits.h"
#include "target/Target.h"

namespace tilewright::transform {

/// An instruction for a product, and how the warps share the result.
struct UnitChoice {
  const target::MmaAtom *atom = nullptr;
  llvm::SmallVector<unsigned> warps;
  /// That of the result.
  mlir::Attribute encoding;
  /// They are of the product B^T * A^T, whose result is the transposed one.
  bool isTransposed = false;
};

/// The facts that instructions which read an operand from memory have to know of it.
struct OperandForm {
  /// It is contiguous along K in memory.
  bool isAlongK = true;
  /// Threads compute it: in shared memory it would have to be stored.
  bool isComputed = false;
};

/// The same of both operands.
struct OperandForms {
  OperandForm a, b;
  /// Both may be put into shared memory as they are.
  bool mayBeShared = false;
  /// Sums may keep fewer bits than f32 has, as those of 8-bit floats by groups of warps do.
  bool mayBeImprecise = true;
  /// A is computed from another product, and stays in registers.
  bool aFromProduct = false;
  /// Both operands and the result may change places.
  bool mayTranspose = false;
  /// Zeros may follow the operands along K.
  bool mayPad = false;
  /// Warps have rows of the result for themselves as long as there are enough.
  bool rowsPerWarp = false;
  /// The rows of the instructions of warps, if there are such for the types; 0: any.
  unsigned rows = 0;
  /// Columns of a unit's memory that the results of other products of the kernel have.
  unsigned takenColumns = 0;
};

/// The instruction of `target` for the product `op` if its operands and result had these types, and
/// it were done `times` times; nothing if there is none, or multiply-adds take no longer.
std::optional<UnitChoice> chooseUnit(tt::DotOp op, const ttg::MmaTypes &types,
                                     const target::Target &target, const OperandForms &forms,
                                     unsigned times = 1);

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_MATRIX_UNITCHOICE_H
