//===- SpecializeLoops.cpp - Loops whose loads have warps of their own --------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A scheduled loop that the source wants specialised (`tt.warp_specialize`), all of whose early
// loads are of blocks, becomes two, which run at the same time. Of blocks of descriptors:
//
//     %r = ttg.warp_specialize(%descriptor, %bounds, %memory, %full, %empty)
//     default {                                    the block's warps
//       %s = scf.for .. {
//         wait for full[i]; product of buffer i
//         each warp: release the buffer that it is done with
//       }
//       ttg.warp_yield %s
//     }
//     partition0(..) num_warps(1) {
//       scf.for .. {
//         where the block is
//         wait for empty[i]; expect(full[i]); copies into buffer i
//       }
//       ttg.warp_return
//     }
//
// The present iteration's product may still be under way at its end (AsyncDots.cpp): its buffer is
// released in the next one (ReleasePoints.h), and the last ones not at all, for which nobody waits.
// Warps release buffers one by one, so that no barrier keeps them in step: while one group of four
// computes with what its product gave, the unit has that of another.
//
// Loads through pointers have a partition of four warps, in which each thread copies a part of a
// block, and arrives at full[i] when that is there.
//
// The producer computes by itself where the blocks are: from numbers alone, by pure ops
// (ProducerSlice.h). A loop in which that needs more stays one loop, and a remark says so.
//
//===--------------------------------------------------------------------------===//

#include "analysis/RegisterEstimate.h"
#include "transform/pipeline/Channel.h"
#include "transform/specialize/GroupChannel.h"
#include "vendor/nvidia/transform/BlockLoadGroups.h"
#include "vendor/nvidia/transform/Passes.h"
#include "vendor/nvidia/transform/ProducerChoice.h"
#include "vendor/nvidia/transform/ProducerRegisters.h"
#include "vendor/nvidia/transform/ProducerSlice.h"
#include "vendor/nvidia/transform/ReleasePoints.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tilewright::vendor::nvidia {
#define GEN_PASS_DEF_NVIDIASPECIALIZELOOPS
#include "vendor/nvidia/transform/Passes.h.inc"
} // namespace tilewright::vendor::nvidia

using namespace mlir;
using namespace tilewright;
using namespace tilewright::vendor::nvidia;
using transform::GroupChannel;
using transform::LoopSchedule;
using transform::RingPosition;

namespace {

class LoopSpecializer {
public:
  /// `axes`: the facts about the module, where loads through pointers may have a producer, too.
  LoopSpecializer(scf::ForOp loop, const LoopSchedule &schedule,
                  const transform::AxisInfoAnalysis *axes)
      : loop(loop), loc(loop.getLoc()), slice(loop, producerGroup),
        groups(findLoadGroups(loop, schedule, axes)) {}

  /// Whether the loop can be two.
  bool isPossible(const LoopSchedule &schedule) {
    size_t loads = 0;
    for (const LoadGroup &group : groups)
      loads += group.loads.size();
    for (Operation &op : *loop.getBody()) {
      const bool isEarly = schedule.get(&op).stage < schedule.getMaxStage();
      loads -= BlockLoad::is(&op) || (isa<tt::LoadOp>(op) && isEarly);
      if (isa<tt::DescriptorGatherOp>(op))
        return false;
    }
    return loads == 0 && !groups.empty() && !loop->getParentOfType<ttg::WarpSpecializeOp>() &&
           llvm::all_of(groups, [&](const LoadGroup &group) {
             return llvm::all_of(group.loads, [&](const EarlyLoad &each) {
               return llvm::all_of(each.load.getPlace(),
                                   [&](Value operand) { return slice.add(operand); });
             });
           });
  }

  /// Whether a loop that can be two is better so, though the source does not ask for it.
  bool isBetter(const target::Target &target, unsigned registers) {
    const auto buffers = llvm::map_to_vector(groups, countBuffers);
    return prefersProducer(target, transform::decideStrategy(target, loop), ttg::getNumWarps(loop),
                           findProducerNeeds(loop, target, groups, buffers, registers));
  }

  /// Who does what, as the beginning of a sentence.
  StringRef describeProducer() const {
    return hasPointers() ? "four warps of their own make the copies"
                         : "a warp of its own begins the copies";
  }

