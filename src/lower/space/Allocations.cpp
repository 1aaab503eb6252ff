//===- Allocations.cpp - Allocations that a value may refer to -----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/space/Allocations.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using llvm::BitVector;

/// Whether a set got larger by another.
static bool join(BitVector &into, const BitVector &more) {
  BitVector before = into;
  into |= more;
  return into != before;
}

Allocations::Allocations(tt::FuncOp func, const MemorySpace &space) : space(&space) {
  func.walk([&](Operation *op) {
    if (!space.getAllocated(op))
      return;
    numberOf[op] = allocations.size();
    allocations.push_back(op);
  });
  if (allocations.empty())
    return;
  findBlocks(func.getBody());
  findAliases();
  async = AsyncAccesses(func, space, [&](Value view) { return of(view); });
  findLiveness(func);
}

void Allocations::findBlocks(Region &region) {
  for (Block &block : region) {
    blocks.push_back(&block);
    for (auto op : block.getOps<ttg::WarpSpecializeOp>()) {
      findBlocks(op.getDefaultRegion());
      for (Region &partition : op.getPartitionRegions())
        findBlocks(partition);
    }
  }
}

BitVector Allocations::of(Value view) const {
  auto found = aliases.find(view);
  return found == aliases.end() ? BitVector(allocations.size()) : found->second;
}

/// Follows views from what makes them to what they become, until nothing new is found.
void Allocations::findAliases() {
  bool changed = true;
  auto add = [&](Value value, const BitVector &more) {
    if (!space->hasView(value))
      return;
    BitVector &known = aliases.try_emplace(value, allocations.size()).first->second;
    changed |= join(known, more);
  };
  auto addAll = [&](ValueRange values, ValueRange sources) {
    for (auto [value, source] : llvm::zip_equal(values, sources))
      add(value, of(source));
  };
  auto visit = [&](Operation &op) {
    if (auto specialize = dyn_cast<ttg::WarpSpecializeOp>(op)) {
      for (Region &partition : specialize.getPartitionRegions())
        addAll(partition.getArguments(), specialize.getExplicitCaptures());
      return;
    }
    if (auto yield = dyn_cast<ttg::WarpYieldOp>(op))
      return addAll(yield->getParentOp()->getResults(), yield.getValues());
    BitVector made(allocations.size());
    if (auto found = numberOf.find(&op); found != numberOf.end())
      made.set(found->second);
    for (Value operand : op.getOperands())
      if (space->hasView(operand))
        made |= of(operand);
    for (Value result : op.getResults())
      add(result, made);
  };
  while (changed) {
    changed = false;
    for (Block *block : blocks) {
      for (Operation &op : *block)
        visit(op);
      auto branch = dyn_cast<BranchOpInterface>(block->getTerminator());
      if (!branch)
        continue;
      for (unsigned i = 0; i < branch->getNumSuccessors(); ++i) {
        SuccessorOperands operands = branch.getSuccessorOperands(i);
        for (BlockArgument argument : branch->getSuccessor(i)->getArguments())
          if (Value operand = operands[argument.getArgNumber()]; operand)
            add(argument, of(operand));
      }
    }
  }
}

/// The accesses of `op` itself.
BitVector Allocations::usedBy(Operation *op) const {
  BitVector used(allocations.size());
  for (Value operand : op->getOperands())
    if (space->hasView(operand))
      used |= of(operand);
  return used;
}

/// What the ops in the regions of `op` access or make.
BitVector Allocations::usedInside(ttg::WarpSpecializeOp op) const {
  BitVector used = madeInside(op);
  op->walk([&](Operation *inside) { used |= usedBy(inside); });
  return used;
}

BitVector Allocations::madeInside(ttg::WarpSpecializeOp op) const {
  BitVector made(allocations.size());
  op->walk([&](Operation *inside) {
    if (auto found = numberOf.find(inside); found != numberOf.end())
      made.set(found->second);
  });
  return made;
}

void Allocations::findLiveness(tt::FuncOp func) {
  // Backwards: what is accessed later, on some path, lives, up to where it is made.
  llvm::DenseMap<Block *, BitVector> atEntry;
  auto walkBlock = [&](Block &block, llvm::function_ref<void(Operation *, const BitVector &)> see) {
    BitVector live(allocations.size());
    for (Block *successor : block.getSuccessors())
      if (auto found = atEntry.find(successor); found != atEntry.end())
        live |= found->second;
    for (Operation &op : llvm::reverse(block)) {
      auto made = numberOf.find(&op);
      auto specialize = dyn_cast<ttg::WarpSpecializeOp>(op);
      live |= usedBy(&op);
      if (made != numberOf.end())
        live.set(made->second);
      if (specialize)
        live |= usedInside(specialize);
      see(&op, live);
      if (made != numberOf.end())
        live.reset(made->second);
      if (specialize)
        live.reset(madeInside(specialize));
    }
    return live;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (Block &block : llvm::reverse(func.getBody())) {
      BitVector live = walkBlock(block, [](Operation *, const BitVector &) {});
      changed |= join(atEntry.try_emplace(&block, allocations.size()).first->second, live);
    }
  }
  for (Block &block : func.getBody())
    walkBlock(block, [&](Operation *op, const BitVector &live) {
      BitVector all = live;
      all |= async.underWayAt(op);
      if (all.none())
        return;
      alive[op] = all;
      if (isa<ttg::WarpSpecializeOp>(op))
        op->walk([&](Operation *inside) { alive[inside] = all; });
    });
}

BitVector Allocations::aliveAt(Operation *op) const {
  auto found = alive.find(op);
  return found == alive.end() ? BitVector(allocations.size()) : found->second;
}

std::vector<BitVector> Allocations::findConflicts() const {
  std::vector<BitVector> conflicts(allocations.size(), BitVector(allocations.size()));
  for (const auto &[op, live] : alive)
    for (unsigned number : live.set_bits())
      conflicts[number] |= live;
  for (unsigned number = 0; number < allocations.size(); ++number)
    conflicts[number].reset(number);
  return conflicts;
}
