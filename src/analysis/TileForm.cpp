//===- TileForm.cpp - Tensors of indices and pointers as affine maps ----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "analysis/TileForm.h"

#include "ir/ttg/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::transform;

using Form = std::optional<TileForm>;
using Bounds = SmallVector<TileBound, 4>;

static unsigned rankOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getRank() : 0;
}

static bool isInteger(Value value) {
  return tt::getElementTypeOrSelf(value.getType()).isIntOrIndex();
}

static TileForm uniform(Polynomial value, unsigned rank) {
  return {Value(), std::move(value), SmallVector<Polynomial, 2>(rank)};
}

static TileForm sum(const TileForm &a, const TileForm &b) {
  TileForm result = {a.base ? a.base : b.base, a.start + b.start, {}};
  for (auto [x, y] : llvm::zip_equal(a.steps, b.steps))
    result.steps.push_back(x + y);
  return result;
}

static TileForm scaled(const TileForm &form, const Polynomial &factor) {
  TileForm result = {form.base, form.start * factor, {}};
  for (const Polynomial &step : form.steps)
    result.steps.push_back(step * factor);
  return result;
}

//===----------------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------------===//

Form TileForms::get(Value value) {
  if (auto found = assumed.find(value); found != assumed.end())
    return found->second;
  if (auto found = known.find(value); found != known.end())
    return found->second;
  Form form = find(value);
  known[value] = form;
  return form;
}

Form TileForms::find(Value value) {
  Form form = compute(value);
  if (rankOf(value) == 0)
    return form && !form->start.isLarge() ? form : ofScalar(value);
  const bool isTooLarge =
      form && (form->start.isLarge() ||
               llvm::any_of(form->steps, [](const Polynomial &step) { return step.isLarge(); }));
  if (!form || isTooLarge) {
    if (!obstacle)
      obstacle = value;
    return std::nullopt;
  }
  return form;
}

/// A scalar of which nothing is known.
Form TileForms::ofScalar(Value value) {
  if (isInteger(value))
    return uniform(Polynomial::ofSymbol(symbols.get(value)), 0);
  return TileForm{value, {}, {}};
}

/// What a loop carries; its index.
Form TileForms::ofBlockArgument(BlockArgument argument) {
  auto loop = dyn_cast_or_null<scf::ForOp>(argument.getOwner()->getParentOp());
  if (!loop)
    return std::nullopt;
  const Polynomial iteration = Polynomial::ofSymbol(symbols.getIteration(loop));
  if (argument == loop.getInductionVar()) {
    Form first = get(loop.getLowerBound()), step = get(loop.getStep());
    return uniform(first->start + iteration * step->start, 0);
  }
  // Were the argument all zero, what would the next one be? That is the distance.
  const unsigned rank = rankOf(argument);
  const bool isPointer = !isInteger(argument);
  const Polynomial unknown = Polynomial::ofSymbol(symbols.get(argument));
  assumed[argument] =
      isPointer ? TileForm{argument, {}, SmallVector<Polynomial, 2>(rank)} : uniform(unknown, rank);
  auto knownBefore = std::move(known);
  known.clear();
  Form next = get(loop.getTiedLoopYieldedValue(argument)->get());
  known = std::move(knownBefore);
  assumed.erase(argument);
  if (!next || !next->isUniform() || (isPointer && next->base != argument))
    return std::nullopt;
  const Polynomial distance = isPointer ? next->start : next->start - unknown;
  const bool isFixed = distance.allSymbols([&](unsigned symbol) {
    return symbols.getLoop(symbol) != loop && loop.isDefinedOutsideOfLoop(symbols.getValue(symbol));
  });
  Form first = isFixed ? get(loop.getTiedLoopInit(argument)->get()) : std::nullopt;
  if (first)
    first->start = first->start + iteration * distance;
  return first;
}

