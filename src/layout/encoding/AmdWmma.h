//===- AmdWmma.h - Fragments of AMD RDNA matrix units ---------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The fragments of RDNA's WMMA instructions as maps, and AMD's rotating shared layout.
// Conventions (dimensions, sizes, repetition, errors) are those of layout/encoding/Encodings.h.
//
// The instruction D = A * B + C of one wave of 32 lanes, with A 16 x K, B K x 16, and C and
// D 16 x 16. Where lane l with register r points, gfx11 and gfx12:
//
//                   gfx11                        gfx12
//     A  (row, k)   (l mod 16, r)                (l mod 16, r + 8 * (l / 16))
//     B  (k, col)   (r, l mod 16)                (r + 8 * (l / 16), l mod 16)
//     C  (row, col) (2 * r + l / 16, l mod 16)   (r + 8 * (l / 16), l mod 16)
//
// On gfx11 lanes 16 to 31 hold A and B once more. include/tilewright/WmmaLayout.h has these
// functions one by one; docs/fragments.md draws them.
//
// Sources: AMD RDNA3 and RDNA4 Instruction Set Architecture, the sections on WMMA.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LAYOUT_ENCODING_AMDWMMA_H
#define TILEWRIGHT_LAYOUT_ENCODING_AMDWMMA_H

#include "layout/encoding/Encodings.h"

namespace tilewright::layout::amd {

/// The accumulator of a WMMA instruction. version 1: gfx11, 2: gfx12. `registers` and `warps`
/// are the bases of the block's layout of instruction tiles (Triton's `ctaLayout`),
/// counted in tiles: how repetitions and warps are spread.
struct Wmma {
  unsigned version = 1;
  /// The registers hold the transposed tile: rows and columns of the table above trade places.
  /// (The instruction is then given B's fragment as A and A's as B.)
  bool isTranspose = false;
  std::vector<std::vector<unsigned>> registers;
  std::vector<std::vector<unsigned>> warps;
  layout::ClusterBases cluster = {};
  /// M, N, K.
  std::vector<unsigned> instrShape = {16, 16, 16};
  /// 2, or 3 with the batch as dimension 0.
  unsigned rank = 2;

  friend bool operator==(const Wmma &, const Wmma &) = default;
};

/// The bases of `counts` tiles in each dimension, counted along the last dimension first: what
/// Triton's older `warpsPerCTA = [2, 2]` stands for as `ctaLayout = {warp = [[0, 1], [1, 0]]}`.
/// `first` are the bases that the tiles come on top of: of `tilesPerWarp`, where there is one.
/// All counts are powers of two.
std::vector<std::vector<unsigned>> tileBases(std::span<const unsigned> counts,
                                             std::span<const std::vector<unsigned>> first = {});

/// The version, the instruction's shape (K 16; on version 2 also 32) and the rank; and the
/// bases of registers and warps, taken together: each has `rank` values, at most one of which
/// is not zero, and that is a power of two; in each dimension they are 1, 2, 4, ...
Result<void> verify(const Wmma &encoding);
/// Tile, then `registers` and `warps`, then repetition, last dimension first.
layout::LinearLayout toLinearLayout(const Wmma &encoding, std::span<const int64_t> shape);

/// Operand A (opIdx 0: M x K) or B (1: K x N). kWidth: elements a lane holds contiguously
/// along K; 8 or 16 for version 1, 4, 8 or 16 for version 2.
Result<void> verifyOperand(const Wmma &parent, unsigned opIdx, unsigned kWidth);
/// kWidth elements along K in registers; 16 lanes along the other dimension; lane bit 4 moves
/// by kWidth along K (version 1: holds the same once more); then all of K in registers, at least
/// the instruction's; then the parent's tiles but for their way along K, where all warps hold the
/// same.
///
/// Version 2 numbers the slots of K with kWidth 8 as the table above does, with kWidth 4 as the
/// manual does (docs/fragments.md tells why both are right).
layout::LinearLayout operandLayout(const Wmma &parent, unsigned opIdx, unsigned kWidth,
                                   std::span<const int64_t> shape);

/// Like layout::SwizzledShared, but each block of perPhase * maxPhase rows has its phases
/// changed by XOR with the block's number, modulo maxPhase:
///
///     phase(row) = (row / perPhase) mod maxPhase  XOR  (row / (perPhase * maxPhase)) mod maxPhase
///
/// so that accesses along columns are spread, too. vec 1, perPhase 1, maxPhase 2, 4x4, each
/// cell an element (row, column) in the order of memory:
///
///     (0,0) (0,1) (0,2) (0,3)
///     (1,1) (1,0) (1,3) (1,2)
///     (2,1) (2,0) (2,3) (2,2)
///     (3,0) (3,1) (3,2) (3,3)
struct RotatingShared {
  unsigned vec = 1;
  unsigned perPhase = 1;
  unsigned maxPhase = 1;
  std::vector<unsigned> order;
  layout::ClusterBases cluster = {};

  unsigned rank() const { return static_cast<unsigned>(order.size()); }
  friend bool operator==(const RotatingShared &, const RotatingShared &) = default;
};

Result<void> verify(const RotatingShared &encoding, unsigned rank);
/// (offset, block) -> (dim0, dim1, ..).
layout::LinearLayout toLinearLayout(const RotatingShared &encoding, std::span<const int64_t> shape);

} // namespace tilewright::layout::amd

#endif // TILEWRIGHT_LAYOUT_ENCODING_AMDWMMA_H
