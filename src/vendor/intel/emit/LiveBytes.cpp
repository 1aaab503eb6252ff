//===- LiveBytes.cpp - Estimate of live bytes ---------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/intel/emit/LiveBytes.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace {
class Liveness {
public:
  Liveness(const Function &function, function_ref<uint64_t(const Value &)> bytesOf)
      : blocks(post_order(&function)) {
    auto add = [&](const Value &value) {
      numbers.try_emplace(&value, bytes.size());
      bytes.push_back(bytesOf(value));
    };
    for (const Argument &argument : function.args())
      add(argument);
    for (const BasicBlock *block : blocks)
      for (const Instruction &instruction : *block)
        if (!instruction.getType()->isVoidTy())
          add(instruction);
    for (const BasicBlock *block : blocks)
      liveIn[block].resize(bytes.size());
  }

  uint64_t findPeak() {
    // Successors come first, so that what has no loops is done at once; the last round only sees
    // that nothing changes any more.
    uint64_t peak = 0;
    for (bool changed = true; changed;) {
      changed = false;
      peak = 0;
      for (const BasicBlock *block : blocks) {
        BitVector live = getLiveOut(*block);
        peak = std::max(peak, walkUp(*block, live));
        if (liveIn[block] != live) {
          liveIn[block] = std::move(live);
          changed = true;
        }
      }
    }
    return peak;
  }

private:
  /// Marks `value` as alive, if it is one that is followed.
  void use(const Value *value, BitVector &live, uint64_t &sum) const {
    auto found = numbers.find(value);
    if (found == numbers.end() || live.test(found->second))
      return;
    live.set(found->second);
    sum += bytes[found->second];
  }

  BitVector getLiveOut(const BasicBlock &block) const {
    BitVector live(bytes.size());
    uint64_t ignored = 0;
    for (const BasicBlock *next : successors(&block)) {
      live |= liveIn.find(next)->second;
      for (const PHINode &phi : next->phis())
        use(phi.getIncomingValueForBlock(&block), live, ignored);
    }
    return live;
  }

  /// From the values live after `block` to those live before it; gives the largest sum
  /// on the way.
  uint64_t walkUp(const BasicBlock &block, BitVector &live) const {
    uint64_t sum = 0, peak = 0;
    for (unsigned number : live.set_bits())
      sum += bytes[number];
    for (const Instruction &instruction : reverse(block)) {
      // The phis, which take their values at once, are visited after all others.
      if (isa<PHINode>(instruction)) {
        uint64_t unused = 0;
        for (const PHINode &phi : block.phis())
          use(&phi, live, unused);
        peak = std::max(peak, sum + unused);
        for (const PHINode &phi : block.phis())
          live.reset(numbers.find(&phi)->second);
        return peak;
      }
      if (auto found = numbers.find(&instruction); found != numbers.end()) {
        use(&instruction, live, sum);
        peak = std::max(peak, sum);
        live.reset(found->second);
        sum -= bytes[found->second];
      } else {
        peak = std::max(peak, sum);
      }
      for (const Value *operand : instruction.operands())
        use(operand, live, sum);
    }
    return std::max(peak, sum);
  }

  /// Those that are reached, successors before predecessors as far as there are no loops.
  SmallVector<const BasicBlock *> blocks;
  DenseMap<const Value *, unsigned> numbers;
  SmallVector<uint64_t> bytes;
  DenseMap<const BasicBlock *, BitVector> liveIn;
};
} // namespace

uint64_t tilewright::emit::getPeakLiveBytes(const Function &function,
                                            function_ref<uint64_t(const Value &)> bytesOf) {
  return function.isDeclaration() ? 0 : Liveness(function, bytesOf).findPeak();
}
