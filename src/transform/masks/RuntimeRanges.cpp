//===- RuntimeRanges.cpp - The least and greatest elements of tensors ---------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/masks/RuntimeRanges.h"

#include "ir/tt/Dialect.h"
#include "ir/ttg/Dialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilewright;
using transform::RuntimeRanges;

using Predicate = arith::CmpIPredicate;

/// Numbers end below this: their sums and products do not wrap around in 64 bits.
static constexpr int64_t numberLimit = int64_t(1) << 31;

void RuntimeRanges::add(Value condition) { holds = bounds.create<arith::AndIOp>(holds, condition); }

void RuntimeRanges::require(Value value, int64_t limit) {
  add(bounds.compare(Predicate::slt, value, bounds.constant(limit)));
}

RuntimeRanges::Range RuntimeRanges::rangeOf(Value value, int64_t least) {
  Value wide = bounds.widen(value);
  add(bounds.compare(Predicate::sge, wide, bounds.constant(least)));
  if (!value.getType().isInteger(32))
    require(wide, numberLimit);
  return {wide, wide};
}

std::optional<RuntimeRanges::Range> RuntimeRanges::get(Value value) {
  auto [entry, isNew] = known.try_emplace(value);
  if (!isNew)
    return entry->second;
  std::optional<Range> range = compute(value);
  known[value] = range;
  return range;
}

std::optional<RuntimeRanges::Range> RuntimeRanges::compute(Value value) {
  Type type = getElementTypeOrSelf(value.getType());
  if (!type.isInteger(32) && !type.isInteger(64))
    return std::nullopt;
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant))) {
    if (constant.isNegative() || constant.getSExtValue() >= numberLimit)
      return std::nullopt;
    Value number = bounds.constant(constant.getSExtValue());
    return Range{number, number};
  }
  scf::ForOp loop = bounds.loop;
  if (value == loop.getInductionVar()) {
    // Indices lie below the upper bound; where there are none, ranges are of nothing.
    const Range first = rangeOf(loop.getLowerBound());
    Value last =
        bounds.create<arith::SubIOp>(bounds.widen(loop.getUpperBound()), bounds.constant(1));
    if (!loop.getUpperBound().getType().isInteger(32))
      require(last, numberLimit);
    return Range{first.low, bounds.create<arith::MaxSIOp>(last, first.low)};
  }
  if (!isa<RankedTensorType>(value.getType()) && loop.isDefinedOutsideOfLoop(value))
    return rangeOf(value);

  Operation *op = value.getDefiningOp();
  if (!op)
    return std::nullopt;
  if (auto range = dyn_cast<tt::MakeRangeOp>(op))
    return Range{bounds.constant(range.getStartAttr().getInt()),
                 bounds.constant(range.getEndAttr().getInt() - 1)};
  if (isa<tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp, tt::ReshapeOp, tt::TransOp,
          ttg::ConvertLayoutOp, arith::ExtSIOp, arith::TruncIOp>(op))
    return get(op->getOperand(0));
  if (!isa<arith::AddIOp, arith::MulIOp, arith::DivSIOp, arith::RemSIOp>(op))
    return std::nullopt;
  const std::optional<Range> a = get(op->getOperand(0)), b = get(op->getOperand(1));
  if (!a || !b)
    return std::nullopt;
  auto combine = [&](auto make) { return Range{make(a->low, b->low), make(a->high, b->high)}; };
  Range result;
  if (isa<arith::AddIOp>(op)) {
    result = combine([&](Value x, Value y) { return bounds.create<arith::AddIOp>(x, y); });
  } else if (isa<arith::MulIOp>(op)) {
    result = combine([&](Value x, Value y) { return bounds.create<arith::MulIOp>(x, y); });
  } else if (isa<arith::DivSIOp>(op)) {
    APInt divisor;
    if (!matchPattern(op->getOperand(1), m_ConstantInt(&divisor)) || !divisor.isStrictlyPositive())
      return std::nullopt;
    return combine([&](Value x, Value y) { return bounds.create<arith::DivUIOp>(x, y); });
  } else {
    // By less than 1 there is no remainder.
    Value one = bounds.constant(1);
    add(bounds.compare(Predicate::sge, b->low, one));
    return Range{bounds.constant(0), bounds.create<arith::SubIOp>(b->high, one)};
  }
  require(result.high, numberLimit);
  return result;
}
