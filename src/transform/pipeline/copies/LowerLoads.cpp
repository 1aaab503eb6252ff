//===- LowerLoads.cpp - Loads of a scheduled loop as asynchronous copies ------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/pipeline/copies/LowerLoads.h"
#include "analysis/Resources.h"

#include "ir/ttg/query/OpKinds.h"
#include "transform/pipeline/Channel.h"
#include "transform/pipeline/Strategy.h"
#include "transform/pipeline/copies/AsyncLoads.h"
#include "transform/pipeline/staged/StagedLoads.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <map>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::transform;

namespace {

/// A load that becomes copies.
struct Copy {
  tt::LoadOp load;
  AsyncLoad plan;
  /// Of the load, and of the first op that uses its value.
  Slot begin, use;
  Operation *firstUser;
  /// The stage of the last op that reads the tile in memory.
  unsigned lastStage;
  /// Whether other copies depend on its value.
  bool isNeededByCopies = false;
};

class LoadLowering {
public:
  LoadLowering(scf::ForOp loop, LoopSchedule schedule, const AxisInfoAnalysis &axes,
               const target::Target &target)
      : result{loop, std::move(schedule), {}}, axes(axes), target(target) {}

  LoweredLoop run() {
    findCopies();
    if (copies.empty())
      return std::move(result);
    for (Copy &copy : copies)
      copy.isNeededByCopies = isNeededByCopies(copy.load);
    choosePlaces();
    for (const Copy &copy : copies)
      channels.add(kindOf(copy));
    result.loop = channels.carryIndices(result.loop);
    createWaits();
    for (Copy &copy : copies)
      lower(copy);
    ForwardMoves forward(result.loop, result.schedule);
    for (Copy &copy : copies)
      if (isInFront)
        forward.pull(copyOps.lookup(copy.load), clusterOfCopies.at(copy.use.cluster));
    for (Copy &copy : copies) {
      result.schedule.remove(copy.load);
      copy.load->erase();
    }
    return std::move(result);
  }

private:
  Block *body() { return result.loop.getBody(); }

  /// The first op of the body, in the order of the pipelined loop, that uses `load`'s value. Where
  /// the value is `readInMemory`, its allocations count as their users.
  std::optional<std::pair<Slot, Operation *>> findFirstUse(tt::LoadOp load, bool readInMemory) {
    Operation *first = nullptr;
    SmallVector<Operation *> open = {load};
    while (!open.empty()) {
      for (Operation *user : open.pop_back_val()->getUsers()) {
        Operation *op = body()->findAncestorOpInBlock(*user);
        if (!op || op == body()->getTerminator())
          return std::nullopt;
        if (readInMemory && isa<ttg::LocalAllocOp>(op)) {
          open.push_back(op);
          continue;
        }
        if (!first || result.schedule.isEarlier(op, first))
          first = op;
      }
    }
    if (!first)
      return std::nullopt;
    return std::pair(result.schedule.get(first), first);
  }

  /// Whether what `load` brings decides what another copy reads, or whether it does.
  bool isNeededByCopies(tt::LoadOp load) {
    llvm::SmallPtrSet<Operation *, 16> seen;
    SmallVector<Operation *> open = {load};
    while (!open.empty())
      for (Operation *user : open.pop_back_val()->getUsers()) {
        Operation *op = body()->findAncestorOpInBlock(*user);
        if (!op || !seen.insert(op).second)
          continue;
        if (llvm::any_of(copies, [&](const Copy &other) { return other.load == op; }))
          return true;
        open.push_back(op);
      }
    return false;
  }

  void findCopies() {
    for (tt::LoadOp load : body()->getOps<tt::LoadOp>()) {
      const Slot begin = result.schedule.get(load);
      std::optional<AsyncLoad> plan = planAsyncLoad(load, axes, target);
      if (!plan)
        continue;
      auto use = findFirstUse(load, plan->isReadInMemory);
      if (!use || use->first.stage <= begin.stage)
        continue;
      copies.push_back({load, *plan, begin, use->first, use->second,
                        std::max(use->first.stage, findLastStage(load))});
    }
  }

