//===- VectorValues.cpp - Vectors of single values ---------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/core/VectorValues.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilewright;

Value lower::findUnpacked(ValueRange values) {
  Value vector;
  for (auto [i, value] : llvm::enumerate(values)) {
    auto element = value.getDefiningOp<LLVM::ExtractElementOp>();
    APInt position;
    if (!element || (vector && element.getVector() != vector) ||
        !matchPattern(element.getPosition(), m_ConstantInt(&position)) || position != i)
      return {};
    vector = element.getVector();
  }
  const bool isWhole = vector && cast<VectorType>(vector.getType()).getNumElements() ==
                                     static_cast<int64_t>(values.size());
  return isWhole ? vector : Value();
}
