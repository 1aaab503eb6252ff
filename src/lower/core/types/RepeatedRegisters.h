//===- RepeatedRegisters.h - Registers that follow from others ------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The mask `columns < n` is one value for eight neighbouring columns if n is a multiple of 8.
// A thread compares once for those of the eight that it holds, side by side or not. The axis
// analysis knows this while loops are loops; an attribute carries it to the lowering, which comes
// after.
//
// The column `index % n` of neighbouring indices is one more than that of the neighbour, in groups
// of which n is a multiple. The remainder hides that from who sees no more than numbers. A thread
// divides once for a group, and its other addresses are constants away.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_CORE_TYPES_REPEATEDREGISTERS_H
#define TILEWRIGHT_LOWER_CORE_TYPES_REPEATEDREGISTERS_H

#include "mlir/IR/Operation.h"
#include "tilewright/layout/LinearLayout.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace tilewright::transform {
class AxisInfoAnalysis;
}

namespace tilewright::lower {

/// On a remainder with one tensor as its result, as ttg::constancyAttrName is: in each aligned
/// group of as many elements along the dimension each is the one before it plus one.
inline constexpr llvm::StringLiteral contiguityAttrName = "ttg.contiguity";

/// The register bits of `layout` whose images are 1, 2, 4, .. along dimension number `dim`, in
/// this order: as many as there are without a gap, and such that the elements they give begin
/// at a multiple of their number in every thread.
llvm::SmallVector<unsigned, 4> getContiguousRegisterBits(const layout::LinearLayout &layout,
                                                         unsigned dim);

/// Sets the attribute on an integer op whose elements repeat, as far as those of its operands
/// do not: where they do, the lowering sees it without this. `axes` takes no hints, here and below.
void setConstancy(mlir::Operation *op, const transform::AxisInfoAnalysis &axes);

/// Sets the attribute on a remainder whose elements are neighbours.
void setContiguity(mlir::Operation *op, const transform::AxisInfoAnalysis &axes);

/// Elements of a thread that lie constants after others.
struct SteppedRegisters {
  /// For each bit of the register number by how much the result grows with it; 0: it is computed.
  llvm::SmallVector<int64_t, 6> steps;

  /// The register that `number` is computed from, and what lies between the two.
  std::pair<unsigned, int64_t> getOrigin(unsigned number) const;
};

/// Those of the result of `op`, by its attribute; none without a usable one.
SteppedRegisters getSteppedRegisters(mlir::Operation *op);

/// The bits of the register number that make no difference to the result of `op`, by its
/// attribute; 0 without a usable one.
uint64_t getRepeatedRegisterBits(mlir::Operation *op);

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_CORE_TYPES_REPEATEDREGISTERS_H
