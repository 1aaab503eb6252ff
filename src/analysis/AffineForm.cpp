//===- AffineForm.cpp - Integers as affine functions of a loop's index --------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "analysis/AffineForm.h"

#include "ir/tt/Dialect.h"
#include "ir/ttg/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilewright;
using transform::AffineForm;

/// Coefficients up to this can be multiplied by 32 bits, and a few of them added, in 64 bits; so
/// can integers up to the next one by such a coefficient.
static constexpr int64_t maxCoefficient = int64_t(1) << 20;
static constexpr int64_t maxInteger = int64_t(1) << 42;
static constexpr unsigned maxNumbers = 16;

static void scaleBy(AffineForm &form, int64_t factor) {
  form.scale *= factor;
  for (auto &[number, coefficient] : form.numbers)
    coefficient *= factor;
  form.low *= factor;
  form.high *= factor;
  if (factor < 0)
    std::swap(form.low, form.high);
}

static AffineForm sum(AffineForm a, const AffineForm &b) {
  a.scale += b.scale;
  a.low += b.low;
  a.high += b.high;
  for (auto [number, coefficient] : b.numbers) {
    auto same = llvm::find_if(a.numbers, [&](auto &entry) { return entry.first == number; });
    if (same != a.numbers.end())
      same->second += coefficient;
    else
      a.numbers.push_back({number, coefficient});
  }
  return a;
}

/// Whether sums of the form with 32-bit numbers stay far from the limits of 64 bits.
static bool isSmall(const AffineForm &form) {
  auto isSmallNumber = [](int64_t n) { return n >= -maxCoefficient && n <= maxCoefficient; };
  return isSmallNumber(form.scale) && form.numbers.size() <= maxNumbers &&
         form.low >= -maxInteger && form.high <= maxInteger &&
         llvm::all_of(form.numbers, [&](auto &entry) { return isSmallNumber(entry.second); });
}

namespace {
/// What a form is looked for through.
struct Reach {
  /// Values that the loop carries.
  bool carried = false;
  /// Sums and products of scalars above the loop; else these are numbers.
  bool scalars = false;
};
} // namespace

static std::optional<AffineForm> getForm(Value value, scf::ForOp loop, Reach reach);

/// The form of what `loop` carries from one iteration to the next: that of the next iteration's, if
/// the first iteration has it too.
static std::optional<AffineForm> evaluateCarried(BlockArgument argument, scf::ForOp loop) {
  OpOperand *init = loop.getTiedLoopInit(argument);
  auto next = getForm(loop.getTiedLoopYieldedValue(argument)->get(), loop,
                      {.carried = false, .scalars = true});
  auto first = getForm(init->get(), loop, {.carried = false, .scalars = true});
  const std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound()),
                               step = getConstantIntValue(loop.getStep());
  if (!next || !first || !lower || !step || std::abs(*lower) > maxCoefficient ||
      std::abs(*step) > maxCoefficient)
    return std::nullopt;
  AffineForm form = *next;
  form.low -= form.scale * *step;
  form.high -= form.scale * *step;
  const int64_t atLower = form.scale * *lower;
  if (first->scale != 0 || first->numbers != form.numbers || first->low != form.low + atLower ||
      first->high != form.high + atLower)
    return std::nullopt;
  return form;
}

/// The form of a sum, difference or product.
static std::optional<AffineForm> evaluateArithmetic(Operation *op, scf::ForOp loop, Reach reach) {
  auto a = getForm(op->getOperand(0), loop, reach), b = getForm(op->getOperand(1), loop, reach);
  if (!a || !b)
    return std::nullopt;
  if (isa<arith::MulIOp>(op)) {
    auto isConstant = [](const AffineForm &form) {
      return form.scale == 0 && form.numbers.empty() && form.low == form.high &&
             form.low >= -maxCoefficient && form.low <= maxCoefficient;
    };
    if (!isConstant(*b))
      std::swap(a, b);
    if (!isConstant(*b))
      return std::nullopt;
    scaleBy(*a, b->low);
    return a;
  }
  if (isa<arith::SubIOp>(op))
    scaleBy(*b, -1);
  return sum(*std::move(a), *b);
}

static std::optional<AffineForm> evaluate(Value value, scf::ForOp loop, Reach reach) {
  if (value == loop.getInductionVar())
    return AffineForm{1, {}, 0, 0};
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return AffineForm{0, {}, constant.getSExtValue(), constant.getSExtValue()};
  const bool isTensor = isa<RankedTensorType>(value.getType());
  Operation *op = value.getDefiningOp();
  const bool isArithmetic = isa_and_nonnull<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op);
  if (!isTensor && loop.isDefinedOutsideOfLoop(value)) {
    if (reach.scalars && isArithmetic)
      if (auto form = evaluateArithmetic(op, loop, reach))
        return form;
    return AffineForm{0, {{value, 1}}, 0, 0};
  }
  if (auto argument = dyn_cast<BlockArgument>(value);
      argument && argument.getOwner() == loop.getBody() && reach.carried)
    return evaluateCarried(argument, loop);
  if (!op)
    return std::nullopt;
  if (auto range = dyn_cast<tt::MakeRangeOp>(op))
    return AffineForm{0, {}, range.getStart(), int64_t(range.getEnd()) - 1};
  if (isa<tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp, ttg::ConvertLayoutOp>(op))
    return getForm(op->getOperand(0), loop, reach);
  return isArithmetic ? evaluateArithmetic(op, loop, reach) : std::nullopt;
}

static std::optional<AffineForm> getForm(Value value, scf::ForOp loop, Reach reach) {
  Type type = getElementTypeOrSelf(value.getType());
  if (!type.isInteger() || type.getIntOrFloatBitWidth() > 32)
    return std::nullopt;
  std::optional<AffineForm> form = evaluate(value, loop, reach);
  return form && isSmall(*form) ? form : std::nullopt;
}

std::optional<AffineForm> transform::getAffineForm(Value value, scf::ForOp loop) {
  return getForm(value, loop, {.carried = true, .scalars = false});
}
