//===- ScanPlan.h - Plans of scans ----------------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A scan combines each element with all before it along the axis, in their order. It goes up
// the bits of the coordinate along the axis, lowest first: once the first j bits are done, each
// element holds the scan of its block of 2^j neighbours, and joining two blocks takes the last
// element of the lower one, its *total*, to all of the upper one. Whose bit j of the coordinate
// is - the register's, the lane's or the warp's - says how the total gets there; consecutive
// bits of one kind are a *segment*:
//
//   - The first bits, where they are registers': a thread has *chunks* of neighbours, which it
//     scans alone. Later segments look at each chunk as one element, and what came before
//     a chunk is combined with its elements in the end.
//   - Lanes: a shuffle for each bit, from the lane that holds the total of the lower block.
//   - Warps: totals go through scratch memory (WarpExchange.h); after one barrier each thread
//     combines those of all warps before its own.
//   - Registers again, where a tensor is larger than what its threads cover at once: each
//     thread combines the totals of its blocks.
//
// This needs each bit of the axis to be moved by one part of the location alone: by an XOR with
// some register, lane or warp that changes nothing else. Blocked layouts and fragments are
// like that; a layout that is not is converted to one that is, and the result back.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PLAN_COLLECTIVE_SCANPLAN_H
#define TILEWRIGHT_PLAN_COLLECTIVE_SCANPLAN_H

#include "plan/Namespaces.h"
#include "plan/collective/WarpExchange.h"

#include <optional>

namespace tilewright::plan {

/// Some consecutive bits of the coordinate along the axis, after the first ones that are
/// registers'.
struct ScanSegment {
  enum class Kind { Lanes, Warps, Registers };
  Kind kind;
  /// The bits, lowest first, as the thread's number has them: none for registers. In a reverse
  /// scan, the numbers of blocks are those with all bits inverted.
  std::vector<ThreadParity> bits;
  /// Lanes: for each bit, the lanes that differ in it alone.
  std::vector<uint32_t> laneXors;
  /// Warps: the totals of blocks; warpOffsets are by the bits of the coordinate.
  WarpExchange exchange;
  /// Registers: the blocks of the thread that are joined, in the order of the scan; each list
  /// is a block from then on.
  std::vector<std::vector<unsigned>> joined;
};

struct ScanPlan {
  /// The layout that the tensor is converted to first, and back from in the end.
  std::optional<LinearLayout> converted;

  bool reverse = false;
  /// The registers of each chunk in the order of the scan; copies are left out. A chunk is
  /// the thread's block of that number to begin with.
  std::vector<std::vector<unsigned>> chunks;
  /// For each register, copies included, its chunk and its location in there.
  struct Position {
    unsigned chunk, index;
  };
  std::vector<Position> positions;
  std::vector<ScanSegment> segments;
};

/// The scan of a tensor in `layout` along `axis`, from its end if `reverse`; accesses to
/// scratch memory take at most 2^maxVectorBits elements.
ScanPlan planScan(const LinearLayout &layout, Dim axis, bool reverse, unsigned maxVectorBits);

} // namespace tilewright::plan

#endif // TILEWRIGHT_PLAN_COLLECTIVE_SCANPLAN_H
