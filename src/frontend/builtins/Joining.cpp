//===- Joining.cpp - Builtins: join, split, cat, interleave -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/builtins/Builtins.h"

#include "frontend/value/Layouts.h"
#include "ir/ttg/encoding/Inference.h"

using namespace tilewright;
using namespace tilewright::frontend;

/// The arguments 0 and 1 as values of one element type. False after an error.
static bool sameTypes(const Arguments &arguments, Value &left, Value &right) {
  left = arguments.tensor(0);
  right = left ? arguments.tensor(1) : Value();
  if (right && left.type != right.type) {
    arguments.fail(1, "is " + right.describe() + " beside " + left.describe(),
                   "convert one of them with .to(..): the element types must be equal");
    return false;
  }
  return bool(right);
}

/// The layout of two tensors like this one, joined; nothing after an error, null without layouts.
static std::optional<mlir::Attribute> joinedLayout(TritonBuilder &tb, const Value &tensor) {
  const mlir::Attribute layout = tensor.encoding();
  if (!layout && !tb.isGluon)
    return mlir::Attribute();
  if (!layout) {
    tb.fail("scalars cannot be joined in a kernel of Gluon: no layout says where they go");
    return std::nullopt;
  }
  if (isUndecidedLayout(layout))
    return layout;
  const auto axis = static_cast<unsigned>(tensor.shape().size());
  // Halves of a split come together again.
  if (auto slice = llvm::dyn_cast<ttg::SliceEncodingAttr>(layout);
      slice && slice.getDim() == axis) {
    llvm::SmallVector<int64_t> shape(tensor.shape());
    shape.push_back(2);
    mlir::Attribute half = ttg::inferSplit(shape, slice.getParent());
    if (half && llvm::cast<tt::LayoutEncoding>(half)
                    .toLinearLayout(tensor.shape())
                    .sameMapAs(slice.toLinearLayout(tensor.shape())))
      return slice.getParent();
  }
  // Blocked layouts stay so, also where the tensor is smaller than a tile.
  if (auto encoding = llvm::dyn_cast<ttg::BlockedEncodingAttr>(layout)) {
    layout::Blocked blocked = encoding.getLayout();
    blocked.sizePerThread.push_back(2);
    blocked.threadsPerWarp.push_back(1);
    blocked.warpsPerCTA.push_back(1);
    blocked.order.insert(blocked.order.begin(), axis);
    for (std::vector<unsigned> &basis : blocked.cluster)
      basis.push_back(0);
    return ttg::BlockedEncodingAttr::get(layout.getContext(), blocked);
  }
  if (mlir::Attribute joined = ttg::inferJoin(tensor.shape(), layout))
    return joined;
  tb.fail("no layout describes two tensors in " + reprOfLayout(layout) + " side by side",
          "convert them with gl.convert_layout");
  return std::nullopt;
}

static std::optional<mlir::Attribute> splitLayout(TritonBuilder &tb, const Value &tensor) {
  const mlir::Attribute layout = tensor.encoding();
  if (!layout || isUndecidedLayout(layout))
    return layout;
  if (ttg::inferSplit(tensor.shape(), layout))
    return ttg::SliceEncodingAttr::get(static_cast<unsigned>(tensor.shape().size()) - 1,
                                       llvm::cast<tt::LayoutEncoding>(layout));
  tb.fail("split: the two elements of a pair are not in one thread in " + reprOfLayout(layout),
          "convert it to a layout with two elements a thread along the last dimension, which is "
          "the fastest, with gl.convert_layout");
  return std::nullopt;
}

