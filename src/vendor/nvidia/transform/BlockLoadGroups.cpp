//===- BlockLoadGroups.cpp - Loads of blocks that share a barrier -------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/transform/BlockLoadGroups.h"

#include "transform/pipeline/Channel.h"
#include "transform/pipeline/copies/AsyncLoads.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::vendor::nvidia;
using transform::LoopSchedule;
using transform::Slot;

unsigned LoadGroup::getBuffers() const {
  unsigned buffers = 1;
  for (const EarlyLoad &each : loads)
    buffers = std::max(buffers, transform::countBuffers(begin.stage, each.lastStage,
                                                        /*kept=*/each.isReadInMemory ? 1 : 0));
  return buffers;
}

uint32_t LoadGroup::getBytes() const {
  uint32_t bytes = 0;
  for (const EarlyLoad &each : loads)
    bytes += each.load.getBytes();
  return bytes;
}

unsigned LoadGroup::countCopies(unsigned threads) const {
  unsigned copies = 0;
  for (const EarlyLoad &each : loads)
    copies += each.load.countCopies(threads);
  return copies;
}

Operation *LoadGroup::findFirstInBlock(Block *body) const {
  Operation *first = firstUser;
  for (const EarlyLoad &each : loads)
    for (Operation *user : each.load.getResult().getUsers())
      if (Operation *op = body->findAncestorOpInBlock(*user); op->isBeforeInBlock(first))
        first = op;
  return first;
}

/// What a copy of a thread brings: shorter ones take a producer's threads too long.
static constexpr unsigned copyBits = 128;

namespace {

class GroupSearch {
public:
  GroupSearch(scf::ForOp loop, const LoopSchedule &schedule,
              const transform::AxisInfoAnalysis *axes)
      : loop(loop), schedule(schedule), axes(axes) {}

  std::vector<LoadGroup> run() {
    for (Operation &op : *body()) {
      const std::optional<BlockLoad> found = getLoad(op);
      if (!found)
        continue;
      const BlockLoad &load = *found;
      SmallVector<Operation *> users = findUsers(load);
      if (users.empty())
        continue;
      Operation *first = users.front();
      unsigned lastStage = 0;
      for (Operation *user : users) {
        first = schedule.isEarlier(user, first) ? user : first;
        lastStage = std::max(lastStage, schedule.get(user).stage);
      }
      const Slot begin = schedule.get(&op), use = schedule.get(first);
      if (use.stage <= begin.stage)
        continue;
      const bool isReadInMemory =
          llvm::any_of(op.getUsers(), [&](Operation *user) { return load.isReadInPlace(user); });
      groupOf(begin, first, load.isOfPointers()).loads.push_back({load, lastStage, isReadInMemory});
    }
    return std::move(groups);
  }

private:
  Block *body() { return loop.getBody(); }

  /// The load of a block that `op` is, if it is one.
  std::optional<BlockLoad> getLoad(Operation &op) const {
    if (BlockLoad::is(&op))
      return BlockLoad(&op);
    auto load = dyn_cast<tt::LoadOp>(op);
    const target::Target *target = load && axes ? ttg::getTarget(load) : nullptr;
    if (!target)
      return std::nullopt;
    const std::optional<transform::AsyncLoad> plan = transform::planAsyncLoad(load, *axes, *target);
    if (!plan || !plan->isReadInMemory ||
        plan->elements *
                tt::getStorageBits(cast<RankedTensorType>(load.getType()).getElementType()) <
            copyBits)
      return std::nullopt;
    return BlockLoad(load, plan->elements);
  }

  /// The ops of the body that use the block which `load` loads, those that only name its memory
  /// left out; none if one of them is the terminator.
  SmallVector<Operation *> findUsers(const BlockLoad &load) {
    SmallVector<Operation *> users, open = {load.getOp()};
    while (!open.empty()) {
      Operation *op = open.pop_back_val();
      for (Operation *user : op->getUsers()) {
        Operation *inBody = body()->findAncestorOpInBlock(*user);
        if (!inBody || inBody == body()->getTerminator())
          return {};
        const bool isView = op == load.getOp() ? load.isReadInPlace(user)
                                               : llvm::any_of(user->getResultTypes(),
                                                              llvm::IsaPred<ttg::MemDescType>);
        if (isView && inBody == user)
          open.push_back(user);
        else
          users.push_back(inBody);
      }
    }
    return users;
  }

  LoadGroup &groupOf(Slot begin, Operation *firstUser, bool isOfPointers) {
    for (LoadGroup &group : groups)
      if (group.isOfPointers() == isOfPointers && group.firstUser == firstUser &&
          group.begin.stage == begin.stage && group.begin.cluster == begin.cluster)
        return group;
    return groups.emplace_back(LoadGroup{{}, begin, schedule.get(firstUser), firstUser});
  }

  scf::ForOp loop;
  const LoopSchedule &schedule;
  const transform::AxisInfoAnalysis *axes;
  std::vector<LoadGroup> groups;
};

} // namespace

std::vector<LoadGroup> vendor::nvidia::findLoadGroups(scf::ForOp loop, const LoopSchedule &schedule,
                                                      const transform::AxisInfoAnalysis *axes) {
  return GroupSearch(loop, schedule, axes).run();
}
