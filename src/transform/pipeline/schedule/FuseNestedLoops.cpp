//===- FuseNestedLoops.cpp - Flattening of loop nests -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
//     for i in [a, b) step s:                  i = a, j = c
//       before                                 for n in [0, trips of i * trips of j):
//       for j in [c, d) step t:          =>      if j == c: before
//         body                                   body
//       after                                    last = d - j <= t
//                                                if last: after
//                                                i, j = last ? (i + s, c) : (i, j + t)
//
// What `before` computes for the others is carried by the loop, as is what the loops carry: as few
// registers as possible, so tensors of addresses are computed again from the numbers that they are
// made of (CarriedValues.h). A sum that begins anew for each i is set back at the end of the last
// iteration of the one before, where there is a branch anyway, and not at the first.
//
// The inner loop's bounds must not depend on the outer one, so that the iterations can be counted.
// The loop on the right would run the body once for each i even if the inner loop did
// not: so there are two versions, and the nest stays as it is, without the inner loop, where
// that has no iteration.
//
// What a fused nest is for is that copies of the next i are under way in `after`. Where these are
// asynchronous and a unit multiplies fragments in registers, the nest stays as it is: the fragments
// of the next product, the sum and what `after` computes would be alive at once, and the scratch of
// `after` would need room beside the tiles.
//
// What is fused is fused again with a loop in its body.
//
//===--------------------------------------------------------------------------===//

#include "analysis/TripCount.h"
#include "ir/ttg/Dialect.h"
#include "target/Target.h"
#include "transform/pipeline/Passes.h"
#include "transform/pipeline/Strategy.h"
#include "transform/tile/CarriedValues.h"

#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tilewright;

namespace tilewright::transform {
#define GEN_PASS_DEF_TRITONGPUFUSENESTEDLOOPS
#include "transform/pipeline/Passes.h.inc"
} // namespace tilewright::transform

namespace {

/// A loop, and the only one in it.
struct Nest {
  scf::ForOp outer, inner;
};

} // namespace

static std::optional<Nest> findNest(scf::ForOp outer) {
  auto loops = llvm::to_vector(outer.getBody()->getOps<LoopLikeOpInterface>());
  auto inner = loops.size() == 1 ? dyn_cast<scf::ForOp>(*loops.front()) : scf::ForOp();
  if (!inner || outer.getUnsignedCmp() || inner.getUnsignedCmp() ||
      !isa<IntegerType>(outer.getInductionVar().getType()) ||
      !isa<IntegerType>(inner.getInductionVar().getType()))
    return std::nullopt;
  // The inner loop's blocks would be copied by one iteration's map while the next one's is made.
  if (!outer.getBody()->getOps<tt::MakeTensorDescOp>().empty())
    return std::nullopt;
  for (Value bound : {inner.getLowerBound(), inner.getUpperBound(), inner.getStep()})
    if (!outer.isDefinedOutsideOfLoop(bound))
      return std::nullopt;
  return Nest{outer, inner};
}

/// Whether asynchronous copies bring what a unit multiplies from registers in the inner loop.
static bool copiesFragments(Nest nest) {
  const target::Target *target = ttg::getTarget(nest.outer->getParentOfType<ModuleOp>());
  if (!target)
    return false;
  const transform::LoopStrategy strategy = transform::decideStrategy(*target, nest.inner);
  return strategy.pointers == transform::LoadPath::AsyncCopy && strategy.multipliesFragments;
}

/// Has what the source says of the fused loop hold for the inner one, as far as that says nothing
/// itself: the number of stages.
static void giveAttributesToInner(Nest nest) {
  for (NamedAttribute attribute : nest.outer->getDiscardableAttrs())
    if (!nest.inner->hasAttr(attribute.getName()))
      nest.inner->setDiscardableAttr(attribute.getName(), attribute.getValue());
}

/// Replaces a loop without iterations by what it begins with.
static void dropLoop(scf::ForOp loop) {
  loop->replaceAllUsesWith(loop.getInitArgs());
  loop.erase();
}

/// `count` as a number of 64 bits, being unsigned.
static Value widen(OpBuilder &builder, Location loc, Value count) {
  Type wide = builder.getI64Type();
  return count.getType().getIntOrFloatBitWidth() < 64
             ? builder.createOrFold<arith::ExtUIOp>(loc, wide, count)
             : count;
}

namespace {

/// Makes one loop of a nest whose inner loop has an iteration.
class Fuser {
public:
  explicit Fuser(Nest nest)
      : outer(nest.outer), inner(nest.inner), builder(outer), loc(outer.getLoc()) {}

