//===- PipelineDescriptorLoads.cpp - Descriptor loads of scheduled loops ------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Loads of stage 0 that an op of stage 2 uses first:
//
//     %m, %n = local_alloc                    3 buffers each
//     %b = local_alloc, init_barrier          3 barriers
//     for ... iter_args(%in = -1, %out = -1, %phase = 0)
//       %out' = %out + 1, or 0 after the last                    stage 2
//       %phase' = %phase, or the other one where %out' is 0      stage 2
//       wait_barrier %b[%out'], %phase'                          stage 2
//       use of %m[%out'], %n[%out']                              stage 2
//       %in' = %in + 1, or 0 after the last                      stage 0
//       barrier_expect %b[%in'], bytes of both                   stage 0
//       async_tma_copy %m[%in'], async_tma_copy %n[%in']         stage 0
//     inval_barrier, local_dealloc
//
// The copies stay where the schedule has the loads, behind what uses the tiles of the present
// iteration. So the buffer that they fill is the one that has just been read; or, where a unit
// reads the tiles in memory itself, that of the iteration before, since the unit runs on into the
// next iteration (AsyncDots.cpp). Barrier insertion has the threads meet before the copies.
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/transform/BlockLoadGroups.h"
#include "vendor/nvidia/transform/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <map>

namespace tilewright::vendor::nvidia {
#define GEN_PASS_DEF_NVIDIAPIPELINEDESCRIPTORLOADS
#include "vendor/nvidia/transform/Passes.h.inc"
} // namespace tilewright::vendor::nvidia

using namespace mlir;
using namespace tilewright;
using namespace tilewright::vendor::nvidia;
using transform::LoopSchedule;
using transform::Slot;

namespace {

/// The numbers of the buffers that are filled and read, and the phase of the barriers that are
/// waited for, of groups with as many buffers and the same stages.
struct Counters {
  Value in, out, phase;
};

class LoopLowering {
public:
  LoopLowering(scf::ForOp loop, LoopSchedule schedule)
      : loop(loop), schedule(std::move(schedule)) {}

  void run() {
    groups = findLoadGroups(loop, schedule);
    if (groups.empty())
      return;
    createCounters();
    for (LoadGroup &group : groups)
      lower(group);
    schedule.write(loop);
  }

private:
  Block *body() { return loop.getBody(); }

  template <typename Op, typename... Args>
  Op create(OpBuilder &builder, Slot slot, Args &&...args) {
    auto op = Op::create(builder, std::forward<Args>(args)...);
    schedule.set(op, slot);
    return op;
  }

  static Value createConstant(OpBuilder &builder, Location loc, int64_t value) {
    return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(value));
  }

  using CounterKey = std::tuple<unsigned, unsigned, unsigned>;
  static CounterKey keyOf(const LoadGroup &group) {
    return {group.getBuffers(), group.begin.stage, group.use.stage};
  }

