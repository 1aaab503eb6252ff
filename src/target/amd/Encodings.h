//===- Encodings.h - Layouts of AMD matrix units --------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The fragments of RDNA's WMMA instructions as maps, and AMD's rotating shared layout.
// Conventions (dimensions, sizes, repetition, errors) are those of layout/Encodings.h.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TARGET_AMD_ENCODINGS_H
#define TILEWRIGHT_TARGET_AMD_ENCODINGS_H

#include "layout/Encodings.h"

namespace tilewright::target::amd {

/// The accumulator of a WMMA instruction. version 1: gfx11, 2: gfx12. `registers` and `warps`
/// are the bases of the block's layout of instruction tiles (Triton's `ctaLayout`),
/// counted in tiles: how repetitions and warps are spread.
struct Wmma {
  unsigned version = 1;
  bool isTranspose = false;
  std::vector<std::vector<unsigned>> registers;
  std::vector<std::vector<unsigned>> warps;
  layout::ClusterBases cluster = {};
  /// M, N, K.
  std::vector<unsigned> instrShape = {16, 16, 16};
  unsigned rank = 2;
};

std::string verify(const Wmma &encoding);
layout::LinearLayout toLinearLayout(const Wmma &encoding, std::span<const int64_t> shape);

/// Operand A (opIdx 0: M x K) or B (1: K x N). kWidth: elements a lane holds contiguously
/// along K.
std::string verifyOperand(const Wmma &parent, unsigned opIdx, unsigned kWidth);
layout::LinearLayout operandLayout(const Wmma &parent, unsigned opIdx, unsigned kWidth,
                                   std::span<const int64_t> shape);

/// Like layout::SwizzledShared, but the phase is moved on by one for each block of
/// perPhase * maxPhase rows, so that accesses along columns are spread, too.
struct RotatingShared {
  unsigned vec = 1;
  unsigned perPhase = 1;
  unsigned maxPhase = 1;
  std::vector<unsigned> order;
  layout::ClusterBases cluster = {};
};

std::string verify(const RotatingShared &encoding, unsigned rank);
/// (offset, block) -> (dim0, dim1, ..).
layout::LinearLayout toLinearLayout(const RotatingShared &encoding, std::span<const int64_t> shape);

} // namespace tilewright::target::amd

#endif // TILEWRIGHT_TARGET_AMD_ENCODINGS_H
