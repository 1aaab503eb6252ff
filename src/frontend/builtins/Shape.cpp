//===- Shape.cpp - Builtins: shapes and casts ---------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/builtins/Builtins.h"

#include "ir/tt/Dialect.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <numeric>

using namespace tilewright;
using namespace tilewright::frontend;

static int64_t elementsOf(llvm::ArrayRef<int64_t> shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<>());
}

static Value broadcastToShape(Arguments &arguments) {
  Value input = arguments.tensor(0);
  llvm::SmallVector<int64_t> shape;
  if (!input || !arguments.shape(1, shape) || !checkTileShape(arguments, 1, shape))
    return {};
  if (input.isBlock() && input.shape().size() != shape.size())
    return arguments.fail(1,
                          "has " + llvm::Twine(shape.size()) + " dimensions, but " +
                              input.describe() + " has " + llvm::Twine(input.shape().size()),
                          "[:, None] adds a dimension");
  return arguments.tb.broadcastTo(input, shape, "tl.broadcast_to");
}

static Value broadcastPair(Arguments &arguments) {
  Value left = arguments.tensor(0), right = left ? arguments.tensor(1) : Value();
  if (!right || !arguments.tb.broadcast(left, right, "tl.broadcast"))
    return {};
  return Value::tuple({left, right});
}

static Value expandDims(Arguments &arguments) {
  Value input = arguments.tensor(0);
  if (!input)
    return {};
  llvm::SmallVector<int64_t> axes;
  if (!arguments.shape(1, axes))
    return {};
  auto rank = static_cast<int64_t>(input.shape().size() + axes.size());
  for (int64_t &axis : axes) {
    int64_t counted = axis < 0 ? axis + rank : axis;
    if (counted < 0 || counted >= rank)
      return arguments.fail(1, "names the invalid axis " + llvm::Twine(axis) + ": the result has " +
                                   llvm::Twine(rank) + (rank == 1 ? " dimension" : " dimensions"));
    axis = counted;
  }
  llvm::sort(axes);
  if (std::adjacent_find(axes.begin(), axes.end()) != axes.end())
    return arguments.fail(
        1, "has duplicate axes, normalized axes = [" +
               llvm::join(llvm::map_range(axes, [](int64_t axis) { return std::to_string(axis); }),
                          ", ") +
               "]");
  for (int64_t axis : axes)
    input = arguments.tb.expandDims(input, static_cast<unsigned>(axis));
  return input;
}

static Value reshapeTo(Arguments &arguments, bool mayReorder) {
  Value input = arguments.tensor(0);
  llvm::SmallVector<int64_t> shape;
  if (!input || !arguments.shape(1, shape))
    return {};
  if (shape.empty() && arguments.given(1))
    return arguments.tb.onlyElement(input);
  int64_t elements = elementsOf(input.shape());
  auto *unknown = llvm::find(shape, -1);
  if (unknown != shape.end()) {
    *unknown = 1;
    if (llvm::is_contained(shape, -1))
      return arguments.fail(1, "leaves two sizes open", "write -1 once at most");
    int64_t known =
        llvm::all_of(shape, [](int64_t size) { return size > 0; }) ? elementsOf(shape) : 0;
    *unknown = known > 0 && elements % known == 0 ? elements / known : 0;
  }
  if (!checkTileShape(arguments, 1, shape))
    return {};
  if (elementsOf(shape) != elements)
    return arguments.fail(1, describeShape(shape) + " has " + llvm::Twine(elementsOf(shape)) +
                                 " elements, but the tensor " + describeShape(input.shape()) +
                                 " has " + llvm::Twine(elements));
  return arguments.tb.reshape(input, shape, mayReorder);
}

static Value reshape(Arguments &arguments) {
  std::optional<bool> mayReorder = arguments.flag(2, false);
  return mayReorder ? reshapeTo(arguments, *mayReorder) : Value();
}

static Value view(Arguments &arguments) { return reshapeTo(arguments, true); }

static Value ravel(Arguments &arguments) {
  Value input = arguments.tensor(0);
  std::optional<bool> mayReorder = arguments.flag(1, false);
  if (!input || !mayReorder)
    return {};
  return arguments.tb.reshape(input, {elementsOf(input.shape())}, *mayReorder);
}

