//===- LayoutPlan.cpp - Choice of a layout for every tensor of a function -----===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/layout/LayoutPlan.h"

#include "analysis/RegionFlow.h"
#include "ir/ttg/Conversion.h"
#include "transform/layout/ProductLoads.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace tilewright::transform {

using tt::LayoutRule;

/// A value is not computed in more layouts than this.
static constexpr size_t maxVersions = 4;
/// Values looked at to find out what computing one of them costs.
static constexpr size_t maxVisited = 512;

Value stripConversions(Value value) {
  while (auto convert = value.getDefiningOp<ttg::ConvertLayoutOp>())
    value = convert.getSrc();
  return value;
}

Value keyOf(Value value) {
  value = stripConversions(value);
  auto result = dyn_cast<OpResult>(value);
  if (!result)
    return value;
  const LayoutRule rule = tt::getLayoutRule(result.getOwner());
  if (rule == LayoutRule::Forwards) {
    BlockArgument carried = getTiedArgument(result);
    return carried ? Value(carried) : value;
  }
  // What an op gives several of, in one layout, is kept together.
  return result.getResultNumber() > 0 && tt::tiesLayouts(rule) ? result.getOwner()->getResult(0)
                                                               : value;
}

/// Whether the value is a tensor with a layout; others are none of the plan's business.
static bool isTensor(Value value) { return bool(getLayout(value.getType())); }

/// The op that gives the value, as its result or as an argument of its regions.
static Operation *ownerOf(Value value) {
  auto arg = dyn_cast<BlockArgument>(value);
  return arg ? arg.getOwner()->getParentOp() : value.getDefiningOp();
}

/// The values that flow into a key through structured control flow; none for others.
static SmallVector<Value, 2> incomingValues(Value key) {
  return tt::getLayoutRule(ownerOf(key)) == LayoutRule::Forwards ? getIncomingValues(key)
                                                                 : SmallVector<Value, 2>();
}

/// Whether the value stays in the layout it has: a result of an anchor, an argument of a block
/// that no control flow passes it to.
static bool isFixed(Value key) {
  if (isa<BlockArgument>(key))
    return incomingValues(key).empty();
  return tt::keepsResults(tt::getLayoutRule(key.getDefiningOp()));
}

/// Whether `op` is a loop whose arguments may have any layout.
static bool isForwardingLoop(Operation *op) {
  return isa<LoopLikeOpInterface>(op) && tt::getLayoutRule(op) == LayoutRule::Forwards;
}

LayoutPlan::LayoutPlan(tt::FuncOp function)
    : costs(ttg::getPlanCache(function)), productLoads(findProductLoads(function)) {
  findAnchors(function.getBody());

  SmallVector<Operation *> takers;
  SmallVector<Value> carried;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    const LayoutRule rule = tt::getLayoutRule(op);
    if (rule == LayoutRule::Anchor)
      return demandOperandsOfAnchor(op);
    if (rule == LayoutRule::AnyLayout || rule == LayoutRule::AnyLayouts ||
        (rule == LayoutRule::Collective && !isTensor(op->getResult(0))))
      takers.push_back(op);
    if (rule != LayoutRule::Forwards)
      return;
    for (Region &region : op->getRegions())
      llvm::append_range(carried, region.getArguments());
    for (Value result : op->getResults())
      if (keyOf(result) == result)
        carried.push_back(result);
  });
  satisfyDemands();
  // Ops that take any layout come last, so that they find what there is.
  for (Operation *op : takers) {
    demandAnyLayout(op);
    satisfyDemands();
  }
  for (Value value : carried)
    if (isTensor(value) && versions(value).empty())
      demand(value, preferredLayout(value));
  satisfyDemands();
}

ArrayRef<Attribute> LayoutPlan::versions(Value key) const {
  auto found = versionLists.find(key);
  return found == versionLists.end() ? ArrayRef<Attribute>() : ArrayRef(found->second);
}

Attribute LayoutPlan::conversionSource(Value key, Attribute layout) const {
  return conversionSources.lookup({key, layout});
}

