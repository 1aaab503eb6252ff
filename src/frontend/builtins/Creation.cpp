//===- Creation.cpp - Builtins: program ids, ranges, filled tensors -----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/builtins/Builtins.h"

#include "ir/tt/Dialect.h"
#include "llvm/Support/MathExtras.h"

using namespace tilewright;
using namespace tilewright::frontend;

template <typename Op> static Value gridQuestion(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  std::optional<int64_t> axis = arguments.integer(0);
  if (!axis)
    return {};
  if (*axis < 0 || *axis > 2)
    return tb.failAt(arguments.spanOf(0), llvm::Twine(arguments.builtin.name) +
                                              " axis must be 0, 1, or 2 but got " +
                                              llvm::Twine(*axis));
  DType type{ScalarKind::Int32};
  return Value::tensor(Op::create(tb.builder, tb.loc(), type.toMLIR(tb.builder.getContext()),
                                  static_cast<tt::ProgramIDDim>(*axis)),
                       type);
}

static Value arange(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  std::optional<int64_t> start = arguments.integer(0);
  std::optional<int64_t> end = start ? arguments.integer(1) : std::nullopt;
  if (!end)
    return {};
  if (*start < INT32_MIN || *end > INT32_MAX || *start > INT32_MAX || *end < INT32_MIN)
    return tb.fail("tl.arange needs bounds that fit into 32 bits");
  int64_t length = *end - *start;
  if (length <= 0)
    return tb.fail("tl.arange needs an end greater than its start, got " + llvm::Twine(*start) +
                       " and " + llvm::Twine(*end),
                   "give the start first, then the end");
  if (!llvm::isPowerOf2_64(static_cast<uint64_t>(length)))
    return tb.fail("arange's range must be a power of 2",
                   "use " + llvm::Twine(llvm::PowerOf2Ceil(length)) +
                       " and mask the elements past " + llvm::Twine(length));
  if (length > tt::maxTensorElements)
    return tb.fail("tl.arange makes more than " + llvm::Twine(tt::maxTensorElements) + " elements",
                   "make the tile smaller");
  DType type{ScalarKind::Int32};
  auto tensor = mlir::RankedTensorType::get({length}, type.toMLIR(tb.builder.getContext()));
  return Value::tensor(tt::MakeRangeOp::create(tb.builder, tb.loc(), tensor,
                                               static_cast<uint32_t>(*start),
                                               static_cast<uint32_t>(*end)),
                       type);
}

/// A tensor of `shape`, or a scalar for the empty shape, full of a number or of a scalar.
static Value fill(TritonBuilder &tb, const Value &value, DType type,
                  llvm::ArrayRef<int64_t> shape) {
  if (value.isNumber()) {
    if (type.isPointer())
      return tb.fail("a tensor of pointers cannot be filled with " + value.describe());
    return tb.constant(value, type, shape);
  }
  Value scalar = tb.cast(value, type);
  return shape.empty() ? scalar : tb.broadcastTo(scalar, shape, "tl.full");
}

/// The argument 0 as the shape of a tensor, or empty, for a scalar. False after an error.
static bool shapeToFill(const Arguments &arguments, llvm::SmallVectorImpl<int64_t> &shape) {
  return arguments.shape(0, shape) && (shape.empty() || checkTileShape(arguments, 0, shape));
}

static Value full(Arguments &arguments) {
  llvm::SmallVector<int64_t> shape;
  if (!shapeToFill(arguments, shape))
    return {};
  const Value &value = arguments[1];
  if (!value.isNumber() && (!value.isTensor() || value.isBlock()))
    return arguments.fail(1, "must be a number or a scalar, not " + value.describe());
  std::optional<DType> type = arguments.type(2);
  return type ? fill(arguments.tb, value, *type, shape) : Value();
}

static Value zeros(Arguments &arguments) {
  llvm::SmallVector<int64_t> shape;
  if (!shapeToFill(arguments, shape))
    return {};
  std::optional<DType> type = arguments.type(1);
  return type ? fill(arguments.tb, Value::ofInteger(0), *type, shape) : Value();
}

static Value zerosLike(Arguments &arguments) {
  Value input = arguments.tensor(0);
  return input ? fill(arguments.tb, Value::ofInteger(0), input.type, input.shape()) : Value();
}

llvm::ArrayRef<Builtin> frontend::creationBuiltins() {
  static constexpr Builtin builtins[] = {
      {"program_id", "axis", gridQuestion<tt::GetProgramIdOp>},
      {"num_programs", "axis", gridQuestion<tt::GetNumProgramsOp>},
      {"arange", "start end", arange},
      {"full", "shape value dtype", full},
      {"zeros", "shape dtype", zeros},
      {"zeros_like", "input", zerosLike},
  };
  return builtins;
}
