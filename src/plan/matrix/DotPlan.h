//===- DotPlan.h - Plans of matrix products by multiply-adds --------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A product without a matrix unit: each thread multiplies and adds for the elements of the
// result that it holds. What it needs of the operands is with other threads, so the block
// puts both into shared memory, and a loop over K reads them back slice by slice:
//
//     store A and B; barrier
//     for k0 in 0, S, 2 S, ..:
//         for k in k0 .. k0 + S:  acc[m, n] += A[m, k] * B[k, n]   for the thread's m and n
//
// In memory an operand's elements are ordered by the bits of their coordinates, lowest first:
//
//     along K      k of one vector | rows | the other k
//     along rows   rows of one vector | the other rows | k
//
// ("Rows" are the dimension of the operand that the result has, too: M of A and N of B.)
// Which of the two it is follows the registers in which the operand comes, so that stores
// are vectors. Of the rows, those bits come first that differ among the lanes of the result:
// the lanes of a warp read neighbouring vectors, or the same. After each group of
// rows there are a few unused elements, so that stores of lanes along K meet other banks.
//
// Where an operand comes in registers that already have what each thread needs, and the
// product is small, nothing is stored.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PLAN_MATRIX_DOTPLAN_H
#define TILEWRIGHT_PLAN_MATRIX_DOTPLAN_H

#include "plan/matrix/ProductTiling.h"
#include "target/ExchangeModel.h"
#include "tilewright/support/Result.h"

#include <array>
#include <vector>

namespace tilewright::plan {

/// Coordinates of an element of an operand. There is one batch where tensors have two dimensions.
struct DotCoordinates {
  uint64_t batch = 0, row = 0, k = 0;
};

/// One operand in shared memory. Offsets count elements.
struct DotOperandPlan {
  /// The dimensions of the operand: its rows and K.
  unsigned rowDim = 0, kDim = 0;
  bool hasBatch = false;
  /// Size of an element in memory.
  unsigned elementBytes = 0;
  /// The elements of a load, and whether they are along K.
  unsigned loadVector = 1;
  bool alongK = false;
  unsigned storeVector = 1;
  /// The positions of a coordinate's bits in an offset without padding.
  std::vector<unsigned> batchBits, rowBits, kBits;
  /// `pad` unused elements follow every 2^groupBits.
  unsigned groupBits = 0, pad = 0;
  /// Bits of the offset within a chunk; those above are the chunk's number.
  unsigned chunkBits = 0;
  /// First byte in the scratch.
  uint64_t begin = 0;

  /// Without padding.
  uint64_t offset(DotCoordinates at) const;
  uint64_t padded(uint64_t offset) const { return offset + (offset >> groupBits) * pad; }
  /// The coordinates in a packed output of a layout of the operand (or, for batch and row, of the
  /// result, whose dimension `dim` has the rows).
  DotCoordinates coordinates(const LinearLayout &map, uint64_t packed) const;
  DotCoordinates resultCoordinates(const LinearLayout &map, uint64_t packed) const;
};

struct DotPlan {
  /// Both operands are used as they are in registers; what follows does not matter then.
  bool inRegisters = false;
  std::array<DotOperandPlan, 2> operands;
  /// Consecutive k whose products one operation adds up: 4 for bytes, else 1.
  unsigned unit = 1;
  /// The k of one slice, of what is in memory at a time, and of all.
  uint64_t step = 1, chunk = 1, k = 1;
  uint64_t scratchBytes = 0;
};

/// The operands.
struct DotTypes {
  /// The bits of an element of A and of B as they are in memory: 8 to 64.
  unsigned aBits, bBits;
  /// Bytes whose products are added up to a word of 32 bits.
  bool areBytes = false;
};

/// The plan of a product of operands and a result with these layouts, in a block with `memory`.
Result<DotPlan> planDot(const ProductLayouts &layouts, const DotTypes &types,
                        const ExchangeModel &memory);

} // namespace tilewright::plan

#endif // TILEWRIGHT_PLAN_MATRIX_DOTPLAN_H
