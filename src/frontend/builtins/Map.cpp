//===- Map.cpp - Builtins: functions of scalars for each element --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/builtins/Combine.h"

#include "ir/tt/Dialect.h"

using namespace tilewright;
using namespace tilewright::frontend;

/// The operands in one shape; nothing after an error. Numbers and scalars are repeated.
static std::optional<Values> mapped(Arguments &arguments, size_t index) {
  TritonBuilder &tb = arguments.tb;
  Values inputs;
  for (const Value &given : *arguments[index].elements) {
    if (!given.isTensor() && !given.isNumber()) {
      arguments.fail(index, "must be tensors and numbers, not " + given.describe());
      return std::nullopt;
    }
    inputs.push_back(tb.toTensor(given));
    if (!inputs.back())
      return std::nullopt;
  }
  if (inputs.empty()) {
    arguments.fail(index, "are none", "give the tensors that the function maps");
    return std::nullopt;
  }
  // The first takes the shape of all, and hands it on.
  for (size_t round = 0; round < 2; ++round)
    for (size_t i = 1; i < inputs.size(); ++i)
      if (!tb.broadcast(inputs[0], inputs[i], "tl.map_elementwise"))
        return std::nullopt;
  return inputs;
}

/// The results of the function for `pack` elements, which must be `pack` of each type; the types.
static std::optional<llvm::SmallVector<DType>>
resultTypes(const Arguments &arguments, llvm::ArrayRef<Value> results, size_t pack) {
  llvm::SmallVector<DType> types;
  for (const Value &result : results) {
    if (!result.isTensor() || result.isBlock()) {
      arguments.fail(0, "returns " + result.describe() + " where it is to return scalars",
                     "return one scalar for each element that it makes");
      return std::nullopt;
    }
    types.push_back(result.type);
  }
  bool fits = !types.empty() && types.size() % pack == 0;
  for (size_t i = 0; fits && i < types.size(); ++i)
    fits = types[i] == types[i - i % pack];
  if (!fits) {
    arguments.fail(
        0, "returns " + llvm::Twine(types.size()) + " scalars where `pack` is " + llvm::Twine(pack),
        "return `pack` scalars of one type for each result");
    return std::nullopt;
  }
  llvm::SmallVector<DType> each;
  for (size_t i = 0; i < types.size(); i += pack)
    each.push_back(types[i]);
  return each;
}

/// scalar_fn, *args, pack: the function of each element, or of `pack` at once.
static Value mapElementwise(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  std::optional<int64_t> pack = arguments.given(2) ? arguments.integer(2) : 1;
  if (!pack || !arguments.isFunction(0))
    return {};
  if (*pack < 1 || *pack > tt::maxTensorElements)
    return arguments.fail(2, "is " + llvm::Twine(*pack), "it counts the elements of a call");
  std::optional<Values> inputs = mapped(arguments, 1);
  if (!inputs)
    return {};
  if (!inputs->front().isBlock() && *pack == 1)
    return arguments.call(0, *inputs);
  if (!inputs->front().isBlock())
    return arguments.fail(1, "are scalars, which cannot be packed", "leave `pack` out");

  mlir::Region region;
  llvm::SmallVector<DType> types;
  bool isSingle = false;
  {
    mlir::OpBuilder::InsertionGuard guard(tb.builder);
    mlir::Block *block = tb.builder.createBlock(&region);
    Values elements;
    for (const Value &input : *inputs)
      for (int64_t i = 0; i < *pack; ++i)
        elements.push_back(Value::tensor(
            block->addArgument(input.type.toMLIR(tb.builder.getContext()), tb.loc()), input.type));
    Value returned = arguments.call(0, elements);
    if (!returned)
      return {};
    isSingle = !returned.isTuple();
    llvm::ArrayRef<Value> results(returned);
    if (returned.isTuple())
      results = *returned.elements;
    auto found = resultTypes(arguments, results, static_cast<size_t>(*pack));
    if (!found)
      return {};
    types = std::move(*found);
    llvm::SmallVector<mlir::Value> flat;
    for (const Value &result : results)
      flat.push_back(result.ssa);
    tt::MapElementwiseReturnOp::create(tb.builder, tb.loc(), mlir::ValueRange(flat));
  }
  llvm::SmallVector<mlir::Type> resultTypes;
  llvm::SmallVector<mlir::Value> operands;
  for (DType type : types)
    resultTypes.push_back(tb.tensorType(inputs->front().shape(), type, inputs->front().encoding()));
  for (const Value &input : *inputs)
    operands.push_back(input.ssa);
  auto op = tt::MapElementwiseOp::create(tb.builder, tb.loc(), mlir::TypeRange(resultTypes),
                                         mlir::ValueRange(operands), static_cast<int32_t>(*pack));
  op.getScalarOp().takeBody(region);
  std::vector<Value> results;
  for (auto [result, type] : llvm::zip_equal(op.getResults(), types))
    results.push_back(Value::tensor(result, type));
  return isSingle ? results.front() : Value::tuple(std::move(results));
}

llvm::ArrayRef<Builtin> frontend::mapBuiltins() {
  static constexpr Builtin builtins[] = {
      {"map_elementwise", "scalar_fn *args pack?", mapElementwise},
  };
  return builtins;
}
