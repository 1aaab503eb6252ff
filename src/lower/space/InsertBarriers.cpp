//===- InsertBarriers.cpp - Insertion of barriers between uses of memory ------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/space/InsertBarriers.h"

#include "ir/ttg/Dialect.h"

#include <set>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

namespace {

/// Ranges of units.
class Ranges {
public:
  /// True if this changed.
  bool join(const Ranges &other) {
    const size_t before = ranges.size();
    ranges.insert(other.ranges.begin(), other.ranges.end());
    return ranges.size() != before;
  }
  void add(ArrayRef<SpaceRange> more) { ranges.insert(more.begin(), more.end()); }
  void clear() { ranges.clear(); }
  bool overlap(ArrayRef<SpaceRange> others) const {
    return llvm::any_of(others, [&](const SpaceRange &other) {
      return llvm::any_of(ranges, [&](const SpaceRange &range) { return range.overlaps(other); });
    });
  }
  /// The same with their turns changed by `pass`.
  Ranges withTurns(llvm::function_ref<BufferTurn(const BufferTurn &)> pass) const {
    Ranges result;
    for (const SpaceRange &range : ranges) {
      SpaceRange passed = range;
      passed.turn = pass(range.turn);
      result.ranges.insert(passed);
    }
    return result;
  }

private:
  std::set<SpaceRange> ranges;
};

/// What threads may still be accessing, or waiting for: all since the last barrier.
struct Pending {
  Ranges loads, stores, waits;

  bool join(const Pending &other) {
    bool changed = loads.join(other.loads);
    changed |= waits.join(other.waits);
    return stores.join(other.stores) || changed;
  }
  void clear() {
    loads.clear();
    stores.clear();
    waits.clear();
  }
  bool conflictsWith(const SpaceUse &use) const {
    return stores.overlap(use.loads) || stores.overlap(use.stores) || loads.overlap(use.stores) ||
           waits.overlap(use.tells);
  }
  void pass(const SpaceUse &use) {
    if (use.hasBlockBarrier) {
      clear();
    } else if (!use.isAsync) {
      loads.add(use.loads);
      stores.add(use.stores);
    }
    waits.add(use.waits);
    loads.add(use.loadsLeft);
    stores.add(use.storesLeft);
  }
};

class BarrierInsertion {
public:
  BarrierInsertion(Region &region, const MemorySpace &space,
                   llvm::function_ref<SpaceUse(Operation *)> describe)
      : barrierSpace(space.barrierSpace) {
    SpaceUse meeting;
    meeting.hasBlockBarrier = true;
    for (Block &block : region) {
      std::vector<Step> &steps = stepsOf[&block];
      for (Operation &op : block) {
        if (auto barrier = dyn_cast<ttg::BarrierOp>(op)) {
          if (barrier.getAddressSpaces() & barrierSpace)
            steps.emplace_back(&op, meeting);
        } else if (SpaceUse use = describe(&op); !use.empty()) {
          for (ArrayRef<SpaceRange> ranges : {ArrayRef(use.loads), ArrayRef(use.stores),
                                              ArrayRef(use.waits), ArrayRef(use.tells)})
            noteLoops(ranges);
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
      ttg::BarrierOp::create(builder, op->getLoc(), barrierSpace);
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
    SpaceUse use;
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
    return {pending.loads.withTurns(pass), pending.stores.withTurns(pass),
            pending.waits.withTurns(pass)};
  }

  void noteLoops(ArrayRef<SpaceRange> ranges) {
    for (const SpaceRange &range : ranges)
      if (range.turn.loop)
        latches[range.turn.loop] = range.turn.latch;
  }

  ttg::BarrierSpace barrierSpace;
  std::vector<Block *> blocks;
  llvm::DenseMap<Block *, std::vector<Step>> stepsOf;
  /// By the heads of the loops in which buffers take turns.
  llvm::DenseMap<Block *, Block *> latches;
  /// Ops before which there is to be a barrier, in the order in which they were found.
  std::vector<Operation *> inserted;
};

} // namespace

void lower::insertBarriers(Region &region, const MemorySpace &space,
                           llvm::function_ref<SpaceUse(Operation *)> describe) {
  BarrierInsertion(region, space, describe).run();
}