  /// The last stage of those users of `value`, which is in memory then, that read it there: of a
  /// load's value allocations, which are that memory, and conversions.
  unsigned findLastStage(Operation *op) {
    unsigned last = 0;
    if (auto load = dyn_cast<tt::LoadOp>(op))
      for (ConvertedUse &use : getConvertedUses(load))
        last =
            std::max(last, result.schedule.get(body()->findAncestorOpInBlock(*use.convert)).stage);
    for (Operation *user : op->getUsers()) {
      const bool isView = llvm::any_of(user->getResultTypes(), llvm::IsaPred<ttg::MemDescType>);
      if (isView)
        last = std::max(last, findLastStage(user));
      else if (!isa<tt::LoadOp>(op))
        last = std::max(last, result.schedule.get(body()->findAncestorOpInBlock(*user)).stage);
    }
    return last;
  }

  /// Copies never begin after the reads of an iteration without a barrier, so the tile of the
  /// present one is kept.
  unsigned getBuffers(const Copy &copy) const {
    return countBuffers(copy.begin.stage, copy.lastStage,
                        /*kept=*/copy.plan.isReadInMemory && isInFront ? 2 : 1);
  }

  ChannelKind kindOf(const Copy &copy) const {
    return {FillCompletion::GroupCount, getBuffers(copy), copy.begin.stage, copy.use.stage};
  }

  /// Decides where the copies stand: see the head of LowerLoads.h.
  void choosePlaces() {
    llvm::SmallPtrSet<Operation *, 8> replaced;
    for (Copy &copy : copies)
      collectReplaced(copy.load, replaced);
    uint64_t bytes = 0;
    for (Copy &copy : copies)
      bytes += ttg::getTileBytes(copy.load) * getBuffers(copy);
    const bool areReadInMemory =
        llvm::all_of(copies, [](const Copy &copy) { return copy.plan.isReadInMemory; });
    isInFront = bytes <= getFreeSharedBytes(result.loop, target, replaced) &&
                !decideStrategy(target, result.loop).beginsCopiesLast(areReadInMemory);
    // Waits first, then copies, then the cluster of the use.
    for (Copy &copy : copies) {
      auto [entry, isNew] = clusterOfCopies.try_emplace(copy.use.cluster);
      if (!isNew)
        continue;
      entry->second = result.schedule.insertClusterBefore(copy.use.cluster);
      clusterOfWaits[copy.use.cluster] = result.schedule.insertClusterBefore(entry->second);
    }
  }

  /// One wait for all copies that are first used in one cluster. Its tokens come with the copies.
  void createWaits() {
    for (Copy &copy : copies) {
      ttg::AsyncWaitOp &wait = waits[{copy.use.cluster, copy.use.stage}];
      if (wait)
        continue;
      OpBuilder builder(copy.firstUser);
      wait = ttg::AsyncWaitOp::create(builder, copy.load.getLoc(), ValueRange(), 0);
      result.schedule.set(wait, {copy.use.stage, clusterOfWaits.at(copy.use.cluster)});
    }
  }

  /// The wait of a copy whose group is `group`, after that. Where a copy that others need is used
  /// ahead of the group, this one gets a wait of its own: ForwardMoves brings the first wait and
  /// its use to one cluster, where they go in the order of the body.
  ttg::AsyncWaitOp getWaitBehind(ttg::AsyncCommitGroupOp group, Copy &copy) {
    ttg::AsyncWaitOp &wait = waits.at({copy.use.cluster, copy.use.stage});
    if (!wait->isBeforeInBlock(group))
      return wait;
    const bool isNeededBefore = llvm::any_of(copies, [&](Copy &other) {
      return &other < &copy && other.use.stage == copy.use.stage &&
             other.use.cluster == copy.use.cluster && other.firstUser->isBeforeInBlock(group) &&
             other.isNeededByCopies;
    });
    if (isNeededBefore) {
      OpBuilder builder(copy.firstUser);
      wait = result.schedule.create<ttg::AsyncWaitOp>(builder, result.schedule.get(wait),
                                                      copy.load.getLoc(), ValueRange(), 0);
    } else {
      wait->moveAfter(group);
    }
    return wait;
  }

