//===- AmdLaneShuffle.h - Instructions that move lanes by a table -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A shuffle gives each lane l of a wave the word of lane sources[l]. AMD's processors have several
// instructions for tables that are known when compiling (RDNA3 and RDNA4 Instruction Set
// Architecture, "Data Parallel Processing", V_PERMLANE16_B32, V_READLANE_B32, DS_SWIZZLE_B32; CDNA3
// Instruction Set Architecture, "DPP"):
//
//   DPP          a modifier of vector instructions: patterns of a *row* of 16 lanes, the same in
//                all rows. LLVM folds it into the arithmetic that takes the word: it costs nothing
//   permlane16   any pattern of a row, the same in both rows, from the own or the other row
//   readlane     one lane's word for all, in a scalar register
//   ds_swizzle   AND, OR and XOR of the lane's number with constants, in each half of 32 lanes;
//   goes
//                through shared memory's crossbar, which takes several times as long as an
//                arithmetic instruction
//   ds_bpermute  anything, by the lane's number in a register; through the crossbar too
//
// A table of a wave of 32 is done by two of the first, one for the words of the own row and one for
// those of the other, and a selection of lanes between them. Linear maps over F2 and rotations
// mostly are of this kind: where both lanes of a column take from their own row, or both from the
// other, they take from the same column. Rows that take from themselves in different patterns are
// done by a second DPP instruction, which writes some of the rows; so is, without permlane16, a
// pattern of all rows that is none of DPP's, but one in some *banks*, four columns each, and
// another in the others.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TARGET_AMDLANESHUFFLE_H
#define TILEWRIGHT_TARGET_AMDLANESHUFFLE_H

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace tilewright::target::amd {

constexpr unsigned rowLanes = 16;

/// The instructions among these that only some processors have.
struct LaneMoves {
  /// DPP's pattern row_share, which CDNA calls row_newbcast.
  bool hasRowShare;
  /// DPP's pattern row_xmask, and DPP8.
  bool hasRowPatterns;
  /// v_permlane16_b32 and v_permlanex16_b32.
  bool hasPermlane;
};

/// A pattern of one row: column c takes from column `columns[c]`; any will do where it is -1.
using RowPattern = std::array<int, rowLanes>;

/// One instruction that moves words within each row, or from each row to the other.
struct RowShuffle {
  enum class Kind {
    Nothing,  ///< words stay where they are: no instruction
    Dpp,      ///< `control` is dpp_ctrl
    Dpp8,     ///< `control` has 3 bits for each lane of 8: the lane of the 8 that it takes from
    Permlane, ///< `selectors` has 4 bits for each column: the column that it takes from
  };
  Kind kind = Kind::Nothing;
  uint32_t control = 0;
  uint64_t selectors = 0;

  bool operator==(const RowShuffle &) const = default;
};

struct LaneShuffle {
  enum class Kind {
    Rows,     ///< see below
    ReadLane, ///< all take from `lane`
    Swizzle,  ///< ds_swizzle with `offset`
    Indexed,  ///< ds_bpermute
  };
  Kind kind = Kind::Indexed;

  /// Rows: the words of the own row, unless all lanes take from the other.
  std::optional<RowShuffle> own;
  /// If there: the DPP instruction that then writes the words of the rows and banks with a bit in
  /// these masks, again from where they were at first.
  std::optional<RowShuffle> second;
  unsigned secondRows = 0;
  unsigned secondBanks = 0;
  /// Those of the other row, by permlanex16 with these selectors, and the lanes that take them. No
  /// lane has its bit set if all take from their own row.
  uint64_t otherSelectors = 0;
  uint32_t otherLanes = 0;

  unsigned lane = 0;
  uint32_t offset = 0;

  /// In arithmetic instructions that take as long, about.
  unsigned cost() const;
};

/// The cheapest for `sources`, which has a lane's number for each lane of a wave of 32 or 64, on a
/// processor with these moves. For any other number of lanes it is ds_bpermute.
LaneShuffle planLaneShuffle(std::span<const unsigned> sources, const LaneMoves &moves);

} // namespace tilewright::target::amd

#endif // TILEWRIGHT_TARGET_AMDLANESHUFFLE_H
