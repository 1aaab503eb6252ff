//===- MatrixLoadOrder.cpp - Matrix loads close to their products -------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/emit/matrix/MatrixLoadOrder.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace tilewright;

/// Loads that are ahead of the products that use them: two steps of K of operands with 64 rows and
/// 64 columns of f16, 64 registers.
static constexpr unsigned loadsAhead = 16;

static bool isCallOf(const Instruction &instruction, StringRef prefix) {
  auto *call = dyn_cast<CallInst>(&instruction);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName().starts_with(prefix);
}

namespace {

/// A piece of a block in which nothing writes memory.
class Piece {
public:
  void add(Instruction &instruction) {
    const unsigned place = numbers.size();
    numbers[&instruction] = place;
    if (isCallOf(instruction, "llvm.nvvm.ldmatrix."))
      loads.push_back({&instruction, nullptr});
  }

  void order() {
    if (loads.size() > loadsAhead)
      for (Load &load : loads)
        findFirstProduct(load, *load.load);
    // The order of their first products.
    erase_if(loads, [](const Load &load) { return !load.product; });
    auto key = [&](const Load &load) {
      return std::pair(numbers.lookup(load.product), numbers.lookup(load.load));
    };
    sort(loads, [&](const Load &a, const Load &b) { return key(a) < key(b); });
    for (size_t i = loadsAhead; i < loads.size(); ++i)
      moveBehind(loads[i], loads[i - loadsAhead].product);
  }

private:
  struct Load {
    Instruction *load;
    /// The first product that uses it.
    Instruction *product;
  };

  bool isHere(const Instruction *instruction) const { return numbers.contains(instruction); }

  /// Finds the first product of the piece that `value`, which is of the load, goes into.
  void findFirstProduct(Load &load, Instruction &value) {
    for (User *user : value.users()) {
      auto *instruction = cast<Instruction>(user);
      if (!isHere(instruction))
        continue;
      if (!isCallOf(*instruction, "llvm.nvvm.mma."))
        findFirstProduct(load, *instruction);
      else if (!load.product || numbers.lookup(instruction) < numbers.lookup(load.product))
        load.product = instruction;
    }
  }

  /// Moves a load, and what is computed from it, after `product` if it stands before that.
  void moveBehind(Load &load, Instruction *product) {
    if (numbers.lookup(load.load) > numbers.lookup(product) || load.product == product)
      return;
    moved.clear();
    collect(*load.load, product);
    sort(moved,
         [&](Instruction *a, Instruction *b) { return numbers.lookup(a) > numbers.lookup(b); });
    for (Instruction *instruction : moved)
      instruction->moveAfter(product);
  }

  /// Adds `instruction`, and what uses it before `product`.
  void collect(Instruction &instruction, Instruction *product) {
    if (is_contained(moved, &instruction))
      return;
    moved.push_back(&instruction);
    for (User *user : instruction.users())
      if (auto *next = cast<Instruction>(user);
          isHere(next) && numbers.lookup(next) < numbers.lookup(product))
        collect(*next, product);
  }

  DenseMap<const Instruction *, unsigned> numbers;
  SmallVector<Load> loads;
  SmallVector<Instruction *> moved;
};

} // namespace

void emit::orderMatrixLoads(Function &function) {
  for (BasicBlock &block : function) {
    std::vector<Piece> pieces(1);
    for (Instruction &instruction : block) {
      if (instruction.mayWriteToMemory())
        pieces.emplace_back();
      else if (!isa<PHINode>(instruction) && !instruction.isTerminator())
        pieces.back().add(instruction);
    }
    for (Piece &piece : pieces)
      piece.order();
  }
}