  void createCounters() {
    // Where the first of those with a key stands.
    std::map<CounterKey, std::pair<Slot, Slot>> slots;
    for (const LoadGroup &group : groups) {
      auto [entry, isNew] = slots.try_emplace(keyOf(group), group.begin, group.use);
      auto &[begin, use] = entry->second;
      if (schedule.isBefore(group.begin.cluster, begin.cluster))
        begin = group.begin;
      if (schedule.isBefore(group.use.cluster, use.cluster))
        use = group.use;
    }
    IRRewriter rewriter(loop);
    const Location loc = loop.getLoc();
    Value before = createConstant(rewriter, loc, -1), zero = createConstant(rewriter, loc, 0);
    SmallVector<Value> initial;
    for (size_t i = 0; i < slots.size(); ++i)
      initial.append({before, before, zero});
    const unsigned carried = loop.getNumRegionIterArgs();
    loop = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
        rewriter, initial, /*replaceInitOperandUsesInLoop=*/false,
        [](OpBuilder &, Location, ArrayRef<BlockArgument> arguments) {
          return SmallVector<Value>(arguments.begin(), arguments.end());
        }));
    unsigned number = carried;
    for (const auto &[key, places] : slots) {
      const auto [begin, use] = places;
      const unsigned buffers = std::get<0>(key);
      Counters &counter = counters[key];
      counter.in = createIncrement(number, buffers, begin).first;
      Value wraps;
      std::tie(counter.out, wraps) = createIncrement(number + 1, buffers, use);
      counter.phase = createPhase(number + 2, wraps, use);
      number += 3;
    }
  }

  /// What the loop carries as value `number` becomes `value`.
  void setYielded(unsigned number, Value value) {
    loop.getTiedLoopYieldedValue(loop.getRegionIterArg(number))->set(value);
  }

  /// The number of the buffer that follows the one that the loop carries as value `number`, and
  /// whether it is the first one again.
  std::pair<Value, Value> createIncrement(unsigned number, unsigned buffers, Slot slot) {
    OpBuilder builder(loop);
    const Location loc = loop.getLoc();
    Value zero = createConstant(builder, loc, 0), one = createConstant(builder, loc, 1),
          end = createConstant(builder, loc, buffers);
    builder.setInsertionPointToStart(body());
    Value next = create<arith::AddIOp>(builder, slot, loc, loop.getRegionIterArg(number), one);
    Value wraps = create<arith::CmpIOp>(builder, slot, loc, arith::CmpIPredicate::sge, next, end);
    Value index = create<arith::SelectOp>(builder, slot, loc, wraps, zero, next);
    setYielded(number, index);
    return {index, wraps};
  }

  Value createPhase(unsigned number, Value wraps, Slot slot) {
    OpBuilder builder(loop);
    const Location loc = loop.getLoc();
    Value one = createConstant(builder, loc, 1), carried = loop.getRegionIterArg(number);
    builder.setInsertionPointAfterValue(wraps);
    Value other = create<arith::XOrIOp>(builder, slot, loc, carried, one);
    Value phase = create<arith::SelectOp>(builder, slot, loc, wraps, other, carried);
    setYielded(number, phase);
    return phase;
  }

  /// Barriers before the loop, which end behind it.
  Value createBarriers(Location loc, unsigned count) {
    ttg::MemDescType type = getBarrierType(loop.getContext());
    OpBuilder builder(loop);
    Value barriers = ttg::LocalAllocOp::create(builder, loc, getBuffersType(type, count));
    SmallVector<Value> each;
    for (unsigned i = 0; i < count; ++i) {
      each.push_back(ttg::MemDescIndexOp::create(builder, loc, type, barriers,
                                                 createConstant(builder, loc, i)));
      ttng::InitBarrierOp::create(builder, loc, each.back(), /*count=*/1);
    }
    builder.setInsertionPointAfter(loop);
    for (Value barrier : each)
      ttng::InvalBarrierOp::create(builder, loc, barrier);
    ttg::LocalDeallocOp::create(builder, loc, barriers);
    return barriers;
  }

  void lower(LoadGroup &group) {
    const unsigned buffers = group.getBuffers();
    const Counters &counter = counters.at(keyOf(group));
    Operation *firstLoad = group.loads.front().load.getOp();
    const Location loc = firstLoad->getLoc();
    ttg::MemDescType barrierType = getBarrierType(loop.getContext());
    Value barriers = createBarriers(loc, buffers);

    OpBuilder builder(firstLoad);
    Value told =
        create<ttg::MemDescIndexOp>(builder, group.begin, loc, barrierType, barriers, counter.in);
    Value always = create<arith::ConstantOp>(builder, group.begin, loc, builder.getBoolAttr(true));
    create<ttng::BarrierExpectOp>(builder, group.begin, loc, told, group.getBytes(), always);

    // In front of the views of the tiles, too.
    builder.setInsertionPoint(group.findFirstInBlock(body()));
    Value waited =
        create<ttg::MemDescIndexOp>(builder, group.use, loc, barrierType, barriers, counter.out);
    auto wait = create<ttng::WaitBarrierOp>(builder, group.use, loc, waited, counter.phase,
                                            /*pred=*/Value(), /*deps=*/ValueRange());
    for (EarlyLoad &each : group.loads)
      lower(each, group, buffers, counter, told, always, wait);
  }

  void lower(EarlyLoad &each, const LoadGroup &group, unsigned buffers, const Counters &counter,
             Value barrier, Value always, Operation *wait) {
    Operation *load = each.load.getOp();
    const Location loc = load->getLoc();
    const ttg::MemDescType type = each.load.getMemoryType();
    OpBuilder builder(loop);
    Value memory = ttg::LocalAllocOp::create(builder, loc, getBuffersType(type, buffers));
    builder.setInsertionPointAfter(loop);
    ttg::LocalDeallocOp::create(builder, loc, memory);

    builder.setInsertionPoint(load);
    Value to = create<ttg::MemDescIndexOp>(builder, group.begin, loc, type, memory, counter.in);
    schedule.set(each.load.createCopy(builder, to, barrier, always), group.begin);
    builder.setInsertionPointAfter(wait);
    Value from = create<ttg::MemDescIndexOp>(builder, group.use, loc, type, memory, counter.out);
    replaceUses(each.load, from, group.use);
    schedule.remove(load);
    load->erase();
  }

  void replaceUses(const BlockLoad &load, Value from, Slot use) {
    const Location loc = load.getOp()->getLoc();
    for (Operation *user : llvm::make_early_inc_range(load.getResult().getUsers())) {
      OpBuilder builder(user);
      if (load.isReadInPlace(user)) {
        BlockLoad::replaceAllocation(cast<ttg::LocalAllocOp>(user), from);
      } else if (auto convert = dyn_cast<ttg::ConvertLayoutOp>(user);
                 convert && convert->getBlock() == body()) {
        // Each layout straight from memory.
        Value read =
            create<ttg::LocalLoadOp>(builder, schedule.get(convert), loc, convert.getType(), from);
        convert.replaceAllUsesWith(read);
      } else {
        continue;
      }
      schedule.remove(user);
      user->erase();
    }
    if (load.getResult().use_empty())
      return;
    OpBuilder builder(loop.getContext());
    builder.setInsertionPointAfterValue(from);
    Value read = create<ttg::LocalLoadOp>(builder, use, loc, load.getResult().getType(), from);
    load.getResult().replaceAllUsesWith(read);
  }

  scf::ForOp loop;
  LoopSchedule schedule;
  std::vector<LoadGroup> groups;
  std::map<CounterKey, Counters> counters;
};

struct PipelineDescriptorLoads
    : vendor::nvidia::impl::NvidiaPipelineDescriptorLoadsBase<PipelineDescriptorLoads> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      if (llvm::any_of(*loop.getBody(), [](Operation &op) { return BlockLoad::is(&op); }))
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops)
      if (std::optional<LoopSchedule> schedule = LoopSchedule::read(loop);
          schedule && schedule->isRight(loop))
        LoopLowering(loop, *std::move(schedule)).run();
  }
};

} // namespace
