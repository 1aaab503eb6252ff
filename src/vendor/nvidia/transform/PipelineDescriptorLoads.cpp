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
// The copies stay where the schedule has the loads, after what uses the tiles of the present
// iteration. So the buffer that they fill is the one that has just been read; or, where a unit
// reads the tiles in memory itself, that of the iteration before, since the unit runs on into the
// next iteration (AsyncDots.cpp). Barrier insertion has the threads meet before the copies.
//
//===--------------------------------------------------------------------------===//

#include "transform/pipeline/Channel.h"
#include "vendor/nvidia/transform/BlockLoadGroups.h"
#include "vendor/nvidia/transform/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tilewright::vendor::nvidia {
#define GEN_PASS_DEF_NVIDIAPIPELINEDESCRIPTORLOADS
#include "vendor/nvidia/transform/Passes.h.inc"
} // namespace tilewright::vendor::nvidia

using namespace mlir;
using namespace tilewright;
using namespace tilewright::vendor::nvidia;
using transform::Channel;
using transform::ChannelKind;
using transform::FillCompletion;
using transform::LoopSchedule;
using transform::Slot;

namespace {

class LoopLowering {
public:
  LoopLowering(scf::ForOp loop, LoopSchedule schedule)
      : loop(loop), schedule(std::move(schedule)) {}

  void run() {
    groups = findLoadGroups(loop, schedule);
    if (groups.empty())
      return;
    for (const LoadGroup &group : groups)
      channels.add(kindOf(group));
    loop = channels.carryIndices(loop);
    for (LoadGroup &group : groups)
      lower(group);
    schedule.write(loop);
  }

private:
  Block *body() { return loop.getBody(); }

  static ChannelKind kindOf(const LoadGroup &group) {
    return {FillCompletion::Barrier, group.getBuffers(), group.begin.stage, group.use.stage};
  }

  void lower(LoadGroup &group) {
    Operation *firstLoad = group.loads.front().load.getOp();
    const Location loc = firstLoad->getLoc();
    Channel channel = channels.create(kindOf(group), loop, schedule);
    channel.createBarriers(loc);

    OpBuilder builder(firstLoad);
    Value always =
        schedule.create<arith::ConstantOp>(builder, group.begin, loc, builder.getBoolAttr(true));
    Value barrier = channel.expect(builder, group.begin, loc, group.getBytes(), always);

    // In front of the views of the tiles, too.
    builder.setInsertionPoint(group.findFirstInBlock(body()));
    Operation *wait = channel.wait(builder, group.use, loc);
    for (EarlyLoad &each : group.loads)
      lower(each, group, channel, barrier, always, wait);
  }

  void lower(EarlyLoad &each, const LoadGroup &group, Channel &channel, Value barrier, Value always,
             Operation *wait) {
    Operation *load = each.load.getOp();
    const Location loc = load->getLoc();
    Value memory = channel.allocate(loc, each.load.getMemoryType());
    OpBuilder builder(loop.getContext());
    builder.setInsertionPointAfter(loop);
    ttg::LocalDeallocOp::create(builder, loc, memory);

    builder.setInsertionPoint(load);
    Value to = channel.acquire(builder, group.begin, loc, memory);
    schedule.set(each.load.createCopy(builder, to, barrier, always), group.begin);
    builder.setInsertionPointAfter(wait);
    replaceUses(each.load, channel.read(builder, group.use, loc, memory), group.use);
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
        Value read = schedule.create<ttg::LocalLoadOp>(builder, schedule.get(convert), loc,
                                                       convert.getType(), from);
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
    Value read =
        schedule.create<ttg::LocalLoadOp>(builder, use, loc, load.getResult().getType(), from);
    load.getResult().replaceAllUsesWith(read);
  }

  scf::ForOp loop;
  LoopSchedule schedule;
  std::vector<LoadGroup> groups;
  transform::LoopChannels channels;
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
