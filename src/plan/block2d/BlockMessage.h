//===- BlockMessage.h - A 2D block message and its limits -----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A 2D block message moves a rectangle of a matrix in memory to or from the registers of
// a sub-group (a warp). The rectangle is 1, 2 or 4 blocks side by side, each of `height`
// rows of `width` elements. What a lane gets is a matter of counting:
//
//   - the elements of a block are numbered row by row, one block after the other; a
//     block that fills no whole register (64 bytes) is padded to one;
//   - with `vnni`, 32 / elementBits rows of a column count as one 32-bit value;
//   - with `transpose`, a block's rows and columns change places first;
//   - value p goes to lane p mod L, slot p / L, of L lanes.
//
// A 2x4 block in 4 lanes: slot 0 of lane 1 has (0,1), slot 1 has (1,1). The same transposed:
// the values are (0,0) (1,0) (0,1) (1,1) ..., so slot 0 of lane 1 has (1,0).
//
// Sources: SPIR-V extension SPV_INTEL_2d_block_io, "Mapping Block Data to Invocations" and
// "Restrictions"; OpenCL extension cl_intel_subgroup_2d_block_io, "Restrictions" and its
// table of valid dimensions; the checks of the Intel XPU back end of Triton (TritonGEN
// dialect, 2Dblockload, 2Dblockstore and 2Dblockprefetch).
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PLAN_BLOCK2D_BLOCKMESSAGE_H
#define TILEWRIGHT_PLAN_BLOCK2D_BLOCKMESSAGE_H

#include "plan/Namespaces.h"
#include "target/Target.h"
#include "tilewright/support/Result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace tilewright::plan::block2d {

enum class BlockAccess { Load, Store, Prefetch };

/// "load", "store", "prefetch".
std::string_view accessName(BlockAccess access);

struct BlockMessage {
  BlockAccess access = BlockAccess::Load;
  /// Bits of what the message calls an element: 8, 16, 32 or 64. It may hold several
  /// elements of a tensor that are neighbours in memory.
  unsigned elementBits = 8;
  /// Size of one block, in elements and rows of memory (before a transposition).
  unsigned width = 1;
  unsigned height = 1;
  /// Blocks side by side.
  unsigned blocks = 1;
  bool transpose = false;
  bool vnni = false;

  /// Bits of the value in a slot.
  unsigned slotBits() const { return vnni ? 32 : elementBits; }
  /// Bytes of a row in one block and in all of them.
  unsigned blockRowBytes() const { return elementBits * width / 8; }
  unsigned rowBytes() const { return blockRowBytes() * blocks; }
  /// Bytes of memory that it covers.
  unsigned bytes() const { return rowBytes() * height; }

  /// "32x16 d16, 2 blocks, vnni": height x width.
  std::string toString() const;
  friend bool operator==(const BlockMessage &, const BlockMessage &) = default;
};

/// The limits of a GPU's messages and of their surfaces. Heights, widths and blocks are powers
/// of two.
struct BlockMessageLimits {
  unsigned maxLoadHeight = 0;
  unsigned maxStoreHeight = 0;
  unsigned maxPrefetchHeight = 0;
  /// Width of a block, in elements.
  unsigned maxWidth = 0;
  unsigned maxPrefetchWidth = 0;
  /// Bytes of a row in all blocks together.
  unsigned maxRowBytes = 0;
  unsigned maxPrefetchRowBytes = 0;
  /// Least bytes of a row in one block.
  unsigned minRowBytes = 0;
  /// Blocks of a load of elements of 8, 16, 32 and 64 bits, of a store, of a prefetch.
  unsigned maxLoadBlocks[4] = {};
  unsigned maxStoreBlocks = 0;
  unsigned maxPrefetchBlocks = 0;
  /// A block is padded to a multiple of this.
  unsigned registerBytes = 0;
  /// Transposed loads: one block; 32 bits of up to this width, or 64 bits of up to this
  /// width and exactly this height.
  unsigned maxTransposeWidth32 = 0;
  unsigned maxTransposeWidth64 = 0;
  unsigned transposeHeight64 = 0;

  unsigned baseAlignment = 0;
  unsigned minSurfaceBytes = 0;
  uint64_t maxSurfaceBytes = 0;
  uint64_t maxSurfaceRows = 0;
  unsigned pitchMultiple = 0;
  /// Surface widths are multiples of this and of the element; so is x in bytes.
  unsigned widthMultiple = 0;

  unsigned maxHeight(BlockAccess access) const;
  unsigned maxBlocks(BlockAccess access, unsigned elementBits) const;
  unsigned maxAccessWidth(BlockAccess access) const;
  unsigned maxAccessRowBytes(BlockAccess access) const;

  /// The same with prefetches of 256 bytes a row, which GPUs after Xe3 have.
  BlockMessageLimits withWidePrefetch() const;
};

/// The limits of a target; null if it has no such messages.
const BlockMessageLimits *blockMessageLimits(const Target &target);

/// Whether the message keeps the rules. The error names the message and the rule.
Result<void> verifyMessage(const BlockMessage &message, const BlockMessageLimits &limits);
/// The same without the text, for searches.
bool isLegalMessage(const BlockMessage &message, const BlockMessageLimits &limits);

/// Whether OpenCL's environment for SPIR-V has the message, so that it can be written as an
/// instruction of SPV_INTEL_2d_block_io. Others need the compiler's own intrinsics.
bool hasSpirvForm(const BlockMessage &message, unsigned threadsPerWarp);

/// The matrix in memory that a message addresses, and where in it the rectangle starts.
struct BlockSurface {
  /// Address of the first byte.
  uint64_t base = 0;
  /// Bytes of a row that are in bounds; rows; bytes from one row to the next.
  uint64_t width = 0;
  uint64_t height = 0;
  uint64_t pitch = 0;
  /// In elements of the message, and in rows.
  uint64_t x = 0;
  uint64_t y = 0;

  friend bool operator==(const BlockSurface &, const BlockSurface &) = default;
};

/// Whether the surface keeps the rules for this message. The error names the message and the rule.
Result<void> verifySurface(const BlockSurface &surface, const BlockMessage &message,
                           const BlockMessageLimits &limits);

} // namespace tilewright::plan::block2d

#endif // TILEWRIGHT_PLAN_BLOCK2D_BLOCKMESSAGE_H
