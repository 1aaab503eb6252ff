//===- InsertBarriers.cpp - Insertion of barriers between uses of shared memory -===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/shared/InsertBarriers.h"

#include "ir/ttg/Dialect.h"

#include <set>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

namespace {

/// Byte ranges.
class Ranges {
public:
  /// True if this changed.
  bool join(const Ranges &other) {
    const size_t before = ranges.size();
    ranges.insert(other.ranges.begin(), other.ranges.end());
    return ranges.size() != before;
  }
  void add(ArrayRef<SharedRange> more) { ranges.insert(more.begin(), more.end()); }
  void clear() { ranges.clear(); }
  bool overlap(ArrayRef<SharedRange> others) const {
    return llvm::any_of(others, [&](const SharedRange &other) {
      return llvm::any_of(ranges, [&](const SharedRange &range) { return range.overlaps(other); });
    });
  }
  /// The same with their turns changed by `pass`.
  Ranges withTurns(llvm::function_ref<BufferTurn(const BufferTurn &)> pass) const {
    Ranges result;
    for (const SharedRange &range : ranges)
      result.ranges.insert({range.begin, range.end, pass(range.turn)});
    return result;
  }

private:
  std::set<SharedRange> ranges;
};

/// What threads may still be accessing: all since the last barrier.
struct Pending {
  Ranges loads, stores;

  bool join(const Pending &other) {
    bool changed = loads.join(other.loads);
    return stores.join(other.stores) || changed;
  }
  void clear() {
    loads.clear();
    stores.clear();
  }
  bool conflictsWith(const SharedUse &use) const {
    return stores.overlap(use.loads) || stores.overlap(use.stores) || loads.overlap(use.stores);
  }
  void pass(const SharedUse &use) {
    if (use.hasBlockBarrier) {
      clear();
    } else if (!use.isAsync) {
      loads.add(use.loads);
      stores.add(use.stores);
    }
    loads.add(use.loadsLeft);
    stores.add(use.storesLeft);
  }
};

class BarrierInsertion {
public:
  BarrierInsertion(Region &region, llvm::function_ref<SharedUse(Operation *)> describe) {
    SharedUse meeting;
    meeting.hasBlockBarrier = true;
    for (Block &block : region) {
      std::vector<Step> &steps = stepsOf[&block];
      for (Operation &op : block) {
        if (auto barrier = dyn_cast<ttg::BarrierOp>(op)) {
          if (barrier.getAddressSpaces() & ttg::Local)
            steps.emplace_back(&op, meeting);
        } else if (SharedUse use = describe(&op); !use.empty()) {
          noteLoops(use.loads);
          noteLoops(use.stores);
          steps.push_back({&op, std::move(use)});
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
    for (Block *block : blocks)
      joinBarriers(*block);
  }

private:
  /// Of two in a row, with nothing between them that accesses memory, the second is for both.
  void joinBarriers(Block &block) {
    // Ops without effects may have scratch.
    llvm::SmallPtrSet<Operation *, 16> users;
    for (const Step &step : stepsOf[&block])
      users.insert(step.op);
    ttg::BarrierOp before;
    for (Operation &op : block) {
      auto barrier = dyn_cast<ttg::BarrierOp>(op);
      if (barrier && before) {
        barrier.setAddressSpaces(barrier.getAddressSpaces() | before.getAddressSpaces());
        before.erase();
      }
      if (barrier || users.contains(&op) || !isMemoryEffectFree(&op))
        before = barrier;
    }
  }

  /// An op that matters.
  struct Step {
    Operation *op;
    SharedUse use;
  };

  /// Follows all paths until nothing new is found. With `insert`, a barrier is put before each
  /// op in conflict; otherwise the first conflict ends the search. True if there was one.
  bool findConflicts(bool insert) {
    llvm::DenseMap<Block *, Pending> atEntry;
    bool conflict = false;
    for (bool changed = true; changed;) {
      changed = false;
      for (Block *block : blocks) {
        Pending pending = atEntry[block];
        for (const Step &step : stepsOf[block]) {
          if (llvm::is_contained(inserted, step.op))
            pending.clear();
          if (pending.conflictsWith(step.use)) {
            conflict = true;
            if (!insert)
              return true;
            inserted.push_back(step.op);
            pending.clear();
          }
          pending.pass(step.use);
        }
        for (Block *successor : block->getSuccessors())
          changed |= atEntry[successor].join(passedTo(successor, block, pending));
      }
    }
    return conflict;
  }

  Pending passedTo(Block *successor, Block *block, const Pending &pending) const {
    auto pass = [&](const BufferTurn &turn) { return passEdge(turn, block, successor, latches); };
    return {pending.loads.withTurns(pass), pending.stores.withTurns(pass)};
  }

  void noteLoops(ArrayRef<SharedRange> ranges) {
    for (const SharedRange &range : ranges)
      if (range.turn.loop)
        latches[range.turn.loop] = range.turn.latch;
  }

  std::vector<Block *> blocks;
  llvm::DenseMap<Block *, std::vector<Step>> stepsOf;
  /// By the heads of the loops in which buffers take turns.
  llvm::DenseMap<Block *, Block *> latches;
  /// Ops before which there is to be a barrier, in the order in which they were found.
  std::vector<Operation *> inserted;
};

} // namespace

void lower::insertBarriers(Region &region, llvm::function_ref<SharedUse(Operation *)> describe) {
  BarrierInsertion(region, describe).run();
}
