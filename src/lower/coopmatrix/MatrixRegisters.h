//===- MatrixRegisters.h - What a lane holds of a cooperative matrix -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A cooperative matrix becomes the registers that a lane holds of it, in the order of
// layout::CooperativeMatrix::registerElement. Registers that are padding are 0: every lowering
// keeps that. Each warp of a program holds the whole matrix.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_COOPMATRIX_MATRIXREGISTERS_H
#define TILEWRIGHT_LOWER_COOPMATRIX_MATRIXREGISTERS_H

#include "ir/tw/Dialect.h"
#include "lower/core/builder/LoweringBuilder.h"

#include <functional>
#include <map>

namespace tilewright::lower {

/// The places of a matrix's elements in the lanes.
class MatrixRegisters {
public:
  MatrixRegisters(LoweringBuilder &e, tw::CoopMatrixType type)
      : e(e), matrix(type.getMatrix(1u << e.context.laneBits)) {}

  const layout::CooperativeMatrix &getLayout() const { return matrix; }
  unsigned size() const { return static_cast<unsigned>(matrix.registerCount()); }

  /// The row and column, i32, of a register in this lane. Of padding the column is columns() or
  /// more.
  mlir::Value getRow(unsigned reg);
  mlir::Value getColumn(unsigned reg);
  /// The row and column of register 0 in this lane; null for 0.
  mlir::Value getLaneRow();
  mlir::Value getLaneColumn();

  /// i1: whether a register is an element in this lane; null where it is one in all lanes. Not
  /// asked of registers that are padding in all.
  mlir::Value isElement(unsigned reg);
  /// `value` where `reg` is an element, and 0 where it is padding.
  mlir::Value withoutPadding(unsigned reg, mlir::Value value);

private:
  ThreadBases getBases(int64_t layout::CooperativeMatrix::Element::*coordinate);

  LoweringBuilder &e;
  layout::CooperativeMatrix matrix;
};

/// Moves elements of a matrix to other lanes and registers. What has been moved once is not moved
/// again, as long as the places dominated by the first move last.
class ElementGather {
public:
  using Element = layout::CooperativeMatrix::Element;
  using Register = layout::CooperativeMatrix::Register;
  /// The register that holds an element; of an element that is not one of the matrix, its lane.
  using PlaceOf = std::function<Register(Element)>;

  /// `registers`, of any type, hold a matrix of rows x columns where `placeOf` says: the lane must
  /// be a sum of one part for each bit of the row and of the column.
  ElementGather(LoweringBuilder &e, int64_t rows, int64_t columns, PlaceOf placeOf,
                mlir::ValueRange registers)
      : e(e), rows(rows), columns(columns), placeOf(std::move(placeOf)), registers(registers) {}
  /// They hold it as `layout` says.
  ElementGather(LoweringBuilder &e, const layout::CooperativeMatrix &layout,
                mlir::ValueRange registers)
      : ElementGather(
            e, layout.rows(), layout.columns(),
            [layout](Element element) { return layout.registerOf(element); }, registers) {}

  /// The value that is element `elementOf(lane)` in each lane. Row and column must be sums of one
  /// part for each bit of the lane's number, as in MatrixRegisters. Lanes whose element is not
  /// one of the matrix get any value.
  mlir::Value get(llvm::function_ref<Element(int64_t lane)> elementOf);

private:
  mlir::Value shuffle(llvm::ArrayRef<unsigned> lanes, unsigned reg);
  /// i1: whether this lane is one of those in `set`.
  mlir::Value isLaneIn(uint64_t set);

  LoweringBuilder &e;
  int64_t rows, columns;
  PlaceOf placeOf;
  llvm::SmallVector<mlir::Value> registers;
  std::map<std::vector<int64_t>, mlir::Value> gathered;
  std::map<std::pair<std::vector<unsigned>, unsigned>, mlir::Value> shuffled;
  std::map<uint64_t, mlir::Value> tests;
};

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_COOPMATRIX_MATRIXREGISTERS_H
