//===- TestPrintAxisInfo.cpp - The axis analysis, printed for tests -----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "analysis/AxisInfo.h"
#include "transform/layout/Passes.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace tilewright::transform {

#define GEN_PASS_DEF_TESTPRINTAXISINFO
#include "transform/layout/Passes.h.inc"

namespace {

struct TestPrintAxisInfo : impl::TestPrintAxisInfoBase<TestPrintAxisInfo> {
  void runOnOperation() override {
    AxisInfoAnalysis analysis(getOperation());
    getOperation().walk([&](Operation *op) {
      for (Value result : op->getResults()) {
        Type element = tt::getElementTypeOrSelf(result.getType());
        if (!isa<IntegerType, IndexType, tt::PointerType>(element))
          continue;
        AxisInfo info = analysis.get(result);
        InFlightDiagnostic remark = op->emitRemark();
        auto list = [&](StringRef name, int64_t DimInfo::*field) {
          remark << name << " = [";
          llvm::interleaveComma(info.dims, remark,
                                [&](const DimInfo &dim) { remark << dim.*field; });
          remark << ']';
        };
        list("contiguity", &DimInfo::contiguity);
        list(", divisibility", &DimInfo::divisibility);
        list(", constancy", &DimInfo::constancy);
        if (info.constant)
          remark << ", constant = " << *info.constant;
        if (info.nonNegative)
          remark << ", not negative";
      }
    });
  }
};

} // namespace
} // namespace tilewright::transform
