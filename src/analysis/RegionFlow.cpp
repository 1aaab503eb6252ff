//===- RegionFlow.cpp - Values that flow between regions ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "analysis/RegionFlow.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace tilewright::transform {

/// The successor of `branch` that has `input` among its inputs; nothing if none has.
static std::optional<RegionSuccessor> findSuccessor(RegionBranchOpInterface branch, Value input) {
  for (RegionBranchPoint point : branch.getAllRegionBranchPoints()) {
    SmallVector<RegionSuccessor, 2> successors;
    branch.getSuccessorRegions(point, successors);
    for (const RegionSuccessor &successor : successors)
      if (llvm::is_contained(successor.getSuccessorInputs(), input))
        return successor;
  }
  return std::nullopt;
}

SmallVector<Value, 2> getIncomingValues(Value value) {
  auto arg = dyn_cast<BlockArgument>(value);
  Operation *op = arg ? arg.getOwner()->getParentOp() : value.getDefiningOp();
  if (arg)
    if (auto loop = dyn_cast_or_null<LoopLikeOpInterface>(op))
      if (OpOperand *init = loop.getTiedLoopInit(arg))
        if (OpOperand *yielded = loop.getTiedLoopYieldedValue(arg))
          return {init->get(), yielded->get()};
  auto branch = dyn_cast_or_null<RegionBranchOpInterface>(op);
  if (!branch)
    return {};
  std::optional<RegionSuccessor> successor = findSuccessor(branch, value);
  if (!successor)
    return {};
  ValueRange inputs = successor->getSuccessorInputs();
  SmallVector<Value, 2> incoming;
  branch.getPredecessorValues(*successor, std::distance(inputs.begin(), llvm::find(inputs, value)),
                              incoming);
  return incoming;
}

BlockArgument getTiedArgument(OpResult result) {
  Operation *op = result.getOwner();
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
    if (BlockArgument arg = loop.getTiedLoopRegionIterArg(result))
      return arg;
  auto branch = dyn_cast<RegionBranchOpInterface>(op);
  if (!branch)
    return {};
  // One operand of a terminator goes to the result and to an argument.
  const unsigned number = result.getResultNumber();
  for (RegionBranchPoint point : branch.getAllRegionBranchPoints()) {
    auto terminator =
        dyn_cast_or_null<RegionBranchTerminatorOpInterface>(point.getTerminatorPredecessorOrNull());
    if (!terminator)
      continue;
    SmallVector<RegionSuccessor, 2> successors;
    branch.getSuccessorRegions(point, successors);
    const auto *exit = llvm::find_if(successors, [](const auto &next) { return next.isParent(); });
    if (exit == successors.end())
      continue;
    OperandRange toResults = terminator.getSuccessorOperands(*exit);
    if (number >= toResults.size())
      continue;
    const unsigned operand = toResults.getBeginOperandIndex() + number;
    for (const RegionSuccessor &successor : successors) {
      if (successor.isParent())
        continue;
      OperandRange toRegion = terminator.getSuccessorOperands(successor);
      const unsigned begin = toRegion.getBeginOperandIndex();
      if (operand >= begin && operand < begin + toRegion.size())
        return cast<BlockArgument>(successor.getSuccessorInputs()[operand - begin]);
    }
  }
  return {};
}

bool runsAtMostOnce(Region &region) {
  auto branch = dyn_cast<RegionBranchOpInterface>(region.getParentOp());
  if (!branch)
    return false;
  SmallVector<InvocationBounds> bounds;
  branch.getRegionInvocationBounds(SmallVector<Attribute>(branch->getNumOperands()), bounds);
  std::optional<unsigned> most = bounds[region.getRegionNumber()].getUpperBound();
  return most && *most <= 1;
}

} // namespace tilewright::transform
