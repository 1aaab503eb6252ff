//===- MatrixUnits.h - Atoms of products and their encodings --------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// What a matrix unit's atom (target/Atom.h) is called in the IR: its types, and the encodings of
// tensors that are cut into its tiles.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTG_QUERY_MATRIXUNITS_H
#define TILEWRIGHT_IR_TTG_QUERY_MATRIXUNITS_H

#include "ir/ttg/Dialect.h"
#include "target/Atom.h"

#include <optional>

namespace tilewright::ttg {

/// The types of A, B and the result of a product.
struct MmaTypes {
  target::MmaType a, b, result;
  friend bool operator==(const MmaTypes &, const MmaTypes &) = default;
};

/// The type that units have for elements of `type`: of f32 operands tf32, where `precision` says
/// that they may be rounded. Nothing where no unit has it.
std::optional<target::MmaType> getOperandMmaType(mlir::Type type, tt::InputPrecision precision);
std::optional<target::MmaType> getResultMmaType(mlir::Type type);
/// Those of a product of these types.
std::optional<MmaTypes> getMmaTypes(tt::DotOp op);

/// Whether `atom` is one whose operands are in the registers of the warp that issues it, for these
/// types.
bool isWarpProduct(const target::MmaAtom &atom, const MmaTypes &types);

/// Whether it is one that four warps issue together, with B in shared memory and the result in
/// their registers, for these types.
bool isWarpGroupProduct(const target::MmaAtom &atom, const MmaTypes &types);

/// Whether it is one that a thread issues for the block, with A and B in shared memory and the
/// result in a memory of the unit, for these types.
bool isBlockProduct(const target::MmaAtom &atom, const MmaTypes &types);

/// The rows of one instruction that a warp computes.
unsigned getRowsOfWarp(const target::MmaAtom &atom);

/// The lanes of a warp that issues `atom`.
unsigned getLanes(const target::MmaAtom &atom);

/// The encoding of results of `shape` that are cut into the tiles of `atom`, with so many warps
/// along each dimension: two, or three with a batch. Null if no encoding has its tiles. Of a result
/// in a memory of the unit it is the one in which four warps bring their rows of it to registers.
mlir::Attribute getAccumulatorEncoding(mlir::MLIRContext *context, const target::MmaAtom &atom,
                                       llvm::ArrayRef<unsigned> warps,
                                       llvm::ArrayRef<int64_t> shape);

/// The encoding in shared memory of an operand of `shape` whose last dimension, or first, is
/// contiguous, as such instructions read it; null where its rows are too short.
mlir::Attribute getSharedOperandEncoding(mlir::MLIRContext *context, llvm::ArrayRef<int64_t> shape,
                                         unsigned elementBits, bool isLastContiguous);

} // namespace tilewright::ttg

#endif // TILEWRIGHT_IR_TTG_QUERY_MATRIXUNITS_H
