//===- WarpGroupTiles.h - Tensors as tiles of wgmma -----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A product of tensors is one of tiles: a warpgroup has its rows and columns of the result, and
// each 64 rows by N columns of these are the accumulator of one instruction for each step along K.
// Which registers of a thread a tile has is read off the layouts; the atom's maps say in what
// order an instruction takes them.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_LOWER_WARPGROUPTILES_H
#define TILEWRIGHT_VENDOR_NVIDIA_LOWER_WARPGROUPTILES_H

#include "layout/encoding/NvidiaMma.h"
#include "target/Atom.h"
#include "tilewright/layout/LinearLayout.h"
#include "tilewright/support/Result.h"

#include <vector>

namespace tilewright::vendor::nvidia {

/// Places of the registers of a tensor of two dimensions, and of threads.
class RegisterTiles {
public:
  explicit RegisterTiles(const layout::LinearLayout &layout);

  /// The register that holds, of the thread's elements, the one at this distance from its first.
  /// -1: it holds none.
  int find(uint64_t row, uint64_t column) const;
  /// The registers of the tile that begins at this distance, in the order of `operand`, the map of
  /// an atom in registers. Empty if the thread does not have all.
  std::vector<unsigned> registersOf(const target::AtomOperand &operand, uint64_t row,
                                    uint64_t column) const;
  /// Whether threads of a warpgroup hold the parts of tiles that `operand` says.
  bool hasThreadsOf(const target::AtomOperand &operand) const;

private:
  layout::LinearLayout layout;
  std::vector<uint64_t> places;
};

/// The tiles of one warpgroup of a result in `layout`, whose encoding is `mma`.
struct AccumulatorTiles {
  /// N of an instruction.
  unsigned columns = 0;
  /// From one tile to the next, and how many there are.
  uint64_t rowStep = 0, columnStep = 0;
  unsigned rowTiles = 0, columnTiles = 0;
  /// For each bit of a warp's number: to which row and column of the result it moves the
  /// warpgroup; zero for the lowest two, which are inside of it.
  std::vector<uint64_t> rowOfWarp, columnOfWarp;
};

/// Fails where a warpgroup does not have whole tiles.
Result<AccumulatorTiles> tileAccumulator(const layout::LinearLayout &layout,
                                         const layout::nvidia::Mma &mma);

} // namespace tilewright::vendor::nvidia

#endif // TILEWRIGHT_VENDOR_NVIDIA_LOWER_WARPGROUPTILES_H
