//===- Combiner.cpp - Emission of a combining region --------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/collective/Combiner.h"

#include "ir/ttg/Dialect.h"
#include "lower/core/blocks/Assertion.h"
#include "lower/core/types/VectorValues.h"
#include "lower/elementwise/DeviceFunctions.h"
#include "lower/elementwise/InlineAsm.h"
#include "lower/elementwise/VectorGroups.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

/// A constant's attribute in its converted type: some floats are their bits.
static TypedAttr convertConstant(TypedAttr value, Type type) {
  if (auto number = dyn_cast<FloatAttr>(value); number && type != number.getType())
    return IntegerAttr::get(type, number.getValue().bitcastToAPInt());
  return value;
}

bool Combiner::isEmittableAssembly(Operation &op) {
  auto assembly = dyn_cast<tt::ElementwiseInlineAsmOp>(op);
  SmallVector<Type> operands, results;
  return assembly && e.target.hasInlineAssembly() &&
         succeeded(converter.convertTypes(op.getOperandTypes(), operands)) &&
         succeeded(converter.convertTypes(op.getResultTypes(), results)) &&
         checkInlineAsm(e, assembly, operands, results).empty();
}

Operation *Combiner::findUnsupported() {
  for (Block &block : region)
    for (Operation &op : block)
      if (!scalarOps.find(op.getName()) &&
          !isa<arith::ConstantOp, tt::ExternElementwiseOp, tt::ReduceReturnOp, tt::ScanReturnOp,
               tt::MapElementwiseReturnOp, cf::BranchOp, cf::CondBranchOp>(op) &&
          !(isa<tt::AssertOp>(op) && e.target.canFail()) && !isEmittableAssembly(op))
        return &op;
  return nullptr;
}

Value Combiner::lookUp(const Values &values, Value value) {
  // What the region takes from outside is a scalar that was converted before.
  Value mapped = values.lookup(value);
  return mapped ? mapped : rewriter.getRemappedValue(value);
}

Item Combiner::lookUpAll(const Values &values, ValueRange range) {
  return llvm::map_to_vector<2>(range, [&](Value value) { return lookUp(values, value); });
}

void Combiner::emitOp(Operation &op, Values &values) {
  e.loc = op.getLoc();
  Item operands = lookUpAll(values, op.getOperands());
  if (auto assertion = dyn_cast<tt::AssertOp>(op)) {
    Value holds = operands[0];
    if (areItems)
      holds = e.create<LLVM::OrOp>(
          holds, e.create<LLVM::XOrOp>(areItems, e.getInt(rewriter.getI1Type(), 1)));
    return emitAssertion(e, rewriter, assertion, holds);
  }
  SmallVector<Type> types;
  for (Type type : op.getResultTypes()) {
    type = converter.convertType(type);
    types.push_back(operands.empty() ? type : withElement(operands[0].getType(), type));
  }
  SmallVector<Value, 2> results;
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    results.push_back(e.getConstant(convertConstant(constant.getValue(), types[0])));
  else if (auto call = dyn_cast<tt::ExternElementwiseOp>(op))
    results.push_back(emitDeviceCall(e, call, operands));
  else if (auto assembly = dyn_cast<tt::ElementwiseInlineAsmOp>(op))
    for (ArrayRef<Value> elements :
         emitInlineAsm(e, assembly, llvm::to_vector_of<ValueRange>(operands), types, /*count=*/1))
      results.push_back(elements.front());
  else
    scalarOps.emit(e, {&op, operands, types}, results);
  for (auto [result, value, type] : llvm::zip_equal(op.getResults(), results, types)) {
    values[result] = value ? value : Value(e.create<LLVM::PoisonOp>(type));
    if (!value)
      failedOp = &op;
  }
}

unsigned Combiner::countInstructions() const {
  unsigned instructions = 0;
  region.walk([&](Operation *op) {
    const bool isDivision = isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp>(op);
    if (!op->hasTrait<OpTrait::ConstantLike>() && !op->hasTrait<OpTrait::IsTerminator>())
      instructions += isDivision ? 8 : 1;
  });
  return instructions;
}

Item Combiner::combine(ArrayRef<Value> a, ArrayRef<Value> b) {
  return run(llvm::to_vector(llvm::concat<const Value>(a, b)),
             TypeRange(region.getArgumentTypes()).take_front(a.size()));
}

Item Combiner::run(ArrayRef<Value> arguments, TypeRange resultTypes) {
  const Location loc = e.loc;
  Values values;
  for (auto [argument, value] : llvm::zip_equal(region.getArguments(), arguments))
    values[argument] = value;
  Item result;
  if (region.hasOneBlock()) {
    for (Operation &op : region.front().without_terminator())
      emitOp(op, values);
    result = lookUpAll(values, region.front().getTerminator()->getOperands());
  } else {
    result = emitBlocks(values, resultTypes);
  }
  e.loc = loc;
  return result;
}

