//===- LoopAwareCSE.cpp - Common subexpression elimination across iterations --===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Which values carried by a loop are always equal is found from above: at first all that
// begin equal are taken to be; classes whose members are updated differently, if those
// taken to be equal are equal, fall apart, until none does. What is left is equal by
// induction over the iterations.
//
//===--------------------------------------------------------------------------===//

#include "transform/tile/Passes.h"

#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/CSE.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace tilewright;

namespace tilewright::transform {
#define GEN_PASS_DEF_TRITONLOOPAWARECSE
#include "transform/tile/Passes.h.inc"
} // namespace tilewright::transform

namespace {

/// The classes of equal values that a loop carries, each named by its first member.
class CarriedClasses {
public:
  explicit CarriedClasses(scf::ForOp loop) : loop(loop) {
    Block::BlockArgListType args = loop.getRegionIterArgs();
    for (unsigned i = 0; i < args.size(); ++i)
      representative.push_back(
          findFirst(i, [&](unsigned j) { return loop.getInitArgs()[i] == loop.getInitArgs()[j]; }));
    while (refine())
      ;
  }

  /// The first value that is always equal to number `i`, perhaps itself.
  unsigned operator[](unsigned i) const { return representative[i]; }

private:
  /// The first j < i with `equal(j)`, else i.
  static unsigned findFirst(unsigned i, function_ref<bool(unsigned)> equal) {
    for (unsigned j = 0; j < i; ++j)
      if (equal(j))
        return j;
    return i;
  }

  /// Splits classes whose members are updated differently; whether there was one.
  bool refine() {
    known.clear();
    SmallVector<unsigned> refined;
    ValueRange yielded = loop.getYieldedValues();
    for (unsigned i = 0; i < representative.size(); ++i)
      refined.push_back(findFirst(i, [&](unsigned j) {
        return representative[i] == representative[j] && areEqual(yielded[i], yielded[j], 0);
      }));
    return std::exchange(representative, refined) != refined;
  }

  /// Whether two values seen in the loop's body are equal if the classes are right.
  bool areEqual(Value a, Value b, unsigned depth) {
    if (a == b)
      return true;
    auto argA = dyn_cast<BlockArgument>(a), argB = dyn_cast<BlockArgument>(b);
    if (argA && argB)
      return isCarried(argA) && isCarried(argB) &&
             representative[argA.getArgNumber() - 1] == representative[argB.getArgNumber() - 1];
    auto resultA = dyn_cast<OpResult>(a), resultB = dyn_cast<OpResult>(b);
    // The depth is limited so that long chains do not fill the stack.
    if (!resultA || !resultB || resultA.getResultNumber() != resultB.getResultNumber() ||
        depth == maxDepth)
      return false;
    auto [entry, isNew] = known.try_emplace({a, b}, false);
    if (!isNew)
      return entry->second;
    bool equal = compute(resultA.getOwner(), resultB.getOwner(), depth);
    known[{a, b}] = equal;
    return equal;
  }

  bool compute(Operation *a, Operation *b, unsigned depth) {
    if (a->getBlock() != loop.getBody() || b->getBlock() != loop.getBody() ||
        a->getNumRegions() != 0 || !isMemoryEffectFree(a))
      return false;
    return OperationEquivalence::isEquivalentTo(
        a, b, [&](Value left, Value right) { return success(areEqual(left, right, depth + 1)); },
        /*markEquivalent=*/nullptr, OperationEquivalence::IgnoreLocations);
  }

  bool isCarried(BlockArgument arg) {
    return arg.getOwner() == loop.getBody() && arg.getArgNumber() > 0;
  }

  static constexpr unsigned maxDepth = 64;

  scf::ForOp loop;
  SmallVector<unsigned> representative;
  llvm::DenseMap<std::pair<Value, Value>, bool> known;
};

} // namespace

/// Merges the values that `loop` carries and that are always equal; whether there were any.
static bool mergeCarried(scf::ForOp loop, RewriterBase &rewriter) {
  CarriedClasses classes(loop);
  SmallVector<Value> inits, yielded;
  SmallVector<unsigned> newIndex;
  for (unsigned i = 0; i < loop.getInitArgs().size(); ++i) {
    newIndex.push_back(classes[i] == i ? inits.size() : newIndex[classes[i]]);
    if (classes[i] != i)
      continue;
    inits.push_back(loop.getInitArgs()[i]);
    yielded.push_back(loop.getYieldedValues()[i]);
  }
  if (inits.size() == newIndex.size())
    return false;

  rewriter.setInsertionPoint(loop);
  auto merged = scf::ForOp::create(rewriter, loop.getLoc(), loop.getLowerBound(),
                                   loop.getUpperBound(), loop.getStep(), inits,
                                   /*bodyBuilder=*/nullptr, loop.getUnsignedCmp());
  merged->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  SmallVector<Value> args{merged.getInductionVar()}, results;
  for (auto [i, index] : llvm::enumerate(newIndex)) {
    BlockArgument arg = merged.getRegionIterArg(index);
    if (classes[i] == i)
      arg.setLoc(loop.getRegionIterArg(i).getLoc());
    args.push_back(arg);
    results.push_back(merged.getResult(index));
  }
  merged.getInductionVar().setLoc(loop.getInductionVar().getLoc());
  rewriter.modifyOpInPlace(loop.getBody()->getTerminator(),
                           [&] { loop.getBody()->getTerminator()->setOperands(yielded); });
  rewriter.mergeBlocks(loop.getBody(), merged.getBody(), args);
  rewriter.replaceOp(loop, results);
  return true;
}

namespace {

struct LoopAwareCSE : transform::impl::TritonLoopAwareCSEBase<LoopAwareCSE> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    bool changed = true;
    // Merged values make further ops equal, and those may make further values equal.
    while (changed) {
      changed = false;
      DominanceInfo dominance(getOperation());
      eliminateCommonSubExpressions(rewriter, dominance, getOperation());
      getOperation().walk([&](scf::ForOp loop) { changed |= mergeCarried(loop, rewriter); });
    }
  }
};

} // namespace
