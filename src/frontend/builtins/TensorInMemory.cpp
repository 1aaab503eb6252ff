//===- TensorInMemory.cpp - Base, shape and strides of a tensor in memory -----===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/builtins/TensorInMemory.h"

using namespace tilewright;
using namespace tilewright::frontend;

llvm::ArrayRef<Value> frontend::sequenceOf(const Value &value) {
  return value.isTuple() ? llvm::ArrayRef<Value>(*value.elements) : llvm::ArrayRef<Value>(value);
}

Value frontend::baseArgument(const Arguments &arguments, size_t index) {
  const Value &base = arguments[index];
  if (base.isTensor() && !base.isBlock() && base.type.isPointer())
    return base;
  return arguments.fail(index, "must be a pointer, not " + base.describe());
}

std::optional<std::vector<Value>> frontend::scalarsArgument(const Arguments &arguments,
                                                            size_t index, DType type) {
  std::vector<Value> scalars;
  for (const Value &element : sequenceOf(arguments[index])) {
    if (!element.isIntegral() &&
        (!element.isTensor() || element.isBlock() || !element.type.isInteger())) {
      arguments.fail(index, "must have integers for elements, not " + element.describe());
      return std::nullopt;
    }
    const Integer bound = static_cast<Integer>(1) << (type.bits() - 1);
    if (element.isIntegral() && (element.integer < -bound || element.integer >= bound)) {
      arguments.fail(index, "has the element " + element.repr() + ", which does not fit into " +
                                llvm::Twine(type.bits()) + " bits");
      return std::nullopt;
    }
    scalars.push_back(arguments.tb.cast(element, type));
    if (!scalars.back())
      return std::nullopt;
  }
  return scalars;
}
