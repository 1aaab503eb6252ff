//===- LoopMasks.cpp - Masks that hold up to an iteration ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/masks/LoopMasks.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::transform;

/// Elements of a thread whose selects are worth doing without.
static constexpr unsigned minElements = 16;
/// Bits of an element whose copies are worth doing without masks.
static constexpr unsigned minCopyBits = 32;

/// The sum of the numbers of `form`, each times its coefficient, and `offset`.
static Value createSum(BoundBuilder &bounds, const AffineForm &form, int64_t offset) {
  Value sum = bounds.constant(offset);
  for (auto [number, coefficient] : form.numbers)
    sum = bounds.create<arith::AddIOp>(
        sum, bounds.create<arith::MulIOp>(bounds.widen(number), bounds.constant(coefficient)));
  return sum;
}

/// Whether all elements of `form` are numbers of 32 bits for an index of `iv`.
static Value createFits(BoundBuilder &bounds, const AffineForm &form, Value iv) {
  Value scaled = bounds.create<arith::MulIOp>(iv, bounds.constant(form.scale));
  Value low = bounds.create<arith::AddIOp>(scaled, createSum(bounds, form, form.low));
  Value high = bounds.create<arith::AddIOp>(scaled, createSum(bounds, form, form.high));
  return bounds.create<arith::AndIOp>(
      bounds.compare(arith::CmpIPredicate::sge, low,
                     bounds.constant(std::numeric_limits<int32_t>::min())),
      bounds.compare(arith::CmpIPredicate::sle, high,
                     bounds.constant(std::numeric_limits<int32_t>::max())));
}

static std::optional<LoopMask> analyse(Value condition, scf::ForOp loop) {
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare || loop.isDefinedOutsideOfLoop(condition))
    return std::nullopt;
  // createFits asks whether elements are of 32 bits.
  if (!getElementTypeOrSelf(compare.getLhs().getType()).isInteger(32))
    return std::nullopt;
  // As smaller < larger or smaller <= larger.
  Value smaller = compare.getLhs(), larger = compare.getRhs();
  const arith::CmpIPredicate predicate = compare.getPredicate();
  using Predicate = arith::CmpIPredicate;
  if (predicate == Predicate::sgt || predicate == Predicate::sge)
    std::swap(smaller, larger);
  else if (predicate != Predicate::slt && predicate != Predicate::sle)
    return std::nullopt;
  const bool isStrict = predicate == Predicate::slt || predicate == Predicate::sgt;
  auto left = getAffineForm(smaller, loop), right = getAffineForm(larger, loop);
  if (!left || !right)
    return std::nullopt;
  // The least that any element of `larger` is above any of `smaller`.
  AffineForm difference = *right;
  difference.scale -= left->scale;
  for (auto [number, coefficient] : left->numbers)
    difference.numbers.push_back({number, -coefficient});
  difference.low = difference.high = right->low - left->high - isStrict;
  if (difference.scale >= 0)
    return std::nullopt;
  return LoopMask{condition, *left, *right, difference};
}

bool transform::isMaskOp(Operation *op) {
  return isa_and_nonnull<arith::AndIOp, tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp,
                         ttg::ConvertLayoutOp>(op);
}

namespace {

/// Collects the comparisons that masks of one loop are made of, each once.
class MaskCollector {
public:
  explicit MaskCollector(scf::ForOp loop) : loop(loop) {}

  void add(Value condition) {
    if (!visited.insert(condition).second)
      return;
    if (Operation *op = condition.getDefiningOp(); isMaskOp(op)) {
      for (Value operand : op->getOperands())
        add(operand);
      return;
    }
    if (auto mask = analyse(condition, loop))
      masks.push_back(*std::move(mask));
  }

  LoopMasks masks;

private:
  scf::ForOp loop;
  llvm::SmallPtrSet<Value, 8> visited;
};

} // namespace

