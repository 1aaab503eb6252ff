//===- NvidiaMma.h - Fragments of NVIDIA matrix units ---------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The fragments of mma.sync and wgmma as maps, and the shared-memory layouts that wgmma and
// the tensor memory accelerator read. Conventions (dimensions, sizes, repetition, errors)
// are those of layout/encoding/Encodings.h.
//
// Source: PTX ISA, "Warp-level matrix instructions" and "Asynchronous warpgroup-level matrix
// instructions": the figures of the fragments.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LAYOUT_ENCODING_NVIDIAMMA_H
#define TILEWRIGHT_LAYOUT_ENCODING_NVIDIAMMA_H

#include "layout/encoding/Encodings.h"

namespace tilewright::layout::nvidia {

/// The accumulator of a matrix instruction. versionMajor 2: mma.sync of Ampere and later,
/// instrShape [16, 8] or, for three-dimensional tensors, [1, 16, 8]; 3: wgmma, instrShape
/// [16, N, K]: a quarter of the instruction, which is what one of its four warps holds.
///
/// A lane holds two elements side by side, 4 lanes a row of 8, the warp 8 such rows;
/// registers repeat this along M to 16 rows, then along N to the instruction's. Instructions
/// are repeated along N first. Lane:register of mma.sync's 16 x 8:
///
///           n 0   1   2   3  ..  7
///     m 0   0:0 0:1 1:0 1:1 .. 3:1
///       1   4:0 4:1 5:0 5:1 .. 7:1
///       8   0:2 0:3 1:2 1:3 .. 3:3
///
/// Warps count along N first for mma.sync, along M first for wgmma.
struct Mma {
  unsigned versionMajor = 2;
  unsigned versionMinor = 0;
  std::vector<unsigned> warpsPerCTA;
  std::vector<unsigned> instrShape;
  layout::ClusterBases cluster = {};

  unsigned rank() const { return static_cast<unsigned>(warpsPerCTA.size()); }
  friend bool operator==(const Mma &, const Mma &) = default;
};

/// versionMajor is 2 or 3; there are 2 dimensions, or 3 with versionMajor 2; instrShape is as
/// above, of wgmma N and K powers of two from 8 to 256; warpsPerCTA are powers of two.
Result<void> verify(const Mma &encoding);
layout::LinearLayout toLinearLayout(const Mma &encoding, std::span<const int64_t> shape);

/// Operand A (opIdx 0: M x K) or B (1: K x N) of the instruction whose accumulator is
/// `parent`, which has been verified. `kWidth` is the number of elements a lane holds
/// contiguously along K: 32 / the bits of the element where it is used as it is loaded (1
/// for 64 bits), more where it is widened before. The tile is 8 * kWidth along K and
/// repeated along K first; warps that differ along the other dimension of the result
/// alone hold the same. m8n8k4 of doubles has kWidth 1: the tile is four of its A, two
/// of its B. wgmma has only operand A in registers.
Result<void> verifyOperand(const Mma &parent, unsigned opIdx, unsigned kWidth);
layout::LinearLayout operandLayout(const Mma &parent, unsigned opIdx, unsigned kWidth,
                                   std::span<const int64_t> shape);

/// Shared memory as wgmma's descriptors and the tensor memory accelerator see it.
/// swizzlingByteWidth: 0, 32, 64 or 128. `transposed`: the first dimension is contiguous
/// instead of the last.
///
/// The tensor is cut into boxes, which lie one after the other, the first dimension
/// first. A box has at most 256 elements along each dimension and, if it is swizzled, exactly
/// one swizzled row of swizzlingByteWidth bytes along the contiguous one. Within it bits 4 to
/// 6 of the byte's address (two of them for 64 bytes, one for 32) are XORed with bits 7 to 9:
/// of 128-byte rows, row r has its 16-byte chunk c at c ^ (r mod 8).
///
/// fp4Padded: elements are bytes of two 4-bit values, and of each 16 bytes of a swizzled row
/// only the first 8 hold any; in the map the other 8 stand for the same elements again. A
/// box has at most 256 values, 128 elements, along the contiguous dimension.
///
/// Triton 3.6 has another map where `transposed` is not usual: it ignores it without
/// swizzling (later versions do not), and with more than two dimensions swizzles rows that
/// are not those of the address.
struct NvmmaShared {
  unsigned swizzlingByteWidth = 0;
  bool transposed = false;
  unsigned elementBitWidth = 16;
  bool fp4Padded = false;
  unsigned rank = 2;
  layout::ClusterBases cluster = {};

  friend bool operator==(const NvmmaShared &, const NvmmaShared &) = default;
};

/// swizzlingByteWidth is one of the four, elementBitWidth 8, 16, 32 or 64, with fp4Padded 8; rank
/// is 1 to 5, with swizzling at least 2.
Result<void> verify(const NvmmaShared &encoding);
/// Whether a tensor of this shape can have the layout: with swizzling, a block's part holds
/// at least one swizzled width, and 8 rows or a single one.
Result<void> verifyShape(const NvmmaShared &encoding, std::span<const int64_t> shape);
/// (offset, block) -> (dim0, dim1, ..).
layout::LinearLayout toLinearLayout(const NvmmaShared &encoding, std::span<const int64_t> shape);

} // namespace tilewright::layout::nvidia

#endif // TILEWRIGHT_LAYOUT_ENCODING_NVIDIAMMA_H