Item Combiner::emitBlocks(Values &values, TypeRange resultTypes) {
  // Values are defined before they are used in this order, in whichever the blocks stand.
  llvm::ReversePostOrderTraversal<Block *> blocks(&region.front());
  Block *before = rewriter.getInsertionBlock();
  Block *after = rewriter.splitBlock(before, rewriter.getInsertionPoint());
  llvm::SmallDenseMap<Block *, Block *, 8> copies;
  for (Block *block : blocks) {
    Block *copy = rewriter.createBlock(after);
    copies[block] = copy;
    if (block->isEntryBlock())
      continue;
    for (BlockArgument argument : block->getArguments())
      values[argument] =
          copy->addArgument(converter.convertType(argument.getType()), argument.getLoc());
  }
  rewriter.setInsertionPointToEnd(before);
  e.create<LLVM::BrOp>(ValueRange(), copies[&region.front()]);

  Item results;
  for (Block *block : blocks) {
    rewriter.setInsertionPointToEnd(copies[block]);
    for (Operation &op : block->without_terminator())
      emitOp(op, values);
    Operation *terminator = block->getTerminator();
    e.loc = terminator->getLoc();
    llvm::TypeSwitch<Operation *>(terminator)
        .Case([&](cf::BranchOp branch) {
          e.create<LLVM::BrOp>(lookUpAll(values, branch.getDestOperands()),
                               copies[branch.getDest()]);
        })
        .Case([&](cf::CondBranchOp branch) {
          e.create<LLVM::CondBrOp>(
              lookUp(values, branch.getCondition()), copies[branch.getTrueDest()],
              lookUpAll(values, branch.getTrueDestOperands()), copies[branch.getFalseDest()],
              lookUpAll(values, branch.getFalseDestOperands()));
        })
        .Default([&](Operation *) {
          Item returned = lookUpAll(values, terminator->getOperands());
          if (results.empty())
            for (Value value : returned)
              results.push_back(after->addArgument(value.getType(), e.loc));
          e.create<LLVM::BrOp>(returned, after);
        });
  }
  rewriter.setInsertionPointToStart(after);
  // A region that never returns has no results.
  if (results.empty())
    for (Type type : resultTypes)
      results.push_back(e.create<LLVM::PoisonOp>(converter.convertType(type)));
  return results;
}

/// Whether what `combine` emits is the same for vectors of values.
bool Combiner::takesVectors() const {
  if (!e.target.hasVectorArithmetic() || !region.hasOneBlock())
    return false;
  return llvm::all_of(region.front().without_terminator(), [&](Operation &op) {
    return scalarOps.takesVectors(&op) && llvm::all_of(op.getOperands(), [&](Value operand) {
             return operand.getParentRegion() == &region;
           });
  });
}

/// Combines each of `a` with its counterpart of `b`, elements of vectors together.
SmallVector<Item> Combiner::combineVectors(ArrayRef<Item> a, ArrayRef<Item> b) {
  SmallVector<ElementOperands> elements;
  for (auto [x, y] : llvm::zip_equal(a, b))
    elements.push_back(llvm::to_vector<4>(llvm::concat<const Value>(x, y)));
  const size_t operands = a.front().size();
  SmallVector<Item> combined(a.size());
  for (const VectorGroup &group : findVectorGroups(e, elements)) {
    const ArrayRef<Value> vectors = group.operands;
    for (Value vector : combine(vectors.take_front(operands), vectors.drop_front(operands)))
      for (auto [element, value] : llvm::zip_equal(group.elements, e.unpackVector(vector)))
        combined[element].push_back(value);
  }
  for (auto [item, x, y] : llvm::zip_equal(combined, a, b))
    if (item.empty())
      item = combine(x, y);
  return combined;
}

/// The lists in step: their items are elements of the same vectors.
SmallVector<Item> Combiner::combineInStep(SmallVector<SmallVector<Item>> lists) {
  size_t left = lists.front().size();
  while (left > 1) {
    const size_t pairs = left / 2;
    SmallVector<Item> first, second;
    for (const SmallVector<Item> &items : lists)
      for (size_t pair = 0; pair < pairs; ++pair) {
        first.push_back(items[2 * pair]);
        second.push_back(items[2 * pair + 1]);
      }
    const SmallVector<Item> combined = combineVectors(first, second);
    left -= pairs;
    for (auto [i, items] : llvm::enumerate(lists)) {
      if (left > pairs)
        items[pairs] = items.back();
      items.truncate(left);
      llvm::copy(ArrayRef(combined).slice(i * pairs, pairs), items.begin());
    }
  }
  return llvm::map_to_vector(lists, [](const SmallVector<Item> &items) { return items[0]; });
}