/// Positions along a dimension that begin anew at its end, of a tile that does not reach so far.
Form TileForms::ofRemainder(Operation *op) {
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  Form dividend = type ? get(op->getOperand(0)) : std::nullopt;
  Form divisor = dividend ? get(op->getOperand(1)) : std::nullopt;
  if (!divisor || !divisor->isUniform())
    return std::nullopt;
  Polynomial last = dividend->start;
  for (auto [dim, step] : llvm::enumerate(dividend->steps)) {
    const std::optional<int64_t> constant = step.asConstant();
    if (!constant || *constant < 0)
      return std::nullopt;
    last = last + (type.getDimSize(dim) - 1) * *constant;
  }
  conditions.push_back(dividend->start);
  conditions.push_back(divisor->start - last - 1);
  return dividend;
}

/// A loop's index divided by a number that its start and its step are multiples of. It is exact for
/// an index alone: what is computed from one may have been cut off to its bits.
Form TileForms::ofQuotient(Operation *op) {
  auto index = dyn_cast<BlockArgument>(op->getOperand(0));
  auto loop = index ? dyn_cast<scf::ForOp>(index.getOwner()->getParentOp()) : nullptr;
  APInt divisor;
  if (!loop || index != loop.getInductionVar() ||
      !matchPattern(op->getOperand(1), m_ConstantInt(&divisor)) || !divisor.isStrictlyPositive())
    return std::nullopt;
  Form form = get(index);
  if (!form)
    return std::nullopt;
  const Polynomial quotient = form->start.dividedBy(divisor.getSExtValue());
  if (quotient * divisor.getSExtValue() != form->start)
    return std::nullopt;
  return uniform(quotient, 0);
}

