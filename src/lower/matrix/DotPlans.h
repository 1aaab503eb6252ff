//===- DotPlans.h - The plans of tt.dot -----------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_MATRIX_DOTPLANS_H
#define TILEWRIGHT_LOWER_MATRIX_DOTPLANS_H

#include "ir/ttg/Dialect.h"
#include "plan/cache/PlanCache.h"

namespace tilewright::lower {

/// The layouts of the operands and of the result.
plan::ProductLayouts getProductLayouts(tt::DotOp op);

/// The plan for `op` by multiply-adds; its operands and result have layouts.
const Result<plan::DotPlan> &planDot(tt::DotOp op, plan::PlanCache &plans);

/// The shared memory of a product: nothing where the target has an instruction for it.
ttg::Scratch getDotScratch(tt::DotOp op, plan::PlanCache &plans);

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_MATRIX_DOTPLANS_H
