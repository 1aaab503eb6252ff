//===- ScalarOrder.cpp - Scalars that are computed where they are used --------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/address/ScalarOrder.h"

#include "vendor/amd/emit/LaneRegisters.h"
#include "vendor/amd/emit/matrix/MatrixInstructions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/MathExtras.h"

#include <optional>

using namespace llvm;
using namespace tilewright::emit;

namespace {
class ScalarOrder {
public:
  ScalarOrder(BasicBlock &block, const LaneRegisters &registers, unsigned scalarRegisters)
      : block(block), registers(registers), scalarRegisters(scalarRegisters) {}

  void run() {
    barriersBefore.reserve(block.size());
    unsigned barriers = 0;
    for (Instruction &instruction : block) {
      places[&instruction] = barriersBefore.size();
      barriersBefore.push_back(barriers);
      firstAt.push_back(&instruction);
      barriers += isBarrier(instruction);
      if (isScalar(instruction))
        scalars.push_back(&instruction);
    }
    if (barriers == 0)
      return;
    sinkAll(/*onlyBehindBarriers=*/true);
    if (!hasProducts(block) && countAlive() > scalarRegisters)
      sinkAll(/*onlyBehindBarriers=*/false);
  }

private:
  bool isScalar(const Instruction &instruction) const {
    return isPure(instruction) && !instruction.getType()->isVoidTy() &&
           registers.getBits(&instruction) == 0 &&
           all_of(instruction.operands(),
                  [&](const Use &operand) { return registers.getBits(operand) == 0; });
  }

  void sinkAll(bool onlyBehindBarriers) {
    // Users first: what only they use goes with them.
    for (Instruction *scalar : reverse(scalars)) {
      const unsigned from = places[scalar];
      std::optional<unsigned> to = findFirstUse(*scalar);
      if (to && (onlyBehindBarriers ? barriersBefore[*to] > barriersBefore[from] : *to > from))
        sink(*scalar, *to);
    }
  }

  /// The most registers that the block's own scalars take at one time, in the order of LLVM IR.
  unsigned countAlive() const {
    constexpr unsigned registerBits = 32;
    auto countRegisters = [&](const Instruction &scalar) {
      const TypeSize bits = block.getDataLayout().getTypeSizeInBits(scalar.getType());
      return static_cast<unsigned>(divideCeil(bits.getFixedValue(), registerBits));
    };
    DenseSet<const Instruction *> alive;
    unsigned now = 0, most = 0;
    for (const Instruction &instruction : reverse(block)) {
      if (alive.erase(&instruction))
        now -= countRegisters(instruction);
      for (const Value *operand : instruction.operands())
        if (const auto *scalar = dyn_cast<Instruction>(operand);
            scalar && places.contains(scalar) && isScalar(*scalar) && alive.insert(scalar).second)
          now += countRegisters(*scalar);
      most = std::max(most, now);
    }
    return most;
  }

  /// The place of the first instruction that uses `value`, if only this block does.
  std::optional<unsigned> findFirstUse(const Instruction &value) const {
    std::optional<unsigned> first;
    for (const User *user : value.users()) {
      const auto *instruction = cast<Instruction>(user);
      if (instruction->getParent() != &block || isa<PHINode>(instruction))
        return std::nullopt;
      const unsigned place = places.find(instruction)->second;
      first = std::min(first.value_or(place), place);
    }
    return first;
  }

  /// In front of all that has been moved to `place`, since that may use it.
  void sink(Instruction &scalar, unsigned place) {
    scalar.moveBefore(firstAt[place]->getIterator());
    firstAt[place] = &scalar;
    places[&scalar] = place;
  }

  BasicBlock &block;
  const LaneRegisters &registers;
  /// How many a wave has.
  const unsigned scalarRegisters;
  SmallVector<Instruction *> scalars;
  /// Instructions by number, as they stood; one that is moved has the number of that in front of
  /// which it is put.
  DenseMap<const Instruction *, unsigned> places;
  SmallVector<unsigned> barriersBefore;
  SmallVector<Instruction *> firstAt;
};
} // namespace

void tilewright::emit::sinkScalars(Function &function, TargetMachine &machine,
                                   unsigned scalarRegisters) {
  if (none_of(instructions(function), isBarrier))
    return;
  const LaneRegisters registers(function, machine);
  for (BasicBlock &block : function)
    ScalarOrder(block, registers, scalarRegisters).run();
}

/// Few enough stay where they are.
static constexpr unsigned maxOffsets = 8;

namespace {
/// Offsets of other blocks, computed in this one.
class LocalOffsets {
public:
  LocalOffsets(BasicBlock &block, const LaneRegisters &registers)
      : block(block), registers(registers) {}

  void run() {
    SmallVector<Use *> uses;
    DenseSet<const Value *> offsets;
    for (Instruction &instruction : block)
      if (!isa<PHINode>(instruction))
        for (Use &operand : instruction.operands())
          if (isOfOtherBlock(operand)) {
            uses.push_back(&operand);
            offsets.insert(operand);
          }
    if (offsets.size() > maxOffsets)
      for (Use *use : uses)
        use->set(compute(use->get()));
  }

private:
  bool isOfOtherBlock(const Value *value) const {
    const auto *instruction = dyn_cast<Instruction>(value);
    return instruction && isOffset(value) && registers.getBits(value) == 0 &&
           instruction->getParent() != &block;
  }

  Value *compute(Value *value) {
    if (isa<Constant>(value))
      return value;
    Value *&known = computed[value];
    if (known)
      return known;
    IRBuilder<> builder(&block, block.getFirstInsertionPt());
    if (!isOfOtherBlock(value)) {
      // Unlike the one elsewhere, so that LLVM does not put them together again.
      return known = registers.createCopy(builder, value);
    }
    Instruction *again = cast<Instruction>(value)->clone();
    for (Use &operand : again->operands())
      operand.set(compute(operand));
    auto *before = dyn_cast<Instruction>(again->getOperand(0));
    again->insertBefore(before && before->getParent() == &block ? std::next(before->getIterator())
                                                                : block.getFirstInsertionPt());
    return computed[value] = again;
  }

  BasicBlock &block;
  const LaneRegisters &registers;
  DenseMap<Value *, Value *> computed;
};
} // namespace

void tilewright::emit::computeOffsetsAgain(Function &function, TargetMachine &machine) {
  if (none_of(function, hasProducts))
    return;
  const LaneRegisters registers(function, machine);
  for (BasicBlock &block : function)
    if (!hasProducts(block) && storesResults(block))
      LocalOffsets(block, registers).run();
}
