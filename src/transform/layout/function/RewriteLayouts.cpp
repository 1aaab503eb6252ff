//===- RewriteLayouts.cpp - Carries out a choice of layouts -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/layout/function/RewriteLayouts.h"

#include "analysis/RegionFlow.h"
#include "transform/layout/LayoutTypes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;

namespace tilewright::transform {

using tt::LayoutRule;

namespace {

class Rewriter {
public:
  Rewriter(tt::FuncOp function, const LayoutChoice &choice)
      : function(function), choice(choice), builder(function.getContext()) {}

  void run() {
    recordFixed(function.getBody());
    SmallVector<Operation *> ops;
    function.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops)
      rewrite(op);
    // What was not wanted, and the conversions that were looked through.
    for (Operation *op : llvm::reverse(leftOver))
      if (op->use_empty())
        op->erase();
    for (ttg::ConvertLayoutOp convert : llvm::reverse(conversions))
      sinkIntoBranches(convert);
  }

private:
  /// Block arguments that keep their layouts are at hand from the start.
  void recordFixed(Region &region) {
    region.walk<WalkOrder::PreOrder>([&](Block *block) {
      if (tt::getLayoutRule(block->getParentOp()) != LayoutRule::Forwards)
        for (BlockArgument arg : block->getArguments())
          record(arg, getLayout(arg.getType()), arg);
    });
  }

  void record(Value value, Attribute layout, Value version) { values[{value, layout}] = version; }

  /// `value` as it was in the program, in `layout`.
  Value get(Value value, Attribute layout) {
    value = stripConversions(value);
    if (Value found = values.lookup({value, layout}))
      return found;
    Value source = values.lookup({value, choice.conversionSource(value, layout)});
    assert(source && "a layout that was not chosen");
    builder.setInsertionPointAfterValue(source);
    Value converted = ttg::ConvertLayoutOp::create(builder, source.getLoc(),
                                                   withLayout(source.getType(), layout), source);
    record(value, layout, converted);
    conversions.push_back(converted.getDefiningOp<ttg::ConvertLayoutOp>());
    return converted;
  }

  /// Moves a conversion to where its uses are if that is one region of a branch, and so on.
  static void sinkIntoBranches(ttg::ConvertLayoutOp convert) {
    while (!convert->use_empty()) {
      Region *region = nullptr;
      for (Operation *user : convert->getUsers()) {
        Region *found = user->getParentRegion();
        while (found && found->getParentOp()->getBlock() != convert->getBlock())
          found = found->getParentRegion();
        if (!found || (region && found != region) || !runsAtMostOnce(*found))
          return;
        region = found;
      }
      Operation *first = &region->front().front();
      convert->moveBefore(first);
    }
  }

  Attribute firstVersion(Value value) {
    const SmallVector<Attribute, 1> versions = choice.versions(value);
    return versions.empty() ? Attribute() : versions.front();
  }

  void rewrite(Operation *op) {
    switch (tt::getLayoutRule(op)) {
    case LayoutRule::Conversion:
      leftOver.push_back(op);
      return;
    case LayoutRule::Forwards:
      return rewriteControl(op);
    case LayoutRule::Anchor:
    case LayoutRule::AnyLayout:
    case LayoutRule::AnyLayouts:
      setOperands(op, {});
      setTypes(op->getResults());
      return;
    case LayoutRule::AnyResult:
    case LayoutRule::SameLayout:
    case LayoutRule::Inferred:
    case LayoutRule::Collective:
      return rewriteVersions(op);
    }
  }

  void setOperands(Operation *op, Attribute result) {
    for (OpOperand &operand : op->getOpOperands())
      if (Attribute layout = choice.operandLayout(op, operand.getOperandNumber(), result))
        operand.set(get(operand.get(), layout));
  }

  void rewriteVersions(Operation *op) {
    if (!isa<RankedTensorType>(op->getResult(0).getType())) {
      // Scalar arithmetic, or the reduction of all there is.
      if (llvm::any_of(op->getOperandTypes(), llvm::IsaPred<RankedTensorType>))
        setOperands(op, {});
      return;
    }
    const SmallVector<Attribute, 1> versions = choice.versions(op->getResult(0));
    if (versions.empty()) {
      leftOver.push_back(op);
      return;
    }
    SmallVector<Operation *, 2> copies = {op};
    for (size_t i = 1; i < versions.size(); ++i) {
      builder.setInsertionPointAfter(copies.back());
      copies.push_back(builder.clone(*op));
    }
    for (auto [copy, layout] : llvm::zip_equal(copies, versions)) {
      for (OpOperand &operand : copy->getOpOperands())
        if (Attribute needed = choice.operandLayout(op, operand.getOperandNumber(), layout))
          operand.set(get(operand.get(), needed));
      for (auto [original, result] : llvm::zip_equal(op->getResults(), copy->getResults())) {
        setTypeInPlace(result, withLayout(result.getType(), layout));
        record(original, layout, result);
      }
    }
  }

