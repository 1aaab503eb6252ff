//===- MaskBranches.cpp - Branches around masks that hold for long ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/masks/MaskBranches.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::transform;

/// Gives `copy` the mask `mask`, or none if that is null.
static void setMask(ttg::AsyncCopyGlobalToLocalOp copy, Value mask) {
  copy.getMaskMutable().clear();
  if (mask)
    copy.getMaskMutable().assign(mask);
  else
    copy.getOtherMutable().clear();
}

namespace {

/// The products of a tile and one number.
struct Scaling {
  arith::MulFOp product;
  Value tile;
  /// A number, or null where it is the constant `factor`.
  Value number;
  TypedAttr factor;
};

/// What is left of masks where some comparisons hold.
class MaskReducer {
public:
  MaskReducer(OpBuilder &builder, const llvm::SmallPtrSetImpl<Value> &holding)
      : builder(builder), holding(holding) {}

  /// What is left of `mask`, computed at the builder's place; null if nothing is.
  Value reduce(Value mask) {
    if (holding.contains(mask) || matchPattern(mask, m_One()))
      return {};
    Operation *op = mask.getDefiningOp();
    if (!isMaskOp(op))
      return mask;
    if (auto known = reduced.find(mask); known != reduced.end())
      return known->second;
    SmallVector<Value> parts;
    for (Value operand : op->getOperands())
      if (Value part = reduce(operand))
        parts.push_back(part);
    Value result;
    if (llvm::equal(parts, op->getOperands())) {
      result = mask;
    } else if (parts.size() == op->getNumOperands()) {
      Operation *clone = builder.clone(*op);
      clone->setOperands(parts);
      result = clone->getResult(0);
    } else if (!parts.empty()) {
      result = parts.front();
    }
    return reduced[mask] = result;
  }

private:
  OpBuilder &builder;
  const llvm::SmallPtrSetImpl<Value> &holding;
  llvm::DenseMap<Value, Value> reduced;
};

/// The branches of one loop.
class MaskBranches {
public:
  MaskBranches(scf::ForOp loop, ArrayRef<LoopMask> masks) : loop(loop) {
    for (const LoopMask &mask : masks)
      holding.insert(mask.condition);
    BoundBuilder bounds(loop);
    middle = createMiddle(bounds, masks);
  }

  void runOnSelects() {
    SmallVector<arith::SelectOp> selects;
    for (auto select : loop.getBody()->getOps<arith::SelectOp>()) {
      llvm::SmallPtrSet<Value, 8> visited;
      if (isLargeSelect(select) && hasHolding(select.getCondition(), visited))
        selects.push_back(select);
    }
    for (arith::SelectOp select : selects)
      branchAround(select);
    sinkMasks();
  }

  void runOnCopies() {
    SmallVector<ttg::AsyncCopyGlobalToLocalOp> copies;
    SmallVector<Operation *> groups;
    auto finishCopies = [&] {
      if (!copies.empty())
        branchAround(copies, groups);
      copies.clear();
      groups.clear();
    };
    for (Operation &op : llvm::make_early_inc_range(*loop.getBody())) {
      if (auto copy = dyn_cast<ttg::AsyncCopyGlobalToLocalOp>(op); copy && isLighter(copy)) {
        copies.push_back(copy);
      } else if (isa<ttg::AsyncCommitGroupOp>(op)) {
        if (!copies.empty())
          groups.push_back(&op);
      } else if (!isMemoryEffectFree(&op)) {
        finishCopies();
      }
    }
    finishCopies();
    sinkMasks();
  }

private:
  /// Whether the copy has less to do where the comparisons hold.
  bool isLighter(ttg::AsyncCopyGlobalToLocalOp copy) {
    llvm::SmallPtrSet<Value, 8> visited;
    return copy.getMask() && hasHolding(copy.getMask(), visited) &&
           llvm::all_of(copy->getUsers(),
                        [](Operation *user) { return isa<ttg::AsyncCommitGroupOp>(user); });
  }

  bool hasHolding(Value mask, llvm::SmallPtrSetImpl<Value> &visited) {
    if (!visited.insert(mask).second)
      return false;
    Operation *op = mask.getDefiningOp();
    return holding.contains(mask) ||
           (isMaskOp(op) && llvm::any_of(op->getOperands(), [&](Value operand) {
              return hasHolding(operand, visited);
            }));
  }

  /// How `value` is scaled in the loop, for nothing but one select.
  std::optional<Scaling> getScaling(Value value) {
    auto product = value.getDefiningOp<arith::MulFOp>();
    if (!product || product->getBlock() != loop.getBody() || !product->hasOneUse())
      return std::nullopt;
    for (auto [tile, scale] : {std::pair(product.getLhs(), product.getRhs()),
                               std::pair(product.getRhs(), product.getLhs())}) {
      if (auto splat = scale.getDefiningOp<tt::SplatOp>())
        return Scaling{product, tile, splat.getSrc(), {}};
      SplatElementsAttr constant;
      if (matchPattern(scale, m_Constant(&constant)))
        return Scaling{product, tile, {}, constant.getSplatValue<FloatAttr>()};
    }
    return std::nullopt;
  }