  scf::ForOp fuse() {
    cutBody();
    createLoop();
    Block *body = fused.getBody();
    builder.setInsertionPointToStart(body);
    emitBefore();
    emitBody();
    emitAfter();
    outer->replaceAllUsesWith(fused.getResults().slice(2, outer.getNumResults()));
    outer.erase();
    return fused;
  }

private:
  Value constant(Type type, int64_t value) {
    return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, value));
  }

  /// Tells apart what stands before the inner loop and after it, and what of the former is used
  /// later: carried, or computed again.
  void cutBody() {
    bool isBefore = true;
    for (Operation &op : outer.getBody()->without_terminator()) {
      if (&op == inner)
        isBefore = false;
      else
        (isBefore ? before : after).push_back(&op);
    }
    transform::CarriedValues values = transform::findCarriedValues(outer, inner);
    shared = values.carried.takeVector();
    for (Operation *op : before)
      if (values.again.contains(op))
        again.push_back(op);
    for (auto [argument, init] : llvm::zip_equal(inner.getRegionIterArgs(), inner.getInitArgs()))
      isInvariant.push_back(outer.isDefinedOutsideOfLoop(init));
  }

  /// Those of `values`, one for each value that the inner loop carries, that begin with the same
  /// for each i; or the others.
  template <typename Range> SmallVector<Value> selectInner(Range &&values, bool invariant) const {
    SmallVector<Value> selected;
    for (auto [value, isSame] : llvm::zip_equal(values, isInvariant))
      if (isSame == invariant)
        selected.push_back(value);
    return selected;
  }

  /// The loop carries: i, j, what the outer loop carries, what the inner one carries, `shared`.
  void createLoop() {
    Value outerTrips = widen(builder, loc, transform::createTripCount(builder, outer));
    Value innerTrips = widen(builder, loc, transform::createTripCount(builder, inner));
    Value trips = builder.createOrFold<arith::MulIOp>(loc, outerTrips, innerTrips);
    SmallVector<Value> inits = {outer.getLowerBound(), inner.getLowerBound()};
    llvm::append_range(inits, outer.getInitArgs());
    for (auto [init, isSame] : llvm::zip_equal(inner.getInitArgs(), isInvariant))
      inits.push_back(isSame ? init : ub::PoisonOp::create(builder, loc, init.getType()));
    for (Value value : shared)
      inits.push_back(ub::PoisonOp::create(builder, loc, value.getType()));
    Type type = builder.getI64Type();
    Value zero = constant(type, 0), one = constant(type, 1);
    fused = scf::ForOp::create(builder, loc, zero, trips, one, inits);
    fused->setDiscardableAttrs(outer->getDiscardableAttrDictionary());

    ValueRange args = fused.getRegionIterArgs();
    outerIndex = args[0];
    innerIndex = args[1];
    outerCarried = llvm::to_vector(args.slice(2, outer.getNumRegionIterArgs()));
    args = args.drop_front(2 + outer.getNumRegionIterArgs());
    innerCarried = llvm::to_vector(args.take_front(inner.getNumRegionIterArgs()));
    sharedCarried = llvm::to_vector(args.drop_front(inner.getNumRegionIterArgs()));
    mapping.map(outer.getInductionVar(), outerIndex);
    mapping.map(outer.getRegionIterArgs(), outerCarried);
  }

  /// if condition { the ops; yield what `yielded` are then } else { yield `otherwise` }.
  ResultRange emitIf(Value condition, ArrayRef<Operation *> ops, ValueRange yielded,
                     ArrayRef<Value> otherwise) {
    auto branch = scf::IfOp::create(builder, loc, ValueRange(otherwise).getTypes(), condition,
                                    /*addThenBlock=*/true, /*addElseBlock=*/true);
    IRMapping inBranch(mapping);
    builder.setInsertionPointToStart(branch.thenBlock());
    for (Operation *op : ops)
      builder.clone(*op, inBranch);
    SmallVector<Value> results =
        llvm::map_to_vector(yielded, [&](Value value) { return inBranch.lookupOrDefault(value); });
    scf::YieldOp::create(builder, loc, results);
    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(builder, loc, otherwise);
    builder.setInsertionPointAfter(branch);
    return branch.getResults();
  }

  void emitBefore() {
    Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, innerIndex,
                                          inner.getLowerBound());
    SmallVector<Value> yielded = selectInner(inner.getInitArgs(), false);
    SmallVector<Value> otherwise = selectInner(innerCarried, false);
    const size_t renewed = yielded.size();
    llvm::append_range(yielded, shared);
    llvm::append_range(otherwise, sharedCarried);
    ResultRange results = emitIf(isFirst, before, yielded, otherwise);
    mapping.map(inner.getRegionIterArgs(), innerCarried);
    mapping.map(selectInner(inner.getRegionIterArgs(), false), results.take_front(renewed));
    sharedCarried.assign(results.begin() + renewed, results.end());
    mapping.map(shared, sharedCarried);
    mapping.map(inner.getInductionVar(), innerIndex);
    for (Operation *op : again)
      builder.clone(*op, mapping);
  }

  void emitBody() {
    for (Operation &op : inner.getBody()->without_terminator())
      builder.clone(op, mapping);
    innerCarried = llvm::map_to_vector(inner.getYieldedValues(),
                                       [&](Value value) { return mapping.lookupOrDefault(value); });
    mapping.map(inner.getResults(), innerCarried);
  }

  void emitAfter() {
    Value rest = arith::SubIOp::create(builder, loc, inner.getUpperBound(), innerIndex);
    Value isLast =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ule, rest, inner.getStep());
    // In front of the branch, which can give them instead (CombineSelectAndIf.cpp).
    SmallVector<Value> nextCarried = innerCarried;
    for (auto [next, init, isSame] : llvm::zip_equal(nextCarried, inner.getInitArgs(), isInvariant))
      if (isSame)
        next = arith::SelectOp::create(builder, loc, isLast, init, next);
    ResultRange results = emitIf(isLast, after, outer.getYieldedValues(), outerCarried);
    Value nextOuter = arith::AddIOp::create(builder, loc, outerIndex, outer.getStep());
    Value nextInner = arith::AddIOp::create(builder, loc, innerIndex, inner.getStep());
    SmallVector<Value> yielded = {
        arith::SelectOp::create(builder, loc, isLast, nextOuter, outerIndex),
        arith::SelectOp::create(builder, loc, isLast, inner.getLowerBound(), nextInner)};
    llvm::append_range(yielded, results);
    llvm::append_range(yielded, nextCarried);
    llvm::append_range(yielded, sharedCarried);
    scf::YieldOp::create(builder, loc, yielded);
  }

  scf::ForOp outer, inner, fused;
  OpBuilder builder;
  Location loc;
  SmallVector<Operation *> before, after;
  /// Of `before`: the values that the loop carries, and the ops that compute others from them.
  SmallVector<Value> shared;
  SmallVector<Operation *> again;
  /// Of each value that the inner loop carries, whether it begins with the same for each i.
  SmallVector<bool> isInvariant;
  /// In the fused loop's body: what it carries as it stands.
  Value outerIndex, innerIndex;
  SmallVector<Value> outerCarried, innerCarried, sharedCarried;
  IRMapping mapping;
};

} // namespace

