//===- Encodings.h - Layouts of Intel matrix units ------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The operands of the DPAS instruction and the 2D block messages' own layout as maps.
// Conventions (dimensions, sizes, repetition, errors) are those of layout/Encodings.h.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TARGET_INTEL_ENCODINGS_H
#define TILEWRIGHT_TARGET_INTEL_ENCODINGS_H

#include "layout/Encodings.h"

namespace tilewright::target::intel {

/// One DPAS instruction multiplies A (repeatCount x systolicDepth * opsPerChan) by
/// B (systolicDepth * opsPerChan x executionSize) and adds to C (repeatCount x executionSize).
/// A sub-group does repCluster of them side by side before it repeats.
struct Dpas {
  unsigned repeatCount = 8;
  unsigned systolicDepth = 8;
  unsigned executionSize = 16;
  /// 1, 2 or 4 operands in a 32-bit channel.
  unsigned opsPerChan = 2;
  /// 2 where a byte packs two 4-bit elements along K, otherwise 0.
  unsigned fp4KPack = 0;
  unsigned threadsPerWarp = 16;
  std::vector<unsigned> warpsPerCTA;
  std::vector<unsigned> repCluster;
  layout::ClusterBases cluster = {};

  unsigned rank() const { return static_cast<unsigned>(warpsPerCTA.size()); }
};

std::string verify(const Dpas &encoding);
/// The accumulator.
layout::LinearLayout toLinearLayout(const Dpas &encoding, std::span<const int64_t> shape);

/// Operand A (opIdx 0: M x K) or B (1: K x N). kWidth: opsPerChan / 2 for A (1 where
/// opsPerChan is 1), opsPerChan for B.
std::string verifyOperand(const Dpas &parent, unsigned opIdx, unsigned kWidth);
layout::LinearLayout operandLayout(const Dpas &parent, unsigned opIdx, unsigned kWidth,
                                   std::span<const int64_t> shape);

/// What one 2D block message brings to a sub-group: numBlocks tiles of instrShape
/// (height, width).
struct Subgroup2DBlock {
  std::vector<unsigned> warpsPerCTA;
  layout::ClusterBases cluster = {};
  std::vector<unsigned> instrShape;
  unsigned numBlocks = 1;
  std::vector<unsigned> order;
  unsigned kWidth = 1;
  unsigned threadsPerWarp = 16;
};

std::string verify(const Subgroup2DBlock &encoding);
layout::LinearLayout toLinearLayout(const Subgroup2DBlock &encoding,
                                    std::span<const int64_t> shape);

} // namespace tilewright::target::intel

#endif // TILEWRIGHT_TARGET_INTEL_ENCODINGS_H
