//===- ExpectPlan.h - Checks of conversion plans --------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TEST_UNIT_PLAN_EXPECTPLAN_H
#define TILEWRIGHT_TEST_UNIT_PLAN_EXPECTPLAN_H

#include "plan/interpret/PlanInterpreter.h"
#include "view/PlanText.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <stdexcept>

namespace tilewright::plan {

/// The plan, which there is.
inline ConversionPlan planned(const LinearLayout &src, const LinearLayout &dst,
                              unsigned elementBits, const ExchangeModel &memory = {}) {
  Result<ConversionPlan> plan = planConversion(src, dst, elementBits, memory);
  if (!plan)
    throw std::runtime_error(plan.error());
  return *std::move(plan);
}

/// Checks `plan` against its meaning: each register of dst holds dst's element, whatever
/// the way; and what the plan says of itself is what the interpreter counts.
inline void expectRight(const ConversionPlan &plan, const LinearLayout &src,
                        const LinearLayout &dst, const ExchangeModel &memory = {}) {
  auto lanes = static_cast<unsigned>(std::max(src.inSize(dims::Lane), dst.inSize(dims::Lane)));
  auto warps = static_cast<unsigned>(std::max(src.inSize(dims::Warp), dst.inSize(dims::Warp)));
  std::vector<Dim> order;
  for (SizedDim d : src.outs())
    order.push_back(d.dim);
  PlanReport report;
  BlockRegisters result = interpretPlan(plan, registersOf(src, lanes, warps), memory, report);
  std::string what =
      "from " + src.toString() + "\nto   " + dst.toString() + "\n" + view::toText(plan);
  ASSERT_EQ(report.error, "") << what;
  ASSERT_EQ(result.registers, registersOf(dst.transposeOuts(order), lanes, warps).registers)
      << what;
  if (plan.kind == ConversionPlan::Kind::SharedMemory) {
    ASSERT_EQ(report.storeTransactions, plan.shared.storeTransactions) << what;
    ASSERT_EQ(report.loadTransactions, plan.shared.loadTransactions) << what;
    ASSERT_EQ(report.storeConflicts, plan.shared.storeConflicts) << what;
    ASSERT_EQ(report.loadConflicts, plan.shared.loadConflicts) << what;
    ASSERT_EQ(plan.shared.storeConflicts, 0u) << what;
    ASSERT_EQ(plan.shared.loadConflicts, 0u) << what;
    ASSERT_LE(report.scratchBytes, plan.shared.scratchBytes) << what;
    if (report.crossedWarps) {
      ASSERT_EQ(plan.shared.barrier, Barrier::Block) << what;
    }
    auto isOf = [](std::span<const CopyAtom> list, const CopyAtom *atom) {
      return std::any_of(list.begin(), list.end(), [&](const CopyAtom &a) { return &a == atom; });
    };
    ASSERT_TRUE(isOf(memory.stores, plan.shared.storeAtom)) << what;
    ASSERT_TRUE(isOf(memory.loads, plan.shared.loadAtom)) << what;
  }
}

} // namespace tilewright::plan

#endif // TILEWRIGHT_TEST_UNIT_PLAN_EXPECTPLAN_H
