//===- AxisInfo.h - Contiguity, divisibility and constancy of integers and pointers -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The width of vector accesses, and the dimension of a tile that runs along memory, follow from
// how its index expressions are built. For each dimension of an integer or pointer tensor
// the analysis keeps three powers of two. Cut the indices along the dimension into groups
// of n that start at multiples of n. Then, whatever the other indices are:
//
//   contiguity   = n:  in each group of n every value is its predecessor plus one
//                      (for pointers: one element);
//   divisibility = q:  q divides the first value of each group of `contiguity` values
//                      (for pointers: the address in bytes);
//   constancy    = n:  in each group of n all values are the same.
//
// Larger is better, 1 is always true. A scalar is treated as a tensor of shape [1].
//
//   value (shape 64)                   contiguity   divisibility   constancy
//   make_range 0 .. 64                 64           the largest    1
//   16 * make_range                    1            16             1
//   make_range / 16                    1            1              16
//   splat of a multiple of 8           1            8              64
//
// Index arithmetic is taken not to overflow, as the language demands.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_ANALYSIS_AXISINFO_H
#define TILEWRIGHT_ANALYSIS_AXISINFO_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>

namespace tilewright::transform {

/// The names of the hints: attributes of function arguments (integers) and of any op
/// (an integer for all dimensions, or a dense tensor with one number a dimension).
inline constexpr llvm::StringLiteral contiguityAttrName = "tt.contiguity";
inline constexpr llvm::StringLiteral divisibilityAttrName = "tt.divisibility";
inline constexpr llvm::StringLiteral constancyAttrName = "tt.constancy";

/// See the head of this file.
struct DimInfo {
  int64_t contiguity = 1;
  int64_t divisibility = 1;
  int64_t constancy = 1;

  friend bool operator==(const DimInfo &, const DimInfo &) = default;
};

struct AxisInfo {
  /// One entry a dimension; one for a scalar.
  llvm::SmallVector<DimInfo, 2> dims;
  /// The value of all elements, where it is known at compile time.
  std::optional<int64_t> constant;
  /// No element is negative.
  bool nonNegative = false;

  /// Nothing known, of a value of `rank` dimensions.
  static AxisInfo unknown(unsigned rank) {
    return {llvm::SmallVector<DimInfo, 2>(rank), {}, false};
  }

  /// A power of two that divides every element; 1 at least. `elementBytes` is the distance of
  /// neighbours: 1 for integers, the pointee's bytes for pointers.
  int64_t divisorOfAll(int64_t elementBytes = 1) const;

  friend bool operator==(const AxisInfo &, const AxisInfo &) = default;
};

/// The largest divisibility that is ever claimed (0 is divisible by everything).
inline constexpr int64_t maxDivisibility = int64_t(1) << 31;

/// Whether hints on ops count. Authors give them also where they do not hold:
/// tl.max_contiguous(tl.multiple_of(rows % m, BLOCK), BLOCK) is common for any m. They make
/// accesses wider, in Triton as well, but no value may follow from them.
enum class OpHints : uint8_t { Taken, Ignored };

/// The axis information of every integer and pointer below an op. Made in one walk in program
/// order; loops are walked again until nothing changes. It describes the IR as it was then:
/// values made later are unknown to it.
class AxisInfoAnalysis {
public:
  explicit AxisInfoAnalysis(mlir::Operation *root, OpHints hints = OpHints::Taken);

  /// Returns the facts about `value`; all ones, which say nothing, if it was not analyzed.
  AxisInfo get(mlir::Value value) const;

  /// The most elements that one access through the tensor `pointer` may take along dimension
  /// `dim`: neighbours in memory, the first of them aligned to the whole, not more than
  /// `maxBits` in all. A power of two, at least 1.
  unsigned getVectorWidth(mlir::Value pointer, unsigned dim, unsigned maxBits) const;

  /// The same, limited to groups of elements whose `mask` (null: none) is one value.
  unsigned getVectorWidth(mlir::Value pointer, mlir::Value mask, unsigned dim,
                          unsigned maxBits) const;

private:
  friend class AxisInfoWalker;
  llvm::DenseMap<mlir::Value, AxisInfo> infos;
};

} // namespace tilewright::transform

#endif // TILEWRIGHT_ANALYSIS_AXISINFO_H
