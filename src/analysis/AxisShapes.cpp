//===- AxisShapes.cpp - Axis information of shape ops -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "analysis/AxisFacts.h"
#include "analysis/AxisTransfer.h"

#include "ir/ttg/Dialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::transform;

static AxisInfo evaluateReshape(tt::ReshapeOp op, OperandFacts get) {
  AxisInfo a = get(op.getSrc());
  ArrayRef<int64_t> from = shapeOf(op.getSrc().getType()), to = shapeOf(op.getType());
  if (a.constant) {
    AxisInfo result = constantInfo(*a.constant, to);
    result.nonNegative = a.nonNegative;
    return result;
  }
  AxisInfo result = AxisInfo::unknown(to.size());
  int64_t bytes = elementBytes(op.getType());
  for (DimInfo &dim : result.dims)
    dim.divisibility = a.divisorOfAll(bytes);
  result.nonNegative = a.nonNegative;
  if (op.getAllowReorder())
    return result;
  // Groups along the innermost dimension larger than 1 stay groups.
  auto innermost = [](ArrayRef<int64_t> shape) {
    unsigned dim = shape.size() - 1;
    while (dim > 0 && shape[dim] == 1)
      --dim;
    return dim;
  };
  const DimInfo &in = a.dims[innermost(from)];
  unsigned last = innermost(to);
  DimInfo &out = result.dims[last];
  out.contiguity = std::min(in.contiguity, to[last]);
  out.constancy = std::min(in.constancy, to[last]);
  out.divisibility = std::max(out.contiguity == 1 ? out.divisibility : 1,
                              divisorAtStarts(in, out.contiguity, bytes));
  return result;
}

static AxisInfo evaluateJoin(tt::JoinOp op, OperandFacts get) {
  // Along the old dimensions all is one operand's; along the new one there are pairs.
  AxisInfo info = join(get(op.getLhs()), get(op.getRhs()), elementBytes(op.getLhs().getType()));
  int64_t divisor = info.divisorOfAll(elementBytes(op.getType()));
  info.dims = realDims(info, op.getLhs().getType());
  info.dims.push_back({1, divisor, op.getLhs() == op.getRhs() ? 2 : 1});
  return info;
}

std::optional<AxisInfo> transform::evaluateShape(Operation *op, OperandFacts get) {
  Type type = op->getResult(0).getType();
  ArrayRef<int64_t> shape = shapeOf(type);
  return TypeSwitch<Operation *, std::optional<AxisInfo>>(op)
      .Case([&](tt::MakeRangeOp range) {
        AxisInfo info = AxisInfo::unknown(1);
        int64_t start = range.getStartAttr().getInt();
        info.dims[0] = {shape[0], divisorOf(start), 1};
        info.nonNegative = start >= 0;
        return info;
      })
      .Case<tt::GetProgramIdOp, tt::GetNumProgramsOp>([&](auto) {
        AxisInfo info = AxisInfo::unknown(1);
        info.nonNegative = true;
        return info;
      })
      .Case([&](tt::SplatOp splat) {
        AxisInfo scalar = get(splat.getSrc());
        AxisInfo info = AxisInfo::unknown(shape.size());
        for (auto [dim, size] : llvm::zip_equal(info.dims, shape))
          dim = {1, scalar.dims[0].divisibility, size};
        info.constant = scalar.constant;
        info.nonNegative = scalar.nonNegative;
        return info;
      })
      .Case([&](tt::ExpandDimsOp expand) {
        AxisInfo info = get(expand.getSrc());
        DimInfo added{1, info.divisorOfAll(elementBytes(type)), 1};
        info.dims = realDims(info, expand.getSrc().getType());
        info.dims.insert(info.dims.begin() + expand.getAxis(), added);
        return info;
      })
      .Case([&](tt::BroadcastOp broadcast) {
        AxisInfo info = get(broadcast.getSrc());
        ArrayRef<int64_t> from = shapeOf(broadcast.getSrc().getType());
        for (auto [dim, before, after] : llvm::zip_equal(info.dims, from, shape))
          if (before != after)
            dim.constancy = after;
        return info;
      })
      .Case([&](tt::TransOp trans) {
        AxisInfo from = get(trans.getSrc()), info = from;
        for (auto [dim, source] : llvm::enumerate(trans.getOrder()))
          info.dims[dim] = from.dims[source];
        return info;
      })
      .Case([&](tt::ReshapeOp reshape) { return evaluateReshape(reshape, get); })
      .Case([&](tt::JoinOp pair) { return evaluateJoin(pair, get); })
      // A group lies in one of the operands.
      .Case([&](tt::CatOp cat) {
        return join(get(cat.getLhs()), get(cat.getRhs()), elementBytes(cat.getLhs().getType()));
      })
      .Case([&](ttg::ConvertLayoutOp convert) { return get(convert.getSrc()); })
      .Case([&](tt::BitcastOp cast) -> std::optional<AxisInfo> {
        // The same address with another pointee: runs of elements are runs no longer.
        Type from = cast.getSrc().getType();
        if (!isTracked(from))
          return std::nullopt;
        AxisInfo info = get(cast.getSrc());
        int64_t before = elementBytes(from);
        if (before == elementBytes(type))
          return info;
        for (DimInfo &dim : info.dims) {
          dim.divisibility = divisorAtStarts(dim, 1, before);
          dim.contiguity = 1;
        }
        return info;
      })
      .Default(std::optional<AxisInfo>());
}
