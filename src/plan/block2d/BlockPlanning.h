//===- BlockPlanning.h - Internals of planning block messages -------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Internal to the planner. A tile is what a message covers, as bits of a packed tensor
// coordinate (LinearLayout.h): in the order in which the hardware counts the elements of
// the tile, lowest first. Bits, not coordinates: everything a message can do moves one bit
// of one dimension for one bit of its count.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PLAN_BLOCK2D_BLOCKPLANNING_H
#define TILEWRIGHT_PLAN_BLOCK2D_BLOCKPLANNING_H

#include "layout/F2.h"
#include "layout/encoding/EncodingParts.h"
#include "plan/Namespaces.h"
#include "plan/block2d/BlockMessages.h"

namespace tilewright::plan::block2d {

/// The layout of a request, taken apart, with bits of packed coordinates.
struct LayoutParts {
  explicit LayoutParts(const BlockMessageRequest &request);

  struct Field {
    unsigned shift;
    unsigned bits;
  };
  /// Each dimension's bits in a packed coordinate.
  FixedVector<Field, layout::LinearLayout::MaxDims> dims;
  /// The place of the contiguous one.
  unsigned contiguous;

  std::span<const uint64_t> registers, lanes, warps, blocks;
  layout::F2Basis registerSpan;
  /// Bits that some lane moves; bits that warps and blocks move that do not merely repeat
  /// others' elements (loads: all warps and blocks).
  uint64_t laneSupport = 0;
  uint64_t locationSupport = 0;
  /// Bits within which a mask does not change.
  uint64_t sameMask = ~uint64_t(0);
  uint64_t idleWarps = 0;
  uint64_t idleBlocks = 0;

  /// Bit `bit` of dimension `dim`, as a mask; 0 if there is none.
  uint64_t unit(unsigned dim, unsigned bit) const {
    return bit < dims[dim].bits ? uint64_t(1) << (dims[dim].shift + bit) : 0;
  }
  uint64_t contiguousUnit(unsigned bit) const { return unit(contiguous, bit); }
  /// All bits of dimension `dim`.
  uint64_t unitsOf(unsigned dim) const {
    return ((uint64_t(1) << dims[dim].bits) - 1) << dims[dim].shift;
  }
  /// The dimension that a packed bit belongs to.
  unsigned dimOf(unsigned packedBit) const;
  /// "dim1".
  std::string nameOf(unsigned dim) const;

  /// Whether the slots of a message may move this bit.
  bool isFree(uint64_t unit) const {
    return unit && !(unit & locationSupport) && (unit & sameMask) && registerSpan.contains(unit);
  }

private:
  const BlockMessageRequest *request;
};

/// Loads and stores: fills the plan or its fallback.
void planTransfers(const BlockMessageRequest &request, BlockMessagePlan &plan);
/// The same for prefetches.
void planPrefetches(const BlockMessageRequest &request, BlockMessagePlan &plan);

/// BlockMessagePlan::origin from the bases of its three inputs.
layout::LinearLayout originMap(const BlockMessageRequest &request,
                               std::span<const uint64_t> messages, std::span<const uint64_t> warps,
                               std::span<const uint64_t> blocks);

} // namespace tilewright::plan::block2d

#endif // TILEWRIGHT_PLAN_BLOCK2D_BLOCKPLANNING_H
