//===- LoopOffsets.cpp - Scalar offsets of addresses in loops -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/address/LoopOffsets.h"

#include "vendor/amd/emit/LaneRegisters.h"
#include "vendor/amd/emit/matrix/MatrixInstructions.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace tilewright::emit;

/// A row's number is that of the wave's first row and a constant, its offset the product of that
/// and a stride.
static constexpr unsigned maxSteps = 3;

/// Addresses by the scalar, widened from 32 to 64 bits in front of a loop, that is added there.
using OffsetUses = MapVector<SExtInst *, SmallVector<Use *>>;

static OffsetUses findOffsets(const Loop &loop) {
  OffsetUses offsets;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block)
      if (auto *address = dyn_cast<GetElementPtrInst>(&instruction))
        for (Use &index : address->indices())
          if (auto *wide = dyn_cast<SExtInst>(index);
              wide && !loop.contains(wide) && wide->getSrcTy()->isIntegerTy(32))
            offsets[wide].push_back(&index);
  offsets.remove_if([](const auto &entry) { return !isMadeOfScalars(entry.first); });
  return offsets;
}

/// Whether `value`, an i32, takes one scalar operation.
static bool isSumOrProduct(const Value *value) {
  const auto *operation = dyn_cast<BinaryOperator>(value);
  if (!operation)
    return false;
  switch (operation->getOpcode()) {
  case Instruction::Add:
  case Instruction::Or:
  case Instruction::Mul:
  case Instruction::Shl:
    return true;
  default:
    return false;
  }
}

namespace {
/// The offsets of one loop.
class LoopOffsets {
public:
  LoopOffsets(const Loop &loop, const LaneRegisters &registers)
      : loop(loop), registers(registers) {}

  void widenAtAddresses(const OffsetUses &offsets) {
    for (const auto &[wide, uses] : offsets)
      for (Use *use : uses) {
        auto *address = cast<Instruction>(use->getUser());
        Value *offset = compute(wide->getOperand(0), address, maxSteps);
        use->set(IRBuilder<>(address).CreateSExt(offset, wide->getType()));
      }
  }

private:
  /// `value`, from in front of the loop, computed before `place` in at most `steps` operations
  /// after each other.
  Value *compute(Value *value, Instruction *place, unsigned steps) {
    if (steps == 0 || !isSumOrProduct(value))
      return isa<Instruction>(value) ? carry(value) : value;
    Instruction *again = cast<Instruction>(value)->clone();
    for (Use &operand : again->operands())
      operand.set(compute(operand, place, steps - 1));
    again->insertBefore(place->getIterator());
    return again;
  }

  /// `value` as the loop carries it from iteration to iteration: LLVM does not know that it stays
  /// the same, and computes nothing of it ahead of the loop.
  Value *carry(Value *value) {
    Value *&known = carried[value];
    if (known)
      return known;
    IRBuilder<> builder(loop.getHeader(), loop.getHeader()->begin());
    PHINode *phi = builder.CreatePHI(value->getType(), 2);
    phi->addIncoming(value, loop.getLoopPredecessor());
    builder.SetInsertPoint(loop.getLoopLatch()->getTerminator());
    phi->addIncoming(registers.createCopy(builder, phi), loop.getLoopLatch());
    return known = phi;
  }

  const Loop &loop;
  const LaneRegisters &registers;
  DenseMap<Value *, Value *> carried;
};
} // namespace

void tilewright::emit::widenOffsetsInLoops(Function &function, TargetMachine &machine,
                                           unsigned scalarRegisters) {
  if (none_of(function, hasProducts))
    return;
  constexpr unsigned registersOfOffset = 2;
  DominatorTree dominators(function);
  const LoopInfo loops(dominators);
  std::optional<LaneRegisters> registers;
  for (const Loop *loop : loops.getLoopsInPreorder()) {
    if (!loop->isInnermost() || !loop->getLoopPredecessor() || !loop->getLoopLatch() ||
        none_of(loop->blocks(), [](const BasicBlock *block) { return hasProducts(*block); }))
      continue;
    const OffsetUses offsets = findOffsets(*loop);
    if (offsets.size() * registersOfOffset <= scalarRegisters / 2)
      continue;
    if (!registers)
      registers.emplace(function, machine);
    LoopOffsets(*loop, *registers).widenAtAddresses(offsets);
  }
}
