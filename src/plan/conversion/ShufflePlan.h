//===- ShufflePlan.h - Plans of conversions within warps ------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PLAN_CONVERSION_SHUFFLEPLAN_H
#define TILEWRIGHT_PLAN_CONVERSION_SHUFFLEPLAN_H

#include "plan/Namespaces.h"
#include "plan/shared/LayoutBases.h"
#include "target/ExchangeModel.h"
#include "tilewright/layout/ConversionPlan.h"

#include <optional>

namespace tilewright::plan {

/// The conversion by selects and shuffles, or nothing where data has to change warps.
/// `memoryBits`: 8, 16, 32 or 64.
std::optional<ShufflePlan> planShuffles(const LayoutBases &src, const LayoutBases &dst,
                                        unsigned memoryBits);

/// In a warp of `lanes` lanes.
unsigned costOf(const ShufflePlan &plan, unsigned lanes, const Costs &costs);

} // namespace tilewright::plan

#endif // TILEWRIGHT_PLAN_CONVERSION_SHUFFLEPLAN_H
