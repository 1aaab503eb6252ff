//===- LayoutBases.cpp - The bases of a layout by hardware dimension ----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "plan/shared/LayoutBases.h"

#include <algorithm>

namespace tilewright::plan {

bool sameTensor(const LinearLayout &a, const LinearLayout &b) {
  return a.outs().size() == b.outs().size() &&
         std::all_of(a.outs().begin(), a.outs().end(), [&](SizedDim out) {
           return b.hasOut(out.dim) && b.outBits(out.dim) == out.bits;
         });
}

LayoutBases layoutBasesOf(const LinearLayout &layout, const LinearLayout &other) {
  LayoutBases parts;
  F2Basis span;
  std::span<const uint64_t> registers = layout.bases(dims::Register);
  for (size_t i = 0; i < registers.size(); ++i) {
    auto own = uint64_t(1) << parts.registers.size();
    F2Basis::Reduced rest = span.insert(registers[i], own);
    if (rest.vector) {
      parts.registerBits.push_back(static_cast<uint8_t>(i));
      parts.registers.push_back(registers[i]);
      parts.toOwn.push_back(own);
    } else {
      // The relation says which others make up this one.
      parts.toOwn.push_back(rest.tag ^ own);
    }
  }
  auto part = [&](Dim dim) {
    F2Vectors vectors(layout.bases(dim));
    vectors.resize(std::max(layout.inBits(dim), other.inBits(dim)), 0);
    return vectors;
  };
  parts.lanes = part(dims::Lane);
  parts.warps = part(dims::Warp);
  parts.blocks = part(dims::Block);
  return parts;
}

} // namespace tilewright::plan
