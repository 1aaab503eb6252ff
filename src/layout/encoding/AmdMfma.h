//===- AmdMfma.h - Fragments of AMD CDNA matrix units ---------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The fragments of MFMA as maps. Conventions (dimensions, sizes, repetition, errors) are
// those of layout/encoding/Encodings.h; a warp has 64 lanes.
//
// Source: AMD Instinct CDNA3 ISA, "Matrix Arithmetic Instructions": the lanes and registers of
// the operands and results.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LAYOUT_ENCODING_AMDMFMA_H
#define TILEWRIGHT_LAYOUT_ENCODING_AMDMFMA_H

#include "layout/encoding/Encodings.h"

namespace tilewright::layout::amd {

/// The result of an instruction of M x N x K elements. Its columns are spread over the lanes;
/// the other lanes go along M, each with 4 rows below one another in its registers, of
/// elements of 64 bits with one; further registers repeat that to M rows. Of 32 x 32,
/// lane:register:
///
///           n 0    1   ..  31
///     m 0   0:0  1:0   .. 31:0
///       3   0:3  1:3   .. 31:3
///       4  32:0 33:0   .. 63:0
///       8   0:4  1:4   .. 31:4
///
/// A warp has tilesPerWarp of them next to each other, then come the warps, then repetition,
/// all of that along the last dimension first.
struct Mfma {
  /// 1 to 4: CDNA 1 to 4; 0: any.
  unsigned version = 3;
  std::vector<unsigned> warpsPerCTA;
  /// M, N, K.
  std::vector<unsigned> instrShape;
  /// Rows and columns trade places in the table above.
  bool isTransposed = false;
  layout::ClusterBases cluster = {};
  /// As many entries as warpsPerCTA has.
  std::vector<unsigned> tilesPerWarp;
  unsigned elementBitWidth = 32;

  /// 2, or 3 with the batch as dimension 0.
  unsigned rank() const { return static_cast<unsigned>(warpsPerCTA.size()); }
  friend bool operator==(const Mfma &, const Mfma &) = default;
};

/// M x N is 32 x 32, 16 x 16, 64 x 4 or 4 x 64, K a power of two up to 256; 64-bit elements are
/// 16 x 16's; there are 2 or 3 dimensions, and the counts are powers of two.
Result<void> verify(const Mfma &encoding);
layout::LinearLayout toLinearLayout(const Mfma &encoding, std::span<const int64_t> shape);

/// Operand A (opIdx 0: M x K) or B (1: K x N) of the instruction whose result is `parent`, which
/// has been verified: kWidth elements along K in a lane's registers, the lanes along M or N,
/// the other lanes along K. `kWidth` is a power of two from 1 to 64.
Result<void> verifyOperand(const Mfma &parent, unsigned opIdx, unsigned kWidth);
layout::LinearLayout operandLayout(const Mfma &parent, unsigned opIdx, unsigned kWidth,
                                   std::span<const int64_t> shape);

} // namespace tilewright::layout::amd

#endif // TILEWRIGHT_LAYOUT_ENCODING_AMDMFMA_H
