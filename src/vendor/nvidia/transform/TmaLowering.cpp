//===- TmaLowering.cpp - Descriptors as tensor maps, accesses as copies -------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
//     %x = tt.descriptor_load %d[%i, %j]
//       ->
//     %m = local_alloc
//     %b = local_alloc; init_barrier %b, 1; barrier_expect %b, bytes
//     async_tma_copy_global_to_local %d[%i, %j] %m, %b
//     wait_barrier %b, 0; inval_barrier %b
//     %x = local_load %m
//
//     tt.descriptor_store %d[%i, %j], %x
//       ->                                        and in a loop, with %m before it:
//     %m = local_alloc %x                         async_tma_store_wait {pendings = 0, read_only}
//     async_tma_copy_local_to_global              local_store %x, %m
//     async_tma_store_wait                        async_tma_copy_local_to_global
//       {pendings = 0, read_only}
//
// There the copy goes on while the loop does, and is waited for after it. Waits are for the tile in
// shared memory to be free; where global memory is accessed later, or others may be told that it is
// written - by an atomic operation, or after a barrier - they are for the copy to be complete.
// Tensors go between memory
// and whatever layout they are used in: conversions next to a load or store vanish. The fences
// between what threads write and what the accelerator reads come later (lower/ProxyFences.h).
//
//===--------------------------------------------------------------------------===//

#include "transform/pipeline/Ring.h"
#include "vendor/nvidia/plan/TensorBox.h"
#include "vendor/nvidia/transform/Passes.h"
#include "vendor/nvidia/transform/TensorCopyOps.h"
#include "vendor/nvidia/transform/TensorMaps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include <map>

namespace tilewright::vendor::nvidia {
#define GEN_PASS_DEF_TRITONNVIDIATMALOWERING
#include "vendor/nvidia/transform/Passes.h.inc"
} // namespace tilewright::vendor::nvidia

using namespace mlir;
using namespace tilewright;
using namespace tilewright::vendor::nvidia;

static Value createInteger(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(value));
}

//===----------------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------------===//

static void lowerLoad(const BlockLoad &load) {
  Operation *op = load.getOp();
  const Location loc = op->getLoc();
  OpBuilder builder(op);
  Value memory = ttg::LocalAllocOp::create(builder, loc, load.getMemoryType());
  Value barrier =
      ttg::LocalAllocOp::create(builder, loc, transform::getBarrierType(op->getContext()));
  Value always = arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
  ttng::InitBarrierOp::create(builder, loc, barrier, /*count=*/1);
  ttng::BarrierExpectOp::create(builder, loc, barrier, load.getBytes(), always);
  load.createCopy(builder, memory, barrier, always);
  ttng::WaitBarrierOp::create(builder, loc, barrier, createInteger(builder, loc, 0),
                              /*pred=*/Value(), /*deps=*/ValueRange());
  ttng::InvalBarrierOp::create(builder, loc, barrier);
  for (Operation *user : llvm::make_early_inc_range(load.getResult().getUsers())) {
    if (load.isReadInPlace(user))
      BlockLoad::replaceAllocation(cast<ttg::LocalAllocOp>(user), memory);
    else if (auto convert = dyn_cast<ttg::ConvertLayoutOp>(user))
      convert.replaceAllUsesWith(
          ttg::LocalLoadOp::create(builder, loc, convert.getType(), memory).getResult());
    else
      continue;
    user->erase();
  }
  if (!load.getResult().use_empty())
    load.getResult().replaceAllUsesWith(
        ttg::LocalLoadOp::create(builder, loc, load.getResult().getType(), memory).getResult());
  op->erase();
}

//===----------------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------------===//

/// The outermost loop around `op`; null if there is none.
static Operation *getOutermostLoop(Operation *op) {
  Operation *outermost = nullptr;
  for (auto loop = op->getParentOfType<LoopLikeOpInterface>(); loop;
       loop = loop->getParentOfType<LoopLikeOpInterface>())
    outermost = loop;
  return outermost;
}

namespace {

/// The tile that goes from registers to a block of a descriptor.
struct BlockStore {
  Operation *op;
  Value descriptor, source;

  static std::optional<BlockStore> match(Operation *op) {
    auto of = [&](auto store) { return BlockStore{op, store.getDesc(), store.getSrc()}; };
    if (auto store = dyn_cast<tt::DescriptorStoreOp>(op))
      return of(store);
    if (auto reduce = dyn_cast<tt::DescriptorReduceOp>(op))
      return of(reduce);
    if (auto scatter = dyn_cast<tt::DescriptorScatterOp>(op))
      return of(scatter);
    return std::nullopt;
  }