/// Two values side by side in a new last dimension; two scalars give a tensor of 2.
static Value joinLast(const Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  Value left, right;
  if (!sameTypes(arguments, left, right) ||
      !tb.broadcast(left, right, (arguments.builtin.name + " of two tensors").str()))
    return {};
  bool scalars = !left.isBlock();
  if (scalars) {
    left = tb.expandDims(left, 0);
    right = tb.expandDims(right, 0);
  }
  llvm::SmallVector<int64_t> shape(left.shape());
  shape.push_back(2);
  std::optional<mlir::Attribute> encoding = joinedLayout(tb, left);
  if (!encoding)
    return {};
  auto type = tb.tensorType(shape, left.type, *encoding);
  if (type.getNumElements() > tt::maxTensorElements)
    return tb.fail(arguments.builtin.name + " makes more than " +
                       llvm::Twine(tt::maxTensorElements) + " elements",
                   "make the tiles smaller");
  Value joined =
      Value::tensor(tt::JoinOp::create(tb.builder, tb.loc(), type, left.ssa, right.ssa), left.type);
  return scalars ? tb.reshape(joined, {2}, /*mayReorder=*/false) : joined;
}

static Value join(Arguments &arguments) { return joinLast(arguments); }

/// Alternates the elements of two tensors along their last dimension.
static Value interleave(Arguments &arguments) {
  Value joined = joinLast(arguments);
  if (!joined || joined.shape().size() == 1)
    return joined;
  llvm::SmallVector<int64_t> shape(joined.shape().drop_back());
  shape.back() *= 2;
  return arguments.tb.reshape(joined, shape, /*mayReorder=*/false);
}

/// The two halves of a last dimension of size 2; a tensor of 2 gives two scalars.
static Value split(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  Value input = arguments[0];
  if (!input.isBlock())
    return arguments.fail(0, "must be a tensor, not " + input.describe());
  if (input.shape().back() != 2)
    return arguments.fail(0,
                          "has the shape " + describeShape(input.shape()) +
                              "; its last dimension must be of size 2",
                          "bring the dimension there by tl.reshape and tl.permute");
  bool toScalars = input.shape().size() == 1;
  if (toScalars)
    input = tb.expandDims(input, 0);
  std::optional<mlir::Attribute> encoding = splitLayout(tb, input);
  if (!encoding)
    return {};
  auto type = tb.tensorType(input.shape().drop_back(), input.type, *encoding);
  auto op = tt::SplitOp::create(tb.builder, tb.loc(), type, type, input.ssa);
  std::vector<Value> halves;
  for (mlir::Value half : op->getResults()) {
    if (toScalars)
      half = tt::UnsplatOp::create(tb.builder, tb.loc(), half);
    halves.push_back(Value::tensor(half, input.type));
  }
  return Value::tuple(std::move(halves));
}

/// input, other, can_reorder.
static Value cat(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  Value left, right;
  std::optional<bool> mayReorder = arguments.flag(2, false);
  if (!mayReorder || !sameTypes(arguments, left, right))
    return {};
  for (auto [index, value] : {std::pair(0, left), {1, right}})
    if (value.shape().size() != 1)
      return arguments.fail(index, "must be a tensor of one dimension, not " + value.describe(),
                            "flatten it with tl.ravel");
  if (left.shape() != right.shape())
    return arguments.fail(1,
                          "has " + llvm::Twine(right.shape()[0]) + " elements, the other tensor " +
                              llvm::Twine(left.shape()[0]),
                          "tensors of equal sizes can be put together");
  int64_t size = 2 * left.shape()[0];
  if (size > tt::maxTensorElements)
    return tb.fail("tl.cat makes more than " + llvm::Twine(tt::maxTensorElements) + " elements",
                   "make the tiles smaller");
  if (!*mayReorder) {
    // In order: the two tensors as columns, transposed to rows.
    Value joined = joinLast(arguments);
    return joined ? tb.reshape(tb.transpose(joined, {1, 0}), {size}, false) : Value();
  }
  auto type = tb.tensorType(size, left.type);
  return Value::tensor(tt::CatOp::create(tb.builder, tb.loc(), type, left.ssa, right.ssa),
                       left.type);
}

llvm::ArrayRef<Builtin> frontend::joiningBuiltins() {
  static constexpr Builtin builtins[] = {
      {"join", "a b", join},
      {"interleave", "a b", interleave},
      {"split", "a", split, Member},
      {"cat", "input other can_reorder?", cat},
  };
  return builtins;
}
