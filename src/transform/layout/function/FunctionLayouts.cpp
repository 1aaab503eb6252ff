//===- FunctionLayouts.cpp - The layout problem of a function -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/layout/function/FunctionLayouts.h"

#include "analysis/RegionFlow.h"
#include "ir/ttg/query/Conversion.h"
#include "transform/layout/LayoutTypes.h"
#include "transform/layout/candidates/ProductLoads.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace tilewright::transform {

using tt::LayoutRule;

/// Whether the value is a tensor with a layout; others are none of the problem's business.
static bool isTensor(Value value) { return bool(getLayout(value.getType())); }

/// The layout the value has in the program as it is.
static Attribute originalLayout(Value value) { return getLayout(value.getType()); }

/// The value whose variable is that of `value`.
static Value keyOf(Value value) {
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

/// Whether `op` is a loop whose arguments may have any layout.
static bool isForwardingLoop(Operation *op) {
  return isa<LoopLikeOpInterface>(op) && tt::getLayoutRule(op) == LayoutRule::Forwards;
}

FunctionLayouts::FunctionLayouts(tt::FuncOp function,
                                 ArrayRef<std::unique_ptr<LayoutProvider>> providers)
    : problem(*this), plans(ttg::getPlanCache(function)), spills(function) {
  number(function.getBody());
  connect();
  for (Value load : findProductLoads(function))
    problem.variables[*variableOf(load)].isStaged = true;
  addUsers(function);
  function.walk([&](Operation *op) {
    SmallVector<LayoutProposal> proposals;
    for (const std::unique_ptr<LayoutProvider> &provider : providers)
      provider->propose(op, proposals);
    addAlternatives(op, proposals);
  });
}

std::optional<VariableId> FunctionLayouts::variableOf(Value value) const {
  const auto found = variableIds.find(keyOf(value));
  return found == variableIds.end() ? std::nullopt : std::optional(found->second);
}

std::optional<size_t> FunctionLayouts::userOf(Operation *op) const {
  const auto found = userIds.find(op);
  return found == userIds.end() ? std::nullopt : std::optional(found->second);
}

//===--------------------------------------------------------------------------===//
// Variables
//===--------------------------------------------------------------------------===//

VariableId FunctionLayouts::addVariable(Value key, Cost frequency) {
  const VariableId variable = keys.size();
  variableIds[key] = variable;
  keys.push_back(key);
  LayoutVariable &added = problem.variables.emplace_back();
  added.form = formOf(cast<RankedTensorType>(key.getType()));
  added.original = idOf(originalLayout(key));
  added.frequency = frequency;
  return variable;
}

void FunctionLayouts::number(Region &region) {
  const Cost frequency = executionsOf(&region);
  for (Block &block : region) {
    for (BlockArgument arg : block.getArguments())
      if (isTensor(arg) && !variableIds.contains(arg))
        addVariable(arg, frequency);
    for (Operation &op : block)
      number(&op, frequency);
  }
}

void FunctionLayouts::number(Operation *op, Cost frequency) {
  if (isForwardingLoop(op))
    numberLoop(op);
  else
    for (Region &region : op->getRegions())
      number(region);
  for (Value result : op->getResults())
    if (isTensor(result) && keyOf(result) == result)
      addVariable(result, frequency);
}

/// What the loop carries comes first: its body uses that.
void FunctionLayouts::numberLoop(Operation *op) {
  const size_t place = problem.loops.size();
  problem.loops.emplace_back().begin = keys.size();
  SmallVector<VariableId> carried;
  for (Region &region : op->getRegions())
    for (BlockArgument arg : region.getArguments())
      if (isTensor(arg))
        carried.push_back(addVariable(arg, executionsOf(&region)));
  for (Region &region : op->getRegions())
    number(region);
  LayoutLoop &loop = problem.loops[place];
  loop.carried = std::move(carried);
  loop.end = keys.size();
  loop.nested = problem.loops.size() - place - 1;
  // A loop without tensors is none to the problem.
  if (loop.begin == loop.end)
    problem.loops.pop_back();
}

void FunctionLayouts::connect() {
  for (auto [variable, key] : llvm::zip_equal(problem.variables, keys)) {
    Operation *owner = ownerOf(key);
    const SmallVector<Value, 2> incoming = incomingValues(key);
    if (!incoming.empty()) {
      variable.rule = LayoutRule::Forwards;
      variable.isCarried = isForwardingLoop(owner);
      for (Value value : incoming)
        variable.operands.push_back(*variableOf(value));
      continue;
    }
    const LayoutRule rule = isa<BlockArgument>(key) ? LayoutRule::Anchor : tt::getLayoutRule(owner);
    variable.rule = tt::keepsResults(rule) ? LayoutRule::Anchor : rule;
    if (variable.isFixed())
      continue;
    if (rule == LayoutRule::AnyResult || rule == LayoutRule::SameLayout)
      variable.instructions = cast<tt::LayoutOp>(owner).getInstructionsPerElement();
    if (!tt::tiesLayouts(rule))
      continue;
    for (Value operand : owner->getOperands())
      if (isTensor(operand))
        variable.operands.push_back(*variableOf(operand));
    variable.sinks = findSinks(owner);
  }
}

/// The anchors that the first result of `op` goes straight to.
SmallVector<LayoutSink, 1> FunctionLayouts::findSinks(Operation *op) {
  auto isAnchor = [](Operation *user) { return tt::getLayoutRule(user) == LayoutRule::Anchor; };
  SmallVector<LayoutSink, 1> sinks;
  for (Operation *user : op->getResult(0).getUsers()) {
    Attribute wanted;
    if (auto convert = dyn_cast<ttg::ConvertLayoutOp>(user)) {
      if (llvm::any_of(convert->getUsers(), isAnchor))
        wanted = originalLayout(convert);
    } else if (isAnchor(user)) {
      wanted = originalLayout(op->getResult(0));
    }
    if (wanted)
      sinks.push_back({idOf(wanted), executionsOf(user->getParentRegion())});
  }
  return sinks;
}

//===--------------------------------------------------------------------------===//
// Users
//===--------------------------------------------------------------------------===//

void FunctionLayouts::addUsers(tt::FuncOp function) {
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    const LayoutRule rule = tt::getLayoutRule(op);
    const bool isOfScalars = rule == LayoutRule::Collective && !isTensor(op->getResult(0));
    if (tt::keepsResults(rule) || isOfScalars)
      addUser(op, isOfScalars ? LayoutRule::AnyLayout : rule);
    if (rule != LayoutRule::Forwards)
      return;
    auto keep = [&](Value value) {
      if (isTensor(value) && keyOf(value) == value)
        problem.kept.push_back(*variableOf(value));
    };
    for (Region &region : op->getRegions())
      llvm::for_each(region.getArguments(), keep);
    llvm::for_each(op->getResults(), keep);
  });
}

