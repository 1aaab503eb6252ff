//===- AxisFacts.h - Axis facts and their join ----------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Building blocks of the transfer functions, each about one dimension. A group is a run of
// g elements that starts at a multiple of g, g a power of two. With `c`, `q`, `k` for contiguity,
// divisibility and constancy:
//
//   - the start of a group of g elements is divisible by q if g is a multiple of c; if g
//     is smaller, it lies a multiple of g after such a start: min(q, g) divides it. This
//     is `divisorAtStarts`.
//   - "a contiguous from multiples of g, b one multiple of g", `alignedGroup`, is what
//     remainders, comparisons and bit operations need: adding 0 .. g-1 to a multiple of g
//     stays below the next one.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_ANALYSIS_AXISFACTS_H
#define TILEWRIGHT_ANALYSIS_AXISFACTS_H

#include "analysis/AxisInfo.h"

#include "mlir/IR/Types.h"

namespace tilewright::transform {

/// Whether the analysis follows values of `type`: integers and pointers, and tensors of them.
bool isTracked(mlir::Type type);

/// The shape of a tensor; [1] for scalars and tensors without dimensions.
llvm::ArrayRef<int64_t> shapeOf(mlir::Type type);

/// Nothing known, of a value of `type`.
AxisInfo unknownOf(mlir::Type type);

/// The dimensions of `info`, of a value of `type`, less the one that stands in for none.
llvm::SmallVector<DimInfo, 2> realDims(const AxisInfo &info, mlir::Type type);

/// Bytes between neighbours: of the pointee for pointers, 1 for integers.
int64_t elementBytes(mlir::Type type);

/// The largest power of two that divides `value`, not above maxDivisibility.
int64_t divisorOf(int64_t value);

/// a * b, not above maxDivisibility.
int64_t product(int64_t a, int64_t b);

/// A divisor of the first element of each group of `group` elements, which are `bytes` apart.
int64_t divisorAtStarts(const DimInfo &info, int64_t group, int64_t bytes = 1);

/// The largest g such that `run` counts up from multiples of g in groups of g, in each of
/// which `other` is one multiple of g. `otherDivisor` divides all of `other`.
int64_t alignedGroup(const DimInfo &run, const DimInfo &other, int64_t otherDivisor);

/// Elements that all are `value`, in a tensor of `shape`.
AxisInfo constantInfo(int64_t value, llvm::ArrayRef<int64_t> shape);

/// `a` or `b`, whichever it is, of values whose neighbours are `bytes` apart.
AxisInfo join(const AxisInfo &a, const AxisInfo &b, int64_t bytes = 1);

} // namespace tilewright::transform

#endif // TILEWRIGHT_ANALYSIS_AXISFACTS_H
