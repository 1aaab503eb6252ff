//===- SharedPlan.h - Plans of conversions through shared memory ----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PLAN_CONVERSION_SHAREDPLAN_H
#define TILEWRIGHT_PLAN_CONVERSION_SHAREDPLAN_H

#include "plan/Namespaces.h"
#include "plan/shared/LayoutBases.h"
#include "target/ExchangeModel.h"
#include "tilewright/layout/ConversionPlan.h"

namespace tilewright::plan {

/// The conversion through shared memory; an error where data would have to cross blocks
/// or where it does not fit.
/// `memoryBits`: 8, 16, 32 or 64.
Result<SharedPlan> planShared(const LayoutBases &src, const LayoutBases &dst, unsigned memoryBits,
                              const ExchangeModel &memory);

/// An estimate of what it costs one warp, in the unit of ConversionPlan::cost.
unsigned costOf(const SharedPlan &plan, const Costs &costs);

} // namespace tilewright::plan

#endif // TILEWRIGHT_PLAN_CONVERSION_SHAREDPLAN_H
