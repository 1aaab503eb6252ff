//===- BlockPointer.cpp - Builtins: block pointers ----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A block pointer is a tensor in global memory and the place of a block in it. There is
// no type for it in the IR: it is its base, sizes, strides and offsets, and an access
// through it becomes one through a tensor of pointers, with a mask for the dimensions
// whose bounds are to be checked.
//
//===--------------------------------------------------------------------------===//

#include "frontend/builtins/TensorInMemory.h"

#include "ir/tt/Dialect.h"

#include <cmath>

using namespace tilewright;
using namespace tilewright::frontend;

/// The parts of a block pointer, in the order of its elements.
enum Part : size_t { Base, Shape, Strides, Offsets, BlockShape };

static const std::vector<Value> &part(const Value &blockPointer, Part which) {
  return *(*blockPointer.elements)[which].elements;
}

/// The argument's integers as scalars of `type`, `rank` of them; scalars that are wider are
/// refused.
static std::optional<std::vector<Value>> scalarsOf(Arguments &arguments, size_t index, DType type,
                                                   size_t rank) {
  llvm::ArrayRef<Value> given = sequenceOf(arguments[index]);
  if (given.size() != rank) {
    arguments.fail(index,
                   "has " + llvm::Twine(given.size()) + " entries, but there are " +
                       llvm::Twine(rank) + (rank == 1 ? " dimension" : " dimensions"),
                   "give one for each dimension");
    return std::nullopt;
  }
  for (const Value &element : given)
    if (element.isTensor() && element.type.isInteger() && element.type.bits() > type.bits()) {
      arguments.fail(index,
                     "must have elements of " + llvm::Twine(type.bits()) + " bits, not " +
                         element.type.str(),
                     "write .to(tl.int32)");
      return std::nullopt;
    }
  return scalarsArgument(arguments, index, type);
}

static Value makeBlockPointer(Arguments &arguments) {
  enum { BaseAt, ShapeAt, StridesAt, OffsetsAt, BlockShapeAt, OrderAt };
  Value base = baseArgument(arguments, BaseAt);
  if (!base)
    return {};
  llvm::SmallVector<int64_t> block, order;
  if (!arguments.shape(BlockShapeAt, block) || !checkTileShape(arguments, BlockShapeAt, block))
    return {};
  size_t rank = block.size();
  auto shape = scalarsOf(arguments, ShapeAt, {ScalarKind::Int64}, rank);
  auto strides = shape ? scalarsOf(arguments, StridesAt, {ScalarKind::Int64}, rank) : std::nullopt;
  auto offsets =
      strides ? scalarsOf(arguments, OffsetsAt, {ScalarKind::Int32}, rank) : std::nullopt;
  if (!offsets || !arguments.shape(OrderAt, order))
    return {};
  // The order is a hint; the strides say it as well.
  llvm::sort(order);
  for (size_t i = 0; i < std::max(rank, order.size()); ++i)
    if (order.size() != rank || order[i] != static_cast<int64_t>(i))
      return arguments.fail(
          OrderAt,
          "is no order of " + llvm::Twine(rank) + (rank == 1 ? " dimension" : " dimensions"),
          rank == 1 ? "write (0,)" : "write each of 0 to " + std::to_string(rank - 1) + " once");
  // Booleans are bytes in memory.
  Value bytes = base.type.scalar == ScalarKind::Int1
                    ? arguments.tb.cast(base, {ScalarKind::Int8, true})
                    : base;
  if (!bytes)
    return {};
  return Value::blockPointer({Value::tuple({bytes}), Value::tuple(std::move(*shape)),
                              Value::tuple(std::move(*strides)), Value::tuple(std::move(*offsets)),
                              tupleOfIntegers(block)});
}

static Value advance(Arguments &arguments) {
  const Value &pointer = arguments[0];
  if (!pointer.isBlockPointer())
    return arguments.fail(0, "must be a block pointer, not " + pointer.describe(),
                          "add the offset to a pointer");
  const std::vector<Value> &before = part(pointer, Offsets);
  auto steps = scalarsOf(arguments, 1, {ScalarKind::Int32}, before.size());
  if (!steps)
    return {};
  std::vector<Value> parts = *pointer.elements, offsets;
  for (auto [offset, step] : llvm::zip_equal(before, *steps))
    offsets.push_back(arguments.tb.binary(BinaryOperator::Add, offset, step));
  parts[Offsets] = Value::tuple(std::move(offsets));
  return Value::blockPointer(std::move(parts));
}

