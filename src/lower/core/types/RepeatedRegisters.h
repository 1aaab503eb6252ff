//===- RepeatedRegisters.h - Registers that hold equal values -------*- C++ -*-===//
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
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_CORE_TYPES_REPEATEDREGISTERS_H
#define TILEWRIGHT_LOWER_CORE_TYPES_REPEATEDREGISTERS_H

#include "mlir/IR/Operation.h"
#include "tilewright/layout/LinearLayout.h"
#include "llvm/ADT/SmallVector.h"

namespace tilewright::transform {
class AxisInfoAnalysis;
}

namespace tilewright::lower {

/// The register bits of `layout` whose images are 1, 2, 4, .. along dimension number `dim`, in
/// this order: as many as there are without a gap, and such that the elements they give begin
/// at a multiple of their number in every thread.
llvm::SmallVector<unsigned, 4> getContiguousRegisterBits(const layout::LinearLayout &layout,
                                                         unsigned dim);

/// Sets the attribute on an integer op whose elements repeat, as far as those of its operands
/// do not: where they do, the lowering sees it without this.
void setConstancy(mlir::Operation *op, const transform::AxisInfoAnalysis &axes);

/// The bits of the register number that make no difference to the result of `op`, by its
/// attribute; 0 without a usable one.
uint64_t getRepeatedRegisterBits(mlir::Operation *op);

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_CORE_TYPES_REPEATEDREGISTERS_H
