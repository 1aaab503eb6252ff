//===- AxisArithmetic.cpp - Axis information of arithmetic ops ----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "analysis/AxisFacts.h"
#include "analysis/AxisTransfer.h"

#include "ir/tt/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::transform;

/// a + b or a - b; offsets count `bytes` each.
static AxisInfo sum(const AxisInfo &a, const AxisInfo &b, bool subtract, int64_t bytes) {
  AxisInfo result = AxisInfo::unknown(a.dims.size());
  for (auto [out, x, y] : llvm::zip_equal(result.dims, a.dims, b.dims)) {
    out.constancy = std::min(x.constancy, y.constancy);
    out.contiguity = std::min(x.contiguity, y.constancy);
    if (!subtract)
      out.contiguity = std::max(out.contiguity, std::min(x.constancy, y.contiguity));
    out.divisibility = std::min(divisorAtStarts(x, out.contiguity, bytes),
                                product(divisorAtStarts(y, out.contiguity), bytes));
  }
  result.nonNegative = !subtract && a.nonNegative && b.nonNegative;
  return result;
}

/// Shortens runs until each starts at a multiple of its length, which is at most `longest`, a
/// power of two. Then none crosses a multiple of that: neither zero nor where numbers wrap around.
static void alignRuns(AxisInfo &info, int64_t longest) {
  for (DimInfo &dim : info.dims) {
    int64_t run = std::min({dim.contiguity, dim.divisibility, longest});
    dim.divisibility = divisorAtStarts(dim, run);
    dim.contiguity = run;
  }
}

static AxisInfo evaluateAdd(const AxisInfo &a, const AxisInfo &b) {
  AxisInfo result = sum(a, b, /*subtract=*/false, /*bytes=*/1);
  if (a.constant && b.constant)
    result.constant = *a.constant + *b.constant;
  return result;
}

static AxisInfo evaluateMul(const AxisInfo &a, const AxisInfo &b) {
  if (a.constant == 1)
    return b;
  if (b.constant == 1)
    return a;
  AxisInfo result = AxisInfo::unknown(a.dims.size());
  for (auto [out, x, y] : llvm::zip_equal(result.dims, a.dims, b.dims)) {
    out.constancy = std::min(x.constancy, y.constancy);
    out.divisibility = product(divisorAtStarts(x, 1), divisorAtStarts(y, 1));
  }
  result.nonNegative = a.nonNegative && b.nonNegative;
  return result;
}

static AxisInfo evaluateDiv(const AxisInfo &a, const AxisInfo &b, bool isSigned, bool isScalar) {
  if (b.constant == 1)
    return a;
  // Division that truncates toward zero is not even around zero: -8 / 8 = -1, -7 / 8 = 0.
  bool floors = !isSigned || a.nonNegative;
  AxisInfo result = AxisInfo::unknown(a.dims.size());
  for (auto [out, x, y] : llvm::zip_equal(result.dims, a.dims, b.dims)) {
    out.constancy = std::min(x.constancy, y.constancy);
    if (floors)
      out.constancy = std::max(out.constancy, alignedGroup(x, y, b.divisorOfAll()));
    // Exact only if the divisor is a power of two that divides every dividend.
    if (b.constant && *b.constant > 0 && llvm::isPowerOf2_64(*b.constant))
      out.divisibility = std::max<int64_t>(1, a.divisorOfAll() / *b.constant);
  }
  // The one thing that is assumed: a scalar that is divided by another one, as the number of a
  // block by a number of blocks, is divided by a positive one. `min(blocks - group * SIZE, SIZE)`
  // is positive, but only the grid could tell.
  bool isCount = isScalar && !a.constant && !b.constant;
  result.nonNegative = a.nonNegative && (!isSigned || b.nonNegative || isCount);
  return result;
}

static AxisInfo evaluateRem(const AxisInfo &a, const AxisInfo &b, bool isSigned) {
  bool floors = !isSigned || a.nonNegative;
  AxisInfo result = AxisInfo::unknown(a.dims.size());
  for (auto [out, x, y] : llvm::zip_equal(result.dims, a.dims, b.dims)) {
    out.constancy = std::min(x.constancy, y.constancy);
    if (floors)
      out.contiguity = alignedGroup(x, y, b.divisorOfAll());
    out.divisibility = std::min(divisorAtStarts(x, out.contiguity), b.divisorOfAll());
  }
  result.nonNegative = a.nonNegative;
  return result;
}

static AxisInfo evaluateShiftLeft(const AxisInfo &a, const AxisInfo &b) {
  if (b.constant == 0)
    return a;
  const int64_t factor =
      b.constant && *b.constant >= 0 && *b.constant <= 30 ? int64_t(1) << *b.constant : 1;
  AxisInfo result = AxisInfo::unknown(a.dims.size());
  for (auto [out, x, y] : llvm::zip_equal(result.dims, a.dims, b.dims))
    out = {1, product(divisorAtStarts(x, 1), factor), std::min(x.constancy, y.constancy)};
  result.nonNegative = a.nonNegative;
  return result;
}

