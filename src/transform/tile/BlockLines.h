//===- BlockLines.h - What is known along one dimension of a block --*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Positions, offsets and masks of an access to a block are computed for each dimension by itself,
// on lines, and broadcast to the block afterwards. Where the block has a layout each line has the
// slice of it.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_TILE_BLOCKLINES_H
#define TILEWRIGHT_TRANSFORM_TILE_BLOCKLINES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace tilewright::transform {

class BlockLines {
public:
  /// `block`: the shape, and the layout or none; its element type does not matter.
  BlockLines(mlir::OpBuilder &builder, mlir::Location loc, mlir::RankedTensorType block)
      : builder(builder), loc(loc), block(block) {}

  /// The block with elements of type `element`.
  mlir::RankedTensorType getBlockType(mlir::Type element) const;

  /// A line along `dim` of elements of type `element`.
  mlir::RankedTensorType getType(unsigned dim, mlir::Type element) const;

  /// first, first + 1, .. along `dim`, in 64 bits; `first` is an i32.
  mlir::Value getPositions(unsigned dim, mlir::Value first) const;

  /// All elements of a line along `dim`, or of the block, are `scalar`.
  mlir::Value splatLine(unsigned dim, mlir::Value scalar) const;
  mlir::Value splatBlock(mlir::Value scalar) const;

  /// Where 0 <= position < size, on a line along `dim`.
  mlir::Value isInside(unsigned dim, mlir::Value positions, mlir::Value size) const;

  /// A line along `dim` as the whole block.
  mlir::Value toBlock(unsigned dim, mlir::Value line) const;

private:
  /// The layouts of a line along `dim`, of the line with one more dimension of size 1, and so on,
  /// up to the block's; nulls where the block has none.
  llvm::SmallVector<mlir::Attribute> getLayouts(unsigned dim) const;

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::RankedTensorType block;
};

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_TILE_BLOCKLINES_H
