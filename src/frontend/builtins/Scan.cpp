//===- Scan.cpp - Builtins: scans along an axis -------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/builtins/Combine.h"

using namespace tilewright;
using namespace tilewright::frontend;

/// A scan of one tensor by an operator; axis and reverse are the arguments 1 and 2.
static Value scanBy(Arguments &arguments, const Value &input, BinaryOperator op) {
  TritonBuilder &tb = arguments.tb;
  std::optional<bool> reverse = arguments.flag(2, false);
  if (!input || !reverse)
    return {};
  std::optional<unsigned> axis = 0;
  if (arguments.given(1))
    axis = arguments.axis(1, static_cast<unsigned>(input.shape().size()));
  if (!axis)
    return {};
  Values results = emitScan(tb, input, *axis, *reverse, combineBy(tb, op));
  return results.empty() ? Value() : results.front();
}

/// The tensor to be scanned.
static Value scanned(Arguments &arguments) {
  const Value &input = arguments[0];
  if (!input.isBlock())
    return arguments.fail(0, "must be a tensor, not " + input.describe());
  if (input.type.isPointer())
    return arguments.fail(0, "is a tensor of pointers, which are not numbers");
  return arguments.tb.bfloat16AsSingle(input);
}

static Value cumulativeSum(Arguments &arguments) {
  Value input = scanned(arguments);
  if (!input)
    return {};
  std::optional<DType> type = sumType(arguments, 3, input.type);
  return type ? scanBy(arguments, arguments.tb.cast(input, *type), BinaryOperator::Add) : Value();
}

static Value cumulativeProduct(Arguments &arguments) {
  return scanBy(arguments, scanned(arguments), BinaryOperator::Mult);
}

static Value associativeScan(Arguments &arguments) {
  Values inputs = tensorsOf(arguments, 0);
  if (inputs.empty())
    return {};
  std::optional<unsigned> axis = arguments.axis(1, static_cast<unsigned>(inputs[0].shape().size()));
  if (!axis || !arguments.isFunction(2))
    return {};
  std::optional<bool> reverse = arguments.flag(3, false);
  if (!reverse)
    return {};
  auto combine = [&](llvm::ArrayRef<Value> elements) {
    return combineByFunction(arguments, 2, elements);
  };
  return likeArgument(arguments[0], emitScan(arguments.tb, inputs, *axis, *reverse, combine));
}

llvm::ArrayRef<Builtin> frontend::scanBuiltins() {
  static constexpr Builtin builtins[] = {
      {"cumsum", "input axis? reverse? dtype?", cumulativeSum, Member},
      {"cumprod", "input axis? reverse?", cumulativeProduct, Member},
      {"associative_scan", "input axis combine_fn reverse?", associativeScan, Member},
  };
  return builtins;
}
