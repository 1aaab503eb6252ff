//===- RuntimeRanges.h - The least and greatest elements of tensors -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// How large the elements of a tensor may get often depends on arguments: row numbers times a
// stride. In front of a loop a few scalar instructions can tell: the range of a sum is that of the
// sums of the operands' ends, and so on. They also check that no number on the way is negative or
// has 2^31 or more: as long as that holds, none has wrapped around, and ranges are right.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_MASKS_RUNTIMERANGES_H
#define TILEWRIGHT_TRANSFORM_MASKS_RUNTIMERANGES_H

#include "transform/masks/BoundBuilder.h"

#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace tilewright::transform {

/// Ranges of integers and tensors of these in the body of a loop, or above it, in all iterations.
class RuntimeRanges {
public:
  /// From low to high, both i64 and in front of the loop.
  struct Range {
    mlir::Value low, high;
  };

  explicit RuntimeRanges(mlir::scf::ForOp loop) : bounds(loop) {}

  /// The range of `value`'s elements, which is right if createHolds' condition is true. Nothing
  /// where they come of something else than sums, products, quotients by constants, remainders and
  /// moves of scalars, ranges and constants.
  std::optional<Range> get(mlir::Value value);

  /// From now on the condition is also that `value` is below `limit`.
  void require(mlir::Value value, int64_t limit);

  /// Whether all ranges asked for are right: an i1 in front of the loop.
  mlir::Value createHolds() const { return holds; }
  BoundBuilder &getBounds() { return bounds; }

private:
  std::optional<Range> compute(mlir::Value value);
  /// `value` as a range of its own, which has to be at least `least`.
  Range rangeOf(mlir::Value value, int64_t least = 0);
  void add(mlir::Value condition);

  BoundBuilder bounds;
  mlir::Value holds = mlir::arith::ConstantOp::create(bounds.builder, bounds.loop.getLoc(),
                                                      bounds.builder.getBoolAttr(true));
  llvm::DenseMap<mlir::Value, std::optional<Range>> known;
};

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_MASKS_RUNTIMERANGES_H
