//===- RowNans.cpp - Rows whose results are NaN in any case -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------------===//

#include "vendor/nvidia/transform/RowNans.h"

#include "ir/ttg/Dialect.h"
#include "ir/ttng/Dialect.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tilewright;

namespace {

/// How much of a row is NaN. Of tensors with one dimension a row is an element.
enum class Nans { None, Some, All };
using NanMap = llvm::DenseMap<Value, Nans>;

/// The operands of a product whose rows are the result's.
bool isProductOfRows(OpOperand &use) {
  return isa<ttng::WarpGroupDotOp, tt::DotOp>(use.getOwner()) && use.getOperandNumber() != 1;
}

/// Whether each row of the results is computed of the same row of `use`, without side effects.
bool keepsRows(OpOperand &use) {
  Operation *op = use.getOwner();
  if (isProductOfRows(use) || isa<ttg::ConvertLayoutOp>(op))
    return true;
  if (auto alloc = dyn_cast<ttg::LocalAllocOp>(op))
    return !alloc.getType().getMutableMemory();
  if (auto expand = dyn_cast<tt::ExpandDimsOp>(op))
    return expand.getAxis() == 1;
  if (auto broadcast = dyn_cast<tt::BroadcastOp>(op)) {
    auto src = cast<RankedTensorType>(broadcast.getSrc().getType());
    return src.getRank() == 2 && src.getDimSize(0) == broadcast.getType().getDimSize(0);
  }
  if (auto reduce = dyn_cast<tt::ReduceOp>(op))
    return reduce.getAxis() == 1 && cast<RankedTensorType>(use.get().getType()).getRank() == 2 &&
           isMemoryEffectFree(op);
  return op->hasTrait<OpTrait::Elementwise>() && isMemoryEffectFree(op);
}

bool isSum(tt::ReduceOp reduce) {
  if (reduce->getNumOperands() != 1 || !llvm::hasSingleElement(reduce->getRegion(0)))
    return false;
  Block &block = reduce->getRegion(0).front();
  return isa<arith::AddFOp>(block.front()) &&
         block.front().getNextNode() == block.getTerminator() &&
         block.getTerminator()->getOperand(0) == block.front().getResult(0) &&
         block.front().getOperand(0) != block.front().getOperand(1);
}

/// What `op` makes of NaNs in `use`; None where it may make numbers of them.
Nans handOn(OpOperand &use, Nans nans) {
  Operation *op = use.getOwner();
  if (!keepsRows(use))
    return Nans::None;
  if (auto reduce = dyn_cast<tt::ReduceOp>(op))
    return isSum(reduce) ? Nans::All : Nans::None;
  // A NaN in a row of the left operand is in every sum of that row.
  if (isProductOfRows(use) && use.getOperandNumber() == 0)
    return Nans::All;
  if (auto dot = dyn_cast<ttng::WarpGroupDotOp>(op))
    return dot.getUseC() ? Nans::None : nans;
  return isa<tt::DotOp, ttg::ConvertLayoutOp, ttg::LocalAllocOp, tt::ExpandDimsOp, tt::BroadcastOp,
             arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, arith::NegFOp,
             arith::TruncFOp, arith::ExtFOp, math::ExpOp, math::Exp2Op, math::LogOp, math::Log2Op,
             math::SqrtOp, math::FmaOp>(op)
             ? nans
             : Nans::None;
}

/// What is NaN where `seed` has NaNs, among the values of one block.
NanMap findNans(Value seed, Nans nans) {
  NanMap map = {{seed, nans}};
  SmallVector<Value> pending = {seed};
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    for (OpOperand &use : value.getUses()) {
      Operation *op = use.getOwner();
      if (op->getBlock() != seed.getParentBlock() || op->getNumResults() != 1)
        continue;
      const Nans handed = handOn(use, map.lookup(value));
      Nans &known = map[op->getResult(0)];
      if (handed <= known)
        continue;
      known = handed;
      pending.push_back(op->getResult(0));
    }
  }
  return map;
}

} // namespace

bool vendor::nvidia::isHiddenByNans(scf::ForOp loop, Value tile, ArrayRef<Value> changed) {
  // The results that are NaN from then on: what is carried on hands its own NaN on as well.
  const NanMap inIteration = findNans(tile, Nans::Some);
  llvm::SmallVector<bool> isNan;
  NanMap afterLoop;
  for (auto [arg, yielded, result] :
       llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues(), loop.getResults())) {
    isNan.push_back(inIteration.lookup(yielded) == Nans::All &&
                    findNans(arg, Nans::All).lookup(yielded) == Nans::All);
    if (!isNan.back())
      continue;
    for (auto [value, nans] : findNans(result, Nans::All))
      afterLoop[value] = std::max(afterLoop.lookup(value), nans);
  }
  llvm::SetVector<Value> differing(changed.begin(), changed.end());
  for (size_t i = 0; i < differing.size(); ++i)
    for (OpOperand &use : differing[i].getUses()) {
      Operation *op = use.getOwner();
      const bool isInside = op->getBlock() == loop.getBody();
      if (isInside && op == loop.getBody()->getTerminator()) {
        const unsigned number = use.getOperandNumber();
        if (!isNan[number]) {
          differing.insert(loop.getRegionIterArg(number));
          differing.insert(loop.getResult(number));
        }
        continue;
      }
      if ((!isInside && op->getBlock() != loop->getBlock()) || !keepsRows(use))
        return false;
      for (Value result : op->getResults())
        if (isInside || afterLoop.lookup(result) != Nans::All)
          differing.insert(result);
    }
  return true;
}