/// x, dim: removes a dimension of size 1.
static Value squeeze(Arguments &arguments) {
  Value input = arguments.tensor(0);
  if (!input)
    return {};
  llvm::SmallVector<int64_t> shape(input.shape());
  std::optional<unsigned> axis = arguments.axis(1, static_cast<unsigned>(shape.size()));
  if (!axis)
    return {};
  if (shape[*axis] != 1)
    return arguments.fail(
        1, "is a dimension of size " + llvm::Twine(shape[*axis]) + " of " + describeShape(shape),
        "only dimensions of size 1 can be removed");
  shape.erase(shape.begin() + *axis);
  return shape.empty() ? arguments.tb.onlyElement(input)
                       : arguments.tb.reshape(input, shape, /*mayReorder=*/false);
}

/// x, dim: inserts a dimension of size 1.
static Value unsqueeze(Arguments &arguments) {
  Value input = arguments.tensor(0);
  std::optional<unsigned> axis =
      input ? arguments.axis(1, static_cast<unsigned>(input.shape().size()) + 1) : std::nullopt;
  return axis ? arguments.tb.expandDims(input, *axis) : Value();
}

static Value permuteBy(Arguments &arguments, bool lastTwoByDefault) {
  Value input = arguments.tensor(0);
  if (!input)
    return {};
  auto rank = static_cast<int64_t>(input.shape().size());
  llvm::SmallVector<int64_t> given;
  if (!arguments.shape(1, given))
    return {};
  llvm::SmallVector<int32_t> order;
  if (given.empty() && lastTwoByDefault) {
    if (rank < 2)
      return arguments.fail(0,
                            "has " + llvm::Twine(rank) +
                                (rank == 1 ? " dimension" : " dimensions") + "; two are needed",
                            "expand it with [:, None] first");
    for (int32_t i = 0; i < rank; ++i)
      order.push_back(i);
    std::swap(order[rank - 1], order[rank - 2]);
    return arguments.tb.transpose(input, order);
  }
  llvm::SmallVector<bool> seen(static_cast<size_t>(rank), false);
  for (int64_t axis : given) {
    int64_t counted = axis < 0 ? axis + rank : axis;
    if (counted < 0 || counted >= rank || seen[counted])
      break;
    seen[counted] = true;
    order.push_back(static_cast<int32_t>(counted));
  }
  if (static_cast<int64_t>(order.size()) != rank || given.size() != order.size())
    return arguments.fail(
        1, describeShape(given) + " is no order of " + llvm::Twine(rank) + " dimensions",
        "name every dimension once");
  return arguments.tb.transpose(input, order);
}

static Value trans(Arguments &arguments) { return permuteBy(arguments, true); }
static Value permute(Arguments &arguments) { return permuteBy(arguments, false); }

static Value castTo(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  std::optional<DType> type = arguments.type(1);
  std::optional<std::string> rounding = arguments.string(2);
  std::optional<bool> isBitcast = arguments.flag(3, false);
  if (!type || !rounding || !isBitcast)
    return {};
  if (!rounding->empty() && *rounding != "rtne" && *rounding != "rtz")
    return arguments.fail(2, "is '" + llvm::Twine(*rounding) + "', which is no rounding",
                          "write \"rtne\", to the nearest, or \"rtz\", toward zero");
  const Value &value = arguments[0];
  bool narrows = value.isTensor() && value.type.isFloat() && type->isFloat() &&
                 value.type.bits() > type->bits();
  // Where nothing is converted there is nothing to round.
  const bool keepsBits = *isBitcast || (value.isTensor() && value.type == *type);
  if (!rounding->empty() && !narrows && !keepsBits)
    return arguments.fail(2,
                          "is for conversions to narrower floats, not from " + value.describe() +
                              " to " + type->str(),
                          "leave it out");
  if (!value.isTensor() && !value.isNumber())
    return arguments.fail(0, "must be a number or a tensor, not " + value.describe());
  return *isBitcast ? tb.bitcast(value, *type) : tb.cast(value, *type, *rounding == "rtz");
}

llvm::ArrayRef<Builtin> frontend::shapeBuiltins() {
  static constexpr Builtin builtins[] = {
      {"broadcast_to", "input *shape", broadcastToShape, Member},
      {"broadcast", "input other", broadcastPair},
      {"expand_dims", "input axis", expandDims, Member},
      {"reshape", "input *shape can_reorder?", reshape, Member},
      {"view", "input *shape", view, Member},
      {"ravel", "x can_reorder?", ravel, Member},
      {"squeeze", "x dim", squeeze, Member},
      {"unsqueeze", "x dim", unsqueeze, Member},
      {"trans", "input *dims", trans, Member},
      {"permute", "input *dims", permute, Member},
      {"cast", "input dtype fp_downcast_rounding? bitcast?", castTo, Member},
      {"to", "input dtype fp_downcast_rounding? bitcast?", castTo, Member},
  };
  return builtins;
}