Attribute LayoutPlan::operandLayout(Operation *op, unsigned number, Attribute result) const {
  if (!isTensor(op->getOperand(number)))
    return {};
  if (auto own = ownOperandLayouts.find(op); own != ownOperandLayouts.end())
    return own->second[number];
  return operandLayouts.lookup({op, result});
}

//===--------------------------------------------------------------------------===//
// Anchors
//===--------------------------------------------------------------------------===//

void LayoutPlan::setAnchor(Value value, Attribute layout) {
  if (layout)
    anchors[keyOf(value)] = layout;
  else
    anchors.erase(keyOf(value));
}

void LayoutPlan::findAnchors(Region &region) {
  for (Block &block : region) {
    for (BlockArgument arg : block.getArguments())
      if (isTensor(arg) && isFixed(arg))
        setAnchor(arg, originalLayout(arg));
    for (Operation &op : block)
      findAnchors(&op);
  }
}

/// Whether the op has to do with tensors.
static bool touchesTensors(Operation *op) {
  return llvm::any_of(op->getOperands(), isTensor) || llvm::any_of(op->getResults(), isTensor);
}

void LayoutPlan::findAnchors(Operation *op) {
  if (isForwardingLoop(op))
    return findLoopAnchors(op);
  for (Region &region : op->getRegions())
    findAnchors(region);
  if (!touchesTensors(op))
    return;
  switch (tt::getLayoutRule(op)) {
  case LayoutRule::Anchor:
  case LayoutRule::AnyLayout:
  case LayoutRule::AnyLayouts:
    for (Value result : op->getResults())
      if (isTensor(result))
        setAnchor(result, originalLayout(result));
    break;
  case LayoutRule::SameLayout:
  case LayoutRule::Inferred:
  case LayoutRule::Collective:
    if (isTensor(op->getResult(0)))
      setAnchor(op->getResult(0), chooseAnchor(op));
    break;
  case LayoutRule::Forwards:
    // The first of the values that flow into a result and have an anchor.
    for (Value result : op->getResults()) {
      if (!isTensor(result))
        continue;
      SmallVector<Value, 2> incoming = incomingValues(result);
      for (Value value : llvm::reverse(incoming))
        if (anchor(value))
          setAnchor(result, anchor(value));
    }
    break;
  case LayoutRule::AnyResult:
  case LayoutRule::Conversion:
    break;
  }
}

/// What a loop carries lives where the loop computes it, or else where it came from. What is
/// yielded is known only after a walk over the body, and the body again depends on what it
/// carries: each round settles at least one more value.
void LayoutPlan::findLoopAnchors(Operation *loop) {
  SmallVector<Value> carried;
  for (Region &region : loop->getRegions())
    for (BlockArgument arg : region.getArguments())
      if (isTensor(arg))
        carried.push_back(arg);
  for (bool withInitialValues : {false, true}) {
    bool changed = true;
    while (changed) {
      for (Region &region : loop->getRegions())
        findAnchors(region);
      changed = false;
      for (Value arg : carried) {
        if (anchors.contains(arg))
          continue;
        SmallVector<Value, 2> incoming = incomingValues(arg);
        Attribute layout = anchor(incoming.back());
        if (!layout && withInitialValues)
          layout = anchor(incoming.front());
        if (!layout)
          continue;
        setAnchor(arg, layout);
        changed = true;
      }
    }
    if (llvm::all_of(carried, [&](Value arg) { return anchors.contains(arg); }))
      break;
  }
}

