//===- AxisView.cpp - A layout along one axis ---------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "plan/collective/AxisView.h"

namespace tilewright::plan {

AxisView::AxisView(const LinearLayout &layout, Dim axisDim)
    : registerBits(layout.inBits(dims::Register)), laneBits(layout.inBits(dims::Lane)),
      warpBits(layout.inBits(dims::Warp)), axisBits(layout.outBits(axisDim)),
      shift(layout.outShift(axisDim)) {
  const uint64_t mask = layout.outMask(axisDim);
  for (Dim part : {dims::Register, dims::Lane, dims::Warp})
    for (uint64_t basis : layout.bases(part)) {
      axis.push_back((basis & mask) >> shift);
      others.push_back(basis & ~mask);
    }
}

F2Vectors AxisView::copies() const {
  F2Vectors result;
  F2Basis reached;
  for (size_t bit = 0; bit < locationBits(); ++bit)
    if (F2Basis::Reduced rest = reached.insert(coordinatesOf(unit(bit)), unit(bit)); !rest.vector)
      result.push_back(rest.tag);
  return result;
}

uint64_t AxisView::freeBits() const {
  uint64_t result = 0;
  F2Basis reached;
  for (size_t bit = 0; bit < locationBits(); ++bit)
    if (!reached.insert(coordinatesOf(unit(bit))).vector)
      result |= unit(bit);
  return result;
}

} // namespace tilewright::plan
