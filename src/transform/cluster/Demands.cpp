//===- Demands.cpp - The parts of values that a program needs -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/cluster/Demands.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::transform;

bool transform::isVolatileLoad(Operation *op) {
  auto load = dyn_cast<tt::LoadOp>(op);
  return load && load.getIsVolatile() && tt::getElementTypeOrSelf(load.getType()).isIntOrFloat();
}

Value Demands::getCarrier(Value value) {
  auto arg = dyn_cast<BlockArgument>(value);
  if (!arg)
    return value;
  Operation *parent = arg.getOwner()->getParentOp();
  if (auto loop = dyn_cast<scf::ForOp>(parent))
    return arg.getArgNumber() ? Value(loop.getResult(arg.getArgNumber() - 1)) : value;
  if (auto loop = dyn_cast<scf::WhileOp>(parent); loop && arg.getOwner() == loop.getAfterBody())
    return loop.getResult(arg.getArgNumber());
  return value;
}

void Demands::want(Value tile, const ClusterSplit &split) {
  Value carrier = getCarrier(tile);
  Splits &splits = wanted[carrier];
  if (llvm::is_contained(splits, split))
    return;
  splits.push_back(split);
  pending.push_back({carrier, split});
}

void Demands::wantSources(Value carrier, const ClusterSplit &split) {
  if (auto arg = dyn_cast<BlockArgument>(carrier)) {
    auto loop = cast<scf::WhileOp>(arg.getOwner()->getParentOp());
    want(loop.getInits()[arg.getArgNumber()], split);
    want(loop.getYieldOp().getOperand(arg.getArgNumber()), split);
    return;
  }
  Operation *op = carrier.getDefiningOp();
  const unsigned index = cast<OpResult>(carrier).getResultNumber();
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    want(loop.getInitArgs()[index], split);
    want(loop.getYieldedValues()[index], split);
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    want(branch.thenYield().getOperand(index), split);
    want(branch.elseYield().getOperand(index), split);
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    want(loop.getConditionOp().getArgs()[index], split);
  } else {
    compute(op, getSplitFor(op, split));
  }
}

void Demands::compute(Operation *op, const ClusterSplit &split) {
  Splits &splits = computed[op];
  if (llvm::is_contained(splits, split))
    return;
  splits.push_back(split);
  const Splits operands = *getOperandSplits(op, split);
  for (auto [operand, part] : llvm::zip_equal(op->getOperands(), operands))
    if (isTile(operand.getType()))
      want(operand, part);
}

/// Of an op that is computed in one split: which it is.
ClusterSplit Demands::getOwnSplit(Operation *op) const {
  if (auto reduce = dyn_cast<tt::ReduceOp>(op))
    return choice.ofReduced(reduce);
  if (isa<tt::PrintOp, tt::UnsplatOp>(op))
    return ClusterSplit::replicated(choice.numBits());
  if (auto store = dyn_cast<tt::StoreOp>(op); store && isTile(store.getValue().getType()))
    return choice.ofValue(store.getValue());
  for (Value result : op->getResults())
    if (isTile(result.getType()))
      return choice.ofValue(result);
  for (Value operand : op->getOperands())
    if (isTile(operand.getType()))
      return choice.ofValue(operand);
  return ClusterSplit::replicated(choice.numBits());
}

ClusterSplit Demands::getSplitFor(Operation *op, const ClusterSplit &result) const {
  if (isa<tt::ReduceOp, tt::DotOp>(op) || isDoneOnce(op) ||
      llvm::any_of(op->getResultTypes(), llvm::IsaPred<ttg::MemDescType>))
    return getOwnSplit(op);
  if (std::optional<Splits> operands = getOperandSplits(op, result))
    if (llvm::all_of(llvm::zip_equal(op->getOperands(), *operands), [](auto pair) {
          auto [operand, split] = pair;
          return !isTile(operand.getType()) || canDivide(getTileShape(operand.getType()), split);
        }))
      return result;
  return ClusterSplit::replicated(choice.numBits());
}

static tt::FuncOp getCallee(tt::CallOp call) {
  return call->getParentOfType<ModuleOp>().lookupSymbol<tt::FuncOp>(call.getCallee());
}

/// Whether the function that is called has an op for which `holds`.
static bool calleeHas(tt::CallOp call, function_ref<bool(Operation *)> holds) {
  auto stopAt = [&](Operation *op) {
    return holds(op) ? WalkResult::interrupt() : WalkResult::advance();
  };
  return getCallee(call).walk(stopAt).wasInterrupted();
}

/// Whether every block may make the call: of a function of scalars that changes nothing outside.
/// What that function calls is checked there.
static bool canAllCall(tt::CallOp call) {
  return !hasTiles(call) && !getCallee(call).isExternal() && !calleeHas(call, isDoneOnce);
}

