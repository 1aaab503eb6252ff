//===- UnitTiles.h - Cooperative matrices as tiles of an instruction -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A product of cooperative matrices by a matrix unit: A and B are cut into the tiles of an
// instruction's operands, whose elements other lanes hold than the matrix's layout has them in, and
// the tiles of the result are put together again. Where rows or columns end inside a tile, what is
// beyond them is computed from anything, and left.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_COOPMATRIX_UNITTILES_H
#define TILEWRIGHT_LOWER_COOPMATRIX_UNITTILES_H

#include "ir/tw/Dialect.h"
#include "target/Target.h"

namespace tilewright::lower {

/// An instruction for a product.
struct MatrixUnit {
  const target::MmaAtom *atom = nullptr;
  /// It computes the transposed product: B^T is its A, and A^T its B.
  bool isTransposed = false;
};

/// The instruction of `target` that does the product in the fewest cycles for a warp of `lanes`;
/// none where no unit has the types, where K is no multiple of what an instruction takes, and where
/// tiles would mostly be empty.
MatrixUnit chooseMatrixUnit(tw::CoopMatrixMulAddOp op, const target::Target &target,
                            unsigned lanes);

/// The places of an operand's elements in the tiles of an instruction, tile by tile along the
/// columns, then along the rows.
class UnitTiles {
public:
  using Element = layout::CooperativeMatrix::Element;
  using Register = layout::CooperativeMatrix::Register;

  /// Tiles of `map`, (register, lane) -> (row, column), that cover rows x columns. With
  /// `isTransposed` the map's rows are the matrix's columns.
  UnitTiles(const layout::LinearLayout &map, bool isTransposed, int64_t rows, int64_t columns);

  unsigned rowTiles() const { return numRowTiles; }
  unsigned columnTiles() const { return numColumnTiles; }
  unsigned registersPerTile() const { return registers; }
  /// The element of a register of a lane, which may be beyond the matrix.
  Element element(unsigned rowTile, unsigned columnTile, unsigned reg, unsigned lane) const;
  /// One of the places of an element: the registers of all tiles are numbered in their order.
  Register place(Element element) const;

private:
  Element inTile(unsigned reg, unsigned lane) const;

  layout::LinearLayout map;
  bool isTransposed;
  int64_t tileRows, tileColumns;
  unsigned numRowTiles, numColumnTiles, registers;
  /// By row and column within a tile.
  std::vector<Register> places;
};

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_COOPMATRIX_UNITTILES_H