  /// Makes the loop two. `registers`: those that a thread of the kernel wants.
  void run(const target::Target &target, unsigned registers) {
    const unsigned warps = ttg::getNumWarps(loop), copies = countCopies();
    OpBuilder builder(loop);
    for (const LoadGroup &group : groups) {
      const auto types = llvm::map_to_vector(
          group.loads, [](const EarlyLoad &each) { return each.load.getMemoryType(); });
      channels.emplace_back(builder, loc, types, countBuffers(group), countFills(group), warps);
    }
    if (!copies)
      shares = findRegisterShares(target, warps, registers);
    auto specialize = createOp(builder);
    createProducer(specialize.getPartitionRegions().front());
    makeConsumer();
    if (copies) {
      auto func = loop->getParentOfType<tt::FuncOp>();
      const unsigned data = transform::estimateRegisters(func, target).front().data.registers;
      shares = shareWithProducer(target, warps, findKeptRegisters(target, warps, data, copies));
    }
    if (shares)
      setRegisters(specialize, *shares);
    builder.setInsertionPointAfter(specialize);
    for (const GroupChannel &channel : channels)
      channel.end(builder, loc);
  }

private:
  /// The tile of the present iteration and that of the one before, which is released at the end of
  /// this one, are not the producer's to fill.
  static unsigned countBuffers(const LoadGroup &group) {
    unsigned buffers = 2;
    for (const EarlyLoad &each : group.loads)
      buffers = std::max(buffers, transform::countBuffers(group.begin.stage, each.lastStage,
                                                          /*kept=*/1));
    return buffers;
  }

  /// One thread begins the copies of blocks of descriptors; each of a group copies a part of
  /// others.
  unsigned countFills(const LoadGroup &group) const {
    return group.isOfPointers() ? producerGroup * ttg::getThreadsPerWarp(loop) : 1;
  }
  /// One warp does it where one thread does; registers are given up by several.
  int32_t producerWarps() const { return shares || hasPointers() ? producerGroup : 1; }
  bool hasPointers() const { return llvm::any_of(groups, std::mem_fn(&LoadGroup::isOfPointers)); }

  /// The copies that each thread of the producer makes in an iteration.
  unsigned countCopies() {
    unsigned copies = 0;
    for (const LoadGroup &group : groups)
      copies += group.countCopies(producerGroup * ttg::getThreadsPerWarp(loop));
    return copies;
  }

