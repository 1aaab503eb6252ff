//===- PartitionRegisters.cpp - Registers of partitions that ask for some -----===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The threads of a block begin with equal numbers of registers. Groups of four warps give some back
// or take more, all four alike (PTX ISA, setmaxnreg): so partitions begin at whole groups where
// they have as many warps, those with fewer share a group and its registers, and warps that do
// nothing fill the last group. The default group takes what the others leave.
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/ThreadGroup.h"
#include "ir/ttng/Dialect.h"
#include "target/NvidiaProcessor.h"
#include "target/Residency.h"
#include "vendor/nvidia/transform/Passes.h"

#include "llvm/Support/MathExtras.h"

namespace tilewright::vendor::nvidia {
#define GEN_PASS_DEF_NVIDIAPARTITIONREGISTERS
#include "vendor/nvidia/transform/Passes.h.inc"
} // namespace tilewright::vendor::nvidia

using namespace mlir;
using namespace tilewright;

namespace {

constexpr unsigned groupWarps = 4, maxBlockWarps = 32;
/// The most registers that an instruction can name.
constexpr unsigned maxRegisters = 248;

/// Partitions by groups of warps.
struct Groups {
  /// The first warp of each partition, those of idle ones last.
  SmallVector<int32_t> starts;
  SmallVector<int32_t> warps;
  /// Registers of a thread, for each group of the workers.
  SmallVector<unsigned> registers;
  unsigned total = 0;
};

/// The largest partitions first, which so begin at whole groups; then warps without work.
Groups placePartitions(ttg::WarpSpecializeOp op, unsigned defaultWarps, unsigned least) {
  Groups groups;
  llvm::append_range(groups.warps, op.getPartitionNumWarps());
  ArrayRef<int32_t> requested = *op.getRequestedRegisters();
  SmallVector<unsigned> order = llvm::to_vector(llvm::seq<unsigned>(0, groups.warps.size()));
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return std::pair(-groups.warps[a], a) < std::pair(-groups.warps[b], b);
  });
  groups.starts.resize(groups.warps.size());
  groups.total = defaultWarps;
  constexpr unsigned unit = 8;
  for (unsigned number : order) {
    groups.starts[number] = static_cast<int32_t>(groups.total);
    const unsigned first = (groups.total - defaultWarps) / groupWarps;
    groups.total += groups.warps[number];
    const unsigned end = llvm::divideCeil(groups.total - defaultWarps, groupWarps);
    groups.registers.resize(std::max<size_t>(groups.registers.size(), end), least);
    const auto count = static_cast<unsigned>(
        llvm::alignTo(std::max<int32_t>(requested[number], static_cast<int32_t>(least)), unit));
    for (unsigned group = first; group < end; ++group)
      groups.registers[group] = std::max(groups.registers[group], count);
  }
  for (unsigned idle = 1; groups.total % groupWarps != 0; idle *= 2)
    if (groups.total & idle) {
      groups.starts.push_back(static_cast<int32_t>(groups.total));
      groups.warps.push_back(static_cast<int32_t>(idle));
      groups.total += idle;
    }
  return groups;
}

/// The op with the partitions' places, and idle ones besides.
ttg::WarpSpecializeOp withPartitions(ttg::WarpSpecializeOp op, const Groups &groups) {
  OpBuilder builder(op);
  auto made = ttg::WarpSpecializeOp::create(
      builder, op.getLoc(), op.getResultTypes(), op.getExplicitCaptures(),
      builder.getDenseI32ArrayAttr(groups.warps), builder.getDenseI32ArrayAttr(groups.starts),
      /*requestedRegisters=*/{}, /*actualRegisters=*/{});
  made.getDefaultRegion().takeBody(op.getDefaultRegion());
  builder.createBlock(&made.getPartitionOpHolder());
  auto partitions = ttg::WarpSpecializePartitionsOp::create(
      builder, op.getLoc(), static_cast<unsigned>(groups.warps.size()));
  MutableArrayRef<Region> from = op.getPartitionRegions();
  for (auto [number, region] : llvm::enumerate(partitions.getPartitionRegions())) {
    if (number < from.size()) {
      region.takeBody(from[number]);
      continue;
    }
    Block *idle = builder.createBlock(&region);
    for (Type type : op.getOperandTypes())
      idle->addArgument(type, op.getLoc());
    ttg::WarpReturnOp::create(builder, op.getLoc());
  }
  op->replaceAllUsesWith(made->getResults());
  op->erase();
  return made;
}

struct NvidiaPartitionRegisters
    : vendor::nvidia::impl::NvidiaPartitionRegistersBase<NvidiaPartitionRegisters> {
  void runOnOperation() override {
    const target::Target *target = ttg::getTarget(getOperation());
    SmallVector<ttg::WarpSpecializeOp> ops;
    getOperation().walk([&](ttg::WarpSpecializeOp op) { ops.push_back(op); });
    // Each of several would have to begin with what the one before it has left.
    if (!target || ops.size() != 1 || !ops.front().getRequestedRegisters() ||
        ops.front().getPartitionNumWarps().empty())
      return;
    const unsigned least = target::nvidia::processorOf(*target).minKeptRegisters;
    const unsigned warps = ttg::getThreadGroup(getOperation()).numWarps;
    if (!least || warps % groupWarps != 0)
      return;
    const Groups groups = placePartitions(ops.front(), warps, least);
    if (groups.total > maxBlockWarps)
      return;
    const target::Multiprocessor &multiprocessor = target->multiprocessor;
    const unsigned unit = multiprocessor.registerUnit;
    auto given = getOperation()->getAttrOfType<IntegerAttr>(ttg::maxRegistersAttrName);
    const unsigned begin =
        std::min({given ? static_cast<unsigned>(given.getInt()) : maxRegisters,
                  registersForWarps(multiprocessor, groups.total), maxRegisters}) /
        unit * unit;
    int64_t left = int64_t(begin) * groups.total;
    for (unsigned count : groups.registers)
      left -= int64_t(count) * groupWarps;
    const int64_t own = std::min<int64_t>(left / warps / unit * unit, maxRegisters);
    if (own < int64_t(least))
      return;
    getOperation()->setAttr(ttg::totalNumWarpsAttrName,
                            Builder(&getContext()).getI32IntegerAttr(groups.total));
    ttg::WarpSpecializeOp op = withPartitions(ops.front(), groups);
    auto set = [&](Region &region, unsigned count) {
      if (count == begin)
        return;
      auto builder = OpBuilder::atBlockBegin(&region.front());
      ttng::SetRegistersOp::create(builder, op.getLoc(), count, /*isMore=*/count > begin);
    };
    set(op.getDefaultRegion(), static_cast<unsigned>(own));
    for (auto [region, start] : llvm::zip_equal(op.getPartitionRegions(), groups.starts))
      set(region, groups.registers[(start - warps) / groupWarps]);
  }
};

} // namespace
