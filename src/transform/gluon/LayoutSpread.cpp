//===- LayoutSpread.cpp - Layouts that follow from others ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/gluon/LayoutSpread.h"

#include "analysis/RegionFlow.h"
#include "ir/tt/LayoutOp.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "transform/layout/LayoutTypes.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::transform;

/// Ops that keep the layouts that they have, where these are decided: all of their tensors, but for
/// what is read from or written to shared memory, have one layout.
static bool accessesMemory(Operation *op) {
  return isa<tt::LoadOp, tt::StoreOp, tt::AtomicRMWOp, tt::AtomicCASOp>(op);
}

bool LayoutSpread::isOpenValue(Value value) const {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getEncoding() && isOpen(type.getEncoding());
}

LogicalResult LayoutSpread::decide(Value value, Attribute layout, OpOperand *use) {
  if (!layout || !isOpenValue(value))
    return success();
  auto [entry, isNew] = decided.insert({value, layout});
  if (isNew) {
    next.push_back(value);
    return success();
  }
  if (entry->second == layout)
    return success();
  // A value without tensor operands is made once in each layout.
  Operation *made = value.getDefiningOp();
  if (use && made && tt::getLayoutRule(made) == tt::LayoutRule::AnyResult) {
    OpBuilder builder(made);
    Operation *copy = builder.clone(*made);
    use->set(copy->getResult(cast<OpResult>(value).getResultNumber()));
    return decide(use->get(), layout);
  }
  return (emitError(value.getLoc())
          << "two layouts follow for this tensor: " << entry->second << " and " << layout)
                 .attachNote(value.getLoc())
             << "help: give it a layout where it is made, and convert it with gl.convert_layout "
                "where "
                "another one is wanted",
         failure();
}

/// All tensors of an op in one layout.
LogicalResult LayoutSpread::spreadAlike(Operation *op, Attribute layout) {
  for (OpOperand &operand : op->getOpOperands())
    if (failed(decide(operand.get(), layout, &operand)))
      return failure();
  for (Value result : op->getResults())
    if (failed(decide(result, layout)))
      return failure();
  return success();
}

/// From an operand of `op`.
LogicalResult LayoutSpread::spreadTo(Operation *op, Value from, Attribute layout) {
  const tt::LayoutRule rule = tt::getLayoutRule(op);
  if (auto gather = dyn_cast<tt::GatherOp>(op))
    return gather.getIndices() == from ? decide(gather.getResult(), layout) : success();
  if (rule == tt::LayoutRule::SameLayout || accessesMemory(op))
    return spreadAlike(op, layout);
  if (!tt::tiesLayouts(rule))
    return success();
  // The operands are in one layout, from which that of the results follows.
  for (OpOperand &operand : op->getOpOperands())
    if (failed(decide(operand.get(), layout, &operand)))
      return failure();
  const Attribute result = cast<tt::LayoutOp>(op).inferResultLayout(layout);
  for (Value value : op->getResults())
    if (failed(decide(value, result)))
      return failure();
  return success();
}

/// From a value to what makes it.
LogicalResult LayoutSpread::spreadBack(Value value, Attribute layout) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return success();
  if (auto gather = dyn_cast<tt::GatherOp>(op))
    return decide(gather.getIndices(), layout, &gather.getIndicesMutable());
  const tt::LayoutRule rule = tt::getLayoutRule(op);
  if (rule == tt::LayoutRule::SameLayout || accessesMemory(op))
    return spreadAlike(op, layout);
  if (!tt::tiesLayouts(rule))
    return success();
  const Attribute operandLayout = cast<tt::LayoutOp>(op).inferOperandLayout(layout);
  for (OpOperand &operand : op->getOpOperands())
    if (failed(decide(operand.get(), operandLayout, &operand)))
      return failure();
  for (Value result : op->getResults())
    if (failed(decide(result, layout)))
      return failure();
  return success();
}

/// Along the edges of regions: what flows into the value, and where it flows to.
LogicalResult LayoutSpread::spreadFlow(Value value, Attribute layout) {
  for (Value incoming : getIncomingValues(value))
    if (failed(decide(incoming, layout)))
      return failure();
  auto tie = [&](Operation *owner) {
    SmallVector<Value> targets(owner->getResults());
    for (Region &region : owner->getRegions())
      for (Block &block : region)
        llvm::append_range(targets, block.getArguments());
    for (Value target : targets)
      if (isOpenValue(target) && llvm::is_contained(getIncomingValues(target), value) &&
          failed(decide(target, layout)))
        return failure();
    return success();
  };
  for (Operation *user : value.getUsers()) {
    if (isa<RegionBranchOpInterface>(user) && failed(tie(user)))
      return failure();
    if (user->hasTrait<OpTrait::IsTerminator>() &&
        isa<RegionBranchOpInterface>(user->getParentOp()) && failed(tie(user->getParentOp())))
      return failure();
  }
  return success();
}

LogicalResult LayoutSpread::spread() {
  // A value that is made once in each layout says of its uses the least: it spreads to those that
  // no other value has decided.
  SmallVector<Value> made;
  auto spreadToUsers = [&](Value value) {
    // A use may be replaced, so that the list is taken first.
    const SmallVector<Operation *> users(value.getUsers());
    return success(llvm::all_of(users, [&](Operation *user) {
      return succeeded(spreadTo(user, value, decided.lookup(value)));
    }));
  };
  while (!next.empty() || !made.empty()) {
    if (next.empty()) {
      if (failed(spreadToUsers(made.pop_back_val())))
        return failure();
      continue;
    }
    Value value = next.pop_back_val();
    const Attribute layout = decided.lookup(value);
    if (failed(spreadBack(value, layout)) || failed(spreadFlow(value, layout)))
      return failure();
    Operation *op = value.getDefiningOp();
    if (op && tt::getLayoutRule(op) == tt::LayoutRule::AnyResult)
      made.push_back(value);
    else if (failed(spreadToUsers(value)))
      return failure();
  }
  return success();
}

void LayoutSpread::rewrite() {
  for (auto [value, layout] : decided)
    setTypeInPlace(value, withLayout(value.getType(), layout));
}