  /// The op in place of the loop, which moves into its default region.
  ttg::WarpSpecializeOp createOp(OpBuilder &builder) {
    for (Value bound : {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
      slice.addOutside(bound);
    for (Value value : slice.getOutside())
      if (!value.getDefiningOp() || !value.getDefiningOp()->hasTrait<OpTrait::ConstantLike>())
        captures.push_back(value);
    for (const GroupChannel &channel : channels)
      llvm::append_range(captures, channel.getValues());
    auto op =
        ttg::WarpSpecializeOp::create(builder, loc, loop.getResultTypes(), captures,
                                      builder.getDenseI32ArrayAttr({producerWarps()}), {}, {}, {});
    loop->replaceAllUsesWith(op.getResults());
    Block *main = builder.createBlock(&op.getDefaultRegion());
    loop->moveBefore(main, main->end());
    ttg::WarpYieldOp::create(builder, loc, loop.getResults());
    builder.createBlock(&op.getPartitionOpHolder());
    auto partitions =
        ttg::WarpSpecializePartitionsOp::create(builder, loc, /*partitionRegionsCount=*/1);
    builder.createBlock(&partitions.getPartitionRegions().front(), {},
                        llvm::map_to_vector(captures, [](Value value) { return value.getType(); }),
                        SmallVector<Location>(captures.size(), loc));
    return op;
  }

  /// The loop over where the blocks are, which begins their copies.
  void createProducer(Region &region) {
    Block &block = region.front();
    auto builder = OpBuilder::atBlockEnd(&block);
    IRMapping mapping;
    mapping.map(captures, block.getArguments());
    for (Value value : slice.getOutside())
      if (!mapping.contains(value))
        builder.clone(*value.getDefiningOp(), mapping);
    slice.cloneOuter(builder, mapping);
    SmallVector<Value> initial;
    for (BlockArgument argument : slice.getCarried())
      initial.push_back(mapping.lookup(loop.getTiedLoopInit(argument)->get()));
    for (size_t i = 0; i < channels.size(); ++i) {
      const RingPosition first = transform::createFirstPosition(builder, loc);
      initial.append({first.index, first.phase});
    }
    auto producer = scf::ForOp::create(
        builder, loc, mapping.lookup(loop.getLowerBound()), mapping.lookup(loop.getUpperBound()),
        mapping.lookup(loop.getStep()), initial,
        [&](OpBuilder &inLoop, Location, Value index, ValueRange arguments) {
          mapping.map(loop.getInductionVar(), index);
          scf::YieldOp::create(inLoop, loc, fillBuffers(inLoop, mapping, arguments));
        });
    builder.setInsertionPointAfter(producer);
    ttg::WarpReturnOp::create(builder, loc);
  }

  /// One iteration of the producer; returns what it carries on.
  SmallVector<Value> fillBuffers(OpBuilder &builder, IRMapping &mapping, ValueRange arguments) {
    const ArrayRef<BlockArgument> carried = slice.getCarried();
    mapping.map(carried, arguments.take_front(carried.size()));
    ValueRange positions = arguments.drop_front(carried.size());
    for (Operation &op : *loop.getBody())
      if (slice.contains(&op))
        slice.clone(builder, &op, mapping);
    SmallVector<Value> yielded;
    for (BlockArgument argument : carried)
      yielded.push_back(mapping.lookupOrDefault(loop.getTiedLoopYieldedValue(argument)->get()));
    for (auto [group, channel] : llvm::zip_equal(groups, channels)) {
      const RingPosition position = transform::RingTurn(builder, loc, channel.getBuffers())
                                        .next(builder, loc, {positions[0], positions[1]});
      positions = positions.drop_front(2);
      yielded.append({position.index, position.phase});
      fill(builder, mapping, group, channel, position);
    }
    return yielded;
  }

  void fill(OpBuilder &builder, IRMapping &mapping, const LoadGroup &group,
            const GroupChannel &ring, const RingPosition &position) {
    const GroupChannel channel = ring.withValues(
        llvm::map_to_vector(ring.getValues(), [&](Value value) { return mapping.lookup(value); }));
    channel.acquire(builder, loc, position);
    Value barrier, always;
    if (!group.isOfPointers()) {
      barrier = channel.expect(builder, loc, position, group.getBytes());
      always = arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
    }
    for (auto [tile, each] : llvm::enumerate(group.loads)) {
      Value memory = channel.getBuffer(builder, loc, tile, position.index);
      Operation *copy = each.load.createCopy(builder, memory, barrier, always);
      for (OpOperand &operand : copy->getOpOperands())
        operand.set(mapping.lookupOrDefault(operand.get()));
    }
    if (group.isOfPointers())
      channel.arriveAfterCopies(builder, loc, position);
  }

  /// The loop reads what the producer has brought, and releases it.
  void makeConsumer() {
    IRRewriter rewriter(loop);
    SmallVector<Value> initial;
    for (size_t i = 0; i < channels.size(); ++i) {
      const RingPosition first = transform::createFirstPosition(rewriter, loc);
      initial.append({first.index, first.phase});
    }
    SmallVector<RingPosition> positions;
    const unsigned carried = loop.getNumRegionIterArgs();
    loop = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
        rewriter, initial, /*replaceInitOperandUsesInLoop=*/false,
        [&](OpBuilder &builder, Location, ArrayRef<BlockArgument> arguments) {
          builder.setInsertionPointToStart(builder.getInsertionBlock());
          SmallVector<Value> yielded;
          for (auto [number, channel] : llvm::enumerate(channels)) {
            positions.push_back(
                transform::RingTurn(builder, loc, channel.getBuffers())
                    .next(builder, loc, {arguments[2 * number], arguments[2 * number + 1]}));
            yielded.append({positions.back().index, positions.back().phase});
          }
          return yielded;
        }));
    for (auto [number, group] : llvm::enumerate(groups)) {
      const SmallVector<Value> buffers = drain(group, channels[number], positions[number]);
      release(channels[number], findReleasePoint(loop, buffers), positions[number].index,
              loop.getRegionIterArg(carried + 2 * number));
    }
    LoopSchedule::erase(loop);
    loop->removeAttr(ttg::warpSpecializeAttrName);
    noteBuffers();
  }

  /// The loop has no stages any more: what is said of it is how long its longest ring is.
  void noteBuffers() {
    unsigned buffers = 1;
    for (const GroupChannel &channel : channels)
      buffers = std::max(buffers, channel.getBuffers());
    loop->setAttr(ttg::assignedStagesAttrName,
                  Builder(loop.getContext()).getI32IntegerAttr(static_cast<int32_t>(buffers)));
  }

