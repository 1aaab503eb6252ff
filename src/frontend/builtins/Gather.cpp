//===- Gather.cpp - Builtins: gather and histogram ----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/builtins/Builtins.h"

#include "ir/tt/Dialect.h"

using namespace tilewright;
using namespace tilewright::frontend;

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
  auto type = mlir::RankedTensorType::get(to, source.type.toMLIR(tb.builder.getContext()));
  return Value::tensor(tt::GatherOp::create(tb.builder, tb.loc(), type, source.ssa, index.ssa,
                                            static_cast<int32_t>(*axis)),
                       source.type);
}

/// input, num_bins, mask: how many elements are 0, 1, .., num_bins - 1.
static Value histogram(Arguments &arguments) {
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
    mask = tb.broadcastTo(mask, input.shape(), "tl.histogram: 'mask'");
    if (!mask)
      return {};
  }
  DType counts{ScalarKind::Int32};
  auto type = mlir::RankedTensorType::get({*bins}, counts.toMLIR(tb.builder.getContext()));
  return Value::tensor(tt::HistogramOp::create(tb.builder, tb.loc(), type, input.ssa, mask.ssa),
                       counts);
}

llvm::ArrayRef<Builtin> frontend::gatherBuiltins() {
  static constexpr Builtin builtins[] = {
      {"gather", "src index axis", gather, Member},
      {"histogram", "input num_bins mask?", histogram, Member},
  };
  return builtins;
}
