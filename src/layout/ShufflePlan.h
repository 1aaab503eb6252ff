//===- ShufflePlan.h - Conversions within warps ---------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LAYOUT_SHUFFLEPLAN_H
#define TILEWRIGHT_LAYOUT_SHUFFLEPLAN_H

#include "layout/ConversionPlan.h"
#include "layout/Places.h"

#include <optional>

namespace tilewright::layout {

/// The conversion by selects and shuffles, or nothing where data has to change warps.
/// `memoryBits`: 8, 16, 32 or 64.
std::optional<ShufflePlan> planShuffles(const Places &src, const Places &dst, unsigned memoryBits);

/// In a warp of `lanes` lanes.
unsigned costOf(const ShufflePlan &plan, unsigned lanes, const Costs &costs);

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_SHUFFLEPLAN_H
