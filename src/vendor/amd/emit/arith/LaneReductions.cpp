//===- LaneReductions.cpp - Maxima and sums of a lane's values ----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/arith/LaneReductions.h"

#include "vendor/amd/emit/address/LoadRuns.h"
#include "vendor/amd/emit/matrix/MatrixInstructions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace tilewright::emit;

/// Fewer numbers are not worth it.
static constexpr unsigned minLeaves = 8;

namespace {
/// A tree of one operation of two operands.
struct Tree {
  Instruction *root;
  /// The first instruction of it.
  Instruction *first;
  SmallVector<Value *> leaves;
};
} // namespace

static bool isMaximum(const Value *value) {
  return value->getType()->isFloatTy() &&
         match(value, m_Intrinsic<Intrinsic::maxnum>(m_Value(), m_Value()));
}

static bool isSum(const Value *value) {
  return value->getType()->isFloatTy() && match(value, m_FAdd(m_Value(), m_Value()));
}

using Operation = function_ref<bool(const Value *)>;

/// Whether `value` is an inner node of a tree in `block`.
static bool isInner(const Value *value, const BasicBlock &block, Operation isNode) {
  const auto *instruction = dyn_cast<Instruction>(value);
  return instruction && isNode(value) && instruction->getParent() == &block &&
         instruction->hasOneUse() && isNode(*instruction->user_begin());
}

/// The trees in `block` of the operation for which `isNode` holds.
static SmallVector<Tree> findTrees(BasicBlock &block, Operation isNode) {
  SmallVector<Tree> trees;
  for (Instruction &instruction : block) {
    if (!isNode(&instruction) || isInner(&instruction, block, isNode))
      continue;
    Tree tree = {&instruction, &instruction, {}};
    SmallVector<Value *> open = {instruction.getOperand(1), instruction.getOperand(0)};
    while (!open.empty()) {
      Value *value = open.pop_back_val();
      if (!isInner(value, block, isNode)) {
        tree.leaves.push_back(value);
        continue;
      }
      auto *node = cast<Instruction>(value);
      if (node->comesBefore(tree.first))
        tree.first = node;
      open.append({node->getOperand(1), node->getOperand(0)});
    }
    if (tree.leaves.size() >= minLeaves)
      trees.push_back(std::move(tree));
  }
  return trees;
}

/// Computes the maximum of the leaves of `tree` in threes, and of what these give.
static void takeMaximaOfThree(const Tree &tree) {
  IRBuilder<> builder(tree.root);
  auto getLarger = [&](Value *a, Value *b) -> Value * {
    Instruction *node = tree.root->clone();
    node->setOperand(0, a);
    node->setOperand(1, b);
    return builder.Insert(node);
  };
  SmallVector<Value *> values = tree.leaves;
  while (values.size() > 2) {
    SmallVector<Value *> next;
    ArrayRef<Value *> rest = values;
    for (; rest.size() > 2; rest = rest.drop_front(3))
      next.push_back(getLarger(getLarger(rest[0], rest[1]), rest[2]));
    append_range(next, rest);
    values = std::move(next);
  }
  tree.root->replaceAllUsesWith(values.size() == 2 ? getLarger(values[0], values[1]) : values[0]);
}

static bool hasGlobalLoadBehind(const Instruction &instruction) {
  return any_of(make_range(instruction.getIterator(), instruction.getParent()->end()),
                [](const Instruction &other) { return isGlobalLoad(other); });
}

void tilewright::emit::orderLaneReductions(Function &function) {
  for (BasicBlock &block : function) {
    if (!hasProducts(block))
      continue;
    const SmallVector<Tree> maxima = findTrees(block, isMaximum), sums = findTrees(block, isSum);
    if (maxima.empty() || sums.empty() || hasGlobalLoadBehind(*sums.front().first))
      continue;
    for (const Tree &tree : maxima)
      takeMaximaOfThree(tree);
    IRBuilder<> builder(sums.front().first);
    createSchedulerBarrier(builder, /*mask=*/0);
  }
}
