//===- LayoutBases.h - The bases of a layout by hardware dimension --*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Internal to the planning of conversions: a layout taken apart into what its registers,
// lanes, warps and blocks move.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PLAN_SHARED_LAYOUTBASES_H
#define TILEWRIGHT_PLAN_SHARED_LAYOUTBASES_H

#include "layout/F2.h"
#include "plan/Namespaces.h"
#include "tilewright/layout/LinearLayout.h"

namespace tilewright::plan {

/// One side of a conversion. Elements are packed coordinates of the tensor. Both sides of a
/// conversion have the same numbers of lane, warp and block bits.
struct LayoutBases {
  /// The register bits that are not redundant, by number, and what they move.
  FixedVector<uint8_t, 64> registerBits;
  F2Vectors registers;
  F2Vectors lanes, warps, blocks;
  /// For each bit of the whole `register` dimension, the combination of `registers` that
  /// holds the same.
  F2Vectors toOwn;

  unsigned registerCount() const { return 1u << registers.size(); }
  /// The register of the layout that is this combination of `registers`.
  unsigned wholeRegister(uint64_t own) const {
    unsigned whole = 0;
    for (; own; own &= own - 1)
      whole |= 1u << registerBits[static_cast<size_t>(std::countr_zero(own))];
    return whole;
  }
  /// The combination of `registers` that holds what register `whole` of the layout holds.
  uint64_t ownRegister(unsigned whole) const { return sumOf(toOwn, whole); }
  unsigned wholeRegisterCount() const { return 1u << toOwn.size(); }
};

/// Whether both are layouts of one tensor: the same outputs with the same sizes, in any order.
bool sameTensor(const LinearLayout &a, const LinearLayout &b);

/// Takes `layout` apart, each part with at least as many bits as `other` has.
LayoutBases layoutBasesOf(const LinearLayout &layout, const LinearLayout &other);

} // namespace tilewright::plan

#endif // TILEWRIGHT_PLAN_SHARED_LAYOUTBASES_H