/// Sums from which on each is a chain: a result is there after four cycles, in which the others are
/// added to. A chain keeps one item, and where the items are products each is one multiply-add with
/// the sum before; a tree multiplies every second one, and then adds.
static constexpr size_t minChains = 4;

/// Whether the region adds two floats.
static bool isSum(Region &region) {
  return region.hasOneBlock() && isa<arith::AddFOp>(region.front().front()) &&
         region.front().getOperations().size() == 2;
}

namespace {

/// A balanced tree of the items that are added, neighbours first, or a chain of them. Each is
/// combined when it comes, so no more than one subtree of each height is kept.
class ItemTree {
public:
  ItemTree(Combiner &combiner, bool isChain) : combiner(combiner), isChain(isChain) {}

  void add(Item item) {
    subtrees.push_back({0, std::move(item)});
    while (subtrees.size() > 1 &&
           (isChain || subtrees.back().height == subtrees[subtrees.size() - 2].height))
      joinLast();
  }

  Item finish() {
    while (subtrees.size() > 1)
      joinLast();
    return std::move(subtrees.front().item);
  }

private:
  struct Subtree {
    unsigned height;
    Item item;
  };

  void joinLast() {
    const Subtree last = subtrees.pop_back_val();
    Subtree &before = subtrees.back();
    before = {before.height + 1, combiner.combine(before.item, last.item)};
  }

  Combiner &combiner;
  bool isChain;
  /// From the first items to the last; of ever lower heights.
  SmallVector<Subtree, 8> subtrees;
};

} // namespace

SmallVector<Item> Combiner::combineAll(SmallVector<SmallVector<Item>> lists,
                                       ArrayRef<std::vector<unsigned>> registers) {
  if (takesVectors())
    return combineInStep(std::move(lists));
  struct Place {
    unsigned lastRegister, list, number;
  };
  SmallVector<Place> places;
  for (auto [list, ofList] : llvm::enumerate(registers))
    for (auto [number, each] : llvm::enumerate(ofList)) {
      // An item comes after those before it in its list.
      const unsigned before = number == 0 ? 0 : places.back().lastRegister;
      places.push_back({std::max(before, each), unsigned(list), unsigned(number)});
    }
  llvm::sort(places, [](const Place &a, const Place &b) {
    return std::tie(a.lastRegister, a.list, a.number) < std::tie(b.lastRegister, b.list, b.number);
  });
  const bool isChain = isSum(region) && lists.size() >= minChains;
  std::vector<ItemTree> trees(lists.size(), ItemTree(*this, isChain));
  for (const Place &place : places)
    trees[place.list].add(lists[place.list][place.number]);
  return llvm::map_to_vector(trees, [](ItemTree &tree) { return tree.finish(); });
}

Item Combiner::combineAll(SmallVector<Item> items) {
  ItemTree tree(*this, /*isChain=*/false);
  for (Item &item : items)
    tree.add(std::move(item));
  return tree.finish();
}

std::optional<WarpReduction> Combiner::getWarpReduction() {
  if (!region.hasOneBlock() || region.getNumArguments() != 2)
    return std::nullopt;
  Block &block = region.front();
  Operation &op = block.front();
  if (op.getNextNode() != block.getTerminator() || op.getNumOperands() != 2 ||
      op.getNumResults() != 1 ||
      !(op.getResult(0).getType().isInteger() || op.getResult(0).getType().isF32()) ||
      block.getTerminator()->getOperand(0) != op.getResult(0))
    return std::nullopt;
  Value a = block.getArgument(0), b = block.getArgument(1);
  if (!(op.getOperand(0) == a && op.getOperand(1) == b) &&
      !(op.getOperand(0) == b && op.getOperand(1) == a))
    return std::nullopt;
  return llvm::TypeSwitch<Operation *, std::optional<WarpReduction>>(&op)
      .Case([](arith::AddIOp) { return WarpReduction::Add; })
      .Case([](arith::AndIOp) { return WarpReduction::And; })
      .Case([](arith::OrIOp) { return WarpReduction::Or; })
      .Case([](arith::XOrIOp) { return WarpReduction::Xor; })
      .Case([](arith::MinSIOp) { return WarpReduction::MinSigned; })
      .Case([](arith::MaxSIOp) { return WarpReduction::MaxSigned; })
      .Case([](arith::MinUIOp) { return WarpReduction::MinUnsigned; })
      .Case([](arith::MaxUIOp) { return WarpReduction::MaxUnsigned; })
      .Case([](arith::AddFOp) { return WarpReduction::AddFloat; })
      .Case([](arith::MinNumFOp) { return WarpReduction::MinNumber; })
      .Case([](arith::MaxNumFOp) { return WarpReduction::MaxNumber; })
      .Default([](Operation *) { return std::nullopt; });
}
