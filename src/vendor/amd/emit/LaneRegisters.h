//===- LaneRegisters.h - Which values are in vector registers -------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// An estimate of the vector registers (VGPRs) that a function takes, of its LLVM IR as it is right
// before instruction selection: what lanes have in common is in scalar registers, and so are masks;
// constant offsets and common bases of addresses are parts of instructions.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_EMIT_LANEREGISTERS_H
#define TILEWRIGHT_VENDOR_AMD_EMIT_LANEREGISTERS_H

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/IRBuilder.h"

#include <optional>
#include <vector>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace tilewright::emit {

/// Whether `value` is computed of the kernel's arguments, of the block's number and of what
/// v_readfirstlane gives alone: of what is surely in scalar registers.
bool isMadeOfScalars(const llvm::Value *value);

/// Which values of a function are in vector registers.
class LaneRegisters {
public:
  using Values = llvm::DenseSet<const llvm::Value *>;

  LaneRegisters(llvm::Function &function, llvm::TargetMachine &machine);

  /// Bits that `value` takes in a lane's registers: 0 for what is in none.
  unsigned getBits(const llvm::Value *value) const;

  /// The value whose registers `value` is in: an address with the rest in the instruction is where
  /// what differs between lanes is.
  const llvm::Value *getHolder(const llvm::Value *value) const;

  /// Copies `value` to another register of the kind that it is in, so that LLVM does not take the
  /// two for one. Gives `value` itself if that kind is not sure: what is the same in all lanes, but
  /// comes from memory or from other lanes, may be in a vector register, from where LLVM copies
  /// nothing to a scalar operand of assembly.
  llvm::Value *createCopy(llvm::IRBuilder<> &builder, llvm::Value *value) const;

  /// Bits of `value` that hold something: a vector that is put together has elements to come.
  unsigned getFilledBits(const llvm::Value *value) const;

  /// Makes of the values alive after `instruction` those alive before it, and calls `change` with
  /// each that is alive from there back, or no more.
  void stepBack(Values &alive, const llvm::Instruction &instruction,
                llvm::function_ref<void(const llvm::Value *, bool isAlive)> change) const;

private:
  llvm::FunctionAnalysisManager analyses;
  llvm::UniformityInfo *uniformity;
};

/// Where the values of a function that are in vector registers are alive.
class LaneLiveness {
public:
  LaneLiveness(const llvm::Function &function, const LaneRegisters &registers);

  /// The values alive at the end of `block`.
  LaneRegisters::Values getAliveAtEnd(const llvm::BasicBlock &block) const;

private:
  /// Values by number.
  struct Block {
    llvm::BitVector used, defined, begin, end;
  };

  std::optional<unsigned> findNumber(const llvm::Value *value) const;
  void collect(const llvm::BasicBlock &source);
  bool update(const llvm::BasicBlock &source);

  const LaneRegisters &registers;
  std::vector<const llvm::Value *> values;
  llvm::DenseMap<const llvm::Value *, unsigned> numbers;
  llvm::DenseMap<const llvm::BasicBlock *, Block> blocks;
};

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_AMD_EMIT_LANEREGISTERS_H
