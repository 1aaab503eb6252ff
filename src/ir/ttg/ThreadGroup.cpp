//===- ThreadGroup.cpp - The warps that run an op -----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/ThreadGroup.h"

#include "ir/ttg/Dialect.h"

#include <numeric>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::ttg;

/// What the module around `op` says in the attribute `name`; `otherwise` where it says nothing.
static unsigned getModuleInteger(Operation *op, StringRef name, unsigned otherwise) {
  auto module = dyn_cast<ModuleOp>(op);
  if (!module)
    module = op->getParentOfType<ModuleOp>();
  auto value = module ? module->getAttrOfType<IntegerAttr>(name) : IntegerAttr();
  return value ? value.getInt() : otherwise;
}

static ThreadGroup getDefaultGroup(Operation *op) {
  return {.numWarps = getModuleInteger(op, numWarpsAttrName, 4)};
}

/// The group that runs partition `number` of `op`.
static ThreadGroup getPartitionGroup(WarpSpecializeOp op, unsigned number) {
  ArrayRef<int32_t> numWarps = op.getPartitionNumWarps();
  ThreadGroup group{.numWarps = static_cast<unsigned>(numWarps[number]), .partition = number};
  if (std::optional<ArrayRef<int32_t>> starts = op.getWarpGroupStartIds())
    group.firstWarp = (*starts)[number];
  else
    group.firstWarp =
        std::accumulate(numWarps.begin(), numWarps.begin() + number, getDefaultGroup(op).numWarps);
  return group;
}

ThreadGroup ttg::getThreadGroup(Region *region) {
  for (Region *around = region; around; around = around->getParentRegion())
    if (auto partitions = dyn_cast<WarpSpecializePartitionsOp>(around->getParentOp()))
      return getPartitionGroup(cast<WarpSpecializeOp>(partitions->getParentOp()),
                               around->getRegionNumber());
  return getDefaultGroup(region->getParentOp());
}

ThreadGroup ttg::getThreadGroup(Operation *op) {
  Region *region = op->getParentRegion();
  return region ? getThreadGroup(region) : getDefaultGroup(op);
}

unsigned ttg::getNumWarps(Operation *op) { return getThreadGroup(op).numWarps; }

unsigned ttg::getTotalNumWarps(ModuleOp module) {
  unsigned total = std::max(getDefaultGroup(module).numWarps,
                            getModuleInteger(module, totalNumWarpsAttrName, 0));
  module.walk([&](WarpSpecializePartitionsOp op) {
    for (Region &region : op.getPartitionRegions())
      total = std::max(total, getThreadGroup(&region).endWarp());
  });
  return total;
}

unsigned ttg::getThreadsPerWarp(Operation *op) {
  return getModuleInteger(op, threadsPerWarpAttrName, 32);
}

unsigned ttg::getNumCTAs(Operation *op) { return getModuleInteger(op, numCTAsAttrName, 1); }