  void createCopy(OpBuilder &builder, Value memory) const {
    const Location loc = op->getLoc();
    if (auto store = dyn_cast<tt::DescriptorStoreOp>(op))
      ttng::AsyncTMACopyLocalToGlobalOp::create(builder, loc, descriptor, store.getIndices(),
                                                memory);
    else if (auto reduce = dyn_cast<tt::DescriptorReduceOp>(op))
      ttng::AsyncTMAReduceOp::create(builder, loc, reduce.getKind(), descriptor,
                                     reduce.getIndices(), memory);
    else if (auto scatter = dyn_cast<tt::DescriptorScatterOp>(op))
      ttng::AsyncTMAScatterOp::create(builder, loc, descriptor, scatter.getXOffsets(),
                                      scatter.getYOffset(), memory);
  }
};

/// Whether what was stored before may be looked at by way of `op`, by this program or another one.
bool mayPublish(Operation *op) {
  return isa<tt::AtomicRMWOp, tt::AtomicCASOp, tt::CallOp, ttg::BarrierOp>(op);
}

/// Whether what copies begun at `op` write through `descriptor` may be read or written again after
/// it, by this program or another one; what is in the regions of `op` is not looked at. Blocks of
/// other descriptors are of other tensors.
bool isAccessedAfter(Operation *op, Value descriptor) {
  auto accesses = [&](Operation *each) {
    if (std::optional<BlockStore> store = BlockStore::match(each))
      return WalkResult(failure(store->descriptor == descriptor));
    return WalkResult(failure(
        mayPublish(each) || BlockLoad::is(each) ||
        isa<tt::LoadOp, tt::StoreOp, ttng::AsyncTMACopyGlobalToLocalOp, ttng::AsyncTMAGatherOp>(
            each)));
  };
  for (; !isa<tt::FuncOp>(op); op = op->getParentOp())
    for (Operation *next = op->getNextNode(); next; next = next->getNextNode())
      if (next->walk(accesses).wasInterrupted())
        return true;
  return false;
}

/// The stores of a module. Those of a loop nest share a tile of each type.
class StoreLowering {
public:
  void lower(BlockStore store) {
    // Any layout will do.
    while (auto convert = store.source.getDefiningOp<ttg::ConvertLayoutOp>())
      store.source = convert.getSrc();
    auto source = cast<RankedTensorType>(store.source.getType());
    Operation *loop = getOutermostLoop(store.op);
    const ttg::MemDescType type =
        getBlockMemory(cast<tt::TensorDescType>(store.descriptor.getType()), source.getShape(),
                       /*isMutable=*/loop != nullptr);
    OpBuilder builder(store.op);
    const Location loc = store.op->getLoc();
    if (loop) {
      Value tile = getTile(loop, type, store);
      ttng::TMAStoreWaitOp::create(builder, loc, /*pendings=*/0, /*read_only=*/true);
      ttg::LocalStoreOp::create(builder, loc, store.source, tile);
      store.createCopy(builder, tile);
    } else {
      store.createCopy(builder, ttg::LocalAllocOp::create(builder, loc, type, store.source));
      ttng::TMAStoreWaitOp::create(builder, loc, /*pendings=*/0,
                                   /*read_only=*/!isAccessedAfter(store.op, store.descriptor));
    }
    store.op->erase();
  }

private:
  /// A tile that stores of `loop` go through.
  Value getTile(Operation *loop, ttg::MemDescType type, const BlockStore &store) {
    const Location loc = store.op->getLoc();
    ttng::TMAStoreWaitOp &wait = waits[loop];
    if (!wait) {
      OpBuilder builder(loop->getContext());
      builder.setInsertionPointAfter(loop);
      wait = ttng::TMAStoreWaitOp::create(builder, loc, /*pendings=*/0, /*read_only=*/true);
      waitInside(loop);
    }
    if (isAccessedAfter(loop, store.descriptor))
      wait.setReadOnly(false);
    Value &tile = tiles[{loop, type}];
    if (tile)
      return tile;
    OpBuilder builder(loop);
    tile = ttg::LocalAllocOp::create(builder, loc, type);
    builder.setInsertionPointAfter(wait);
    ttg::LocalDeallocOp::create(builder, loc, tile);
    return tile;
  }

  /// Has copies that `loop` has begun complete before others may look at what they write.
  static void waitInside(Operation *loop) {
    loop->walk([](Operation *op) {
      if (!mayPublish(op))
        return;
      OpBuilder builder(op);
      ttng::TMAStoreWaitOp::create(builder, op->getLoc(), /*pendings=*/0);
    });
  }

  llvm::DenseMap<std::pair<Operation *, Type>, Value> tiles;
  /// After the loops.
  llvm::DenseMap<Operation *, ttng::TMAStoreWaitOp> waits;
};

/// Whether the accelerator copies the blocks of the descriptors that `op` makes or uses; an error
/// if not.
LogicalResult verifyBlocks(Operation *op) {
  for (TypeRange types : {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
    for (Type type : types) {
      auto descriptor = dyn_cast<tt::TensorDescType>(type);
      if (!descriptor)
        continue;
      Result<TensorBox> box = getTensorBox(descriptor.getBlockType());
      if (box)
        continue;
      auto error = op->emitOpError()
                   << "has a descriptor of the blocks " << descriptor.getBlockType()
                   << ", which the tensor memory accelerator does not copy: " << box.error();
      error.attachNote() << "rows of 16 bytes or more, in the layout that "
                            "triton-nvidia-optimize-descriptor-encoding gives, are copied; access "
                            "others through pointers";
      return error;
    }
  return success();
}

struct TmaLowering : vendor::nvidia::impl::TritonNvidiaTMALoweringBase<TmaLowering> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isa<tt::MakeTensorDescOp>(op) || BlockLoad::is(op) || BlockStore::match(op))
        ops.push_back(op);
    });
    for (Operation *op : ops)
      if (failed(verifyBlocks(op)))
        return signalPassFailure();
    // Before the loads, by which it sees which copies are under way.
    llvm::erase_if(ops, [](Operation *op) {
      auto make = dyn_cast<tt::MakeTensorDescOp>(op);
      if (make)
        createTensorMap(make);
      return bool(make);
    });
    StoreLowering stores;
    for (Operation *op : ops) {
      if (BlockLoad::is(op))
        lowerLoad(BlockLoad(op));
      else
        stores.lower(*BlockStore::match(op));
    }
  }
};

} // namespace
