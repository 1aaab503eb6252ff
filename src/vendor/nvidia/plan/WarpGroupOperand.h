//===- WarpGroupOperand.h - Operands of wgmma in shared memory ------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Operands of tcgen05.mma lie as those of wgmma do.
//
// How descriptors (MatrixDescriptor.h) name the tiles of a tensor in shared memory, read off its
// layout: of whatever encoding it is, a part of it, or transposed.
//
// Before the swizzle every step of an operand is the addition of a constant: each bit of a
// coordinate moves the address by a power of two of its own. So a layout fits the swizzle of W
// bytes if, with the swizzle undone,
//
//   - the bits of the contiguous dimension are 1, 2, .. elements up to W bytes (16 without a
//     swizzle); those above, of a tile, are one stride and its doubles;
//   - the lowest three bits of the other one are W bytes (16) and its doubles; those above are
//     another stride and its doubles.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_PLAN_WARPGROUPOPERAND_H
#define TILEWRIGHT_VENDOR_NVIDIA_PLAN_WARPGROUPOPERAND_H

#include "tilewright/layout/LinearLayout.h"
#include "tilewright/support/Result.h"
#include "vendor/nvidia/plan/MatrixDescriptor.h"

namespace tilewright::vendor::nvidia {

/// An operand in memory, and the part of it that one instruction takes. Sizes are powers of two.
struct OperandInMemory {
  /// (dim0, dim1) -> (offset, ..): where an element lies, in elements.
  layout::LinearLayout offsets;
  unsigned elementBits = 16;
  /// The number that the memory's first byte is known to be a multiple of.
  uint64_t alignment = 16;
  /// The dimensions along M or N, and along K.
  layout::Dim rowDim = layout::dims::Dim0, depthDim = layout::dims::Dim1;
  /// Elements of one instruction's tile along them.
  unsigned tileRows = 64, tileDepth = 16;
  /// Whether elements of 8 bits, too, may be contiguous along M or N.
  bool takesBytesAlongRows = false;
};

struct WarpGroupOperand {
  /// The descriptor of a tile that starts at 0.
  MatrixDescriptor form;
  /// Elements are contiguous along M or N; otherwise along K.
  bool alongRows = false;
  /// The bits of an address, before the swizzle, that differ within a tile.
  uint64_t tileMask = 0;

  /// The address for a descriptor of the tile whose first element lies `bytes` after the memory's
  /// beginning: it is added to the beginning's. Linear.
  uint64_t startOf(uint64_t bytes) const { return swizzle(bytes, form.swizzleBytes); }
};

/// Fails, and says why, where no descriptor names the tiles.
Result<WarpGroupOperand> planOperand(const OperandInMemory &operand);

} // namespace tilewright::vendor::nvidia

#endif // TILEWRIGHT_VENDOR_NVIDIA_PLAN_WARPGROUPOPERAND_H
