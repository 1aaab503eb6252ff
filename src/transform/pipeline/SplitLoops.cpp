//===- SplitLoops.cpp - Loops split where a mask begins to matter -------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A mask of causal attention holds for all elements of a tile up to the diagonal, and that of a
// pipelined copy along K in all iterations but the last ones:
//
//     for start in [0, end):                     for start in [0, middle):
//       s = select rm >= start + rn, qk, c         s = qk
//       copy p mask rk < K - start          =>     copy p
//                                                for start in [middle, end):
//                                                  s = select rm >= start + rn, qk, c
//                                                  copy p mask rk < K - start
//
// A comparison whose sides are affine in the loop's index (AffineForm.h) holds for all elements,
// for a scale n that makes it fail in the end,
//
//     n * iv <= limit, which is known before the loop: for iv up to floor(limit / n)
//
// provided that no element of either side has wrapped around up to there: else `middle` is the
// lower bound. Both loops carry the same values, so a pipelined loop goes on as it is: copies under
// way in the first loop are read in the second one.
//
// A mask may be several comparisons, of which those that are not affine stay in both loops. One of
// numbers, which a pipelined loop has for the copies of iterations that there are not, costs next
// to nothing: it goes with others, but alone does not split a loop.
//
// The code is there twice then. That is worth it in innermost loops with products, which wait for
// arithmetic and not for memory, if selects of many elements go: 16 of a thread; and for copies,
// unless several groups of warps have a unit multiply meanwhile (LowerLoads.h), so that their masks
// take no time. Where tiles go by way of registers, masks of loads count as well: registers of what
// is off have to be cleared. The first loop then also computes addresses in fewer instructions
// (SharedBases.h), where they are near enough to each other; otherwise the second one has all
// iterations.
//
//===--------------------------------------------------------------------------===//

#include "analysis/AffineForm.h"
#include "transform/pipeline/AsyncLoads.h"
#include "transform/pipeline/Passes.h"
#include "transform/pipeline/SharedBases.h"
#include "transform/pipeline/StagedLoads.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

namespace tilewright::transform {
#define GEN_PASS_DEF_SPLITLOOPS
#include "transform/pipeline/Passes.h.inc"
} // namespace tilewright::transform

using namespace mlir;
using namespace tilewright;
using namespace tilewright::transform;

/// Elements of a thread whose selects are worth a second loop.
static constexpr unsigned minElements = 16;

namespace {

/// A comparison that holds for all elements as long as difference >= 0, and then no longer.
struct Mask {
  Value condition;
  AffineForm left, right;
  AffineForm difference;
};

/// Emits what decides where a loop is split.
class SplitBuilder : public BoundBuilder {
public:
  using BoundBuilder::BoundBuilder;

  /// The sum of the numbers of `form`, each times its coefficient, and `offset`.
  Value createSum(const AffineForm &form, int64_t offset) {
    Value sum = constant(offset);
    for (auto [number, coefficient] : form.numbers)
      sum = create<arith::AddIOp>(sum, create<arith::MulIOp>(widen(number), constant(coefficient)));
    return sum;
  }

  /// Whether all elements of `form` are numbers of 32 bits for an index of `iv`.
  Value createFits(const AffineForm &form, Value iv) {
    Value scaled = create<arith::MulIOp>(iv, constant(form.scale));
    Value low = create<arith::AddIOp>(scaled, createSum(form, form.low));
    Value high = create<arith::AddIOp>(scaled, createSum(form, form.high));
    return create<arith::AndIOp>(
        compare(arith::CmpIPredicate::sge, low, constant(std::numeric_limits<int32_t>::min())),
        compare(arith::CmpIPredicate::sle, high, constant(std::numeric_limits<int32_t>::max())));
  }
};

} // namespace

static std::optional<Mask> analyse(Value condition, scf::ForOp loop) {
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
  return Mask{condition, *left, *right, difference};
}

/// Whether arithmetic is what `loop` takes its time for, and its body is all that is repeated.
static bool isInnermostWithProduct(scf::ForOp loop) {
  bool hasProduct = false;
  const bool hasLoop = loop.getBody()
                           ->walk([&](Operation *op) {
                             hasProduct |= isProduct(op);
                             return WalkResult(failure(isa<LoopLikeOpInterface>(op)));
                           })
                           .wasInterrupted();
  return hasProduct && !hasLoop;
}

/// Whether a matrix unit multiplies in `loop`: with multiply-adds it takes its time for these.
static bool hasUnitProduct(scf::ForOp loop) {
  return llvm::any_of(loop.getBody()->getOps<tt::DotOp>(), [](tt::DotOp dot) {
    return !isa<ttg::BlockedEncodingAttr>(cast<RankedTensorType>(dot.getType()).getEncoding());
  });
}

