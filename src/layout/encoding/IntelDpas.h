//===- IntelDpas.h - Fragments of Intel matrix units ----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The operands of the DPAS instruction and the 2D block messages' own layout as maps.
// Conventions (dimensions, sizes, repetition, errors) are those of layout/encoding/Encodings.h.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LAYOUT_ENCODING_INTELDPAS_H
#define TILEWRIGHT_LAYOUT_ENCODING_INTELDPAS_H

#include "layout/encoding/Encodings.h"

namespace tilewright::layout::intel {

/// One DPAS instruction multiplies A (repeatCount x systolicDepth * opsPerChan) by
/// B (systolicDepth * opsPerChan x executionSize) and adds to C (repeatCount x executionSize).
/// A sub-group does repCluster of them side by side before it repeats; the last two entries
/// of warpsPerCTA and repCluster are along the rows and the columns of C, a first one of
/// three along a batch.
///
/// For 16-bit elements (opsPerChan 2), executionSize 16, 16 lanes; each cell is the element
/// (row, column) that a register of a lane holds:
///
///     A, 8 x 16     lane 0  lane 1 ..     B, 16 x 16    lane 0  lane 1 ..
///     register 0    (0, 0)  (0, 1)        register 0    (0, 0)  (0, 1)
///     register 1    (1, 0)  (1, 1)        register 1    (1, 0)  (1, 1)
///     ..                                  ..
///     register 7    (7, 0)  (7, 1)        register 15   (15, 0) (15, 1)
///
/// C is like A. Registers 2i and 2i + 1 of B are the halves of one 32-bit register: rows of B
/// are packed (VNNI) where those of A are not. With 32 lanes, lanes 16 to 31 hold the next
/// row (of B: the next packed row) and there are half as many registers.
///
/// Source: the bases in the Intel XPU back end's documentation of block loads and in its unit
/// tests of the layout; Intel Graphics Compiler, "DPAS" of the vISA manual.
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
  friend bool operator==(const Dpas &, const Dpas &) = default;
};

/// repeatCount is 1, 2, 4 or 8 and leaves no lane without a row of A and C; systolicDepth is 8;
/// executionSize 8 or 16; opsPerChan 1, 2 or 4; fp4KPack 2 needs opsPerChan 4; threadsPerWarp is
/// 16 or 32; the lists have 2 or 3 powers of two, repCluster 1 along the batch.
Result<void> verify(const Dpas &encoding);
/// The accumulator C. Repeated along its columns, then its rows, then the batch.
layout::LinearLayout toLinearLayout(const Dpas &encoding, std::span<const int64_t> shape);

/// The elements of operand A (opIdx 0: M x K) or B (1: K x N) that one instruction takes.
struct OperandSize {
  unsigned rows, cols;
};
OperandSize instructionOperand(const Dpas &parent, unsigned opIdx);
/// The one kWidth that operand A or B can have: opsPerChan / 2 for A (1 where opsPerChan is 1),
/// opsPerChan for B.
unsigned operandKWidth(const Dpas &parent, unsigned opIdx);

/// Operand A or B. Repeated along K first. With fp4KPack, K counts bytes.
Result<void> verifyOperand(const Dpas &parent, unsigned opIdx, unsigned kWidth);
layout::LinearLayout operandLayout(const Dpas &parent, unsigned opIdx, unsigned kWidth,
                                   std::span<const int64_t> shape);

/// The tile that one 2D block message brings to a sub-group: numBlocks tiles of instrShape
/// (height, width) side by side. A tile's row is spread over the lanes, adjacent columns in one
/// lane where it is wider than they are many; the rows that follow are in the lanes that are
/// left, then in registers.
struct Subgroup2DBlock {
  std::vector<unsigned> warpsPerCTA;
  layout::ClusterBases cluster = {};
  std::vector<unsigned> instrShape;
  unsigned numBlocks = 1;
  /// order[0] is the dimension that a product sums over: warps along it hold the same, and
  /// the tile is repeated along it first.
  std::vector<unsigned> order;
  /// Elements along K that one register of the consumer packs; the map is the same for any.
  unsigned kWidth = 1;
  unsigned threadsPerWarp = 16;

  friend bool operator==(const Subgroup2DBlock &, const Subgroup2DBlock &) = default;
};

/// Two dimensions; all sizes powers of two; kWidth 1, 2 or 4; threadsPerWarp 16; order a
/// permutation.
Result<void> verify(const Subgroup2DBlock &encoding);
layout::LinearLayout toLinearLayout(const Subgroup2DBlock &encoding,
                                    std::span<const int64_t> shape);

} // namespace tilewright::layout::intel

#endif // TILEWRIGHT_LAYOUT_ENCODING_INTELDPAS_H
