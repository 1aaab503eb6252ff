//===- TensorMaps.cpp - Tensor maps that kernels make -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/transform/TensorMaps.h"

#include "vendor/nvidia/plan/TensorBox.h"
#include "vendor/nvidia/transform/TensorCopyOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::vendor::nvidia;

static constexpr int32_t mapBytes = 128;

static Value createInteger(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(value));
}

//===----------------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------------===//

/// The buffers of the allocation that `memory` is one of.
static int64_t countBuffers(Value memory) {
  for (Operation *op = memory.getDefiningOp(); op; op = memory.getDefiningOp()) {
    if (auto index = dyn_cast<ttg::MemDescIndexOp>(op))
      return index.getSrc().getType().getShape().front();
    if (op->getNumOperands() == 0 || !isa<ttg::MemDescType>(op->getOperand(0).getType()))
      break;
    memory = op->getOperand(0);
  }
  return 1;
}

/// The copies into shared memory of one descriptor that may be under way when an iteration of
/// `loop` makes a map; 0 if each iteration waits for its own.
static int64_t countCopiesUnderWay(scf::ForOp loop) {
  int64_t buffers = 0;
  auto see = [&](Operation *copy, Value memory) {
    // A loop inside ends with all of its copies complete.
    if (copy->getParentOfType<LoopLikeOpInterface>() == loop)
      buffers = std::max(buffers, countBuffers(memory));
  };
  loop.walk([&](Operation *op) {
    if (auto copy = dyn_cast<ttng::AsyncTMACopyGlobalToLocalOp>(op))
      see(op, copy.getResult());
    else if (auto gather = dyn_cast<ttng::AsyncTMAGatherOp>(op))
      see(op, gather.getResult());
  });
  return buffers;
}

/// The number of the iteration, modulo `slots`, as i32.
static Value createTurn(OpBuilder &builder, scf::ForOp loop, int64_t slots) {
  const Location loc = loop.getLoc();
  Type type = loop.getInductionVar().getType();
  Value from = arith::SubIOp::create(builder, loc, loop.getInductionVar(), loop.getLowerBound());
  Value number = arith::DivUIOp::create(builder, loc, from, loop.getStep());
  Value count = arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, slots));
  Value turn = arith::RemUIOp::create(builder, loc, number, count);
  if (type.isIndex())
    return arith::IndexCastOp::create(builder, loc, builder.getI32Type(), turn);
  const unsigned width = type.getIntOrFloatBitWidth();
  if (width == 32)
    return turn;
  return width > 32 ? arith::TruncIOp::create(builder, loc, builder.getI32Type(), turn).getResult()
                    : arith::ExtUIOp::create(builder, loc, builder.getI32Type(), turn).getResult();
}

/// The memory of the map that `make` makes this time.
static Value createSlot(OpBuilder &builder, tt::MakeTensorDescOp make) {
  const Location loc = make.getLoc();
  auto loop =
      dyn_cast_or_null<scf::ForOp>(make->getParentOfType<LoopLikeOpInterface>().getOperation());
  const int64_t slots = loop ? countCopiesUnderWay(loop) + 1 : 1;
  auto address = tt::PointerType::get(builder.getI8Type(), /*addressSpace=*/1);
  Value maps = ttg::GlobalScratchAllocOp::create(builder, loc, address,
                                                 static_cast<int32_t>(mapBytes * slots),
                                                 /*alignment=*/mapBytes);
  if (slots == 1)
    return maps;
  Value offset = arith::MulIOp::create(builder, loc, createTurn(builder, loop, slots),
                                       createInteger(builder, loc, mapBytes));
  return tt::AddPtrOp::create(builder, loc, address, maps, offset);
}

/// Waits until the stores before have read their map.
static void waitForStores(OpBuilder &builder, tt::MakeTensorDescOp make) {
  auto loads = [](Operation *user) {
    return BlockLoad::is(user) ||
           isa<ttng::AsyncTMACopyGlobalToLocalOp, ttng::AsyncTMAGatherOp>(user);
  };
  if (!make->getParentOfType<LoopLikeOpInterface>() || llvm::all_of(make->getUsers(), loads))
    return;
  ttng::TMAStoreWaitOp::create(builder, make.getLoc(), /*pendings=*/0, /*read_only=*/true);
  // Threads that scatter rows know only of their own, and one thread writes the map.
  if (llvm::any_of(make->getUsers(), llvm::IsaPred<tt::DescriptorScatterOp>))
    ttg::BarrierOp::create(builder, make.getLoc(), ttg::All);
}

//===----------------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------------===//

/// Writes the map at `map`.
static void writeMap(OpBuilder &builder, tt::MakeTensorDescOp make, Value map) {
  const Location loc = make.getLoc();
  RankedTensorType block = make.getType().getBlockType();
  const TensorBox box = *getTensorBox(block);
  // The fastest dimension first; its stride is that of elements.
  SmallVector<Value> boxSizes, sizes, strides, elementStrides;
  Value one = createInteger(builder, loc, 1);
  Value bytes =
      arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(box.elementBytes));
  for (int64_t dim = block.getRank(); dim-- > 0;) {
    boxSizes.push_back(createInteger(builder, loc, box.shape[dim]));
    sizes.push_back(make.getShape()[dim]);
    elementStrides.push_back(one);
    if (dim + 1 < block.getRank())
      strides.push_back(arith::MulIOp::create(builder, loc, make.getStrides()[dim], bytes));
  }
  ttng::TensormapCreateOp::create(
      builder, loc, map, make.getBase(), boxSizes, sizes, strides, elementStrides,
      *getTensorMapElement(block.getElementType()), /*interleave_layout=*/0, box.swizzleMode(),
      /*fill_mode=*/make.getPadding() == tt::PaddingOption::PAD_NAN ? 1 : 0);
  ttng::TensormapFenceproxyAcquireOp::create(builder, loc, map);
}

void vendor::nvidia::createTensorMap(tt::MakeTensorDescOp make) {
  OpBuilder builder(make);
  waitForStores(builder, make);
  Value map = createSlot(builder, make);
  writeMap(builder, make, map);
  make.replaceAllUsesWith(
      ttng::ReinterpretTensorDescOp::create(builder, make.getLoc(), make.getType(), map)
          .getResult());
  make.erase();
}
