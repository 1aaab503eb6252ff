//===- InsertBarriers.cpp - Barriers between uses of shared memory ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/common/InsertBarriers.h"

#include "ir/ttg/Dialect.h"

#include <set>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

namespace {

/// The byte ranges that threads may still be accessing: those used since the last barrier of
/// the block. Every later use begins with a store, so loads and stores need no distinction.
class PendingRanges {
public:
  /// True if this changed.
  bool join(const PendingRanges &other) {
    const size_t before = ranges.size();
    ranges.insert(other.ranges.begin(), other.ranges.end());
    return ranges.size() != before;
  }
  void add(const SharedAccessRange &range) { ranges.insert({range.begin, range.end}); }
  void clear() { ranges.clear(); }
  bool overlaps(const SharedAccessRange &range) const {
    return llvm::any_of(ranges, [&](const std::pair<uint64_t, uint64_t> &pending) {
      return pending.first < range.end && range.begin < pending.second;
    });
  }

private:
  std::set<std::pair<uint64_t, uint64_t>> ranges;
};

class BarrierInsertion {
public:
  BarrierInsertion(FunctionOpInterface func,
                   llvm::function_ref<SharedAccessRange(Operation *)> describe) {
    for (Block &block : func.getFunctionBody()) {
      std::vector<Step> &steps = stepsOf[&block];
      for (Operation &op : block) {
        if (auto barrier = dyn_cast<ttg::BarrierOp>(op)) {
          if (barrier.getAddressSpaces() & ttg::Local)
            steps.push_back({&op, {}});
        } else if (SharedAccessRange range = describe(&op); !range.empty()) {
          steps.push_back({&op, range});
        }
      }
      blocks.push_back(&block);
    }
  }

  void run() {
    findConflicts(/*insert=*/true);
    // A barrier found early may have become needless by one found later.
    for (size_t i = 0; i < inserted.size();) {
      Operation *op = inserted[i];
      inserted.erase(inserted.begin() + i);
      if (findConflicts(/*insert=*/false)) {
        inserted.insert(inserted.begin() + i, op);
        ++i;
      }
    }
    for (Operation *op : inserted) {
      OpBuilder builder(op);
      ttg::BarrierOp::create(builder, op->getLoc(), ttg::Local);
    }
  }

private:
  /// An op that matters: a barrier has no range.
  struct Step {
    Operation *op;
    SharedAccessRange range;
  };

  /// Follows all paths until nothing new is found. With `insert`, a barrier is put before each
  /// op in conflict; otherwise the first conflict ends the search. True if there was one.
  bool findConflicts(bool insert) {
    llvm::DenseMap<Block *, PendingRanges> atEntry;
    bool conflict = false;
    for (bool changed = true; changed;) {
      changed = false;
      for (Block *block : blocks) {
        PendingRanges pending = atEntry[block];
        for (const Step &step : stepsOf[block]) {
          if (step.range.empty() || llvm::is_contained(inserted, step.op))
            pending.clear();
          if (pending.overlaps(step.range)) {
            conflict = true;
            if (!insert)
              return true;
            inserted.push_back(step.op);
            pending.clear();
          }
          if (step.range.hasBlockBarrier)
            pending.clear();
          if (!step.range.empty())
            pending.add(step.range);
        }
        for (Block *successor : block->getSuccessors())
          changed |= atEntry[successor].join(pending);
      }
    }
    return conflict;
  }

  std::vector<Block *> blocks;
  llvm::DenseMap<Block *, std::vector<Step>> stepsOf;
  /// Ops before which there is to be a barrier, in the order in which they were found.
  std::vector<Operation *> inserted;
};

} // namespace

void lower::insertBarriers(FunctionOpInterface func,
                           llvm::function_ref<SharedAccessRange(Operation *)> describe) {
  BarrierInsertion(func, describe).run();
}
