//===- SharedMemory.h - What conversions ask of a shared memory -----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LAYOUT_SHAREDMEMORY_H
#define TILEWRIGHT_LAYOUT_SHAREDMEMORY_H

#include <cstdint>

namespace tilewright::layout {

/// A banked memory that the threads of a block share. Word i (bankBytes wide) is in
/// bank i mod banks; in one wavefront each bank serves one word, to all lanes that
/// want it. All sizes are powers of two.
///
/// An access wider than a bank goes in phases: the warp is cut into groups of consecutive
/// lanes, so many that a group asks for banks * bankBytes at most. With 32 banks of
/// 4 bytes, accesses of 8 bytes have two phases of half a warp, those of 16 bytes four
/// of a quarter.
struct SharedMemory {
  unsigned banks = 32;
  unsigned bankBytes = 4;
  /// The widest access of one lane: 64 at least, so that it takes any element.
  unsigned maxAccessBits = 128;
  /// Whether a warp can load and store matrices of 8 rows of 16 bytes (AccessKind::Matrix).
  bool matrixLoads = false;
  bool matrixStores = false;
  /// What a conversion may take at most.
  uint64_t maxBytes = 48 * 1024;
  /// What less scratch memory is worth: so many bytes are given for one cycle of the cost of
  /// further repetitions.
  uint64_t scratchBytesPerCycle = 256;
};

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_SHAREDMEMORY_H
