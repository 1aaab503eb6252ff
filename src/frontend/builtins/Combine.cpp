//===- Combine.cpp - Reduction and scan ops with their regions ----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/builtins/Combine.h"

#include "ir/tt/Dialect.h"

using namespace tilewright;
using namespace tilewright::frontend;

/// Fills the region of a reduction or scan. False after an error.
template <typename ReturnOp>
static bool fillRegion(TritonBuilder &tb, mlir::Region &region, llvm::ArrayRef<Value> inputs,
                       Combine combine) {
  llvm::SmallVector<mlir::Type> types;
  for (const Value &input : inputs)
    types.push_back(input.type.toMLIR(tb.builder.getContext()));
  types.append(types.begin(), types.end());
  mlir::OpBuilder::InsertionGuard guard(tb.builder);
  llvm::SmallVector<mlir::Location> locations(types.size(), tb.loc());
  mlir::Block *block = tb.builder.createBlock(&region, {}, types, locations);
  llvm::SmallVector<Value> elements;
  for (mlir::BlockArgument argument : block->getArguments())
    elements.push_back(
        Value::tensor(argument, inputs[argument.getArgNumber() % inputs.size()].type));
  Values combined = combine(elements);
  if (combined.empty())
    return false;
  llvm::SmallVector<mlir::Value> results;
  for (const Value &value : combined)
    results.push_back(value.ssa);
  ReturnOp::create(tb.builder, tb.loc(), mlir::ValueRange(results));
  return true;
}

static llvm::SmallVector<mlir::Value> operandsOf(llvm::ArrayRef<Value> inputs) {
  llvm::SmallVector<mlir::Value> operands;
  for (const Value &input : inputs)
    operands.push_back(input.ssa);
  return operands;
}

static Values resultsOf(mlir::Operation *op, llvm::ArrayRef<Value> inputs) {
  Values results;
  for (auto [result, input] : llvm::zip_equal(op->getResults(), inputs))
    results.push_back(Value::tensor(result, input.type));
  return results;
}

Values frontend::emitReduce(TritonBuilder &tb, llvm::ArrayRef<Value> inputs, unsigned axis,
                            Combine combine) {
  llvm::SmallVector<mlir::Value> operands = operandsOf(inputs);
  auto op = tt::ReduceOp::create(tb.builder, tb.loc(), mlir::ValueRange(operands),
                                 static_cast<int>(axis));
  if (!fillRegion<tt::ReduceReturnOp>(tb, op.getCombineOp(), inputs, combine))
    return {};
  return resultsOf(op, inputs);
}

Values frontend::emitScan(TritonBuilder &tb, llvm::ArrayRef<Value> inputs, unsigned axis,
                          bool reverse, Combine combine) {
  llvm::SmallVector<mlir::Value> operands = operandsOf(inputs);
  auto op = tt::ScanOp::create(tb.builder, tb.loc(), mlir::ValueRange(operands),
                               static_cast<int>(axis), reverse);
  if (!fillRegion<tt::ScanReturnOp>(tb, op.getCombineOp(), inputs, combine))
    return {};
  return resultsOf(op, inputs);
}

Values frontend::tensorsOf(const Arguments &arguments, size_t index) {
  const Value &given = arguments[index];
  llvm::ArrayRef<Value> elements(given);
  if (given.isTuple())
    elements = *given.elements;
  if (elements.empty()) {
    arguments.fail(index, "is an empty tuple", "give one tensor at least");
    return {};
  }
  for (const Value &element : elements) {
    if (!element.isBlock()) {
      arguments.fail(index, "must be a tensor or a tuple of tensors, not " +
                                llvm::Twine(given.isTuple() ? "a tuple with " : "") +
                                element.describe());
      return {};
    }
    if (element.shape() != elements[0].shape()) {
      arguments.fail(index,
                     "has tensors of different shapes: " + describeShape(elements[0].shape()) +
                         " and " + describeShape(element.shape()),
                     "bring them to one shape with tl.broadcast_to");
      return {};
    }
  }
  return Values(elements);
}

Values frontend::combineByFunction(const Arguments &arguments, size_t index,
                                   llvm::ArrayRef<Value> elements) {
  TritonBuilder &tb = arguments.tb;
  size_t count = elements.size() / 2;
  Value returned = arguments.call(index, elements);
  if (!returned)
    return {};
  llvm::ArrayRef<Value> given(returned);
  if (returned.isTuple())
    given = *returned.elements;
  std::string remedy = "it must return one value for each of the " + std::to_string(count) +
                       " tensors, of the type of its elements";
  if (given.size() != count || returned.isNone()) {
    size_t values = returned.isNone() ? 0 : given.size();
    arguments.fail(index,
                   "returns " + llvm::Twine(values) + (values == 1 ? " value" : " values") +
                       " for " + llvm::Twine(count) + (count == 1 ? " tensor" : " tensors"),
                   count == 1 ? "return the combination of the two elements" : remedy);
    return {};
  }
  Values results;
  for (size_t i = 0; i < count; ++i) {
    Value result = tb.toTensor(given[i]);
    if (!result)
      return {};
    if (result.isBlock() || result.type != elements[i].type) {
      arguments.fail(index,
                     "returns " + result.describe() + " where the elements are " +
                         elements[i].type.str(),
                     "convert what it returns with .to(..), or the input before");
      return {};
    }
    results.push_back(result);
  }
  return results;
}

Value frontend::likeArgument(const Value &argument, llvm::ArrayRef<Value> results) {
  if (results.empty())
    return {};
  return argument.isTuple() ? Value::tuple(results.vec()) : results.front();
}

std::optional<DType> frontend::sumType(const Arguments &arguments, size_t typeIndex, DType input) {
  if (!arguments[typeIndex].isNone())
    return arguments.type(typeIndex);
  if (!input.isInteger() || input.bits() >= 32)
    return input;
  return DType{input.isUnsigned() || input.isBool() ? ScalarKind::UInt32 : ScalarKind::Int32};
}