/// The nest where its inner loop has an iteration; elsewhere the outer loop goes on alone.
static Nest separate(Nest nest) {
  auto [outer, inner] = nest;
  OpBuilder builder(outer);
  Value runs = transform::createIfRuns(builder, inner);
  auto branch = scf::IfOp::create(builder, outer.getLoc(), outer.getResultTypes(), runs,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  outer->replaceAllUsesWith(branch.getResults());
  builder.setInsertionPointToStart(branch.elseBlock());
  auto alone = cast<scf::ForOp>(builder.clone(*outer));
  dropLoop(findNest(alone)->inner);
  scf::YieldOp::create(builder, outer.getLoc(), alone.getResults());
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, outer.getLoc(), outer.getResults());
  outer->moveBefore(branch.thenBlock()->getTerminator());
  return nest;
}

namespace {

struct FuseNestedLoops : transform::impl::TritonGPUFuseNestedLoopsBase<FuseNestedLoops> {
  void runOnOperation() override {
    // Outer loops come first: what they take in need not be fused again.
    SmallVector<scf::ForOp> marked;
    do {
      marked.clear();
      getOperation().walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
        if (!loop->removeAttr(ttg::flattenAttrName))
          return WalkResult::advance();
        marked.push_back(loop);
        return WalkResult::skip();
      });
      for (scf::ForOp loop : marked)
        fuse(loop);
    } while (!marked.empty());
  }

private:
  static void fuse(scf::ForOp loop) {
    while (std::optional<Nest> nest = findNest(loop)) {
      if (copiesFragments(*nest)) {
        giveAttributesToInner(*nest);
        return;
      }
      std::optional<bool> runs = transform::isKnownToRun(nest->inner);
      if (runs == false) {
        dropLoop(nest->inner);
        continue;
      }
      loop = Fuser(runs ? *nest : separate(*nest)).fuse();
    }
  }
};

} // namespace
