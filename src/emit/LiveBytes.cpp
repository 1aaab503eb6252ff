//===- LiveBytes.cpp - Estimate of live bytes ---------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "emit/LiveBytes.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

#include <utility>

using namespace llvm;

namespace {
/// Goes through the values one by one, so that the time grows with the number of blocks that each
/// lives through, not with all values times all blocks: masked accesses make thousands of both.
class Liveness {
public:
  Liveness(const Function &function, function_ref<uint64_t(const Value &)> bytesOf, uint64_t enough)
      : enough(enough) {
    for (const BasicBlock *block : post_order(&function)) {
      blockNumbers.try_emplace(block, blocks.size());
      blocks.emplace_back().block = block;
    }
    for (Block &block : blocks)
      for (const BasicBlock *from : predecessors(block.block))
        if (auto found = blockNumbers.find(from); found != blockNumbers.end())
          block.predecessors.push_back(found->second);
    const unsigned entry = blocks.size() - 1;
    for (const Argument &argument : function.args())
      add(argument, entry, bytesOf);
    for (unsigned number = 0; number < blocks.size(); ++number)
      for (const Instruction &instruction : *blocks[number].block)
        if (largestAtEnd <= enough && !instruction.getType()->isVoidTy())
          add(instruction, number, bytesOf);
    livesAfter.assign(bytes.size(), None);
  }

  uint64_t findPeak() {
    uint64_t peak = largestAtEnd;
    for (unsigned number = 0; number < blocks.size() && peak <= enough; ++number)
      peak = std::max(peak, walkUp(number));
    return peak;
  }

private:
  static constexpr unsigned None = ~0u;

  struct Block {
    const BasicBlock *block;
    SmallVector<unsigned, 2> predecessors;
    /// The sum of what is alive at the end.
    uint64_t bytesAtEnd = 0;
    /// The values alive at the end that the block defines or uses.
    SmallVector<unsigned, 4> knownAtEnd;
    /// The last value that was found to be alive at the end.
    unsigned marked = None;
  };

  /// Follows `value`, of the block `home`, if it takes registers.
  void add(const Value &value, unsigned home, function_ref<uint64_t(const Value &)> bytesOf) {
    const uint64_t size = bytesOf(value);
    if (size == 0)
      return;
    const unsigned number = bytes.size();
    numbers.try_emplace(&value, number);
    bytes.push_back(size);

    SmallVector<unsigned> passed, mentions = {home};
    auto markAtEnd = [&](unsigned block) {
      if (std::exchange(blocks[block].marked, number) == number)
        return;
      largestAtEnd = std::max(largestAtEnd, blocks[block].bytesAtEnd += size);
      if (block != home)
        passed.push_back(block);
    };
    for (const Use &use : value.uses()) {
      auto *user = cast<Instruction>(use.getUser());
      auto *phi = dyn_cast<PHINode>(user);
      auto found = blockNumbers.find(phi ? phi->getIncomingBlock(use) : user->getParent());
      if (found == blockNumbers.end())
        continue;
      if (phi) {
        markAtEnd(found->second);
      } else if (found->second != home) {
        mentions.push_back(found->second);
        for_each(blocks[found->second].predecessors, markAtEnd);
      }
    }
    while (!passed.empty())
      for_each(blocks[passed.pop_back_val()].predecessors, markAtEnd);
    for (unsigned block : mentions)
      if (blocks[block].marked == number)
        blocks[block].knownAtEnd.push_back(number);
  }

  /// From the end of a block to its start: the largest sum on the way.
  uint64_t walkUp(unsigned number) {
    const Block &block = blocks[number];
    uint64_t sum = block.bytesAtEnd, peak = 0;
    for (unsigned known : block.knownAtEnd)
      livesAfter[known] = number;
    auto use = [&](const Value *value) {
      auto found = numbers.find(value);
      if (found != numbers.end() && std::exchange(livesAfter[found->second], number) != number)
        sum += bytes[found->second];
    };
    for (const Instruction &instruction : reverse(*block.block)) {
      // The phis, which take their values at once, are visited after all others.
      if (isa<PHINode>(instruction)) {
        for (const PHINode &phi : block.block->phis())
          use(&phi);
        break;
      }
      use(&instruction);
      peak = std::max(peak, sum);
      if (auto found = numbers.find(&instruction); found != numbers.end()) {
        livesAfter[found->second] = None;
        sum -= bytes[found->second];
      }
      for (const Value *operand : instruction.operands())
        use(operand);
    }
    return std::max(peak, sum);
  }

  const uint64_t enough;
  /// The largest sum at the end of a block so far.
  uint64_t largestAtEnd = 0;
  /// Those that are reached; the entry is the last.
  SmallVector<Block, 0> blocks;
  DenseMap<const BasicBlock *, unsigned> blockNumbers;
  /// The values that take registers, and what they take.
  DenseMap<const Value *, unsigned> numbers;
  SmallVector<uint64_t, 0> bytes;
  /// The block that is walked through, for the values alive at its place.
  SmallVector<unsigned, 0> livesAfter;
};
} // namespace

uint64_t tilewright::emit::getPeakLiveBytes(const Function &function,
                                            function_ref<uint64_t(const Value &)> bytesOf,
                                            uint64_t enough) {
  return function.isDeclaration() ? 0 : Liveness(function, bytesOf, enough).findPeak();
}
