//===- ConversionSides.cpp - Both layouts of a conversion in source coordinates -===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "plan/conversion/ConversionSides.h"

namespace tilewright::plan {

std::optional<ConversionSides> ConversionSides::of(const LayoutBases &src, const LayoutBases &dst) {
  if (!(src.blocks == dst.blocks))
    return std::nullopt;
  ConversionSides sides{src, dst, 0, {}, true};
  F2Basis span;
  auto insert = [&](uint64_t element) {
    bool isNew = span.insert(element, uint64_t(1) << sides.dimension).vector != 0;
    sides.dimension += isNew;
    return isNew;
  };
  for (uint64_t element : src.registers)
    insert(element);
  for (size_t i = 0; i < src.lanes.size(); ++i)
    if (!insert(src.lanes[i]))
      sides.copies.lanes |= 1u << i;
  F2Basis ofWarp = span;
  for (size_t i = 0; i < src.warps.size(); ++i)
    if (!insert(src.warps[i]))
      sides.copies.warps |= 1u << i;

  // Data stays in its warp if warps differ in the same way on both sides, up to what moves
  // within a warp; and if no warp leaves the storing to another.
  sides.sameWarps = sides.copies.warps == 0;
  for (size_t i = 0; i < src.warps.size(); ++i)
    sides.sameWarps &= ofWarp.contains(src.warps[i] ^ dst.warps[i]);
  for (const F2Vectors *part : {&dst.registers, &dst.lanes})
    for (uint64_t element : *part)
      sides.sameWarps &= ofWarp.contains(element);

  bool reached = true;
  auto convert = [&](F2Vectors &vectors) {
    for (uint64_t &v : vectors) {
      F2Basis::Reduced found = span.reduce(v);
      reached &= found.vector == 0;
      v = found.tag;
    }
  };
  for (LayoutBases *side : {&sides.src, &sides.dst}) {
    convert(side->registers);
    convert(side->lanes);
    convert(side->warps);
  }
  if (!reached)
    return std::nullopt;
  return sides;
}

} // namespace tilewright::plan
