//===- SinkOperands.cpp - Operands next to the products that take them --------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The block is put together anew from its end: an instruction that may move comes just before the
// first of its users, which are there already, all others stay in their order. This takes one walk.
//
//===--------------------------------------------------------------------------===//

#include "vendor/intel/emit/registers/SinkOperands.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace {

/// Whether it is one of the functions of vendor/intel/lower/MatrixProducts.h.
bool isProduct(const Instruction &instruction) {
  auto *call = dyn_cast<CallInst>(&instruction);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName().contains("intel_sub_group_") &&
         callee->getName().contains("_matrix_mad_k");
}

class BlockSinking {
public:
  explicit BlockSinking(BasicBlock &block) : block(block) {}

  void run() {
    for (Instruction &instruction : block)
      if (isProduct(instruction))
        for (Value *factor : {instruction.getOperand(0), instruction.getOperand(1)})
          if (auto *made = dyn_cast<Instruction>(factor); made && isMovable(*made))
            addToMoved(*made);
    if (moved.empty())
      return;
    number();
    // From the end, so that users are there before what they use.
    for (Instruction &instruction : reverse(block))
      if (!placed.contains(&instruction))
        place(instruction, numbers.lookup(&instruction));
    for (Instruction *instruction : order)
      instruction->moveBefore(block, block.begin());
  }

private:
  /// Whether it is made of what loads of the block give, for users in the block alone.
  bool isMovable(Instruction &instruction) {
    auto [known, isNew] = movable.try_emplace(&instruction, false);
    if (!isNew)
      return known->second;
    auto *load = dyn_cast<LoadInst>(&instruction);
    const bool isMade = isa<CastInst, BinaryOperator, InsertElementInst, ExtractElementInst,
                            ShuffleVectorInst, SelectInst, CmpInst>(instruction);
    if (instruction.getParent() != &block || !(isMade || (load && load->isSimple())) ||
        any_of(instruction.users(), [&](const User *user) {
          return cast<Instruction>(user)->getParent() != &block || isa<PHINode>(user);
        }))
      return false;
    const bool result = load || all_of(instruction.operands(), [&](Value *operand) {
                          auto *made = dyn_cast<Instruction>(operand);
                          return isa<Constant>(operand) || (made && isMovable(*made));
                        });
    return movable[&instruction] = result;
  }

  void addToMoved(Instruction &instruction) {
    SmallVector<Instruction *> open = {&instruction};
    while (!open.empty()) {
      Instruction *next = open.pop_back_val();
      if (!moved.try_emplace(next, next->getNumUses()).second || isa<LoadInst>(next))
        continue;
      for (Value *operand : next->operands())
        if (auto *made = dyn_cast<Instruction>(operand))
          open.push_back(made);
    }
  }

  /// Numbers instructions in their order, and the last one that may write memory before each.
  void number() {
    unsigned next = 0, lastWrite = 0;
    for (Instruction &instruction : block) {
      numbers[&instruction] = next;
      if (instruction.mayWriteToMemory())
        lastWrite = next;
      lastWrites.push_back(lastWrite);
      ++next;
    }
  }

  /// Puts it before what is placed, and then what only waited for it. `at` is the number of the
  /// instruction that stays in its place next to it.
  void place(Instruction &instruction, unsigned at) {
    SmallVector<Instruction *> open = {&instruction};
    while (!open.empty()) {
      Instruction *next = open.pop_back_val();
      if (!placed.insert(next).second)
        continue;
      order.push_back(next);
      for (Value *operand : next->operands()) {
        auto *made = dyn_cast<Instruction>(operand);
        auto found = made ? moved.find(made) : moved.end();
        if (found == moved.end() || --found->second)
          continue;
        if (!isa<LoadInst>(made) || lastWrites[at] <= numbers.lookup(made))
          open.push_back(made);
      }
    }
  }

  BasicBlock &block;
  DenseMap<Instruction *, bool> movable;
  /// Instructions that may move, and their uses that are not placed yet.
  DenseMap<Instruction *, unsigned> moved;
  DenseMap<Instruction *, unsigned> numbers;
  SmallVector<unsigned> lastWrites;
  DenseSet<Instruction *> placed;
  /// The instructions placed, the last of the block first.
  SmallVector<Instruction *> order;
};

} // namespace

void tilewright::emit::sinkProductOperands(Function &function) {
  for (BasicBlock &block : function)
    if (any_of(block, isProduct))
      BlockSinking(block).run();
}