LogicalResult Demands::check(Operation *op) const {
  if (auto function = dyn_cast<tt::FuncOp>(op);
      function && llvm::any_of(function.getArgumentTypes(), isTile))
    return function.emitOpError("takes a tensor, which cannot be divided among the blocks of a "
                                "cluster");
  if (isa<tt::FuncOp, tt::ReturnOp, scf::ForOp, scf::IfOp, scf::WhileOp, scf::YieldOp,
          scf::ConditionOp>(op))
    return success();
  auto refuse = [&](const Twine &what) {
    auto error = op->emitOpError() << what;
    error.attachNote() << clusterRemedy;
    return failure();
  };
  if (auto call = dyn_cast<tt::CallOp>(op); call && !canAllCall(call))
    return refuse("calls a function that writes memory or has tensors as arguments, which cannot "
                  "be divided among the blocks of a cluster");
  if (auto poll = dyn_cast<tt::AtomicPollOp>(op); poll && poll.getTimeout())
    return refuse("waits for a time that is over for one block of a cluster and not for another");
  if (op->getNumRegions() && !isa<tt::ReduceOp, tt::ScanOp, tt::MapElementwiseOp>(op))
    return refuse("cannot be run by the blocks of a cluster");
  if (isa<tw::TilewrightDialect>(op->getDialect()))
    return refuse("computes with the warps of one block");
  if (!hasTiles(op))
    return success();
  if (!canDistribute(op))
    return refuse("cannot be divided among the blocks of a cluster");
  if (auto reduce = dyn_cast<tt::ReduceOp>(op))
    if (auto split = getLayoutSplit(reduce.getSrcs()[0].getType(), choice.numBits());
        split && split->divides(static_cast<int32_t>(reduce.getAxis())))
      return refuse("reduces tensors along a dimension that their layout divides among blocks");
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    if (auto dense = dyn_cast<DenseElementsAttr>(constant.getValue()); !dense || !dense.isSplat())
      return refuse("is a table, which cannot be divided among the blocks of a cluster");
  for (TypeRange types : {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
    for (Type type : types)
      if (auto tensor = dyn_cast<RankedTensorType>(type); isTile(type) &&
                                                          (!tensor || tensor.getEncoding()) &&
                                                          !getLayoutSplit(type, choice.numBits())) {
        auto error = op->emitOpError()
                     << "has a layout whose blocks cannot be told apart: " << type;
        error.attachNote() << "give CGALayout one basis for each bit of " << ttg::numCTAsAttrName
                           << ", ascending in each dimension";
        return failure();
      }
  return success();
}

/// Code that does more than to compute its results.
static bool isImpure(Operation *op) {
  auto assembly = dyn_cast<tt::ElementwiseInlineAsmOp>(op);
  return assembly && !assembly.getPure();
}

LogicalResult Demands::find(tt::FuncOp kernel) {
  SmallVector<Operation *> roots;
  WalkResult checked = kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (failed(check(op)))
      return WalkResult::interrupt();
    const bool isControl =
        isa<scf::SCFDialect>(op->getDialect()) || op->hasTrait<OpTrait::IsTerminator>();
    if (hasTiles(op) && !isControl && !isa<tt::ReturnOp>(op) &&
        (isDoneOnce(op) || llvm::none_of(op->getResultTypes(), isTile) || isImpure(op)))
      roots.push_back(op);
    // What a region of a reduction does is about single elements.
    return isa<tt::ReduceOp, tt::ScanOp, tt::MapElementwiseOp>(op) ? WalkResult::skip()
                                                                   : WalkResult::advance();
  });
  if (checked.wasInterrupted())
    return failure();
  for (Operation *op : roots)
    compute(op, getOwnSplit(op));
  while (!pending.empty()) {
    auto [carrier, split] = pending.pop_back_val();
    wantSources(carrier, split);
  }
  findCommonLoads(kernel);
  return success();
}

//===----------------------------------------------------------------------------===//
// Loads that several blocks make
//===----------------------------------------------------------------------------===//

/// The kernel's argument that pointers are computed from; null where it is not seen.
static Value findBase(Value pointer) {
  for (;;) {
    if (auto arg = dyn_cast<BlockArgument>(pointer)) {
      auto loop = dyn_cast<scf::ForOp>(arg.getOwner()->getParentOp());
      if (!loop)
        return isa<tt::FuncOp>(arg.getOwner()->getParentOp()) ? pointer : Value();
      pointer = loop.getInitArgs()[arg.getArgNumber() - 1];
      continue;
    }
    Operation *op = pointer.getDefiningOp();
    if (auto loop = dyn_cast<scf::ForOp>(op))
      pointer = loop.getInitArgs()[cast<OpResult>(pointer).getResultNumber()];
    else if (isa<tt::AddPtrOp, tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp, tt::ReshapeOp,
                 tt::TransOp, tt::BitcastOp, ttg::ConvertLayoutOp>(op))
      pointer = op->getOperand(0);
    else
      return {};
  }
}

void Demands::findCommonLoads(tt::FuncOp kernel) {
  kernel.walk([&](tt::CallOp call) {
    if (calleeHas(call, llvm::IsaPred<tt::LoadOp, tt::CallOp>))
      commonLoads.insert(Value());
  });
  kernel.walk([&](tt::LoadOp load) {
    // A scalar is loaded by all.
    const ArrayRef<ClusterSplit> splits = getComputed(load);
    const bool isOne = isVolatileLoad(load) ||
                       (isTile(load.getType()) &&
                        (splits.empty() || (splits.size() == 1 && splits.front().copies() == 0)));
    if (!isOne)
      commonLoads.insert(findBase(load.getPtr()));
  });
}

bool Demands::mayOverwriteLoads(Operation *op) const {
  if (commonLoads.empty() || isa<tt::PrintOp, tt::LoadOp>(op))
    return false;
  Value base = findBase(op->getOperand(0));
  return !base || commonLoads.contains(base) || commonLoads.contains(Value());
}
