//===- AxisInfo.cpp - Contiguity, divisibility and constancy of integers and pointers -===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// One walk in program order over structured code, not MLIR's SparseForwardDataFlowAnalysis: that
// finds the same in eight times the time (docs/passes-layout.md, "The axis analysis").
//
//===--------------------------------------------------------------------------===//

#include "analysis/AxisInfo.h"

#include "analysis/AxisFacts.h"
#include "analysis/AxisTransfer.h"
#include "analysis/RegionFlow.h"

#include "ir/ttg/Dialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;

namespace tilewright::transform {

/// The walk that fills an analysis.
class AxisInfoWalker {
public:
  AxisInfoWalker(AxisInfoAnalysis &analysis, OpHints hints) : infos(analysis.infos), hints(hints) {}

  void walk(Region &region) {
    for (Block &block : region)
      for (Operation &op : block)
        visit(&op);
  }
  void visit(Operation *op);

private:
  AxisInfo get(Value value) const {
    auto found = infos.find(value);
    return found == infos.end() ? unknownOf(value.getType()) : found->second;
  }
  void set(Value value, AxisInfo info) {
    if (isTracked(value.getType()))
      infos[value] = std::move(info);
  }

  void visitModule(ModuleOp module);
  void visitRegions(RegionBranchOpInterface op);
  void setInductionVar(scf::ForOp op);
  void visitFunction(FunctionOpInterface op);
  void visitSplit(tt::SplitOp op);

  /// Joins `incoming` into what is known of `variable`; whether that changed it. What still changes
  /// in visit `maxVisits` becomes unknown, which ends every loop.
  bool joinInto(Value variable, Value incoming, unsigned visit);

  static void applyHints(Operation *op, AxisInfo &info);