bool transform::isLargeSelect(arith::SelectOp select) {
  auto type = dyn_cast<RankedTensorType>(select.getType());
  return type && tt::getLayoutEncoding(type) &&
         isa<RankedTensorType>(select.getCondition().getType()) &&
         ttg::getElementsPerThread(type) >= minElements;
}

LoopMasks transform::findSelectMasks(scf::ForOp loop) {
  MaskCollector collector(loop);
  for (auto select : loop.getBody()->getOps<arith::SelectOp>())
    if (isLargeSelect(select))
      collector.add(select.getCondition());
  return std::move(collector.masks);
}

LoopMasks transform::findLoadMasks(scf::ForOp loop) {
  MaskCollector collector(loop);
  for (auto load : loop.getBody()->getOps<tt::LoadOp>())
    if (Value mask = load.getMask(); mask && isa<RankedTensorType>(mask.getType()))
      collector.add(mask);
  return std::move(collector.masks);
}

LoopMasks transform::findCopyMasks(scf::ForOp loop, const LoopStrategy &strategy) {
  MaskCollector collector(loop);
  if (strategy.hidesCopies())
    return {};
  for (auto copy : loop.getBody()->getOps<ttg::AsyncCopyGlobalToLocalOp>())
    if (Value mask = copy.getMask();
        mask && tt::getStorageBits(copy.getResult().getType().getElementType()) >= minCopyBits)
      collector.add(mask);
  return hasOwnMasks(collector.masks) ? std::move(collector.masks) : LoopMasks();
}

bool transform::hasOwnMasks(ArrayRef<LoopMask> masks) {
  return llvm::any_of(
      masks, [](const LoopMask &mask) { return isa<RankedTensorType>(mask.condition.getType()); });
}

/// Whether the two hold for the same indices, as the masks of several tiles, in their layouts.
static bool isSame(const LoopMask &a, const LoopMask &b) {
  return a.left == b.left && a.right == b.right && a.difference == b.difference;
}

/// The first index from which `mask` may fail, as a number of 64 bits.
static Value createMiddleOf(BoundBuilder &bounds, const LoopMask &mask) {
  scf::ForOp loop = bounds.loop;
  Value lower = bounds.widen(loop.getLowerBound()), upper = bounds.widen(loop.getUpperBound());
  Value step = bounds.widen(loop.getStep()), zero = bounds.constant(0);
  // -scale * iv <= limit
  Value limit = createSum(bounds, mask.difference, mask.difference.low);
  Value room = bounds.create<arith::SubIOp>(
      limit, bounds.create<arith::MulIOp>(lower, bounds.constant(-mask.difference.scale)));
  Value holds = bounds.compare(arith::CmpIPredicate::sge, room, zero);
  Value pace = bounds.create<arith::MulIOp>(step, bounds.constant(-mask.difference.scale));
  Value trips = bounds.create<arith::AddIOp>(
      bounds.create<arith::DivUIOp>(bounds.create<arith::MaxSIOp>(room, zero), pace),
      bounds.constant(1));
  Value end = bounds.create<arith::AddIOp>(lower, bounds.create<arith::MulIOp>(trips, step));
  Value middle = bounds.create<arith::MinSIOp>(end, upper);
  for (const AffineForm &side : {mask.left, mask.right})
    for (Value iv : {lower, middle})
      holds = bounds.create<arith::AndIOp>(holds, createFits(bounds, side, iv));
  return bounds.select(holds, middle, lower);
}

Value transform::createMiddle(BoundBuilder &bounds, ArrayRef<LoopMask> masks) {
  Value middle;
  for (auto [number, mask] : llvm::enumerate(masks)) {
    if (llvm::any_of(masks.take_front(number),
                     [&](const LoopMask &other) { return isSame(mask, other); }))
      continue;
    Value own = createMiddleOf(bounds, mask);
    middle = middle ? bounds.create<arith::MinSIOp>(middle, own) : own;
  }
  return middle ? bounds.narrow(middle) : bounds.loop.getUpperBound();
}
