//===- RemoveLayoutConversions.cpp - Few conversions --------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A LayoutPlan says in which layouts each value is wanted. The rewrite follows it in one pass
// in program order: the first version of an op is the op itself with other types, further
// ones are clones behind it; loops carry further versions in further arguments. A
// conversion stands right behind what it converts, once for all uses.
//
//===--------------------------------------------------------------------------===//

#include "transform/layout/LayoutPlan.h"
#include "transform/layout/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace tilewright::transform {

#define GEN_PASS_DEF_TRITONGPUREMOVELAYOUTCONVERSIONS
#include "transform/layout/Passes.h.inc"

namespace {

class Rewriter {
public:
  explicit Rewriter(tt::FuncOp function)
      : function(function), plan(function), builder(function.getContext()) {}

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
  }

private:
  /// Block arguments that keep their layouts are at hand from the start.
  void recordFixed(Region &region) {
    region.walk<WalkOrder::PreOrder>([&](Block *block) {
      if (!isa<scf::ForOp, scf::WhileOp>(block->getParentOp()))
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
    Value source = values.lookup({value, plan.conversionSource(keyOf(value), layout)});
    assert(source && "a layout that was not planned for");
    builder.setInsertionPointAfterValue(source);
    Value converted = ttg::ConvertLayoutOp::create(builder, source.getLoc(),
                                                   withLayout(source.getType(), layout), source);
    record(value, layout, converted);
    return converted;
  }

  Attribute firstVersion(Value value) {
    ArrayRef<Attribute> versions = plan.versions(keyOf(value));
    return versions.empty() ? Attribute() : versions.front();
  }

  void rewrite(Operation *op) {
    switch (getOpKind(op)) {
    case OpKind::Convert:
      leftOver.push_back(op);
      return;
    case OpKind::Control:
      return rewriteControl(op);
    case OpKind::Fixed:
    case OpKind::Taker:
      setOperands(op, {});
      for (Value result : op->getResults())
        record(result, getLayout(result.getType()), result);
      return;
    case OpKind::Source:
    case OpKind::SameLayout:
    case OpKind::Derived:
    case OpKind::Collective:
      return rewriteVersions(op);
    }
  }

  void setOperands(Operation *op, Attribute result) {
    for (OpOperand &operand : op->getOpOperands())
      if (Attribute layout = plan.operandLayout(op, operand.getOperandNumber(), result))
        operand.set(get(operand.get(), layout));
  }

  void rewriteVersions(Operation *op) {
    if (!isa<RankedTensorType>(op->getResult(0).getType())) {
      // Scalar arithmetic, or the reduction of all there is.
      if (llvm::any_of(op->getOperandTypes(), llvm::IsaPred<RankedTensorType>))
        setOperands(op, {});
      return;
    }
    ArrayRef<Attribute> versions = plan.versions(op->getResult(0));
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
        if (Attribute needed = plan.operandLayout(op, operand.getOperandNumber(), layout))
          operand.set(get(operand.get(), needed));
      for (auto [original, result] : llvm::zip_equal(op->getResults(), copy->getResults())) {
        setTypeInPlace(result, withLayout(result.getType(), layout));
        record(original, layout, result);
      }
    }
  }

  //===------------------------------------------------------------------------===//
  // Control flow
  //===------------------------------------------------------------------------===//

  void rewriteControl(Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return rewriteFor(loop);
    if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      setInPlace(loop.getInitsMutable(), loop.getBeforeArguments());
      setTypes(loop.getBeforeArguments());
      setTypes(loop.getAfterArguments());
      return setTypes(loop.getResults());
    }
    if (auto branch = dyn_cast<scf::IfOp>(op))
      return setTypes(branch.getResults());
    if (auto condition = dyn_cast<scf::ConditionOp>(op))
      return setInPlace(condition.getArgsMutable(),
                        condition.getParentOp<scf::WhileOp>().getAfterArguments());
    auto yield = cast<scf::YieldOp>(op);
    Operation *parent = yield->getParentOp();
    if (auto loop = dyn_cast<scf::ForOp>(parent))
      return rewriteForYield(loop, yield);
    if (auto loop = dyn_cast<scf::WhileOp>(parent))
      return setInPlace(yield.getResultsMutable(), loop.getBeforeArguments());
    setInPlace(yield.getResultsMutable(), parent->getResults());
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

  void rewriteFor(scf::ForOp loop) {
    SmallVector<Value> more;
    for (auto [arg, init] : llvm::zip_equal(loop.getRegionIterArgs(), loop.getInitArgs()))
      for (Attribute layout : furtherVersions(arg))
        more.push_back(get(init, layout));
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
    Block *body = wider.getBody();
    for (Value init : more)
      body->addArgument(init.getType(), init.getLoc());
    loop->replaceAllUsesWith(wider.getResults().take_front(carried));
    loop.erase();

    unsigned next = carried;
    for (unsigned i = 0; i < carried; ++i) {
      Value arg = wider.getRegionIterArg(i), result = wider.getResult(i);
      if (Attribute layout = firstVersion(arg))
        record(result, layout, result);
      for (Attribute layout : furtherVersions(arg)) {
        record(arg, layout, wider.getRegionIterArg(next));
        record(result, layout, wider.getResult(next++));
      }
    }
  }

  void rewriteForYield(scf::ForOp loop, scf::YieldOp yield) {
    SmallVector<Value> more;
    unsigned carried = yield.getNumOperands();
    for (auto [arg, value] :
         llvm::zip_equal(loop.getRegionIterArgs().take_front(carried), yield.getOperands()))
      for (Attribute layout : furtherVersions(arg))
        more.push_back(get(value, layout));
    for (auto [arg, operand] :
         llvm::zip_equal(loop.getRegionIterArgs().take_front(carried), yield.getResultsMutable()))
      if (Attribute layout = firstVersion(arg))
        operand.set(get(operand.get(), layout));
    yield.getResultsMutable().append(more);
  }

  ArrayRef<Attribute> furtherVersions(Value arg) {
    ArrayRef<Attribute> versions = plan.versions(arg);
    return versions.empty() ? versions : versions.drop_front();
  }

  tt::FuncOp function;
  LayoutPlan plan;
  OpBuilder builder;
  /// The versions that exist so far, by the value of the program as it was and the layout.
  DenseMap<std::pair<Value, Attribute>, Value> values;
  SmallVector<Operation *> leftOver;
};

class RemoveLayoutConversions
    : public impl::TritonGPURemoveLayoutConversionsBase<RemoveLayoutConversions> {
public:
  void runOnOperation() override {
    for (auto function : getOperation().getOps<tt::FuncOp>())
      if (!function.isExternal())
        Rewriter(function).run();
  }
};

} // namespace
} // namespace tilewright::transform
