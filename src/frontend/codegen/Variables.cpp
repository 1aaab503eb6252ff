//===- Variables.cpp - Values of a kernel's variables -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/codegen/Variables.h"

#include "frontend/names/execution/Execution.h"

using namespace tilewright;
using namespace tilewright::frontend;

void frontend::flatten(const Value &value, llvm::SmallVectorImpl<mlir::Value> &flat) {
  if (value.isSingle() || value.isDescriptor())
    flat.push_back(value.ssa);
  if (value.hasParts())
    for (const Value &element : *value.elements)
      flatten(element, flat);
}

Value frontend::rebuild(const Value &value, mlir::ValueRange flat, size_t &next) {
  if (value.isSingle()) {
    Value result = value;
    result.ssa = flat[next++];
    return result;
  }
  if (!value.hasParts())
    return value;
  Value result = value;
  if (value.isDescriptor())
    result.ssa = flat[next++];
  std::vector<Value> elements;
  for (const Value &element : *value.elements)
    elements.push_back(rebuild(element, flat, next));
  result.elements = std::make_shared<const std::vector<Value>>(std::move(elements));
  return result;
}

Value frontend::scalarCondition(TritonBuilder &tb, const Expr *test, const Value &value) {
  TritonBuilder::At span(tb, spanOf(test));
  if (value.isBlock()) {
    if (llvm::any_of(value.shape(), [](int64_t size) { return size != 1; }))
      return tb.fail("a condition must be a scalar, not " + value.describe(),
                     "use tl.where to choose element by element");
    return tb.toBool(tb.onlyElement(value));
  }
  if (!value.isTensor() && !value.isNumber())
    return tb.fail("a condition must be a number, not " + value.describe());
  return tb.toBool(value);
}

bool frontend::unify(TritonBuilder &tb, Value &left, Value &right, const llvm::Twine &what,
                     SourceSpan span) {
  if (left.sameAs(right))
    return true;
  if (left.isTuple() && right.isTuple() && left.elements->size() == right.elements->size()) {
    std::vector<Value> a = *left.elements, b = *right.elements;
    for (size_t i = 0; i < a.size(); ++i)
      if (!unify(tb, a[i], b[i], what, span))
        return false;
    const TupleClass *common = left.tupleClass == right.tupleClass ? left.tupleClass : nullptr;
    left = Value::tuple(std::move(a));
    right = Value::tuple(std::move(b));
    left.tupleClass = right.tupleClass = common;
    return true;
  }
  // The parts of descriptors and block pointers are scalars of fixed types.
  if (left.kind == right.kind && (left.isDescriptor() || left.isBlockPointer()) &&
      left.type == right.type && left.blockShape() == right.blockShape())
    return true;
  if (left.isSingle() && !left.isTensor() && left.kind == right.kind && left.type == right.type &&
      left.ssa.getType() == right.ssa.getType())
    return true;
  auto isRuntime = [](const Value &value) { return value.isNumber() || value.isTensor(); };
  if (isRuntime(left) && isRuntime(right)) {
    // A number takes the type of the other branch where it can.
    if (left.isNumber() && right.isTensor() && !right.isBlock() &&
        (left.isIntegral() || right.type.isFloat()) && !right.type.isPointer())
      left = tb.constant(left, right.type);
    else if (right.isNumber() && left.isTensor() && !left.isBlock() &&
             (right.isIntegral() || left.type.isFloat()) && !left.type.isPointer())
      right = tb.constant(right, left.type);
    Value a = tb.toTensor(left), b = tb.toTensor(right);
    if (!a || !b)
      return false;
    if (a.type == b.type && a.ssa.getType() == b.ssa.getType()) {
      left = a;
      right = b;
      return true;
    }
  }
  return tb.rejectAt(
      span,
      what + ": " + left.describe() + " in one branch and " + right.describe() + " in the other",
      isRuntime(left) && isRuntime(right)
          ? "give it one type and shape in both"
          : "only numbers, tensors and matrices can depend on a value of the kernel");
}

Value frontend::variableOf(TritonBuilder &tb, const Value &value) {
  if (value.isNumber())
    return tb.toTensor(value);
  if (!value.isTuple())
    return value;
  // The constants of an aggregate are declared as such, and stay what they are.
  const bool keepsNumbers = value.tupleClass && value.tupleClass->isAggregate;
  std::vector<Value> elements;
  for (const Value &element : *value.elements) {
    elements.push_back(keepsNumbers && element.isNumber() ? element : variableOf(tb, element));
    if (!elements.back())
      return {};
  }
  Value variable = Value::tuple(std::move(elements));
  variable.tupleClass = value.tupleClass;
  return variable;
}