  //===------------------------------------------------------------------------===//
  // Control flow
  //
  // Where the operands of a terminator flow to, its interface says. To give an op further arguments
  // and results is different for each op: MLIR has no interface for that but
  // LoopLikeOpInterface::replaceWithAdditionalYields, which scf.while and scf.if do not have, and
  // which makes new arguments for all that scf.for carries. Here the arguments must stay the same
  // values, as the choice knows values by them.
  //===------------------------------------------------------------------------===//

  void rewriteControl(Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return rewriteFor(loop);
    if (auto loop = dyn_cast<scf::WhileOp>(op))
      return rewriteWhile(loop);
    if (auto branch = dyn_cast<scf::IfOp>(op))
      return rewriteIf(branch);
    rewriteTerminator(cast<RegionBranchTerminatorOpInterface>(op));
  }

  void rewriteTerminator(RegionBranchTerminatorOpInterface op) {
    SmallVector<RegionSuccessor> successors;
    op.getSuccessorRegions(SmallVector<Attribute>(op->getNumOperands()), successors);
    // The arguments of a region are keys, results are not if they are tied to such.
    const auto *successor =
        llvm::find_if(successors, [](const RegionSuccessor &next) { return !next.isParent(); });
    if (successor == successors.end())
      successor = successors.begin();
    ValueRange targets = successor->getSuccessorInputs();
    Operation *original = originals.lookup(op->getParentOp());
    if (successor->isParent() && original)
      targets = original->getResults();
    setFlow(op.getMutableSuccessorOperands(*successor), targets);
  }

  /// Operands that flow into `targets`, one each, in the first version of these; those in the
  /// further versions are appended. Targets beyond the operands are these further versions.
  void setFlow(MutableOperandRange operands, ValueRange targets) {
    SmallVector<Value> more;
    targets = targets.take_front(operands.size());
    for (auto [operand, target] : llvm::zip_equal(operands, targets))
      for (Attribute layout : furtherVersions(target))
        more.push_back(get(operand.get(), layout));
    setInPlace(operands, targets);
    operands.append(more);
  }

  /// Operands that flow into `targets`, one each, in the first version of these.
  void setInPlace(MutableOperandRange operands, ValueRange targets) {
    for (auto [operand, target] : llvm::zip_equal(operands, targets))
      if (Attribute layout = firstVersion(target))
        operand.set(get(operand.get(), layout));
  }

  void setTypes(ValueRange targets) {
    for (Value target : targets)
      if (Attribute layout = firstVersion(target)) {
        target.setType(withLayout(target.getType(), layout));
        record(target, layout, target);
      }
  }

  /// `values` in the further versions of the `targets` into which they flow.
  SmallVector<Value> getFurther(ValueRange values, ValueRange targets) {
    SmallVector<Value> more;
    for (auto [value, target] : llvm::zip_equal(values, targets))
      for (Attribute layout : furtherVersions(target))
        more.push_back(get(value, layout));
    return more;
  }

  /// The types of `targets` in their further versions.
  SmallVector<Type> getFurtherTypes(ValueRange targets) {
    SmallVector<Type> types;
    for (Value target : targets)
      for (Attribute layout : furtherVersions(target))
        types.push_back(withLayout(target.getType(), layout));
    return types;
  }

  /// Records that `more` are the further versions of `targets`, one after the other.
  void recordFurther(ValueRange targets, ValueRange more) {
    unsigned next = 0;
    for (Value target : targets)
      for (Attribute layout : furtherVersions(target))
        record(target, layout, more[next++]);
  }

  void rewriteFor(scf::ForOp loop) {
    SmallVector<Value> more = getFurther(loop.getInitArgs(), loop.getRegionIterArgs());
    setInPlace(loop.getInitArgsMutable(), loop.getRegionIterArgs());
    setTypes(loop.getRegionIterArgs());
    if (more.empty())
      return setTypes(loop.getResults());

    SmallVector<Value> inits(loop.getInitArgs());
    unsigned carried = inits.size();
    inits.append(more);
    builder.setInsertionPoint(loop);
    auto wider = scf::ForOp::create(builder, loop.getLoc(), loop.getLowerBound(),
                                    loop.getUpperBound(), loop.getStep(), inits);
    wider->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
    wider.setUnsignedCmp(loop.getUnsignedCmp());
    wider.getRegion().takeBody(loop.getRegion());
    for (Value init : more)
      wider.getBody()->addArgument(init.getType(), init.getLoc());
    replaceLoop(loop, wider, carried);
    recordFurther(wider.getRegionIterArgs().take_front(carried),
                  wider.getRegionIterArgs().drop_front(carried));
  }

