//===- PrefetchBlocks.cpp - Prefetches of block loads in loops ----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// With S stages, an iteration prefetches what the one S - 1 later loads:
//
//     before the loop   prefetch the tiles of iterations 0 .. S - 2
//     iteration i       prefetch the tiles of iteration i + S - 1; load those of i; multiply
//
// Where a tile is follows from the loop's index alone, so its address is computed for the later
// index once more. After the last iteration that one's tiles are prefetched again, which are in
// the cache: an address outside of the matrix might be one of no memory at all.
//
// Warps of a block read the same tiles, and profit from each other's loads while these are in the
// first cache. A split barrier lets none be more than an iteration ahead; it orders no memory.
//
//===--------------------------------------------------------------------------===//

#include "analysis/TripCount.h"
#include "ir/ttg/Attributes.h"
#include "ir/ttig/Ops.h"
#include "vendor/intel/transform/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::vendor::intel;

namespace tilewright::vendor::intel {
#define GEN_PASS_DEF_INTELPREFETCHBLOCKS
#include "vendor/intel/transform/Passes.h.inc"
} // namespace tilewright::vendor::intel

namespace {

/// A load, and what its operands are computed by in the loop.
struct PrefetchedLoad {
  ttig::BlockLoadOp load;
  SmallVector<Operation *> slice;
};

/// The ops of the loop's body that `value` is computed by, from its index and from outside. False
/// if it depends on something else.
bool addSlice(scf::ForOp loop, Value value, SmallVectorImpl<Operation *> &slice) {
  if (value == loop.getInductionVar() || loop.isDefinedOutsideOfLoop(value))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != loop.getBody() || !isPure(op) || op->getNumRegions())
    return false;
  if (llvm::is_contained(slice, op))
    return true;
  for (Value operand : op->getOperands())
    if (!addSlice(loop, operand, slice))
      return false;
  slice.push_back(op);
  return true;
}

class LoopPrefetches {
public:
  LoopPrefetches(scf::ForOp loop, int distance) : loop(loop), distance(distance) {
    for (auto load : loop.getBody()->getOps<ttig::BlockLoadOp>()) {
      SmallVector<Operation *> slice;
      const bool isKnown = llvm::all_of(
          load->getOperands(), [&](Value operand) { return addSlice(loop, operand, slice); });
      // Blocks that are the same in every iteration stay in the cache.
      const bool moves =
          !slice.empty() || llvm::is_contained(load->getOperands(), loop.getInductionVar());
      if (isKnown && moves)
        loads.push_back({load, slice});
    }
  }

  /// Whether there is anything to prefetch.
  bool emit() {
    if (loads.empty())
      return false;
    OpBuilder builder(loop);
    Value last = createLastIndex(builder);
    std::optional<bool> runs = transform::isKnownToRun(loop);
    if (!runs) {
      auto branch = scf::IfOp::create(builder, loop.getLoc(),
                                      transform::createIfRuns(builder, loop), /*else=*/false);
      builder.setInsertionPoint(branch.thenYield());
    }
    if (runs.value_or(true))
      for (int i = 0; i < distance; ++i)
        prefetchAt(builder, createIndex(builder, loop.getLowerBound(), i, last));
    builder.setInsertionPointToStart(loop.getBody());
    prefetchAt(builder, createIndex(builder, loop.getInductionVar(), distance, last));
    return true;
  }

  void emitSplitBarrier() {
    // cl_mem_fence_flags: no memory.
    auto call = [&](OpBuilder builder, StringRef name) {
      Value flags = arith::ConstantOp::create(builder, loop.getLoc(), builder.getI32IntegerAttr(0));
      ttig::BuiltinCallOp::create(builder, loop.getLoc(), TypeRange(), name, "j", flags,
                                  /*memory=*/true);
    };
    call(OpBuilder::atBlockBegin(loop.getBody()), "intel_work_group_barrier_arrive");
    call(OpBuilder::atBlockTerminator(loop.getBody()), "intel_work_group_barrier_wait");
  }

private:
  Value constant(OpBuilder &builder, int64_t value) {
    return arith::ConstantOp::create(
        builder, loop.getLoc(), builder.getIntegerAttr(loop.getInductionVar().getType(), value));
  }

  /// The index of the last iteration.
  Value createLastIndex(OpBuilder &builder) {
    Location loc = loop.getLoc();
    Value count = transform::createTripCount(builder, loop);
    Value before = builder.createOrFold<arith::SubIOp>(loc, count, constant(builder, 1));
    Value length = builder.createOrFold<arith::MulIOp>(loc, before, loop.getStep());
    return builder.createOrFold<arith::AddIOp>(loc, loop.getLowerBound(), length);
  }

  /// The index `iterations` after `index`, but at most the last one.
  Value createIndex(OpBuilder &builder, Value index, int iterations, Value last) {
    if (!iterations)
      return index;
    Location loc = loop.getLoc();
    Value length =
        builder.createOrFold<arith::MulIOp>(loc, loop.getStep(), constant(builder, iterations));
    Value later = builder.createOrFold<arith::AddIOp>(loc, index, length);
    return builder.createOrFold<arith::MinSIOp>(loc, later, last);
  }

  /// Prefetches what the iteration of this index loads.
  void prefetchAt(OpBuilder &builder, Value index) {
    IRMapping mapping;
    mapping.map(loop.getInductionVar(), index);
    for (PrefetchedLoad &entry : loads) {
      for (Operation *op : entry.slice)
        if (!mapping.contains(op->getResult(0)))
          builder.clone(*op, mapping);
      auto at = [&](Value value) { return mapping.lookupOrDefault(value); };
      ttig::BlockLoadOp load = entry.load;
      ttig::BlockPrefetchOp::create(builder, load.getLoc(), at(load.getBase()), at(load.getRow()),
                                    at(load.getColumn()), at(load.getHeight()), at(load.getWidth()),
                                    at(load.getPitch()),
                                    load.getSlicePitch() ? at(load.getSlicePitch()) : Value(),
                                    load.getType(), load.getColumnMajor());
    }
  }

  scf::ForOp loop;
  int distance;
  SmallVector<PrefetchedLoad> loads;
};

struct PrefetchBlocks : vendor::intel::impl::IntelPrefetchBlocksBase<PrefetchBlocks> {
  using IntelPrefetchBlocksBase::IntelPrefetchBlocksBase;

  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      if (!loop.getBody()->getOps<tt::DotOp>().empty())
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops) {
      auto own = loop->getAttrOfType<IntegerAttr>(ttg::numStagesAttrName);
      const int64_t stages = own ? own.getInt() : numStages;
      if (stages <= 1)
        continue;
      LoopPrefetches prefetches(loop, static_cast<int>(stages) - 1);
      if (prefetches.emit() && splitBarriers && ttg::getNumWarps(getOperation()) > 1)
        prefetches.emitSplitBarrier();
    }
  }
};

} // namespace
