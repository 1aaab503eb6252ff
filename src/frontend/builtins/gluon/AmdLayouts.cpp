//===- AmdLayouts.cpp - Builtins of Gluon: layouts of AMD's matrix units ------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/builtins/gluon/Gluon.h"

using namespace tilewright;
using namespace tilewright::frontend;

/// version, instr_shape, transposed, warps_per_cta, element_bitwidth, tiles_per_warp, cga_layout.
static Value mfmaLayout(Arguments &arguments) {
  layout::amd::Mfma mfma;
  std::optional<unsigned> version = numberOf(arguments, 0), bits = numberOf(arguments, 4, 32);
  std::optional<bool> transposed = arguments.flag(2, false);
  if (!version || !bits || !transposed || !numbersOf(arguments, 1, mfma.instrShape) ||
      !numbersOf(arguments, 3, mfma.warpsPerCTA) ||
      !basesOf(arguments, 6, mfma.rank(), mfma.cluster))
    return {};
  if (arguments[5].isNone())
    mfma.tilesPerWarp.assign(mfma.rank(), 1);
  else if (!numbersOf(arguments, 5, mfma.tilesPerWarp))
    return {};
  mfma.version = *version;
  mfma.elementBitWidth = *bits;
  mfma.isTransposed = *transposed;
  return layoutIf(arguments, layout::amd::verify(mfma), [&] {
    return ttg::AmdMfmaEncodingAttr::get(arguments.tb.builder.getContext(), mfma);
  });
}

/// version, transposed, warps_per_cta, instr_shape, tiles_per_warp, cga_layout.
static Value wmmaLayout(Arguments &arguments) {
  layout::amd::Wmma wmma;
  std::vector<unsigned> warps, tiles;
  std::optional<unsigned> version = numberOf(arguments, 0);
  std::optional<bool> transposed = arguments.flag(1, false);
  if (!version || !transposed || !numbersOf(arguments, 2, warps))
    return {};
  wmma.rank = static_cast<unsigned>(warps.size());
  if (arguments[4].isNone())
    tiles.assign(wmma.rank, 1);
  else if (!numbersOf(arguments, 4, tiles))
    return {};
  if (tiles.size() != warps.size())
    return arguments.fail(4, "has " + llvm::Twine(tiles.size()) + " numbers, and 'warps_per_cta' " +
                                 llvm::Twine(warps.size()));
  if (!arguments[3].isNone()) {
    wmma.instrShape.clear();
    if (!numbersOf(arguments, 3, wmma.instrShape))
      return {};
  }
  if (!basesOf(arguments, 5, wmma.rank, wmma.cluster))
    return {};
  for (unsigned count : warps)
    if (!llvm::isPowerOf2_32(count))
      return arguments.fail(2, "has " + llvm::Twine(count) + ", which is no power of two");
  for (unsigned count : tiles)
    if (!llvm::isPowerOf2_32(count))
      return arguments.fail(4, "has " + llvm::Twine(count) + ", which is no power of two");
  wmma.version = *version;
  wmma.isTranspose = *transposed;
  wmma.registers = layout::amd::tileBases(tiles);
  wmma.warps = layout::amd::tileBases(warps, wmma.registers);
  return layoutIf(arguments, layout::amd::verify(wmma), [&] {
    return ttg::AmdWmmaEncodingAttr::get(arguments.tb.builder.getContext(), wmma);
  });
}

llvm::ArrayRef<Builtin> frontend::gluonAmdLayoutBuiltins() {
  static constexpr Builtin builtins[] = {
      {"AMDMFMALayout",
       "version instr_shape transposed warps_per_cta element_bitwidth? tiles_per_warp? "
       "cga_layout?",
       mfmaLayout, ConstantOnly},
      {"AMDWMMALayout", "version transposed warps_per_cta instr_shape? tiles_per_warp? cga_layout?",
       wmmaLayout, ConstantOnly},
  };
  return builtins;
}
