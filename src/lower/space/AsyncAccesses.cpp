//===- AsyncAccesses.cpp - Accesses of memory under way -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/space/AsyncAccesses.h"

#include "ir/ttng/Dialect.h"

#include <map>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using llvm::BitVector;

static bool joinSets(BitVector &into, const BitVector &more) {
  if (!more.test(into))
    return false;
  into |= more;
  return true;
}

bool AccessedAllocations::join(const AccessedAllocations &other) {
  const bool changed = joinSets(reads, other.reads);
  return joinSets(writes, other.writes) || changed;
}

/// What `op` has to do with asynchronous accesses whose completion is waited for by groups.
static ttg::AsyncRole getGroupRole(Operation *op) {
  auto user = dyn_cast<ttg::SharedMemoryUser>(op);
  ttg::AsyncRole role = user ? user.getAsyncRole() : ttg::AsyncRole();
  return role.queue == ttg::AsyncQueue::Barriers ? ttg::AsyncRole() : role;
}

bool lower::handsOverCopies(Operation *op) { return isa<ttng::AsyncCopyMbarrierArriveOp>(op); }

static bool hasIssues(Operation *root) {
  return root->walk([](Operation *op) { return WalkResult(failure(getGroupRole(op).issues)); })
      .wasInterrupted();
}

static bool lendsMemory(tt::CallOp call) {
  return llvm::any_of(call.getOperandTypes(), llvm::IsaPred<ttg::MemDescType>);
}

/// Whether accesses may be under way at any op of `func`, begun there or in a function that is
/// lent memory.
static bool hasAsyncAccesses(tt::FuncOp func) {
  if (hasIssues(func))
    return true;
  const bool lends =
      func.walk([](tt::CallOp call) { return WalkResult(failure(lendsMemory(call))); })
          .wasInterrupted();
  return lends && hasIssues(func->getParentOp());
}

namespace {

/// Groups that are told apart at most; those before them count as one.
constexpr unsigned maxGroups = 32;

/// What may be under way at one place, for each queue: at 0 what is in no group yet, then groups,
/// those committed last first. The last entry stands for all groups before it, too.
struct UnderWay {
  std::map<ttg::AsyncQueue, SmallVector<AccessedAllocations>> queues;

  bool join(const UnderWay &other) {
    bool changed = false;
    for (const auto &[queue, groups] : other.queues) {
      auto [entry, isNew] = queues.try_emplace(queue, groups.size());
      for (auto [into, more] : llvm::zip_equal(entry->second, groups))
        changed |= into.join(more);
    }
    return changed;
  }

  BitVector all() const {
    BitVector result;
    for (const auto &[queue, groups] : queues)
      for (const AccessedAllocations &group : groups) {
        result |= group.reads;
        result |= group.writes;
      }
    return result;
  }
};

/// Follows accesses along all paths until nothing new is found.
class Flow {
public:
  Flow(tt::FuncOp func, const MemorySpace &space, AsyncAccesses::AllocationsOf allocationsOf)
      : func(func), space(space), allocationsOf(allocationsOf) {
    unsigned mostLeft = 0;
    func.walk(
        [&](Operation *op) { mostLeft = std::max(mostLeft, getGroupRole(op).waits.value_or(0)); });
    // Besides those that a wait leaves: what is in no group, and those that it waits for.
    entries = std::min(mostLeft, maxGroups) + 2;
    do {
      changed = false;
      follow(func.getBody(), {});
    } while (changed);
  }

  /// Calls `see` with each op and what may be under way before it.
  void forEach(llvm::function_ref<void(Operation *, const UnderWay &)> see) {
    this->see = see;
    follow(func.getBody(), {});
    this->see = nullptr;
  }

  /// What `op`, at which `state` is under way, completes.
  AccessedAllocations completedBy(Operation *op, const UnderWay &state) const {
    AccessedAllocations result;
    const ttg::AsyncRole role = getGroupRole(op);
    auto found = state.queues.find(role.queue);
    if (!role.waits || found == state.queues.end())
      return result;
    for (const AccessedAllocations &group :
         ArrayRef(found->second).drop_front(firstWaitedFor(*role.waits)))
      result.join(group);
    return result;
  }

  BitVector leftByPartitions() const { return atPartitionEnd.all(); }

private:
  /// The first entry of a queue that a wait which leaves `left` groups waits for.
  unsigned firstWaitedFor(unsigned left) const { return std::min(left + 1, entries - 1); }