  /// The ops that use what `group` loads read the buffer at `position`. Returns its tiles.
  SmallVector<Value> drain(LoadGroup &group, const GroupChannel &channel,
                           const RingPosition &position) {
    OpBuilder builder(group.findFirstInBlock(loop.getBody()));
    channel.wait(builder, loc, position);
    SmallVector<Value> buffers;
    for (size_t tile = 0; tile < group.loads.size(); ++tile)
      buffers.push_back(channel.getBuffer(builder, loc, tile, position.index));
    for (auto [each, buffer] : llvm::zip_equal(group.loads, buffers)) {
      replaceUses(each.load, buffer);
      each.load.getOp()->erase();
    }
    return buffers;
  }

  /// Releases the buffer of this iteration, `index`, or that of the one before, `last`, if there
  /// was one.
  void release(const GroupChannel &channel, const ReleasePoint &point, Value index, Value last) {
    OpBuilder builder(loop.getBody()->getTerminator());
    if (point.after)
      builder.setInsertionPointAfter(point.after);
    if (!point.isOfLast)
      return channel.release(builder, loc, index, /*pred=*/Value());
    Value zero = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0));
    Value hasLast = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, last, zero);
    channel.release(builder, loc, last, hasLast);
  }

  void replaceUses(const BlockLoad &load, Value from) {
    for (Operation *user : llvm::make_early_inc_range(load.getResult().getUsers()))
      if (load.isReadInPlace(user)) {
        BlockLoad::replaceAllocation(cast<ttg::LocalAllocOp>(user), from);
        user->erase();
      }
    if (load.getResult().use_empty())
      return;
    OpBuilder builder(load.getResult().getContext());
    builder.setInsertionPointAfterValue(from);
    Value read = ttg::LocalLoadOp::create(builder, loc, load.getResult().getType(), from);
    load.getResult().replaceAllUsesWith(read);
  }

  scf::ForOp loop;
  Location loc;
  ProducerSlice slice;
  std::vector<LoadGroup> groups;
  std::vector<GroupChannel> channels;
  SmallVector<Value> captures;
  /// Nothing where all warps go on with the registers that they begin with.
  std::optional<target::RegisterShares> shares;
};

struct SpecializeLoops : vendor::nvidia::impl::NvidiaSpecializeLoopsBase<SpecializeLoops> {
  using NvidiaSpecializeLoopsBase::NvidiaSpecializeLoopsBase;

  void runOnOperation() override {
    const target::Target *target = ttg::getTarget(getOperation());
    if (!target)
      return;
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      if (loop->hasAttr(ttg::maxStageAttrName))
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops)
      specialize(loop, *target);
  }

private:
  /// The registers of a thread, as estimated before a loop of the function was specialised.
  unsigned getRegisters(scf::ForOp loop, const target::Target &target) {
    auto func = loop->getParentOfType<tt::FuncOp>();
    auto [entry, isNew] = registersOf.try_emplace(func);
    if (isNew)
      entry->second = transform::estimateMostRegisters(func, target);
    return entry->second;
  }

  /// Whether threads may copy for `loop`: products of warp groups read what they bring.
  static bool mayCopy(scf::ForOp loop) {
    return ttg::getNumCTAs(loop) == 1 && !loop.getBody()->getOps<ttng::WarpGroupDotOp>().empty();
  }

  void specialize(scf::ForOp loop, const target::Target &target) {
    const bool isAsked = loop->hasAttr(ttg::warpSpecializeAttrName);
    const std::optional<LoopSchedule> schedule = LoopSchedule::read(loop);
    if ((!isAsked && !automatic) || !schedule || !schedule->isRight(loop))
      return;
    if (!isAsked && !transform::decideStrategy(target, loop).isChainOfGroups)
      return;
    std::optional<transform::AxisInfoAnalysis> axes;
    if (mayCopy(loop))
      axes.emplace(getOperation());
    LoopSpecializer specializer(loop, *schedule, axes ? &*axes : nullptr);
    if (!specializer.isPossible(*schedule)) {
      if (isAsked)
        loop.emitRemark() << "the loop is not specialised: its loads are not all of blocks, by "
                             "descriptors that are made before it or by pointers to rows of "
                             "operands in memory, whose places follow from numbers";
      return;
    }
    const unsigned registers = getRegisters(loop, target);
    if (!isAsked && !specializer.isBetter(target, registers))
      return;
    if (!isAsked)
      loop.emitRemark() << specializer.describeProducer()
                        << " of the loop: its block is alone on a multiprocessor, and groups of "
                           "warps compute in turn";
    specializer.run(target, registers);
  }

  llvm::DenseMap<Operation *, unsigned> registersOf;
};

} // namespace