Form TileForms::compute(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return ofBlockArgument(argument);
  Operation *op = value.getDefiningOp();
  const unsigned rank = rankOf(value);
  if (APInt constant; isInteger(value) && matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSignificantBits() <= 64 ? Form(uniform(constant.getSExtValue(), rank))
                                               : std::nullopt;
  auto withOperands = [&](auto combine) -> Form {
    Form a = get(op->getOperand(0)), b = a ? get(op->getOperand(1)) : std::nullopt;
    return b ? combine(*a, *b) : std::nullopt;
  };
  return llvm::TypeSwitch<Operation *, Form>(op)
      .Case<arith::AddIOp, tt::AddPtrOp>(
          [&](auto) { return withOperands([](auto &a, auto &b) -> Form { return sum(a, b); }); })
      .Case([&](arith::SubIOp) {
        return withOperands([](auto &a, auto &b) -> Form { return sum(a, scaled(b, -1)); });
      })
      .Case([&](arith::MulIOp) {
        return withOperands([](auto &a, auto &b) -> Form {
          if (!a.isUniform() && !b.isUniform())
            return std::nullopt;
          return a.isUniform() ? scaled(b, a.start) : scaled(a, b.start);
        });
      })
      .Case([&](arith::DivSIOp quotient) { return ofQuotient(quotient); })
      .Case([&](arith::RemSIOp remainder) { return ofRemainder(remainder); })
      .Case<arith::ExtSIOp, arith::IndexCastOp, ttg::ConvertLayoutOp>(
          [&](auto cast) { return get(cast->getOperand(0)); })
      .Case([&](tt::SplatOp splat) {
        Form form = get(splat.getSrc());
        form->steps.assign(rank, {});
        return form;
      })
      .Case([&](tt::MakeRangeOp range) {
        return TileForm{Value(), range.getStartAttr().getInt(), {Polynomial(1)}};
      })
      .Case([&](tt::ExpandDimsOp expand) {
        Form form = get(expand.getSrc());
        if (form)
          form->steps.insert(form->steps.begin() + expand.getAxis(), Polynomial());
        return form;
      })
      .Case([&](tt::BroadcastOp broadcast) {
        Form form = get(broadcast.getSrc());
        auto source = cast<RankedTensorType>(broadcast.getSrc().getType());
        for (unsigned dim = 0; form && dim < rank; ++dim)
          if (source.getDimSize(dim) == 1)
            form->steps[dim] = {};
        return form;
      })
      .Case([&](tt::TransOp trans) {
        Form form = get(trans.getSrc());
        if (!form)
          return form;
        TileForm result = {form->base, form->start, {}};
        for (int32_t dim : trans.getOrder())
          result.steps.push_back(form->steps[dim]);
        return Form(result);
      })
      .Default([](Operation *) { return std::nullopt; });
}

//===----------------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------------===//

/// A comparison of which the sides differ by a multiple of one coordinate, plus or minus one.
std::optional<Bounds> TileForms::ofComparison(Value mask) {
  auto compare = mask.getDefiningOp<arith::CmpIOp>();
  if (!compare || !isInteger(compare.getLhs()))
    return std::nullopt;
  Form low = get(compare.getLhs()), high = low ? get(compare.getRhs()) : std::nullopt;
  if (!high)
    return std::nullopt;
  using Predicate = arith::CmpIPredicate;
  const Predicate predicate = compare.getPredicate();
  if (predicate == Predicate::sgt || predicate == Predicate::sge)
    std::swap(low, high);
  else if (predicate != Predicate::slt && predicate != Predicate::sle)
    return std::nullopt;
  const bool isStrict = predicate == Predicate::slt || predicate == Predicate::sgt;
  // 0 <= room.
  const TileForm room = sum(sum(*high, scaled(*low, -1)), uniform(isStrict ? -1 : 0, rankOf(mask)));
  std::optional<TileBound> bound;
  for (auto [index, step] : llvm::enumerate(room.steps)) {
    const auto dim = static_cast<unsigned>(index);
    if (step.isZero())
      continue;
    const std::optional<int64_t> constant = step.asConstant();
    if (bound || !constant || (*constant != 1 && *constant != -1))
      return std::nullopt;
    bound = *constant == -1 ? TileBound{dim, true, room.start + 1}
                            : TileBound{dim, false, room.start * -1};
  }
  return Bounds{bound.value_or(TileBound{std::nullopt, false, room.start})};
}

std::optional<Bounds> TileForms::getBounds(Value mask) {
  if (auto found = knownBounds.find(mask); found != knownBounds.end())
    return found->second;
  std::optional<Bounds> bounds = findBounds(mask);
  if (!bounds && !obstacle)
    obstacle = mask;
  knownBounds[mask] = bounds;
  return bounds;
}

std::optional<Bounds> TileForms::findBounds(Value mask) {
  if (matchPattern(mask, m_One()))
    return Bounds();
  Operation *op = mask.getDefiningOp();
  std::optional<Bounds> bounds;
  if (isa_and_nonnull<arith::AndIOp>(op)) {
    bounds = getBounds(op->getOperand(0));
    std::optional<Bounds> more = bounds ? getBounds(op->getOperand(1)) : std::nullopt;
    if (!more)
      return std::nullopt;
    for (const TileBound &bound : *more)
      if (!llvm::is_contained(*bounds, bound))
        bounds->push_back(bound);
    return bounds;
  }
  if (isa_and_nonnull<ttg::ConvertLayoutOp>(op))
    return getBounds(op->getOperand(0));
  if (auto broadcast = dyn_cast_or_null<tt::BroadcastOp>(op)) {
    bounds = getBounds(broadcast.getSrc());
    if (!bounds)
      return std::nullopt;
    // What a bound says of the one element of a dimension holds everywhere or nowhere.
    ArrayRef<int64_t> from = broadcast.getSrc().getType().getShape();
    for (TileBound &bound : *bounds)
      if (bound.dim && from[*bound.dim] == 1)
        bound = {std::nullopt, false, bound.isUpper ? bound.value - 1 : bound.value * -1};
    return bounds;
  }
  if (auto trans = dyn_cast_or_null<tt::TransOp>(op)) {
    bounds = getBounds(trans.getSrc());
    if (bounds)
      for (TileBound &bound : *bounds)
        if (bound.dim)
          bound.dim = static_cast<unsigned>(llvm::find(trans.getOrder(), *bound.dim) -
                                            trans.getOrder().begin());
    return bounds;
  }
  if (auto expand = dyn_cast_or_null<tt::ExpandDimsOp>(op)) {
    bounds = getBounds(expand.getSrc());
    if (bounds)
      for (TileBound &bound : *bounds)
        if (bound.dim)
          bound.dim = *bound.dim + (*bound.dim >= expand.getAxis());
    return bounds;
  }
  if (auto splat = dyn_cast_or_null<tt::SplatOp>(op))
    return getBounds(splat.getSrc());
  return ofComparison(mask);
}