static AxisInfo evaluateShiftRight(const AxisInfo &a, const AxisInfo &b) {
  AxisInfo result = AxisInfo::unknown(a.dims.size());
  for (auto [out, x, y] : llvm::zip_equal(result.dims, a.dims, b.dims)) {
    out.constancy = std::min(x.constancy, y.constancy);
    if (!b.constant || *b.constant < 0 || *b.constant > 30)
      continue;
    // It rounds down, whatever the sign.
    int64_t divisor = int64_t(1) << *b.constant;
    DimInfo same{1, divisor, std::numeric_limits<int64_t>::max()};
    out.constancy = std::max(out.constancy, alignedGroup(x, same, divisor));
    out.divisibility = std::max<int64_t>(1, a.divisorOfAll() / divisor);
  }
  result.nonNegative = a.nonNegative;
  return result;
}

static AxisInfo evaluateAnd(AxisInfo a, AxisInfo b) {
  if (a.constant && !b.constant)
    std::swap(a, b);
  AxisInfo result = AxisInfo::unknown(a.dims.size());
  for (auto [out, x, y] : llvm::zip_equal(result.dims, a.dims, b.dims)) {
    out.constancy = std::min(x.constancy, y.constancy);
    int64_t group = std::min(x.contiguity, x.divisibility);
    if (b.constant && *b.constant >= 0 && llvm::isPowerOf2_64(uint64_t(*b.constant) + 1))
      out.contiguity = std::min(group, *b.constant + 1); // keeps the low bits
    else if (b.constant)
      // Clears at least the low bits, so what they count does not show.
      out.constancy = std::max(out.constancy, std::min(group, divisorOf(*b.constant)));
    out.divisibility =
        std::max(divisorAtStarts(x, out.contiguity), divisorAtStarts(y, out.contiguity));
  }
  result.nonNegative = a.nonNegative || b.nonNegative;
  return result;
}

static AxisInfo evaluateOr(const AxisInfo &a, const AxisInfo &b) {
  AxisInfo result = AxisInfo::unknown(a.dims.size());
  for (auto [out, x, y] : llvm::zip_equal(result.dims, a.dims, b.dims)) {
    out.constancy = std::min(x.constancy, y.constancy);
    // What one counts in its low bits is where the other has none.
    out.contiguity =
        std::max(alignedGroup(x, y, b.divisorOfAll()), alignedGroup(y, x, a.divisorOfAll()));
    out.divisibility =
        std::min(divisorAtStarts(x, out.contiguity), divisorAtStarts(y, out.contiguity));
  }
  result.nonNegative = a.nonNegative && b.nonNegative;
  return result;
}

/// The smaller or the larger of both.
static AxisInfo evaluateExtremum(const AxisInfo &a, const AxisInfo &b, bool isUnsigned,
                                 bool isMaximum) {
  // Runs keep their distance, so the same one is chosen all along (unsigned order may
  // turn within a run that crosses zero).
  AxisInfo result = join(a, b);
  result.constant.reset();
  if (isUnsigned && !result.nonNegative)
    for (DimInfo &dim : result.dims) {
      dim.divisibility = divisorAtStarts(dim, 1);
      dim.contiguity = 1;
    }
  if (isMaximum && !isUnsigned)
    result.nonNegative = a.nonNegative || b.nonNegative;
  return result;
}

static AxisInfo evaluateCompare(const AxisInfo &a, const AxisInfo &b,
                                arith::CmpIPredicate predicate) {
  using P = arith::CmpIPredicate;
  // A run left of < or >=, or right of > or <=, crosses a multiple of its length only between
  // groups; on the other side it crosses one element later.
  bool runLeft = llvm::is_contained({P::slt, P::ult, P::sge, P::uge}, predicate);
  bool runRight = llvm::is_contained({P::sgt, P::ugt, P::sle, P::ule}, predicate);
  AxisInfo result = AxisInfo::unknown(a.dims.size());
  for (auto [out, x, y] : llvm::zip_equal(result.dims, a.dims, b.dims)) {
    // Two runs keep their distance, so signed order and equality do not change.
    bool isUnsigned = llvm::is_contained({P::ult, P::ule, P::ugt, P::uge}, predicate);
    out.constancy = std::min(x.constancy, y.constancy);
    if (!isUnsigned || (a.nonNegative && b.nonNegative))
      out.constancy = std::max(out.constancy, std::min(x.contiguity, y.contiguity));
    if (runLeft)
      out.constancy = std::max(out.constancy, alignedGroup(x, y, b.divisorOfAll()));
    if (runRight)
      out.constancy = std::max(out.constancy, alignedGroup(y, x, a.divisorOfAll()));
  }
  return result;
}

