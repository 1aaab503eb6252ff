//===- LowerLoads.cpp - Loads of a scheduled loop as asynchronous copies ------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/pipeline/copies/LowerLoads.h"
#include "analysis/RegisterEstimate.h"
#include "analysis/Resources.h"
#include "ir/ttg/query/OpKinds.h"
#include "transform/pipeline/Channel.h"
#include "transform/pipeline/Strategy.h"
#include "transform/pipeline/copies/AsyncLoads.h"
#include "transform/pipeline/copies/BufferPlan.h"
#include "transform/pipeline/schedule/LoopProblem.h"
#include "transform/pipeline/schedule/StageChoice.h"
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
  CopiedTile tile;
  Operation *firstUser;
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
      if (beginsInFront(plan))
        forward.pull(copyOps.lookup(copy.load), clusterOfCopies.at(copy.tile.use.cluster));
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
      copies.push_back({load, *plan,
                        CopiedTile{begin, use->first, plan->isReadInMemory,
                                   findReads(result.loop, result.schedule, load.getResult(),
                                             plan->isReadInMemory, use->first, use->second)},
                        use->second});
    }
  }

  unsigned getBuffers(const Copy &copy, BufferPlan plan) const {
    return countBuffers(copy.tile, plan, result.loop, result.schedule, awaited);
  }

  ChannelKind kindOf(const Copy &copy) const {
    return {FillCompletion::GroupCount, getBuffers(copy, plan), copy.tile.begin.stage,
            copy.tile.use.stage};
  }

  BufferNeeds getNeeds(BufferPlan plan, bool isPlainSum) const {
    BufferNeeds needs = {.underWay = 0, .hasSecondBarrier = !beginsInFront(plan)};
    for (const Copy &copy : copies) {
      needs.bytes += ttg::getTileBytes(copy.load) * getBuffers(copy, plan);
      needs.underWay = std::max(needs.underWay, copy.tile.getLastStage() - copy.tile.begin.stage);
    }
    if (!beginsInFront(plan) && !isPlainSum)
      --needs.underWay;
    return needs;
  }

  /// The plans that the loop leaves open, of equal ones the first is taken. Copies that others need
  /// may move to the front with these (ForwardMoves), so that their reads cannot be counted.
  SmallVector<BufferPlan> getPlans(const LoopStrategy &strategy) const {
    const bool areReadInMemory =
        llvm::all_of(copies, [](const Copy &copy) { return copy.plan.isReadInMemory; });
    const bool isNeeded =
        llvm::any_of(copies, [](const Copy &copy) { return copy.isNeededByCopies; });
    const bool isCounted =
        strategy.products != Completion::None && !strategy.waitsInIteration && !isNeeded;
    SmallVector<BufferPlan> plans;
    if (!strategy.beginsCopiesLast(areReadInMemory)) {
      plans.push_back(BufferPlan::Front);
      if (isCounted && strategy.products == Completion::GroupWait)
        plans.push_back(BufferPlan::FrontAwaited);
    }
    plans.push_back(BufferPlan::Last);
    if (isCounted)
      plans.push_back(BufferPlan::LastAwaited);
    return plans;
  }

  /// The plan in which a multiprocessor takes the fewest cycles for an iteration of a loop whose
  /// products complete in order. `room` bytes of shared memory are free.
  BufferPlan chooseOrderedPlan(const LoopStrategy &strategy, uint64_t room) const {
    uint64_t tileBytes = 0;
    for (const Copy &copy : copies)
      tileBytes += ttg::getTileBytes(copy.load);
    IssueNeeds needs = findIssueNeeds(result.loop, room, tileBytes, target);
    // A program that goes along a dimension of a size that is not known leaves less to the grid:
    // its blocks may be few, unless they are of one warp, into which a problem has to be cut small.
    scf::ForOp loop = result.loop;
    if (!loop.getStaticTripCount() && needs.warps > 1)
      needs.maxBlocks = std::max(1u, target.multiprocessor.partitions / needs.warps);
    BufferPlan best = BufferPlan::Last;
    std::optional<uint64_t> least;
    for (BufferPlan plan : getPlans(strategy)) {
      const std::optional<uint64_t> cycles =
          getIterationCycles(target, needs, getNeeds(plan, /*isPlainSum=*/false));
      // Copies that begin last take registers, too, for tiles that are read before.
      constexpr uint64_t worthwhilePercent = 95;
      if (!cycles || (least && *cycles * 100 > *least * worthwhilePercent))
        continue;
      least = cycles;
      best = plan;
    }
    return best;
  }

  /// The cheapest plan. There is memory for the buffers of BufferPlan::Last.
  BufferPlan choosePlan() const {
    const LoopStrategy strategy = decideStrategy(target, result.loop);
    llvm::SmallPtrSet<Operation *, 8> replaced;
    for (const Copy &copy : copies)
      collectReplaced(copy.load, replaced);
    const uint64_t room = getFreeSharedBytes(result.loop, target, replaced);
    if (strategy.products == Completion::InOrder)
      return chooseOrderedPlan(strategy, room);
    StageNeeds needs = {.warps = unsigned(ttg::getNumWarps(result.loop)),
                        .usedBytes = target.shared.maxBytes - room,
                        .sumCycles =
                            strategy.isPlainSum ? getProductCycles(result.loop, target) : 0,
                        .readsProducts = !awaited.empty()};
    auto choose = [&] {
      BufferPlan best = BufferPlan::Last;
      std::optional<int> least;
      for (BufferPlan plan : getPlans(strategy)) {
        const std::optional<int> cost =
            getBufferCost(target, needs, getNeeds(plan, strategy.isPlainSum));
        if (!cost || (least && *cost >= *least))
          continue;
        least = cost;
        best = plan;
      }
      return best;
    };
    const BufferPlan first = getPlans(strategy).front();
    const BufferPlan best = choose();
    if (best == first)
      return best;
    // Registers may let in fewer blocks than memory.
    needs.registers = estimateMostRegisters(result.loop->getParentOfType<tt::FuncOp>(), target);
    return choose();
  }

  /// Decides where the copies stand: see the head of BufferPlan.h.
  void choosePlaces() {
    awaited = findAwaitedProducts(result.loop);
    plan = choosePlan();
    if (countsAwaited(plan))
      for (Operation *product : awaited)
        setSelfLatency(product, 0);
    // Waits first, then copies, then the cluster of the use.
    for (Copy &copy : copies) {
      auto [entry, isNew] = clusterOfCopies.try_emplace(copy.tile.use.cluster);
      if (!isNew)
        continue;
      entry->second = result.schedule.insertClusterBefore(copy.tile.use.cluster);
      clusterOfWaits[copy.tile.use.cluster] = result.schedule.insertClusterBefore(entry->second);
    }
  }

  /// One wait for all copies that are first used in one cluster. Its tokens come with the copies.
  void createWaits() {
    for (Copy &copy : copies) {
      ttg::AsyncWaitOp &wait = waits[{copy.tile.use.cluster, copy.tile.use.stage}];
      if (wait)
        continue;
      OpBuilder builder(copy.firstUser);
      wait = ttg::AsyncWaitOp::create(builder, copy.load.getLoc(), ValueRange(), 0);
      result.schedule.set(wait, {copy.tile.use.stage, clusterOfWaits.at(copy.tile.use.cluster)});
    }
  }

  /// The wait of a copy whose group is `group`, after that. Where a copy that others need is used
  /// ahead of the group, this one gets a wait of its own: ForwardMoves brings the first wait and
  /// its use to one cluster, where they go in the order of the body.
  ttg::AsyncWaitOp getWaitBehind(ttg::AsyncCommitGroupOp group, Copy &copy) {
    ttg::AsyncWaitOp &wait = waits.at({copy.tile.use.cluster, copy.tile.use.stage});
    if (!wait->isBeforeInBlock(group))
      return wait;
    const bool isNeededBefore = llvm::any_of(copies, [&](Copy &other) {
      return &other < &copy && other.tile.use.stage == copy.tile.use.stage &&
             other.tile.use.cluster == copy.tile.use.cluster &&
             other.firstUser->isBeforeInBlock(group) && other.isNeededByCopies;
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
    Value to = channel.acquire(builder, copy.tile.begin, loc, memory);
    const Value other = copy.load.getOther();
    const bool isSelected = needsOther(copy.load);
    auto begun = result.schedule.create<ttg::AsyncCopyGlobalToLocalOp>(
        builder, copy.tile.begin, loc, copy.load.getPtr(), to, copy.load.getMask(),
        isSelected ? Value() : other, copy.load.getCache(), copy.load.getEvict(),
        /*isVolatile=*/false, copy.plan.elements);
    auto group = result.schedule.create<ttg::AsyncCommitGroupOp>(builder, copy.tile.begin, loc,
                                                                 begun.getToken());
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
    Value value = load(loaded.getType(), from, copy.tile.use);
    if (other)
      value = result.schedule.create<arith::SelectOp>(builder, copy.tile.use, loc,
                                                      copy.load.getMask(), value, other);
    loaded.replaceAllUsesWith(value);
  }

  LoweredLoop result;
  const AxisInfoAnalysis &axes;
  const target::Target &target;
  SmallVector<Copy> copies;
  BufferPlan plan = BufferPlan::Front;
  /// Products of the loop that the iteration waits for.
  SmallVector<Operation *> awaited;
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