  SmallVector<AccessedAllocations> &groupsOf(UnderWay &state, ttg::AsyncQueue queue) {
    return state.queues.try_emplace(queue, entries).first->second;
  }

  /// A path leads to `block` with `state` under way.
  void enter(Block *block, const UnderWay &state) {
    auto [entry, isNew] = atEntry.try_emplace(block);
    changed |= entry->second.join(state) || isNew;
  }

  UnderWay follow(Region &region, const UnderWay &entry) {
    enter(&region.front(), entry);
    UnderWay atEnd;
    for (Block &block : region) {
      auto found = atEntry.find(&block);
      // No path leads there, or none that has been followed yet.
      if (found == atEntry.end())
        continue;
      UnderWay state = found->second;
      for (Operation &op : block) {
        if (see)
          see(&op, state);
        pass(&op, state);
      }
      for (Block *successor : block.getSuccessors())
        enter(successor, state);
      if (block.getNumSuccessors() == 0)
        atEnd.join(state);
    }
    return atEnd;
  }

  void pass(Operation *op, UnderWay &state) {
    if (auto specialize = dyn_cast<ttg::WarpSpecializeOp>(op)) {
      for (Region &partition : specialize.getPartitionRegions())
        changed |= atPartitionEnd.join(follow(partition, atPartitionEntry()));
      state = follow(specialize.getDefaultRegion(), state);
      return;
    }
    // What a function leaves under way may be in any group.
    if (auto call = dyn_cast<tt::CallOp>(op); call && lendsMemory(call)) {
      for (AccessedAllocations &group : groupsOf(state, ttg::AsyncQueue::CopyGroups))
        for (Value operand : call.getOperands())
          if (space.hasView(operand))
            group.writes |= allocationsOf(operand);
      return;
    }
    // Who waits for the barrier knows of them, as of what barriers complete.
    if (handsOverCopies(op))
      state.queues.erase(ttg::AsyncQueue::CopyGroups);
    const ttg::AsyncRole role = getGroupRole(op);
    if (role.issues) {
      AccessedAllocations &begun = groupsOf(state, role.queue)[0];
      for (const ttg::ViewAccess &access : space.getAccesses(op))
        (access.isWrite ? begun.writes : begun.reads) |= allocationsOf(access.view);
    }
    auto found = state.queues.find(role.queue);
    if (found == state.queues.end())
      return;
    SmallVector<AccessedAllocations> &groups = found->second;
    if (role.commits) {
      AccessedAllocations oldest = groups.pop_back_val();
      groups.insert(groups.begin(), AccessedAllocations());
      groups.back().join(oldest);
    }
    // Where more groups are left than are told apart, some of the last entry are.
    if (role.waits && *role.waits + 1 < entries)
      for (AccessedAllocations &group :
           MutableArrayRef(groups).drop_front(firstWaitedFor(*role.waits)))
        group = {};
  }

  /// What the warps of a partition have begun in others before: groups of old.
  UnderWay atPartitionEntry() {
    UnderWay state;
    for (const auto &[queue, groups] : atPartitionEnd.queues)
      for (const AccessedAllocations &group : groups)
        groupsOf(state, queue).back().join(group);
    return state;
  }

  tt::FuncOp func;
  const MemorySpace &space;
  AsyncAccesses::AllocationsOf allocationsOf;
  /// Entries of a queue.
  unsigned entries;
  llvm::DenseMap<Block *, UnderWay> atEntry;
  UnderWay atPartitionEnd;
  bool changed = false;
  llvm::function_ref<void(Operation *, const UnderWay &)> see;
};

} // namespace

AsyncAccesses::AsyncAccesses(tt::FuncOp func, const MemorySpace &space,
                             AllocationsOf allocationsOf) {
  if (!hasAsyncAccesses(func))
    return;
  Flow flow(func, space, allocationsOf);
  flow.forEach([&](Operation *op, const UnderWay &state) {
    if (BitVector all = state.all(); all.any())
      underWay[op] = std::move(all);
    if (AccessedAllocations accesses = flow.completedBy(op, state); !accesses.empty())
      completed[op] = std::move(accesses);
  });
  abandoned = flow.leftByPartitions();
}

BitVector AsyncAccesses::underWayAt(Operation *op) const {
  BitVector result = underWay.lookup(op);
  result |= abandoned;
  return result;
}

AccessedAllocations AsyncAccesses::completedAt(Operation *wait) const {
  return completed.lookup(wait);
}