  void lower(Copy &copy) {
    auto tensor = cast<RankedTensorType>(copy.load.getType());
    Location loc = copy.load.getLoc();
    Channel channel = channels.create(kindOf(copy), result.loop, result.schedule);
    Value memory = channel.allocate(
        loc, ttg::MemDescType::get(tensor.getShape(), tensor.getElementType(), copy.plan.encoding,
                                   ttg::SharedMemorySpaceAttr::get(copy.load.getContext()),
                                   /*mutableMemory=*/true));
    result.buffers.push_back(memory);

    OpBuilder builder(copy.load);
    Value to = channel.acquire(builder, copy.begin, loc, memory);
    const Value other = copy.load.getOther();
    const bool isSelected = needsOther(copy.load);
    auto begun = result.schedule.create<ttg::AsyncCopyGlobalToLocalOp>(
        builder, copy.begin, loc, copy.load.getPtr(), to, copy.load.getMask(),
        isSelected ? Value() : other, copy.load.getCache(), copy.load.getEvict(),
        /*isVolatile=*/false, copy.plan.elements);
    auto group =
        result.schedule.create<ttg::AsyncCommitGroupOp>(builder, copy.begin, loc, begun.getToken());
    copyOps[copy.load] = group;

    ttg::AsyncWaitOp wait = getWaitBehind(group, copy);
    wait.getAsyncTokenMutable().append(group.getAsyncToken());
    const Slot waitSlot = result.schedule.get(wait);
    builder.setInsertionPointAfter(wait);
    Value from = channel.read(builder, waitSlot, loc, memory);
    replaceUses(copy, from, wait.getRetToken(), isSelected ? other : Value());
  }

  /// Erases `op`, a user of the copy's value, whose place `replacement` takes.
  void erase(Copy &copy, Operation *op, Operation *replacement) {
    if (copy.firstUser == op)
      copy.firstUser = replacement;
    result.schedule.remove(op);
    op->erase();
  }

  void replaceUses(Copy &copy, Value from, Value token, Value other) {
    Location loc = copy.load.getLoc();
    Value loaded = copy.load.getResult();
    if (copy.plan.isReadInMemory) {
      for (Operation *user : llvm::make_early_inc_range(loaded.getUsers())) {
        auto alloc = cast<ttg::LocalAllocOp>(user);
        alloc.getResult().replaceAllUsesWith(from);
        result.schedule.remove(alloc);
        alloc->erase();
      }
      ttg::makeViewsMutable(from);
      return;
    }
    OpBuilder builder(copy.firstUser);
    auto load = [&](Type type, Value memory, Slot slot) -> Value {
      return result.schedule.create<ttg::LocalLoadOp>(builder, slot, loc, type, memory, token);
    };
    // Operands of products come as they are wanted.
    if (!other)
      for (ConvertedUse &use : getConvertedUses(copy.load)) {
        const Slot slot = result.schedule.get(use.convert);
        builder.setInsertionPoint(use.convert);
        Value view = from;
        if (use.trans)
          view = result.schedule.create<ttg::MemDescTransOp>(builder, slot, loc, from,
                                                             use.trans.getOrder());
        Value operand = load(use.convert.getType(), view, slot);
        use.convert.getResult().replaceAllUsesWith(operand);
        erase(copy, use.convert, operand.getDefiningOp());
        if (use.trans && use.trans->use_empty())
          erase(copy, use.trans, operand.getDefiningOp());
      }
    if (loaded.use_empty())
      return;
    builder.setInsertionPoint(copy.firstUser);
    Value value = load(loaded.getType(), from, copy.use);
    if (other)
      value = result.schedule.create<arith::SelectOp>(builder, copy.use, loc, copy.load.getMask(),
                                                      value, other);
    loaded.replaceAllUsesWith(value);
  }

  LoweredLoop result;
  const AxisInfoAnalysis &axes;
  const target::Target &target;
  SmallVector<Copy> copies;
  /// Copies stand before the reads of the iteration; at the end otherwise.
  bool isInFront = true;
  /// By the clusters of first uses.
  std::map<Cluster, Cluster> clusterOfCopies, clusterOfWaits;
  std::map<std::pair<Cluster, unsigned>, ttg::AsyncWaitOp> waits;
  LoopChannels channels;
  /// The last op of each copy.
  llvm::DenseMap<Operation *, Operation *> copyOps;
};

} // namespace

LoweredLoop transform::lowerLoads(scf::ForOp loop, LoopSchedule schedule,
                                  const AxisInfoAnalysis &axes, const target::Target &target) {
  if (getPointerPath(target) == LoadPath::Registers)
    return stageLoads(loop, std::move(schedule), target);
  return LoadLowering(loop, std::move(schedule), axes, target).run();
}
