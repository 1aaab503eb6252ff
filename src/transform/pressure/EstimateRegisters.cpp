//===- EstimateRegisters.cpp - Says what a back end is expected to allocate ---===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "analysis/RegisterEstimate.h"
#include "transform/pressure/Passes.h"

using namespace mlir;
using namespace tilewright;

namespace tilewright::transform {
#define GEN_PASS_DEF_ESTIMATEREGISTERS
#include "transform/pressure/Passes.h.inc"
} // namespace tilewright::transform

static void report(tt::FuncOp function, const target::Target &target) {
  for (const transform::RegisterEstimate &each : transform::estimateRegisters(function, target)) {
    const transform::RegisterTerms &terms = each.terms;
    InFlightDiagnostic remark = function.emitRemark();
    remark << each.registers << " registers of a thread are expected: values " << terms.values
           << ", products " << terms.products << ", addresses " << terms.addresses << ", indices "
           << terms.indices << ", masks " << terms.masks << ", scalars " << terms.scalars
           << ", operations " << terms.operations;
    if (each.place)
      remark.attachNote(each.place->getLoc()) << "the most are taken here";
  }
}

namespace {

struct EstimateRegisters : transform::impl::EstimateRegistersBase<EstimateRegisters> {
  void runOnOperation() override {
    const target::Target *target = ttg::getTarget(getOperation());
    if (!target)
      return;
    for (auto function : getOperation().getOps<tt::FuncOp>())
      if (!function.isExternal())
        report(function, *target);
  }
};

} // namespace
