//===- Gather.cpp - Builtins: gather and histogram ----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/builtins/Builtins.h"

#include "ir/tt/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace tilewright;
using namespace tilewright::frontend;

/// The least and greatest of a tensor's numbers, where its op and those before it tell: constants,
/// tl.arange, sums and products of these.
static std::optional<std::pair<Integer, Integer>> boundsOf(mlir::Value value, unsigned depth = 0) {
  constexpr unsigned maxDepth = 16;
  llvm::APInt number;
  if (mlir::matchPattern(value, mlir::m_ConstantInt(&number)))
    return std::pair<Integer, Integer>(number.getSExtValue(), number.getSExtValue());
  mlir::Operation *op = value.getDefiningOp();
  if (!op || depth == maxDepth)
    return std::nullopt;
  if (auto range = llvm::dyn_cast<tt::MakeRangeOp>(op))
    return std::pair<Integer, Integer>(range.getStartAttr().getInt(),
                                       range.getEndAttr().getInt() - 1);
  if (llvm::isa<tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp, tt::ReshapeOp>(op))
    return boundsOf(op->getOperand(0), depth + 1);
  if (!llvm::isa<mlir::arith::AddIOp, mlir::arith::SubIOp, mlir::arith::MulIOp>(op))
    return std::nullopt;
  auto left = boundsOf(op->getOperand(0), depth + 1),
       right = boundsOf(op->getOperand(1), depth + 1);
  if (!left || !right)
    return std::nullopt;
  auto [a, b] = *left;
  auto [c, d] = *right;
  if (llvm::isa<mlir::arith::AddIOp>(op))
    return std::pair(a + c, b + d);
  if (llvm::isa<mlir::arith::SubIOp>(op))
    return std::pair(a - d, b - c);
  return std::minmax({a * c, a * d, b * c, b * d});
}

/// Warns of indices that are known to reach outside of a dimension.
static void checkIndices(const Arguments &arguments, size_t index, int64_t size) {
  auto bounds = boundsOf(arguments[index].ssa);
  if (!bounds || (bounds->first >= 0 && bounds->second < size))
    return;
  arguments.tb.warnAt(
      arguments.spanOf(index),
      arguments.builtin.name + ": the indices go from " + Value::ofInteger(bounds->first).repr() +
          " to " + Value::ofInteger(bounds->second).repr() + ", but the dimension has the size " +
          llvm::Twine(size) + ": what is outside is undefined",
      "take the remainder, or tl.where");
}

/// src, index, axis: element [.., i, ..] of the result is element [.., index[.., i, ..], ..] of
/// the source.
static Value gather(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  const Value &source = arguments[0], &index = arguments[1];
  if (!source.isBlock())
    return arguments.fail(0, "must be a tensor, not " + source.describe(),
                          source.isTensor() && source.type.isPointer()
                              ? "to read from memory, add the indices and use tl.load"
                              : "");
  if (!index.isBlock() || !index.type.isInteger())
    return arguments.fail(1, "must be a tensor of integers, not " + index.describe());
  llvm::ArrayRef<int64_t> from = source.shape(), to = index.shape();
  if (from.size() != to.size())
    return arguments.fail(1,
                          "has " + llvm::Twine(to.size()) + " dimensions, but the source has " +
                              llvm::Twine(from.size()),
                          "give both as many, with [:, None] or tl.reshape");
  std::optional<unsigned> axis = arguments.axis(2, static_cast<unsigned>(from.size()));
  if (!axis)
    return {};
  for (size_t i = 0; i < from.size(); ++i)
    if (i != *axis && from[i] != to[i])
      return arguments.fail(
          1,
          "has the shape " + describeShape(to) + ", the source " + describeShape(from) +
              ": they differ in dimension " + llvm::Twine(i),
          "only dimension " + std::to_string(*axis) + ", along which is gathered, may differ");
  checkIndices(arguments, 1, from[*axis]);
  auto type = tb.tensorType(to, source.type, index.encoding());
  return Value::tensor(tt::GatherOp::create(tb.builder, tb.loc(), type, source.ssa, index.ssa,
                                            static_cast<int32_t>(*axis)),
                       source.type);
}

/// input, num_bins, mask: how many elements are 0, 1, .., num_bins - 1.
Value frontend::histogramIn(Arguments &arguments, mlir::Attribute layout) {
  TritonBuilder &tb = arguments.tb;
  const Value &input = arguments[0];
  if (!input.isBlock() || !input.type.isInteger())
    return arguments.fail(0, "must be a tensor of integers, not " + input.describe(),
                          input.isBlock() ? "convert it with .to(tl.int32)" : "");
  if (input.shape().size() != 1)
    return arguments.fail(0, "must have one dimension, not " + describeShape(input.shape()),
                          "flatten it with tl.ravel");
  std::optional<int64_t> bins = arguments.integer(1);
  if (!bins || !checkTileShape(arguments, 1, *bins))
    return {};
  Value mask = arguments[2];
  if (!mask.isNone()) {
    if (mask.isIntegral())
      mask = tb.constant(mask, {ScalarKind::Int1});
    if (!mask.isTensor() || !mask.type.isBool())
      return arguments.fail(2, "must be boolean, not " + mask.describe(),
                            "compare to get a mask, as in offs < n");
    TritonBuilder::At at(tb, arguments.spanOf(2));
    mask = tb.broadcastTo(mask, input.shape(), "tl.histogram: 'mask'", input.encoding());
    if (!mask)
      return {};
  }
  DType counts{ScalarKind::Int32};
  auto type = tb.tensorType(*bins, counts, layout);
  return Value::tensor(tt::HistogramOp::create(tb.builder, tb.loc(), type, input.ssa, mask.ssa),
                       counts);
}

static Value histogram(Arguments &arguments) { return histogramIn(arguments, {}); }

llvm::ArrayRef<Builtin> frontend::gatherBuiltins() {
  static constexpr Builtin builtins[] = {
      {"gather", "src index axis", gather, Member},
      {"histogram", "input num_bins mask?", histogram, Member},
  };
  return builtins;
}