  DenseMap<Value, AxisInfo> &infos;
  OpHints hints;
  /// What all callers of a function, which are known, have for its arguments.
  DenseMap<Value, AxisInfo> ofCallers;
};

static bool isPoison(Value value) { return bool(value.getDefiningOp<ub::PoisonOp>()); }

//===--------------------------------------------------------------------------===//
// Calls
//===--------------------------------------------------------------------------===//

/// Callers first. What calls itself, or is not called, is visited with arguments of which nothing
/// is known.
void AxisInfoWalker::visitModule(ModuleOp module) {
  SmallVector<tt::FuncOp> open;
  DenseMap<Operation *, unsigned> calls;
  for (auto function : module.getOps<tt::FuncOp>()) {
    open.push_back(function);
    if (!function.isPrivate() || function.isExternal())
      continue;
    if (std::optional<SymbolTable::UseRange> uses =
            SymbolTable::getSymbolUses(function.getNameAttr(), &module.getBodyRegion()))
      calls[function] = std::distance(uses->begin(), uses->end());
  }
  auto visitCalls = [&](tt::FuncOp function) {
    function.walk([&](tt::CallOp call) {
      auto callee = module.lookupSymbol<tt::FuncOp>(call.getCallee());
      auto count = calls.find(callee);
      if (count == calls.end())
        return;
      --count->second;
      for (auto [argument, operand] : llvm::zip_equal(callee.getArguments(), call.getOperands())) {
        if (!isTracked(argument.getType()))
          continue;
        auto [entry, isNew] = ofCallers.try_emplace(argument, get(operand));
        if (!isNew)
          entry->second = join(entry->second, get(operand), elementBytes(argument.getType()));
      }
    });
  };
  while (!open.empty()) {
    auto next =
        llvm::find_if(open, [&](tt::FuncOp function) { return calls.lookup(function) == 0; });
    const bool isKnown = next != open.end();
    tt::FuncOp function = isKnown ? *next : open.front();
    llvm::erase(open, function);
    if (!isKnown)
      for (BlockArgument argument : function.getArguments())
        ofCallers.erase(argument);
    visit(function);
    if (!calls.empty())
      visitCalls(function);
  }
  for (Operation &op : *module.getBody())
    if (!isa<tt::FuncOp>(op))
      visit(&op);
}

//===--------------------------------------------------------------------------===//
// Control flow
//===--------------------------------------------------------------------------===//

/// Visits of a loop after which it is no longer waited for values to settle.
static constexpr unsigned maxVisits = 4;

bool AxisInfoWalker::joinInto(Value variable, Value incoming, unsigned visit) {
  if (!isTracked(variable.getType()))
    return false;
  AxisInfo before = get(variable);
  AxisInfo after = join(before, get(incoming), elementBytes(variable.getType()));
  if (after == before)
    return false;
  set(variable, visit < maxVisits ? after : AxisInfo::unknown(before.dims.size()));
  return true;
}

void AxisInfoWalker::setInductionVar(scf::ForOp op) {
  AxisInfo lower = get(op.getLowerBound()), step = get(op.getStep());
  AxisInfo induction = AxisInfo::unknown(1);
  induction.dims[0].divisibility = std::min(lower.divisorOfAll(), step.divisorOfAll());
  // The step is positive, but an unsigned counter may go past the largest signed number.
  induction.nonNegative = lower.nonNegative && !op.getUnsignedCmp();
  set(op.getInductionVar(), induction);
}

void AxisInfoWalker::visitRegions(RegionBranchOpInterface op) {
  // LoopLikeOpInterface has the bounds, but not how they are compared.
  if (auto loop = dyn_cast<scf::ForOp>(*op))
    setInductionVar(loop);
  bool changed = true;
  for (unsigned visit = 0; changed; ++visit) {
    changed = false;
    for (Region &region : op->getRegions()) {
      for (BlockArgument arg : region.getArguments()) {
        // What comes from outside comes first; what comes back is joined into it below.
        SmallVector<Value, 2> incoming = getIncomingValues(arg);
        if (incoming.size() == 1 || (!incoming.empty() && visit == 0))
          set(arg, get(incoming.front()));
      }
      walk(region);
    }
    for (Region &region : op->getRegions())
      for (BlockArgument arg : region.getArguments()) {
        SmallVector<Value, 2> incoming = getIncomingValues(arg);
        for (size_t i = 1; i < incoming.size(); ++i)
          changed |= joinInto(arg, incoming[i], visit);
      }
  }
  for (OpResult result : op->getResults()) {
    if (!isTracked(result.getType()))
      continue;
    SmallVector<Value, 2> incoming = getIncomingValues(result);
    if (BlockArgument carried = getTiedArgument(result)) {
      set(result, get(carried));
    } else if (!incoming.empty()) {
      // Poison may be whatever the other values are.
      if (!llvm::all_of(incoming, isPoison))
        llvm::erase_if(incoming, isPoison);
      AxisInfo info = get(incoming.front());
      for (Value value : llvm::drop_begin(incoming))
        info = join(info, get(value), elementBytes(result.getType()));
      set(result, std::move(info));
    }
  }
}

static int64_t hintOf(Attribute attr) {
  auto number = dyn_cast_or_null<IntegerAttr>(attr);
  int64_t value = number && number.getValue().getSignificantBits() <= 64 ? number.getInt() : 1;
  return value > 0 ? divisorOf(value) : 1;
}

void AxisInfoWalker::visitFunction(FunctionOpInterface op) {
  if (op.isExternal())
    return;
  for (BlockArgument arg : op.getArguments()) {
    AxisInfo info = unknownOf(arg.getType());
    auto hint = [&](StringRef name) { return hintOf(op.getArgAttr(arg.getArgNumber(), name)); };
    if (auto given = ofCallers.find(arg); given != ofCallers.end())
      info = given->second;
    for (auto [dim, size] : llvm::zip_equal(info.dims, shapeOf(arg.getType()))) {
      dim.contiguity = std::max(dim.contiguity, std::min(size, hint(contiguityAttrName)));
      dim.divisibility = std::max(dim.divisibility, hint(divisibilityAttrName));
      dim.constancy = std::max(dim.constancy, std::min(size, hint(constancyAttrName)));
    }
    set(arg, info);
  }
  walk(op.getFunctionBody());
}

void AxisInfoWalker::visitSplit(tt::SplitOp op) {
  AxisInfo info = get(op.getSrc());
  int64_t divisor = info.divisorOfAll(elementBytes(op.getSrc().getType()));
  info.dims.pop_back();
  if (info.dims.empty())
    info.dims.push_back({1, divisor, 1});
  for (Value half : op->getResults())
    set(half, info);
}

void AxisInfoWalker::visit(Operation *op) {
  if (auto branch = dyn_cast<RegionBranchOpInterface>(op))
    return visitRegions(branch);
  if (auto function = dyn_cast<FunctionOpInterface>(op))
    return visitFunction(function);
  if (auto module = dyn_cast<ModuleOp>(op))
    return visitModule(module);
  // A partition sees what its op captures.
  if (auto partitions = dyn_cast<ttg::WarpSpecializePartitionsOp>(op))
    for (Region &region : partitions.getPartitionRegions())
      for (auto [arg, capture] :
           llvm::zip_equal(region.getArguments(), op->getParentOp()->getOperands()))
        set(arg, get(capture));
  for (Region &region : op->getRegions())
    walk(region);
  if (auto split = dyn_cast<tt::SplitOp>(op))
    return visitSplit(split);
  if (op->getNumResults() != 1 || !isTracked(op->getResult(0).getType()))
    return;
  auto facts = [&](Value value) { return get(value); };
  std::optional<AxisInfo> known = evaluateShape(op, facts);
  if (!known)
    known = evaluateArithmetic(op, facts);
  AxisInfo info = known.value_or(unknownOf(op->getResult(0).getType()));
  if (hints == OpHints::Taken)
    applyHints(op, info);
  set(op->getResult(0), std::move(info));
}

void AxisInfoWalker::applyHints(Operation *op, AxisInfo &info) {
  auto apply = [&](StringRef name, int64_t DimInfo::*field, bool bounded) {
    Attribute attr = op->getDiscardableAttr(name);
    if (!attr)
      return;
    auto list = dyn_cast<DenseIntElementsAttr>(attr);
    if (list && !list.isSplat() && list.getNumElements() != static_cast<int64_t>(info.dims.size()))
      return;
    ArrayRef<int64_t> shape = shapeOf(op->getResult(0).getType());
    for (auto [i, dim] : llvm::enumerate(info.dims)) {
      int64_t hint = hintOf(attr);
      if (list) {
        APInt value = list.isSplat() ? list.getSplatValue<APInt>() : list.getValues<APInt>()[i];
        hint = value.isStrictlyPositive() ? divisorOf(value.getSExtValue()) : 1;
      }
      dim.*field = std::max(dim.*field, bounded ? std::min(hint, shape[i]) : hint);
    }
  };
  apply(contiguityAttrName, &DimInfo::contiguity, true);
  apply(divisibilityAttrName, &DimInfo::divisibility, false);
  apply(constancyAttrName, &DimInfo::constancy, true);
}

//===--------------------------------------------------------------------------===//
// AxisInfoAnalysis
//===--------------------------------------------------------------------------===//

AxisInfoAnalysis::AxisInfoAnalysis(Operation *root, OpHints hints) {
  AxisInfoWalker walker(*this, hints);
  walker.visit(root);
}

AxisInfo AxisInfoAnalysis::get(Value value) const {
  auto found = infos.find(value);
  return found == infos.end() ? unknownOf(value.getType()) : found->second;
}

unsigned AxisInfoAnalysis::getVectorWidth(Value pointer, unsigned dim, unsigned maxBits) const {
  DimInfo info = get(pointer).dims[dim];
  int64_t bytes = elementBytes(pointer.getType());
  int64_t width =
      std::min({info.contiguity, std::max<int64_t>(1, info.divisibility / bytes),
                shapeOf(pointer.getType())[dim], std::max<int64_t>(1, maxBits / (8 * bytes))});
  return llvm::bit_floor(static_cast<uint64_t>(width));
}

unsigned AxisInfoAnalysis::getVectorWidth(Value pointer, Value mask, unsigned dim,
                                          unsigned maxBits) const {
  unsigned width = getVectorWidth(pointer, dim, maxBits);
  if (!mask || !isa<RankedTensorType>(mask.getType()))
    return width;
  return std::min<int64_t>(width, get(mask).dims[dim].constancy);
}

} // namespace tilewright::transform