static AxisInfo evaluateSelect(arith::SelectOp op, OperandFacts get) {
  // Poison may be whatever the other value is.
  if (op.getTrueValue().getDefiningOp<ub::PoisonOp>())
    return get(op.getFalseValue());
  if (op.getFalseValue().getDefiningOp<ub::PoisonOp>())
    return get(op.getTrueValue());
  AxisInfo result = join(get(op.getTrueValue()), get(op.getFalseValue()),
                         elementBytes(op.getTrueValue().getType()));
  if (!isa<RankedTensorType>(op.getCondition().getType()))
    return result;
  AxisInfo condition = get(op.getCondition());
  int64_t bytes = elementBytes(op.getType());
  for (auto [out, by] : llvm::zip_equal(result.dims, condition.dims)) {
    int64_t contiguity = std::min(out.contiguity, by.constancy);
    out.divisibility = divisorAtStarts(out, contiguity, bytes);
    out.contiguity = contiguity;
    out.constancy = std::min(out.constancy, by.constancy);
  }
  return result;
}

static AxisInfo evaluateTruncation(AxisInfo info, unsigned bits) {
  alignRuns(info, int64_t(1) << std::min(bits - 1, 62u));
  info.constant.reset();
  info.nonNegative = false;
  return info;
}

static AxisInfo evaluateZeroExtension(AxisInfo info) {
  alignRuns(info, maxDivisibility);
  if (!info.nonNegative)
    info.constant.reset();
  info.nonNegative = true;
  return info;
}

/// An operation on two integers of the same type that gives a third.
static std::optional<AxisInfo> evaluateBinary(Operation *op, const AxisInfo &a, const AxisInfo &b) {
  const bool isScalar = !isa<RankedTensorType>(op->getResult(0).getType());
  return TypeSwitch<Operation *, std::optional<AxisInfo>>(op)
      .Case([&](arith::AddIOp) { return evaluateAdd(a, b); })
      .Case([&](arith::SubIOp) { return sum(a, b, /*subtract=*/true, /*bytes=*/1); })
      .Case([&](arith::MulIOp) { return evaluateMul(a, b); })
      .Case([&](arith::DivSIOp) { return evaluateDiv(a, b, /*isSigned=*/true, isScalar); })
      .Case([&](arith::DivUIOp) { return evaluateDiv(a, b, /*isSigned=*/false, isScalar); })
      .Case([&](arith::RemSIOp) { return evaluateRem(a, b, /*isSigned=*/true); })
      .Case([&](arith::RemUIOp) { return evaluateRem(a, b, /*isSigned=*/false); })
      .Case([&](arith::ShLIOp) { return evaluateShiftLeft(a, b); })
      .Case<arith::ShRSIOp, arith::ShRUIOp>([&](auto) { return evaluateShiftRight(a, b); })
      .Case([&](arith::AndIOp) { return evaluateAnd(a, b); })
      .Case<arith::OrIOp, arith::XOrIOp>([&](auto) { return evaluateOr(a, b); })
      .Case<arith::MinSIOp, arith::MaxSIOp, arith::MinUIOp, arith::MaxUIOp>([&](auto) {
        return evaluateExtremum(a, b, /*isUnsigned=*/isa<arith::MinUIOp, arith::MaxUIOp>(op),
                                /*isMaximum=*/isa<arith::MaxSIOp, arith::MaxUIOp>(op));
      })
      .Case([&](arith::CmpIOp compare) { return evaluateCompare(a, b, compare.getPredicate()); })
      .Default(std::optional<AxisInfo>());
}

std::optional<AxisInfo> transform::evaluateArithmetic(Operation *op, OperandFacts get) {
  Type type = op->getResult(0).getType();
  APInt value;
  if (matchPattern(op, m_ConstantInt(&value)))
    return value.getSignificantBits() <= 64
               ? std::optional(constantInfo(value.getSExtValue(), shapeOf(type)))
               : std::nullopt;
  // Any number, so the one of which most is known.
  if (isa<ub::PoisonOp>(op))
    return constantInfo(0, shapeOf(type));

  return TypeSwitch<Operation *, std::optional<AxisInfo>>(op)
      .Case([&](tt::AddPtrOp add) {
        return sum(get(add.getPtr()), get(add.getOffset()), /*subtract=*/false, elementBytes(type));
      })
      .Case([&](arith::SelectOp select) { return evaluateSelect(select, get); })
      .Case<arith::ExtSIOp, arith::IndexCastOp>([&](auto cast) { return get(cast.getIn()); })
      .Case([&](arith::TruncIOp cast) {
        return evaluateTruncation(get(cast.getIn()),
                                  tt::getElementTypeOrSelf(type).getIntOrFloatBitWidth());
      })
      .Case<arith::ExtUIOp, arith::IndexCastUIOp>(
          [&](auto cast) { return evaluateZeroExtension(get(cast.getIn())); })
      .Default([&](Operation *) -> std::optional<AxisInfo> {
        if (op->getNumOperands() != 2)
          return std::nullopt;
        return evaluateBinary(op, get(op->getOperand(0)), get(op->getOperand(1)));
      });
}