Attribute LayoutPlan::chooseAnchor(Operation *op) {
  // Layouts of the operands, and of the results that go with them.
  SmallVector<Attribute, 2> sources, candidates;
  auto layoutOp = cast<tt::LayoutOp>(op);
  for (Value operand : op->getOperands()) {
    Attribute source = isTensor(operand) && !productLoads.contains(stripConversions(operand))
                           ? anchor(operand)
                           : Attribute();
    if (!source || llvm::is_contained(sources, source))
      continue;
    if (Attribute layout = layoutOp.inferResultLayout(source)) {
      sources.push_back(source);
      candidates.push_back(layout);
    }
  }
  if (candidates.size() <= 1)
    return candidates.empty() ? Attribute() : candidates.front();

  Attribute best;
  Cost bestCost = 0;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  for (auto [source, layout] : llvm::zip_equal(sources, candidates)) {
    Cost cost = 0;
    for (Value operand : op->getOperands()) {
      Visited visited;
      if (isTensor(operand))
        cost += costOf(operand, source, impossible, visited);
    }
    // Where the result goes straight into an anchor, its layout counts, too.
    for (Operation *user : op->getResult(0).getUsers()) {
      Attribute wanted;
      if (auto convert = dyn_cast<ttg::ConvertLayoutOp>(user)) {
        if (llvm::any_of(convert->getUsers(), [](Operation *next) {
              return tt::getLayoutRule(next) == LayoutRule::Anchor;
            }))
          wanted = originalLayout(convert);
      } else if (tt::getLayoutRule(user) == LayoutRule::Anchor) {
        wanted = type.getEncoding();
      }
      if (wanted)
        cost +=
            costs.convert(type, layout, wanted) * LayoutCost::frequency(user->getParentRegion());
    }
    if (!best || cost < bestCost) {
      best = layout;
      bestCost = cost;
    }
  }
  return best;
}

//===--------------------------------------------------------------------------===//
// Versions
//===--------------------------------------------------------------------------===//

Attribute LayoutPlan::preferredLayout(Value value) const {
  Value key = keyOf(value);
  if (Attribute layout = anchors.lookup(key))
    return layout;
  return versions(key).empty() ? originalLayout(key) : versions(key).front();
}

void LayoutPlan::demand(Value value, Attribute layout) {
  demands.emplace_back(keyOf(value), layout);
}

void LayoutPlan::demandOperandsOfAnchor(Operation *op) {
  for (Value result : op->getResults())
    if (isTensor(result))
      demand(result, originalLayout(result));
  if (llvm::none_of(op->getOperands(), isTensor))
    return;
  auto &layouts = ownOperandLayouts[op];
  for (Value operand : op->getOperands()) {
    layouts.push_back(isTensor(operand) ? originalLayout(operand) : Attribute());
    if (layouts.back())
      demand(operand, layouts.back());
  }
}

void LayoutPlan::demandAnyLayout(Operation *op) {
  // Operands of one shape go together: a tensor and its mask, what is reduced together.
  auto &layouts = ownOperandLayouts[op];
  for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
    layouts.emplace_back();
    if (!isTensor(operand))
      continue;
    layouts.back() = preferredLayout(operand);
    if (tt::getLayoutRule(op) != LayoutRule::AnyLayouts && isTensor(op->getOperand(0)))
      layouts.back() = layouts.front();
    demand(operand, layouts.back());
  }
  for (Value result : op->getResults())
    if (isTensor(result))
      demand(result, originalLayout(result));
}

void LayoutPlan::satisfyDemands() {
  // First demanded, first served: what a list of demands adds is dealt with after the list.
  while (!demands.empty()) {
    auto batch = std::move(demands);
    demands.clear();
    for (auto [key, layout] : batch)
      satisfy(key, layout);
  }
}

void LayoutPlan::satisfy(Value key, Attribute layout) {
  if (hasVersion(key, layout) || conversionSources.contains({key, layout}))
    return;
  Attribute base = anchors.lookup(key);
  if (!base && !versions(key).empty())
    base = versions(key).front();
  if (!base && canCompute(key, layout))
    return addVersion(key, layout);
  if (!base) {
    // Nothing else is known to work, but what there was did.
    base = originalLayout(key);
    anchors[key] = base;
  }
  if (base == layout)
    return addVersion(key, layout);
  if (versions(key).size() < maxVersions && canCompute(key, layout)) {
    Visited visited;
    Cost converting = costOfConverting(key, layout);
    if (costOfComputing(key, layout, converting, visited) < converting)
      return addVersion(key, layout);
  }
  conversionSources[{key, layout}] = base;
  demands.emplace_back(key, base);
}

