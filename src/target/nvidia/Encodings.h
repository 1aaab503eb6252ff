//===- Encodings.h - Layouts of NVIDIA matrix units -----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The fragments of mma.sync and wgmma as maps, and the shared-memory layouts that wgmma and
// the tensor memory accelerator read. Conventions (dimensions, sizes, repetition, errors)
// are those of layout/Encodings.h.
//
// Source: PTX ISA, "Warp-level matrix instructions" and "Asynchronous warpgroup-level matrix
// instructions": the figures of the fragments.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TARGET_NVIDIA_ENCODINGS_H
#define TILEWRIGHT_TARGET_NVIDIA_ENCODINGS_H

#include "layout/Encodings.h"

namespace tilewright::target::nvidia {

/// The accumulator of a matrix instruction. versionMajor 2: mma.sync of Ampere and later,
/// instrShape [M, N] or, for three-dimensional tensors, [1, M, N]; 3: wgmma, instrShape
/// [16, N, K] a warp.
struct Mma {
  unsigned versionMajor = 2;
  unsigned versionMinor = 0;
  std::vector<unsigned> warpsPerCTA;
  std::vector<unsigned> instrShape;
  layout::ClusterBases cluster = {};

  unsigned rank() const { return static_cast<unsigned>(warpsPerCTA.size()); }
};

std::string verify(const Mma &encoding);
layout::LinearLayout toLinearLayout(const Mma &encoding, std::span<const int64_t> shape);

/// Operand A (opIdx 0: M x K) or B (1: K x N) of the instruction whose accumulator is
/// `parent`. `kWidth` is the number of elements a lane holds contiguously along K: 32 / the
/// bits of the element where it is used as it is loaded.
std::string verifyOperand(const Mma &parent, unsigned opIdx, unsigned kWidth);
layout::LinearLayout operandLayout(const Mma &parent, unsigned opIdx, unsigned kWidth,
                                   std::span<const int64_t> shape);

/// Shared memory as wgmma's descriptors and the tensor memory accelerator see it.
/// swizzlingByteWidth: 0, 32, 64 or 128. `transposed`: the first of the two inner
/// dimensions is contiguous instead of the last.
struct NvmmaShared {
  unsigned swizzlingByteWidth = 0;
  bool transposed = false;
  unsigned elementBitWidth = 16;
  bool fp4Padded = false;
  unsigned rank = 2;
  layout::ClusterBases cluster = {};
};

std::string verify(const NvmmaShared &encoding);
/// Whether a tensor of this shape can have the layout: its parts must hold whole swizzle
/// atoms. One sentence without a full stop, or "".
std::string verifyShape(const NvmmaShared &encoding, std::span<const int64_t> shape);
/// (offset, block) -> (dim0, dim1, ..).
layout::LinearLayout toLinearLayout(const NvmmaShared &encoding, std::span<const int64_t> shape);

} // namespace tilewright::target::nvidia

#endif // TILEWRIGHT_TARGET_NVIDIA_ENCODINGS_H
