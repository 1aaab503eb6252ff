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

#include <array>

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

/// The forms of values in a loop, each found once: a value may be used in many places.
class FormFinder {
public:
  explicit FormFinder(scf::ForOp loop) : loop(loop) {}

  std::optional<AffineForm> get(Value value, Reach reach) {
    auto [entry, isNew] = known[reach.carried].try_emplace(value);
    if (!isNew)
      return entry->second;
    std::optional<AffineForm> form;
    Type type = getElementTypeOrSelf(value.getType());
    if (type.isInteger() && type.getIntOrFloatBitWidth() <= 32)
      form = evaluate(value, reach);
    if (form && !isSmall(*form))
      form.reset();
    known[reach.carried][value] = form;
    return form;
  }

private:
  std::optional<AffineForm> evaluate(Value value, Reach reach);
  std::optional<AffineForm> evaluateCarried(BlockArgument argument);
  std::optional<AffineForm> evaluateArithmetic(Operation *op, Reach reach);

  scf::ForOp loop;
  /// Without and with what the loop carries.
  std::array<llvm::DenseMap<Value, std::optional<AffineForm>>, 2> known;
};

} // namespace

/// The form of what `loop` carries from one iteration to the next: that of the next iteration's, if
/// the first iteration has it too.
std::optional<AffineForm> FormFinder::evaluateCarried(BlockArgument argument) {
  OpOperand *init = loop.getTiedLoopInit(argument);
  auto next =
      get(loop.getTiedLoopYieldedValue(argument)->get(), {.carried = false, .scalars = true});
  auto first = get(init->get(), {.carried = false, .scalars = true});
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
std::optional<AffineForm> FormFinder::evaluateArithmetic(Operation *op, Reach reach) {
  auto a = get(op->getOperand(0), reach), b = get(op->getOperand(1), reach);
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

std::optional<AffineForm> FormFinder::evaluate(Value value, Reach reach) {
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
      if (auto form = evaluateArithmetic(op, reach))
        return form;
    return AffineForm{0, {{value, 1}}, 0, 0};
  }
  if (auto argument = dyn_cast<BlockArgument>(value);
      argument && argument.getOwner() == loop.getBody() && reach.carried)
    return evaluateCarried(argument);
  if (!op)
    return std::nullopt;
  if (auto range = dyn_cast<tt::MakeRangeOp>(op))
    return AffineForm{0, {}, range.getStartAttr().getInt(), range.getEndAttr().getInt() - 1};
  if (isa<tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp, ttg::ConvertLayoutOp>(op))
    return get(op->getOperand(0), reach);
  return isArithmetic ? evaluateArithmetic(op, reach) : std::nullopt;
}

std::optional<AffineForm> transform::getAffineForm(Value value, scf::ForOp loop) {
  return FormFinder(loop).get(value, {.carried = true, .scalars = false});
}