/// The dimensions that an argument names.
static std::optional<llvm::SmallVector<bool>> checkedDimensions(Arguments &arguments, size_t index,
                                                                size_t rank) {
  llvm::SmallVector<bool> checked(rank, false);
  if (arguments[index].isNone())
    return checked;
  for (const Value &dimension : sequenceOf(arguments[index])) {
    if (!dimension.isIntegral() || dimension.integer < 0 ||
        dimension.integer >= static_cast<Integer>(rank) ||
        checked[static_cast<size_t>(dimension.integer)]) {
      arguments.fail(index, "must name dimensions from 0 to " + llvm::Twine(rank - 1) +
                                ", each once; it has " + dimension.describe());
      return std::nullopt;
    }
    checked[static_cast<size_t>(dimension.integer)] = true;
  }
  return checked;
}

/// The pointers to a block's elements; `mask` is true inside, or None where nothing is checked.
static Value pointersOf(TritonBuilder &tb, const Value &blockPointer, llvm::ArrayRef<bool> checked,
                        Value &mask) {
  Value pointers = part(blockPointer, Base).front();
  mask = Value::none();
  llvm::SmallVector<int64_t> block = blockPointer.blockShape();
  DType wide{ScalarKind::Int64};
  for (size_t d = 0; d < block.size(); ++d) {
    auto type = mlir::RankedTensorType::get({block[d]}, tb.builder.getI32Type());
    auto steps =
        tt::MakeRangeOp::create(tb.builder, tb.loc(), type, 0, static_cast<uint32_t>(block[d]));
    Value position = tb.binary(BinaryOperator::Add, tb.cast(part(blockPointer, Offsets)[d], wide),
                               tb.cast(Value::tensor(steps, {ScalarKind::Int32}), wide));
    for (unsigned other = 0; position && other < block.size(); ++other)
      if (other != d)
        position = tb.expandDims(position, other);
    if (checked[d]) {
      Value inside = tb.binary(
          BinaryOperator::BitAnd, tb.compare(CompareOperator::GtE, position, Value::ofInteger(0)),
          tb.compare(CompareOperator::Lt, position, part(blockPointer, Shape)[d]));
      mask = mask.isNone() ? inside : tb.binary(BinaryOperator::BitAnd, mask, inside);
    }
    pointers = tb.binary(BinaryOperator::Add, pointers,
                         tb.binary(BinaryOperator::Mult, position, part(blockPointer, Strides)[d]));
  }
  return pointers;
}

bool frontend::replaceBlockPointer(Arguments &arguments, size_t mask, size_t other,
                                   size_t boundaryCheck, size_t padding) {
  const Value pointer = arguments[0];
  for (size_t index : {mask, other})
    if (index != 0 && !arguments[index].isNone())
      return arguments.reject(index, "cannot be given for a block pointer",
                              "name the dimensions to check in boundary_check");
  auto checked = checkedDimensions(arguments, boundaryCheck, pointer.blockShape().size());
  if (!checked)
    return false;
  std::string outside;
  if (padding != 0) {
    std::optional<std::string> text = arguments.string(padding);
    if (!text)
      return false;
    outside = *text;
    if (!outside.empty() && outside != "zero" && outside != "nan")
      return arguments.reject(padding, "is '" + llvm::Twine(outside) + "'",
                              "write \"zero\" or \"nan\"");
    if (outside == "nan" && !pointer.type.isFloat())
      return arguments.reject(padding,
                              "is \"nan\", which " + pointer.type.str() + " does not have");
  }
  Value inside;
  Value pointers = pointersOf(arguments.tb, pointer, *checked, inside);
  if (!pointers || !inside)
    return false;
  arguments.replace(0, pointers);
  arguments.replace(mask, inside);
  if (!outside.empty() && !inside.isNone())
    arguments.replace(other, outside == "nan" ? Value::ofFloat(NAN) : Value::ofInteger(0));
  arguments.replace(boundaryCheck, Value::none());
  if (padding != 0)
    arguments.replace(padding, Value::none());
  return true;
}

llvm::ArrayRef<Builtin> frontend::blockPointerBuiltins() {
  static constexpr Builtin builtins[] = {
      {"make_block_ptr", "base shape strides offsets block_shape order", makeBlockPointer},
      {"advance", "base offsets", advance},
  };
  return builtins;
}
