//===- InvariantOperands.cpp - Operands that stay, in shared memory -----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/pipeline/staged/InvariantOperands.h"

#include "analysis/Resources.h"
#include "target/RegisterModel.h"
#include "transform/pipeline/schedule/LoopSchedule.h"
#include "transform/pipeline/staged/StagedTile.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::transform;

using Conversions = llvm::SmallSetVector<ttg::ConvertLayoutOp, 2>;

static RankedTensorType typeOf(Type type) { return cast<RankedTensorType>(type); }

//===----------------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------------===//

static unsigned countRegisters(scf::ForOp loop, const Conversions &stored,
                               const target::Target &target) {
  // Addresses are a few and constants.
  return LoopRegisters{
      .base = target.registers->uncountedWithProducts,
      .carried = countCarriedRegisters(loop),
      .product = countProductRegisters(
          loop, target, [&](ttg::ConvertLayoutOp convert) { return stored.contains(convert); })}
      .total();
}

//===----------------------------------------------------------------------------===//
// Which operands
//===----------------------------------------------------------------------------===//

/// The loops with the products that take what `convert` gives, in order; none if it has other uses,
/// or if a loop stands elsewhere than it does.
static SmallVector<scf::ForOp> findLoops(ttg::ConvertLayoutOp convert) {
  llvm::SetVector<Operation *> loops;
  for (Operation *user : convert->getUsers()) {
    auto loop = dyn_cast<scf::ForOp>(user->getParentOp());
    if (!isa<tt::DotOp>(user) || !loop || loop->getBlock() != convert->getBlock())
      return {};
    loops.insert(loop);
  }
  SmallVector<scf::ForOp> inOrder = llvm::map_to_vector(
      loops.getArrayRef(), [](Operation *loop) { return cast<scf::ForOp>(loop); });
  llvm::sort(inOrder, [](scf::ForOp a, scf::ForOp b) { return a->isBeforeInBlock(b); });
  return inOrder;
}

/// The memory for what `convert` gives; null if it does not go through memory as a whole.
static ttg::MemDescType planMemory(ttg::ConvertLayoutOp convert, const target::Target &target) {
  return planTileMemory(typeOf(convert.getSrc().getType()), ttg::toLinearLayout(convert.getType()),
                        target);
}

/// Whether `loop` has `bytes` of shared memory beside the tiles that it loads.
static bool hasRoom(scf::ForOp loop, uint64_t bytes, const target::Target &target) {
  llvm::SmallPtrSet<Operation *, 8> replaced;
  for (StagedTile &tile : findStagedTiles(loop, target)) {
    bytes += tile.memory.getAllocBytes();
    for (ConvertedUse &use : tile.uses)
      replaced.insert(use.convert);
  }
  return bytes <= getFreeSharedBytes(loop, target, replaced);
}

/// The conversions in `function` whose results are to be in memory.
static Conversions findStored(tt::FuncOp function, const target::Target &target) {
  Conversions found;
  uint64_t bytes = 0;
  function.walk([&](ttg::ConvertLayoutOp convert) {
    const SmallVector<scf::ForOp> loops = findLoops(convert);
    if (llvm::none_of(loops, [&](scf::ForOp loop) {
          return countRegisters(loop, found, target) > target.execution.maxRegistersPerThread;
        }))
      return;
    const ttg::MemDescType memory = planMemory(convert, target);
    if (!memory || !llvm::all_of(loops, [&](scf::ForOp loop) {
          return hasRoom(loop, bytes + memory.getAllocBytes(), target);
        }))
      return;
    bytes += memory.getAllocBytes();
    found.insert(convert);
  });
  return found;
}

unsigned transform::countLoopRegisters(scf::ForOp loop, const target::Target &target) {
  return countRegisters(loop, findStored(loop->getParentOfType<tt::FuncOp>(), target), target);
}

//===----------------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------------===//

static void store(ttg::ConvertLayoutOp convert, const target::Target &target) {
  const Location loc = convert.getLoc();
  OpBuilder builder(convert);
  Value memory = ttg::LocalAllocOp::create(builder, loc, planMemory(convert, target));
  ttg::LocalStoreOp::create(builder, loc, convert.getSrc(), memory);
  builder.setInsertionPointAfter(findLoops(convert).back());
  ttg::LocalDeallocOp::create(builder, loc, memory);
  for (Operation *product : llvm::to_vector(convert->getUsers())) {
    builder.setInsertionPoint(product);
    auto load = ttg::LocalLoadOp::create(builder, loc, convert.getType(), memory, Value());
    for (StringRef name : {ttg::stageAttrName, ttg::clusterAttrName})
      if (Attribute value = product->getAttr(name))
        load->setAttr(name, value);
    product->replaceUsesOfWith(convert, load);
  }
  convert.erase();
}

void transform::storeInvariantOperands(ModuleOp module, const target::Target &target) {
  for (auto function : module.getOps<tt::FuncOp>())
    for (ttg::ConvertLayoutOp convert : findStored(function, target))
      store(convert, target);
}