void FunctionLayouts::addUser(Operation *op, LayoutRule rule) {
  LayoutUser user;
  // Operands of one shape go together: a tensor and its mask, what is reduced together.
  const bool areTied =
      rule == LayoutRule::AnyLayout && op->getNumOperands() > 0 && isTensor(op->getOperand(0));
  user.rule = rule == LayoutRule::Anchor ? rule
              : areTied                  ? LayoutRule::AnyLayout
                                         : LayoutRule::AnyLayouts;
  for (Value operand : op->getOperands())
    if (isTensor(operand)) {
      user.operands.push_back(*variableOf(operand));
      if (rule == LayoutRule::Anchor)
        user.layouts.push_back(idOf(originalLayout(operand)));
    }
  for (Value result : op->getResults())
    if (isTensor(result))
      user.results.push_back(*variableOf(result));
  if (user.operands.empty() && user.results.empty())
    return;
  userIds[op] = problem.users.size();
  problem.users.push_back(std::move(user));
}

/// The first of the proposals for the layouts that the op has is what the op costs as it is. Of the
/// others the cheapest are taken.
void FunctionLayouts::addAlternatives(Operation *op, ArrayRef<LayoutProposal> proposals) {
  constexpr size_t maxAlternatives = 6;
  const std::optional<size_t> user = userOf(op);
  const auto *present =
      llvm::find_if(proposals, [&](const LayoutProposal &each) { return each.isOf(op); });
  if (!user || problem.users[*user].rule != LayoutRule::Anchor || present == proposals.end())
    return;
  SmallVector<const LayoutProposal *> chosen = {present};
  for (const LayoutProposal &each : proposals)
    if (llvm::none_of(chosen, [&](auto *other) { return each.hasLayoutsOf(*other); }))
      chosen.push_back(&each);
  std::sort(chosen.begin() + 1, chosen.end(),
            [](auto *a, auto *b) { return std::pair(a->cost, a) < std::pair(b->cost, b); });
  if (chosen.size() == 1)
    return;
  const Cost frequency = executionsOf(op->getParentRegion());
  for (const LayoutProposal *each :
       ArrayRef(chosen).take_front(std::min(chosen.size(), maxAlternatives))) {
    LayoutAlternative &added = problem.users[*user].alternatives.emplace_back();
    for (Attribute layout : each->operands)
      added.operands.push_back(idOf(layout));
    for (Attribute layout : each->results)
      added.results.push_back(idOf(layout));
    added.cost = each->cost * frequency;
    added.why = each->why;
  }
}

