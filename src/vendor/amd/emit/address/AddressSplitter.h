//===- AddressSplitter.h - Uniform and per-lane parts of addresses --*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The address of a tile's element is a sum: of a kernel's argument, the program's part, the loop's
// part, all the same in all lanes of a wave, and the lane's own part, which is small:
//
//     %i = or disjoint i32 %programTimesBlock, %laneTimes4
//     %p = getelementptr float, ptr addrspace(1) %x, i64 (sext i32 %i)
//
// is the base x + sext(%programTimesBlock) * 4, which scalar registers hold, and the offset
// %laneTimes4 * 4, 32 bits in a vector register: what buffer instructions and the "saddr" form of
// global ones take. What lanes have of their own and may be large - a row's number times a stride
// that only the launch knows - is a third part.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_EMIT_ADDRESS_ADDRESSSPLITTER_H
#define TILEWRIGHT_VENDOR_AMD_EMIT_ADDRESS_ADDRESSSPLITTER_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PassManager.h"

#include <optional>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace tilewright::emit {

/// The address base + large + offset + constant, in bytes. offset + constant is in [0, 2^31).
struct SplitAddress {
  /// The same in all lanes of a wave.
  llvm::Value *base;
  /// i64, of any size; null for none.
  llvm::Value *large;
  /// i32, not negative; null for none.
  llvm::Value *offset;
  uint32_t constant;
};

/// Splits addresses of one function, in which it adds instructions, but changes none.
class AddressSplitter {
public:
  AddressSplitter(llvm::Function &function, llvm::TargetMachine &machine);

  /// The parts of `address`, made where they are available wherever it is; nothing if the lanes'
  /// parts may not be bounded so that an access of `bytes` bytes ends below 2^31.
  ///
  /// Integers that are widened on the way are taken apart first: sext(u + t), where t is the lane's
  /// part, becomes sext(u) + t. For every size of tensor that is the same, but where u + t is one
  /// of the lowest numbers of its type, in [min, min + t), and then not what anybody addresses.
  std::optional<SplitAddress> split(llvm::Value *address, uint64_t bytes);

  /// base + offset of `address`, which has an offset: one instruction for all addresses that share
  /// them. Null where that does not pay: the base is made in a loop again and again, the sum of the
  /// other parts perhaps is not.
  llvm::Value *getLanePointer(const SplitAddress &address);

  /// To be called before an instruction of the function is deleted.
  void forget(const llvm::Instruction &instruction) { places.erase(&instruction); }

  /// Whether the lanes of a wave have the same value there.
  bool isUniform(const llvm::Use &use) const { return !uniformity->isDivergentUse(use); }

private:
  /// A value as the sum of its parts: modulo 2^bits for an integer. The lane's part is an i32.
  struct Parts {
    /// An addend of the value's type; null is 0.
    llvm::Value *uniform = nullptr;
    /// An i64; null is 0. Only pointers have it.
    llvm::Value *large = nullptr;
    /// In [0, laneMax]; null is 0.
    llvm::Value *lane = nullptr;
    uint64_t laneMax = 0;
    int64_t constant = 0;
  };

  std::optional<Parts> partsOf(const llvm::Use &use);
  std::optional<Parts> partsOf(llvm::Value *value);
  std::optional<Parts> compute(llvm::Instruction *value);
  std::optional<Parts> computeInteger(llvm::Instruction *value);
  std::optional<Parts> computeSum(llvm::Instruction *value, bool isDifference);
  std::optional<Parts> computeExtension(llvm::CastInst *value);
  std::optional<Parts> computeElementPointer(llvm::GetElementPtrInst *value);
  std::optional<Parts> computeLoopPhi(llvm::PHINode *phi);
  Parts largeOffset(llvm::Value *index, uint64_t stride, llvm::IRBuilderBase &builder);
  std::optional<Parts> boundedInteger(llvm::Value *value, llvm::IRBuilderBase &builder);

  /// A sum, a product with a constant, and the parts of an integer widened to 64 bits; nothing
  /// where the lane's part may get too large.
  std::optional<Parts> add(const Parts &a, const Parts &b, llvm::IRBuilderBase &builder);
  std::optional<Parts> scale(const Parts &parts, uint64_t factor, llvm::IRBuilderBase &builder);
  std::optional<Parts> signExtend(const Parts &parts, llvm::Type *from,
                                  llvm::IRBuilderBase &builder);
  /// `base` with the uniform part `uniform` (i64, may be null) and `constant` added to it.
  llvm::Value *addToPointer(llvm::Value *base, llvm::Value *uniform, int64_t constant,
                            llvm::IRBuilderBase &builder);

  bool standsBehind(const llvm::Instruction *a, const llvm::Instruction *b);
  const llvm::Instruction *findPlaced(const llvm::Instruction *from, const llvm::Instruction *stop);

  bool stepsUniformly(llvm::Value *value, const llvm::PHINode *phi) const;
  bool isInLoopThatLanesLeave(const llvm::Instruction *instruction) const;

  const llvm::DataLayout &layout;
  llvm::BasicBlock &entry;
  llvm::FunctionAnalysisManager analyses;
  llvm::DominatorTree *dominators;
  llvm::CycleInfo *cycles;
  llvm::UniformityInfo *uniformity;
  /// Blocks of loops that some lanes leave before others: what all lanes share there is no longer
  /// the same after the loop.
  llvm::SmallPtrSet<const llvm::BasicBlock *, 8> divergentLoopBlocks;
  llvm::DenseMap<llvm::Value *, std::optional<Parts>> known;
  /// The numbers of the instructions that there were when the first was asked for. LLVM's own
  /// numbers are made anew for the whole block after each instruction that is added.
  llvm::DenseMap<const llvm::Instruction *, unsigned> places;
  llvm::DenseMap<std::pair<llvm::Value *, llvm::Value *>, llvm::Value *> lanePointers;
};

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_AMD_EMIT_ADDRESS_ADDRESSSPLITTER_H