using Visited = llvm::SmallPtrSet<Value, 8>;

/// Adds the comparisons that make up `condition`, but for those that `visited` has, to `masks`.
static void addComparisons(Value condition, scf::ForOp loop, SmallVector<Mask, 1> &masks,
                           Visited &visited) {
  if (!visited.insert(condition).second)
    return;
  Operation *op = condition.getDefiningOp();
  if (isa_and_nonnull<arith::AndIOp, tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp,
                      ttg::ConvertLayoutOp>(op)) {
    for (Value operand : op->getOperands())
      addComparisons(operand, loop, masks, visited);
    return;
  }
  if (auto mask = analyse(condition, loop))
    masks.push_back(*std::move(mask));
}

/// The masks of loads that hold at the beginning of `loop`.
static SmallVector<Mask, 1> findLoadMasks(scf::ForOp loop) {
  SmallVector<Mask, 1> masks;
  Visited visited;
  for (auto load : loop.getBody()->getOps<tt::LoadOp>())
    if (Value mask = load.getMask(); mask && isa<RankedTensorType>(mask.getType()))
      addComparisons(mask, loop, masks, visited);
  return masks;
}

/// Whether threads have masks of their own. One for all costs little.
static bool hasOwnMasks(ArrayRef<Mask> masks) {
  return llvm::any_of(
      masks, [](const Mask &mask) { return isa<RankedTensorType>(mask.condition.getType()); });
}

/// The masks of selects of many elements that hold at the beginning of `loop`.
static SmallVector<Mask, 1> findMasks(scf::ForOp loop) {
  SmallVector<Mask, 1> masks;
  Visited visited;
  for (auto select : loop.getBody()->getOps<arith::SelectOp>()) {
    auto type = dyn_cast<RankedTensorType>(select.getType());
    Value condition = select.getCondition();
    if (type && tt::getLayoutEncoding(type) && isa<RankedTensorType>(condition.getType()) &&
        ttg::getElementsPerThread(type) >= minElements)
      addComparisons(condition, loop, masks, visited);
  }
  return masks;
}

/// Whether units multiply while several groups of warps begin the copies of `loop`.
static bool hidesCopies(scf::ForOp loop) {
  return isRunByGroups(loop) && llvm::any_of(*loop.getBody(), [](Operation &op) {
           return isProduct(&op) && isa<ttg::SharedMemoryUser>(op);
         });
}

/// The masks of copies that hold at the beginning of `loop`.
static SmallVector<Mask, 1> findCopyMasks(scf::ForOp loop) {
  SmallVector<Mask, 1> masks;
  Visited visited;
  if (!hidesCopies(loop))
    for (auto copy : loop.getBody()->getOps<ttg::AsyncCopyGlobalToLocalOp>())
      if (copy.getMask())
        addComparisons(copy.getMask(), loop, masks, visited);
  if (!hasOwnMasks(masks))
    masks.clear();
  return masks;
}

/// The first index of `loop`, whose bounds are of at most 32 bits, from which `mask` may fail, or
/// its upper bound if there is none, as a number of 64 bits.
static Value createMiddle(SplitBuilder &bounds, const Mask &mask) {
  scf::ForOp loop = bounds.loop;
  Value lower = bounds.widen(loop.getLowerBound()), upper = bounds.widen(loop.getUpperBound());
  Value step = bounds.widen(loop.getStep()), zero = bounds.constant(0);
  // -scale * iv <= limit
  Value limit = bounds.createSum(mask.difference, mask.difference.low);
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
      holds = bounds.create<arith::AndIOp>(holds, bounds.createFits(side, iv));
  return bounds.select(holds, middle, lower);
}

/// Whether all elements of `condition` are true as its ops stand, if those of `visited` are.
static bool isTrue(Value condition, Visited &visited) {
  if (!visited.insert(condition).second || matchPattern(condition, m_One()))
    return true;
  Operation *op = condition.getDefiningOp();
  return isa_and_nonnull<arith::AndIOp, tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp,
                         ttg::ConvertLayoutOp>(op) &&
         llvm::all_of(op->getOperands(), [&](Value part) { return isTrue(part, visited); });
}

/// Takes masks that are true from the copies of `loop`. Canonicalization does that to loads and
/// stores.
static void dropMasks(scf::ForOp loop) {
  for (auto copy : loop.getBody()->getOps<ttg::AsyncCopyGlobalToLocalOp>())
    if (Visited visited; copy.getMask() && isTrue(copy.getMask(), visited)) {
      copy.getMaskMutable().clear();
      copy.getOtherMutable().clear();
    }
}