  void rewriteWhile(scf::WhileOp loop) {
    auto before = loop.getBeforeArguments(), after = loop.getAfterArguments();
    SmallVector<Value> more = getFurther(loop.getInits(), before);
    SmallVector<Type> moreResults = getFurtherTypes(after);
    setInPlace(loop.getInitsMutable(), before);
    setTypes(before);
    setTypes(after);
    if (more.empty() && moreResults.empty())
      return setTypes(loop.getResults());

    SmallVector<Value> inits(loop.getInits());
    inits.append(more);
    SmallVector<Type> types(ValueRange(after).getTypes());
    unsigned results = types.size();
    types.append(moreResults);
    builder.setInsertionPoint(loop);
    auto wider = scf::WhileOp::create(builder, loop.getLoc(), types, inits);
    wider->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
    unsigned beforeCount = before.size();
    wider.getBefore().takeBody(loop.getBefore());
    wider.getAfter().takeBody(loop.getAfter());
    for (Value init : more)
      wider.getBeforeBody()->addArgument(init.getType(), init.getLoc());
    for (Type type : moreResults)
      wider.getAfterBody()->addArgument(type, loop.getLoc());
    replaceLoop(loop, wider, results);
    recordFurther(wider.getBeforeArguments().take_front(beforeCount),
                  wider.getBeforeArguments().drop_front(beforeCount));
    recordFurther(wider.getAfterArguments().take_front(results),
                  wider.getAfterArguments().drop_front(results));
  }

  /// Replaces `loop` by `wider`, which has further results after the `count` of the loop. The
  /// versions of a result are those of the argument that is its key.
  void replaceLoop(Operation *loop, Operation *wider, unsigned count) {
    ValueRange results = wider->getResults();
    loop->replaceAllUsesWith(results.take_front(count));
    loop->erase();
    for (Value result : results.take_front(count))
      if (Attribute layout = firstVersion(result))
        record(result, layout, result);
    recordFurther(results.take_front(count), results.drop_front(count));
  }

  void rewriteIf(scf::IfOp branch) {
    SmallVector<Type> more = getFurtherTypes(branch.getResults());
    setTypes(branch.getResults());
    if (more.empty())
      return;
    SmallVector<Type> types(branch.getResultTypes());
    types.append(more);
    builder.setInsertionPoint(branch);
    auto wider = scf::IfOp::create(builder, branch.getLoc(), types, branch.getCondition(),
                                   /*addThenBlock=*/false, /*addElseBlock=*/false);
    wider->setDiscardableAttrs(branch->getDiscardableAttrDictionary());
    wider.getThenRegion().takeBody(branch.getThenRegion());
    wider.getElseRegion().takeBody(branch.getElseRegion());
    // The results are their own keys, so they stay until all is done; only what is no tensor
    // is replaced at once.
    originals[wider] = branch;
    leftOver.push_back(branch);
    unsigned count = branch.getNumResults();
    for (auto [original, result] :
         llvm::zip_equal(branch.getResults(), wider.getResults().take_front(count))) {
      if (Attribute layout = firstVersion(original))
        record(original, layout, result);
      else
        original.replaceAllUsesWith(result);
    }
    recordFurther(branch.getResults(), wider.getResults().drop_front(count));
  }

  SmallVector<Attribute, 1> furtherVersions(Value value) {
    SmallVector<Attribute, 1> versions = choice.versions(value);
    if (!versions.empty())
      versions.erase(versions.begin());
    return versions;
  }

  tt::FuncOp function;
  const LayoutChoice &choice;
  OpBuilder builder;
  /// The versions that exist so far, by the value of the program as it was and the layout.
  DenseMap<std::pair<Value, Attribute>, Value> values;
  SmallVector<Operation *> leftOver;
  SmallVector<ttg::ConvertLayoutOp> conversions;
  /// Of branches with further results: what they were.
  DenseMap<Operation *, Operation *> originals;
};

} // namespace

void rewriteLayouts(tt::FuncOp function, const LayoutChoice &choice) {
  Rewriter(function, choice).run();
}

} // namespace tilewright::transform
