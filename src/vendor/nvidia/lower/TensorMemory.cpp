//===- TensorMemory.cpp - Tensor memory, as the lowering sees it --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/lower/TensorMemory.h"

#include "ir/ttng/TensorMemory.h"
#include "ir/tw/Dialect.h"
#include "lower/space/Allocations.h"
#include "vendor/nvidia/lower/Intrinsics.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using namespace tilewright::lower::nvidia;

/// Columns of tensor memory, and those that a block is given at least (PTX ISA, "tcgen05.alloc").
static constexpr uint64_t maxColumns = 512, minColumns = 32;
/// The rows by which the second band begins after the first.
static constexpr unsigned bandRows = 16;
/// LLVM's number of the address space.
static constexpr unsigned tensorAddressSpace = 6;

static bool isInTensorMemory(ttg::MemDescType type) {
  return isa<ttng::TensorMemorySpaceAttr>(type.getMemorySpace());
}

static Value getAllocated(Operation *op) {
  auto alloc = dyn_cast<ttng::TMEMAllocOp>(op);
  return alloc ? alloc.getResult() : Value();
}

/// Whether a product in the function of `op` takes its left operand from 64 rows of tensor memory:
/// it has to be in the rows that the result has.
static bool hasProductOfHalves(Operation *op) {
  WalkResult found = op->getParentOfType<tt::FuncOp>().walk([](ttng::TCGen5MMAOp product) {
    ttg::MemDescType a = product.getA().getType();
    return isInTensorMemory(a) && ttng::takesHalfOfRows(a) ? WalkResult::interrupt()
                                                           : WalkResult::advance();
  });
  return found.wasInterrupted();
}

static Extent getExtent(Operation *op) {
  ttg::MemDescType type = cast<ttng::TMEMAllocOp>(op).getResult().getType();
  // Instructions take addresses of scales in fours.
  constexpr uint64_t alignment = 4;
  return {.units = ttng::getColumns(type),
          .alignment = alignment,
          .bands = ttng::takesHalfOfRows(type) && !hasProductOfHalves(op) ? 1u : 2u};
}

static ttg::MemDescType asMutable(ttg::MemDescType type) {
  return ttg::MemDescType::get(type.getShape(), type.getElementType(), type.getEncoding(),
                               type.getMemorySpace(), /*mutableMemory=*/true, type.getAllocShape());
}

/// The piece by its place, with the tensor that it begins with.
static void replaceAllocation(ttng::TMEMAllocOp op, Value base, Place place) {
  OpBuilder builder(op);
  auto makeView = [&](TypeRange types) {
    return tw::TensorMemoryViewOp::create(builder, op.getLoc(), types, base,
                                          builder.getI32IntegerAttr(bandRows * place.band),
                                          builder.getI32IntegerAttr(place.offset));
  };
  auto view = makeView(op->getResultTypes());
  if (op.getSrc()) {
    Value written = makeView(asMutable(op.getResult().getType())).getResult();
    Value always = arith::ConstantIntOp::create(builder, op.getLoc(), 1, 1);
    ttng::TMEMStoreOp::create(builder, op.getLoc(), /*token=*/Type(), written, /*dep=*/Value(),
                              op.getSrc(), always);
  }
  op->replaceAllUsesWith(view->getResults());
  op->erase();
}

static void reserve(tt::FuncOp func, const Allocations &allocations, ArrayRef<Place> places,
                    uint64_t columns) {
  OpBuilder builder = OpBuilder::atBlockBegin(&func.getBody().front());
  IntegerAttr count = builder.getI32IntegerAttr(columns);
  Value base =
      tw::TensorMemoryReserveOp::create(builder, func.getLoc(), builder.getI32Type(), count);
  for (auto [op, place] : llvm::zip_equal(allocations.all(), places))
    replaceAllocation(cast<ttng::TMEMAllocOp>(op), base, place);
  func.walk([&](tt::ReturnOp op) {
    OpBuilder atEnd(op);
    tw::TensorMemoryReleaseOp::create(atEnd, op.getLoc(), base, count);
  });
}

const MemorySpace nvidia::tensorMemorySpace = {
    .name = "tensor memory",
    .unit = "columns",
    .bands = 2,
    .warpsOfBand = 4,
    .barrierSpace = ttg::Tensor,
    .contains = isInTensorMemory,
    .getAllocated = getAllocated,
    .getExtent = getExtent,
    .getMaxUnits = [](const target::Target &) { return maxColumns; },
    .roundUp = [](uint64_t columns) { return llvm::PowerOf2Ceil(std::max(columns, minColumns)); },
    .sizeAttrName = "ttg.tensor_memory_size",
    .reserve = reserve};

bool nvidia::hasTensorMemory(const target::Target &target) {
  return llvm::any_of(target.copies(), [](const target::CopyAtom &atom) {
    return atom.source.space == target::Space::TensorMemory;
  });
}

bool nvidia::usesTensorMemory(Operation *op) {
  return op->getParentOfType<ModuleOp>()->hasAttr(tensorMemorySpace.sizeAttrName);
}

Value nvidia::getTensorMemoryPointer(LoweringBuilder &e, Value address) {
  auto type = LLVM::LLVMPointerType::get(e.builder.getContext(), tensorAddressSpace);
  return e.create<LLVM::IntToPtrOp>(type, address);
}

void nvidia::emitFenceBeforeSync(LoweringBuilder &e) {
  callIntrinsic(e, "tcgen05.fence.before.thread.sync", {});
}

void nvidia::emitFenceAfterSync(LoweringBuilder &e) {
  callIntrinsic(e, "tcgen05.fence.after.thread.sync", {});
}