/// The layout the operands of an op whose rule ties layouts need; null if there is none.
Attribute LayoutPlan::layoutNeeded(Operation *op, Attribute result) const {
  auto layoutOp = cast<tt::LayoutOp>(op);
  // Where the result's anchor follows from an operand's, that one needs no conversion.
  if (layoutOp.getLayoutRule() != LayoutRule::SameLayout)
    for (Value operand : op->getOperands())
      if (Attribute source = isTensor(operand) ? anchor(operand) : Attribute();
          source && layoutOp.inferResultLayout(source) == result)
        return source;
  if (Attribute layout = layoutOp.inferOperandLayout(result))
    return layout;
  // In the layout it has the op is valid as it stands.
  return result == originalLayout(op->getResult(0)) ? originalLayout(op->getOperand(0))
                                                    : Attribute();
}

bool LayoutPlan::canCompute(Value key, Attribute layout) {
  if (isFixed(key))
    return layout == originalLayout(key);
  const LayoutRule rule = tt::getLayoutRule(ownerOf(key));
  // Carried by a loop, chosen by a branch, or of no operands.
  if (rule == LayoutRule::Forwards || rule == LayoutRule::AnyResult)
    return true;
  if (rule == LayoutRule::Collective && !versions(key).empty())
    return false;
  Operation *op = key.getDefiningOp();
  return bool(layoutNeeded(op, layout));
}

void LayoutPlan::addVersion(Value key, Attribute layout) {
  versionLists[key].push_back(layout);
  if (isFixed(key))
    return;
  if (SmallVector<Value, 2> incoming = incomingValues(key); !incoming.empty()) {
    for (Value value : incoming)
      demand(value, layout);
    return;
  }
  Operation *op = key.getDefiningOp();
  if (tt::getLayoutRule(op) == LayoutRule::AnyResult)
    return;
  Attribute needed = layoutNeeded(op, layout);
  operandLayouts[{op, layout}] = needed;
  for (Value operand : op->getOperands())
    if (isTensor(operand))
      demand(operand, needed);
}

//===--------------------------------------------------------------------------===//
// Costs
//===--------------------------------------------------------------------------===//

Cost LayoutPlan::costOfConverting(Value key, Attribute layout) {
  if (productLoads.contains(key))
    return 0;
  Attribute base = anchors.lookup(key);
  if (!base)
    base = versions(key).empty() ? Attribute() : versions(key).front();
  if (!base)
    return impossible;
  return costs.convert(cast<RankedTensorType>(key.getType()), base, layout) *
         LayoutCost::frequency(key.getParentRegion());
}

Cost LayoutPlan::costOf(Value value, Attribute layout, Cost limit, Visited &visited) {
  Value key = keyOf(value);
  // What this question has already counted costs nothing more.
  if (anchors.lookup(key) == layout || hasVersion(key, layout) ||
      conversionSources.contains({key, layout}) || !visited.insert({key, layout}).second)
    return 0;
  Cost converting = costOfConverting(key, layout);
  if (converting == 0)
    return 0;
  return std::min(converting, costOfComputing(key, layout, std::min(limit, converting), visited));
}

Cost LayoutPlan::costOfOperands(ValueRange values, Attribute layout, Cost limit, Visited &visited) {
  Cost cost = 0;
  for (Value value : values)
    if (isTensor(value) && cost < limit)
      cost += costOf(value, layout, limit - cost, visited);
  return std::min(impossible, cost);
}

Cost LayoutPlan::costOfComputing(Value key, Attribute layout, Cost limit, Visited &visited) {
  if (visited.size() > maxVisited || !canCompute(key, layout))
    return impossible;
  SmallVector<Value, 2> incoming = incomingValues(key);
  if (!incoming.empty()) {
    // Carrying a value twice keeps twice the registers: only for what has no anchor.
    if (anchors.contains(key))
      return impossible;
    return costOfOperands(incoming, layout, limit, visited);
  }
  Operation *op = key.getDefiningOp();
  const LayoutRule rule = op ? tt::getLayoutRule(op) : LayoutRule::Anchor;
  if (tt::keepsResults(rule) || rule == LayoutRule::Collective)
    return impossible;
  Cost cost = 0;
  if (rule != LayoutRule::Inferred)
    cost = costs.compute(op, layout) * LayoutCost::frequency(op->getParentRegion());
  if (rule == LayoutRule::AnyResult || cost >= limit)
    return cost;
  return cost + costOfOperands(op->getOperands(), layoutNeeded(op, layout), limit - cost, visited);
}

} // namespace tilewright::transform