//===--------------------------------------------------------------------------===//
// Facts
//===--------------------------------------------------------------------------===//

LayoutId FunctionLayouts::idOf(Attribute layout) {
  if (!layout)
    return noLayout;
  auto [entry, isNew] = layoutIds.try_emplace(layout, layouts.size());
  if (isNew)
    layouts.push_back(layout);
  return entry->second;
}

std::optional<LayoutId> FunctionLayouts::findLayout(Attribute layout) const {
  const auto found = layoutIds.find(layout);
  return found == layoutIds.end() ? std::nullopt : std::optional(found->second);
}

FormId FunctionLayouts::formOf(RankedTensorType type) {
  const auto plain = RankedTensorType::get(type.getShape(), type.getElementType());
  auto [entry, isNew] = formIds.try_emplace(plain, forms.size());
  if (isNew)
    forms.push_back(plain);
  return entry->second;
}

RankedTensorType FunctionLayouts::typeOf(FormId form, LayoutId layout) const {
  return withLayout(forms[form], layouts[layout]);
}

LayoutId FunctionLayouts::resultLayout(VariableId variable, LayoutId operands) {
  auto op = cast<tt::LayoutOp>(keys[variable].getDefiningOp());
  return idOf(op.inferResultLayout(layouts[operands]));
}

LayoutId FunctionLayouts::operandLayout(VariableId variable, LayoutId result) {
  Operation *op = keys[variable].getDefiningOp();
  if (Attribute layout = cast<tt::LayoutOp>(op).inferOperandLayout(layouts[result]))
    return idOf(layout);
  // In the layout it has the op is valid as it stands.
  return result == problem.variables[variable].original ? idOf(originalLayout(op->getOperand(0)))
                                                        : noLayout;
}

Cost FunctionLayouts::registers(FormId form, LayoutId layout) {
  return countRegisters(typeOf(form, layout));
}

Cost FunctionLayouts::spill(FormId form, LayoutId layout) {
  return spills.costOf(typeOf(form, layout));
}

Cost FunctionLayouts::conversion(FormId form, LayoutId from, LayoutId to) {
  return costOfConversion(typeOf(form, from), typeOf(form, to), plans);
}

Cost FunctionLayouts::combination(VariableId variable, LayoutId operands) {
  return costOfCombination(keys[variable].getDefiningOp(), layouts[operands], plans);
}

std::string FunctionLayouts::describeLayout(LayoutId layout) {
  std::string text;
  llvm::raw_string_ostream(text) << layouts[layout];
  return text;
}

std::string FunctionLayouts::describeForm(FormId form) {
  std::string text;
  llvm::raw_string_ostream out(text);
  for (int64_t size : forms[form].getShape())
    out << size << "x";
  out << forms[form].getElementType();
  return text;
}

std::string FunctionLayouts::describeVariable(VariableId variable) {
  const Value key = keys[variable];
  const std::string name = ownerOf(key)->getName().getStringRef().str();
  return isa<BlockArgument>(key) ? "argument of " + name : name;
}

//===--------------------------------------------------------------------------===//
// Choices
//===--------------------------------------------------------------------------===//

SmallVector<Attribute, 1> LayoutChoice::versions(Value value) const {
  SmallVector<Attribute, 1> result;
  if (const std::optional<VariableId> variable = layouts.variableOf(value))
    for (const LayoutSolution::Version &version : solution.versions[*variable])
      result.push_back(layouts.layoutOf(version.layout));
  return result;
}

Attribute LayoutChoice::conversionSource(Value value, Attribute layout) const {
  const auto found =
      solution.conversions.find({*layouts.variableOf(value), *layouts.findLayout(layout)});
  return found == solution.conversions.end() ? Attribute() : layouts.layoutOf(found->second);
}

Attribute LayoutChoice::operandLayout(Operation *op, unsigned number, Attribute result) const {
  if (!isTensor(op->getOperand(number)))
    return {};
  if (const std::optional<size_t> user = layouts.userOf(op)) {
    const auto before = op->getOperands().take_front(number);
    return layouts.layoutOf(solution.uses[*user][llvm::count_if(before, isTensor)]);
  }
  const VariableId variable = *layouts.variableOf(op->getResult(0));
  const LayoutId wanted = *layouts.findLayout(result);
  const auto *version =
      llvm::find_if(solution.versions[variable],
                    [&](const LayoutSolution::Version &each) { return each.layout == wanted; });
  return layouts.layoutOf(version->operands);
}

} // namespace tilewright::transform
