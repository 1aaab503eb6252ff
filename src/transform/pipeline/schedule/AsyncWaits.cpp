//===- AsyncWaits.cpp - How many groups of copies waits leave -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/pipeline/schedule/AsyncWaits.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace tilewright;

/// The groups committed by ops of a block from `begin` on and before `end`. What branches and inner
/// loops commit may be none.
static unsigned countCommits(Block::iterator begin, Block::iterator end) {
  return llvm::count_if(llvm::make_range(begin, end),
                        [](Operation &op) { return isa<ttg::AsyncCommitGroupOp>(op); });
}

namespace {

/// Follows a token backwards to where its group is committed.
class TokenPaths {
public:
  /// The fewest groups committed between the group of `token` and `end`, a place where it is known.
  unsigned countAfter(Value token, Block *block, Block::iterator end) {
    if (auto argument = dyn_cast<BlockArgument>(token))
      return countAfterArgument(argument, block, end);
    Operation *op = token.getDefiningOp();
    if (op->getBlock() != block) {
      Operation *parent = block->getParentOp();
      return countCommits(block->begin(), end) +
             countAfter(token, parent->getBlock(), parent->getIterator());
    }
    // What passes a token on.
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      auto result = cast<OpResult>(token);
      const unsigned after = countCommits(std::next(op->getIterator()), end);
      return after + countAfterLoop(loop, result.getResultNumber());
    }
    return countCommits(std::next(op->getIterator()), end);
  }

private:
  unsigned countAfterArgument(BlockArgument argument, Block *block, Block::iterator end) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop)
      return 0;
    if (argument.getOwner() != block) {
      Operation *parent = block->getParentOp();
      return countCommits(block->begin(), end) +
             countAfterArgument(argument, parent->getBlock(), parent->getIterator());
    }
    const unsigned number = argument.getArgNumber() - loop.getNumInductionVars();
    return countCommits(block->begin(), end) + countAfterLoop(loop, number);
  }

  /// Of the value that `loop` carries as number `number`, at the beginning of an iteration.
  unsigned countAfterLoop(scf::ForOp loop, unsigned number) {
    // A path that comes back has met more commits.
    if (!open.insert({loop, number}).second)
      return std::numeric_limits<unsigned>::max() / 2;
    const unsigned first =
        countAfter(loop.getInitArgs()[number], loop->getBlock(), loop->getIterator());
    Operation *yield = loop.getBody()->getTerminator();
    const unsigned next =
        countAfter(yield->getOperand(number), loop.getBody(), yield->getIterator());
    open.erase({loop, number});
    return std::min(first, next);
  }

  llvm::DenseSet<std::pair<Operation *, unsigned>> open;
};

} // namespace

void transform::setPendingGroups(ttg::AsyncWaitOp wait) {
  std::optional<unsigned> fewest;
  for (Value token : wait.getAsyncToken()) {
    const unsigned pending = TokenPaths().countAfter(token, wait->getBlock(), wait->getIterator());
    fewest = std::min(fewest.value_or(pending), pending);
  }
  wait.setNum(fewest.value_or(0));
}
