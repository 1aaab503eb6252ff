//===- VectorValues.cpp - Vectors of single values ---------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/core/types/VectorValues.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

Type lower::withElement(Type type, Type element) {
  element = getElementTypeOrSelf(element);
  auto vector = dyn_cast<VectorType>(type);
  return vector ? Type(vector.cloneWith({}, element)) : element;
}

std::optional<VectorElement> lower::findElement(Value value) {
  auto element = value.getDefiningOp<LLVM::ExtractElementOp>();
  APInt index;
  if (!element || !matchPattern(element.getPosition(), m_ConstantInt(&index)))
    return std::nullopt;
  return VectorElement{element.getVector(), static_cast<unsigned>(index.getZExtValue())};
}

std::optional<VectorShuffle> lower::findShuffle(ValueRange values) {
  if (values.size() < 2)
    return std::nullopt;
  VectorShuffle shuffle;
  for (Value value : values) {
    const std::optional<VectorElement> element = findElement(value);
    if (!element)
      return std::nullopt;
    if (!shuffle.first)
      shuffle.first = element->vector;
    else if (!shuffle.second && element->vector != shuffle.first)
      shuffle.second = element->vector;
    const bool isFirst = element->vector == shuffle.first;
    if ((!isFirst && element->vector != shuffle.second) ||
        element->vector.getType() != shuffle.first.getType())
      return std::nullopt;
    const int64_t size = cast<VectorType>(shuffle.first.getType()).getNumElements();
    shuffle.mask.push_back(static_cast<int32_t>(element->index + (isFirst ? 0 : size)));
  }
  if (!shuffle.second)
    shuffle.second = shuffle.first;
  return shuffle;
}

Value lower::findUnpacked(ValueRange values) {
  Value vector;
  for (auto [i, value] : llvm::enumerate(values)) {
    const std::optional<VectorElement> element = findElement(value);
    if (!element || (vector && element->vector != vector) || element->index != i)
      return {};
    vector = element->vector;
  }
  const bool isWhole = vector && cast<VectorType>(vector.getType()).getNumElements() ==
                                     static_cast<int64_t>(values.size());
  return isWhole ? vector : Value();
}
