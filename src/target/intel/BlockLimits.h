//===- BlockLimits.h - What one 2D block load may bring -------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A 2D block load brings `blocks` blocks, side by side in memory, of `height` rows and `width`
// elements of 8, 16, 32 or 64 bits. The limits are those of every GPU that has these messages
// (Xe-HPC, Xe2, Xe3). Sources: SPV_INTEL_2d_block_io; the restrictions on 2D block operations
// that the Intel XPU back end checks.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TARGET_INTEL_BLOCKLIMITS_H
#define TILEWRIGHT_TARGET_INTEL_BLOCKLIMITS_H

namespace tilewright::target::intel {

/// Bytes of a row, all blocks together.
inline constexpr unsigned MaxRowBytes = 64;
/// Rows of memory.
inline constexpr unsigned MaxLoadRows = 32;
/// One register of the register file. Each block starts a new one, so that only blocks that
/// fill registers lie one after another without a gap.
inline constexpr unsigned RegisterBytes = 64;
/// Transposing loads have elements of 32 bits (or 64), one block, and rows of this many.
inline constexpr unsigned TransposedElementBits = 32;
inline constexpr unsigned MaxTransposedWidth = 8;
/// Packing loads (VNNI) put this many bits of a column, from as many rows as make them, into
/// one 32-bit element.
inline constexpr unsigned PackedBits = 32;

/// Blocks of one load.
constexpr unsigned maxLoadBlocks(unsigned elementBits) {
  return elementBits == 64 ? 1 : elementBits == 32 ? 2 : 4;
}

} // namespace tilewright::target::intel

#endif // TILEWRIGHT_TARGET_INTEL_BLOCKLIMITS_H
