//===- BlockLoadSteps.h - Block loads of a DPAS operand -------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// How the 2D block loads of one sub-group bring it an operand of its DPAS instructions, in three
// steps. Each is a map to places of memory, dim0 the row and dim1 the column: for a tensor in
// column-major memory these are the tensor's dimensions swapped.
//
//   tile        offset -> (dim0, dim1)
//               What one DPAS instruction reads; offset counts along the rows of memory.
//   iterations  (offset, iteration) -> (dim0, dim1)
//               What one load brings: the operands of as many instructions as lie side by side
//               and are within the limits of a message.
//   loads       (offset, iteration, load) -> (dim0, dim1)
//               All of it: where there is more than one load, each starts at its own place of
//               the tensor, whose size is that of the outputs then.
//
// Slots. Offsets and iterations count slots: what the message treats as one element. A slot may
// be several elements of the tensor:
//
//   row-major A of 8 bits          (1, 2)          a lane has neighbours of a row in pairs
//   row-major B of 16 and 8 bits   (2, 1), (4, 1)  the load packs rows into 32 bits (VNNI)
//   all that is transposed         (1, 32 / bits)  only 32-bit elements are
//   all else                       (1, 1)
//
// Loads count elements. Hence element i of slot (r, c) of a load that starts at (R, C) is, with
// slots of (h, w), at (R + h * r + i / w, C + w * c + i % w).
//
// docs/block-loads.md derives the steps and shows them.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PLAN_BLOCK2D_BLOCKLOADSTEPS_H
#define TILEWRIGHT_PLAN_BLOCK2D_BLOCKLOADSTEPS_H

#include "layout/encoding/IntelDpas.h"
#include "plan/Namespaces.h"
#include "plan/block2d/BlockMessage.h"

namespace tilewright::plan::block2d {

/// RowMajor: the tensor's last dimension is contiguous. ColumnMajor: its first.
enum class MemoryOrder { RowMajor, ColumnMajor };

/// A place of memory, or a size there.
struct MemoryPosition {
  uint64_t row = 0;
  uint64_t col = 0;

  friend bool operator==(const MemoryPosition &, const MemoryPosition &) = default;
};

struct BlockLoadSteps {
  layout::LinearLayout tile, iterations, loads;
  /// The elements of a slot: rows and columns.
  MemoryPosition slot;
  /// The shape of every load.
  BlockMessage message;
  /// (warp, block) -> (dim0, dim1): where a sub-group's loads start, in elements. Add it to
  /// every place.
  layout::LinearLayout origins;
  unsigned threadsPerWarp;

  /// The elements that a slot of a load holds, lowest bits first; of a sub-group at (0, 0).
  std::vector<MemoryPosition> elements(uint64_t load, uint64_t iteration, uint64_t offset) const;
};

/// The dimensions of the maps beside `offset`.
layout::Dim iterationDim();
layout::Dim loadDim();

/// The steps for operand A (opIdx 0) or B (1) of `parent`, which `verify` has no objection to.
/// An error if the tensor is no matrix, is smaller than the operand of one instruction, has
/// elements that are not 8, 16 or 32 bits wide, or if no load can give each lane what it reads.
Result<BlockLoadSteps> planBlockLoadSteps(const layout::intel::Dpas &parent, unsigned opIdx,
                                          unsigned elementBits, std::span<const int64_t> shape,
                                          MemoryOrder memory, const BlockMessageLimits &limits);

} // namespace tilewright::plan::block2d

#endif // TILEWRIGHT_PLAN_BLOCK2D_BLOCKLOADSTEPS_H