  /// A branch with a way for the iterations in which the comparisons hold and one for others.
  scf::IfOp createBranch(OpBuilder &builder, Location loc, TypeRange types) {
    Value holds = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                        loop.getInductionVar(), middle);
    auto branch = scf::IfOp::create(builder, loc, types, holds, /*addThenBlock=*/true,
                                    /*addElseBlock=*/true);
    maskedWays.insert(&branch.getElseRegion());
    return branch;
  }

  /// Has `copies` in one branch, with the ends of groups that stand between them, `groups`, after
  /// it.
  void branchAround(ArrayRef<ttg::AsyncCopyGlobalToLocalOp> copies, ArrayRef<Operation *> groups) {
    Operation *last = copies.back();
    OpBuilder builder(last);
    scf::IfOp branch = createBranch(builder, last->getLoc(), TypeRange());
    for (Operation *group : llvm::reverse(groups))
      if (group->isBeforeInBlock(branch))
        group->moveAfter(branch);
    OpBuilder plain = OpBuilder::atBlockEnd(branch.thenBlock());
    OpBuilder masked = OpBuilder::atBlockEnd(branch.elseBlock());
    MaskReducer reducer(plain, holding);
    for (ttg::AsyncCopyGlobalToLocalOp copy : copies) {
      Value left = reducer.reduce(copy.getMask());
      setMask(cast<ttg::AsyncCopyGlobalToLocalOp>(plain.clone(*copy)), left);
      // Groups end after the branch, and say no more what is in them.
      for (Operation *group : llvm::make_early_inc_range(copy->getUsers()))
        group->setOperands(ValueRange());
      copy->moveBefore(branch.elseBlock(), branch.elseBlock()->end());
    }
    for (OpBuilder *way : {&plain, &masked})
      scf::YieldOp::create(*way, branch.getLoc());
  }

  void branchAround(arith::SelectOp select) {
    OpBuilder builder(select);
    Location loc = select.getLoc();
    auto type = cast<RankedTensorType>(select.getType());
    std::optional<Scaling> scaling = getScaling(select.getTrueValue());
    SmallVector<Type, 2> types{type};
    if (scaling)
      types.push_back(type.getElementType());
    scf::IfOp branch = createBranch(builder, loc, types);
    auto yieldSelected = [&](OpBuilder &way, Value condition) {
      Value value = scaling ? way.clone(*scaling->product)->getResult(0) : select.getTrueValue();
      SmallVector<Value, 2> results{
          arith::SelectOp::create(way, loc, condition, value, select.getFalseValue())};
      if (scaling)
        results.push_back(arith::ConstantOp::create(
            way, loc, FloatAttr::get(cast<FloatType>(type.getElementType()), 1.0)));
      scf::YieldOp::create(way, loc, results);
    };
    auto masked = OpBuilder::atBlockEnd(branch.elseBlock());
    yieldSelected(masked, select.getCondition());
    auto plain = OpBuilder::atBlockEnd(branch.thenBlock());
    if (Value left = MaskReducer(plain, holding).reduce(select.getCondition())) {
      yieldSelected(plain, left);
    } else if (scaling) {
      Value number = scaling->number
                         ? scaling->number
                         : arith::ConstantOp::create(plain, loc, scaling->factor).getResult();
      scf::YieldOp::create(plain, loc, ValueRange{scaling->tile, number});
    } else {
      scf::YieldOp::create(plain, loc, select.getTrueValue());
    }

    Value result = branch.getResult(0);
    if (scaling) {
      Value factors = tt::SplatOp::create(builder, loc, type, branch.getResult(1));
      result = arith::MulFOp::create(builder, loc, result, factors, scaling->product.getFastmath());
    }
    select.replaceAllUsesWith(result);
    select.erase();
    if (scaling)
      scaling->product.erase();
  }

  /// Moves what nothing but ways with masks want there, into each of several ones.
  void sinkMasks() {
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*loop.getBody()))) {
      if (op.use_empty() || op.getNumRegions() || !isMemoryEffectFree(&op))
        continue;
      llvm::SmallSetVector<Region *, 2> ways;
      for (Operation *user : op.getUsers())
        ways.insert(user->getParentRegion());
      if (!llvm::all_of(ways, [&](Region *way) { return maskedWays.contains(way); }))
        continue;
      for (Region *way : llvm::drop_begin(ways)) {
        auto builder = OpBuilder::atBlockBegin(&way->front());
        Operation *clone = builder.clone(op);
        op.replaceUsesWithIf(clone->getResults(), [&](OpOperand &use) {
          return use.getOwner()->getParentRegion() == way;
        });
      }
      op.moveBefore(&ways.front()->front(), ways.front()->front().begin());
    }
  }

  scf::ForOp loop;
  /// The comparisons that hold before `middle`.
  llvm::SmallPtrSet<Value, 8> holding;
  Value middle;
  llvm::SmallPtrSet<Region *, 4> maskedWays;
};

} // namespace

void transform::branchOnSelectMasks(scf::ForOp loop, ArrayRef<LoopMask> masks) {
  if (!masks.empty())
    MaskBranches(loop, masks).runOnSelects();
}

void transform::branchOnCopyMasks(scf::ForOp loop, ArrayRef<LoopMask> masks) {
  if (!masks.empty())
    MaskBranches(loop, masks).runOnCopies();
}