/// Whether the two hold for the same indices, as the masks of several tiles, in their layouts.
static bool isSame(const Mask &a, const Mask &b) {
  return a.left == b.left && a.right == b.right && a.difference == b.difference;
}

/// Erases addresses that nothing in `loop` wants any more, and masks that were for them.
static void eraseUnused(scf::ForOp loop) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*loop.getBody())))
    if (isOpTriviallyDead(&op))
      op.erase();
}

/// Splits `loop` where the first of `masks` may fail. The first loop has what `bases` finds, if
/// that is not null.
static void split(scf::ForOp loop, ArrayRef<Mask> masks, SharedBases *bases) {
  SplitBuilder bounds(loop);
  OpBuilder &builder = bounds.builder;
  Value middle;
  for (auto [number, mask] : llvm::enumerate(masks)) {
    if (llvm::any_of(masks.take_front(number),
                     [&](const Mask &other) { return isSame(mask, other); }))
      continue;
    Value own = createMiddle(bounds, mask);
    middle = middle ? bounds.create<arith::MinSIOp>(middle, own) : own;
  }
  middle = middle ? bounds.narrow(middle) : loop.getUpperBound();
  IRMapping mapping;
  scf::ForOp first;
  scf::IfOp branch;
  if (bases) {
    auto inits = llvm::to_vector_of<Value>(loop.getInitArgs());
    Value fits = bases->createFits();
    branch = scf::IfOp::create(builder, loop.getLoc(), loop.getResultTypes(), fits,
                               /*withElseRegion=*/true);
    builder.setInsertionPointToStart(branch.thenBlock());
    SmallVector<Value> results = bases->createLoop(builder, middle, mapping);
    // Without results, both branches have their terminators.
    if (!results.empty()) {
      scf::YieldOp::create(builder, loop.getLoc(), results);
      builder.setInsertionPointToStart(branch.elseBlock());
      scf::YieldOp::create(builder, loop.getLoc(), inits);
    }
    builder.setInsertionPoint(loop);
    loop.setLowerBound(bounds.select(fits, middle, loop.getLowerBound()));
    loop.getInitArgsMutable().assign(branch.getResults());
  } else {
    first = cast<scf::ForOp>(builder.clone(*loop, mapping));
    first.setUpperBound(middle);
    loop.setLowerBound(middle);
    loop.getInitArgsMutable().assign(first.getResults());
  }
  for (const Mask &mask : masks) {
    Value condition = mapping.lookup(mask.condition);
    builder.setInsertionPoint(condition.getDefiningOp());
    TypedAttr always = builder.getBoolAttr(true);
    if (auto type = dyn_cast<RankedTensorType>(condition.getType()))
      always = DenseElementsAttr::get(type, always);
    condition.replaceAllUsesWith(arith::ConstantOp::create(builder, loop.getLoc(), always));
  }
  if (first)
    dropMasks(first);
  if (branch)
    for (auto fast : branch.thenBlock()->getOps<scf::ForOp>())
      eraseUnused(fast);
}

namespace {

struct SplitLoopsPass : transform::impl::SplitLoopsBase<SplitLoopsPass> {
  void runOnOperation() override {
    auto target = target::Target::parse(std::string_view(ttg::getTargetName(getOperation())));
    const bool sharesBases =
        target && loadsThroughRegisters(**target) && (*target)->execution.warpUnit.registers != 0;
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      Type type = loop.getInductionVar().getType();
      if (!loop.getUnsignedCmp() && type.isInteger() && type.getIntOrFloatBitWidth() <= 32 &&
          isInnermostWithProduct(loop))
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops) {
      SmallVector<Mask, 1> masks = findMasks(loop);
      for (Mask &mask : findCopyMasks(loop))
        if (llvm::none_of(masks, [&](Mask &other) { return other.condition == mask.condition; }))
          masks.push_back(std::move(mask));
      std::optional<SharedBases> bases;
      if (sharesBases && hasUnitProduct(loop)) {
        SmallVector<Mask, 1> ofLoads = findLoadMasks(loop);
        bases.emplace(loop);
        if (bases->hasLargeOffsets() || hasOwnMasks(ofLoads))
          llvm::append_range(masks, std::move(ofLoads));
        else
          bases.reset();
      }
      const bool hasBases = bases && !bases->empty();
      if (!masks.empty() || hasBases)
        split(loop, masks, hasBases ? &*bases : nullptr);
    }
  }
};

} // namespace
