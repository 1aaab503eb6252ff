//===- TensorCopyOps.cpp - Copies by the accelerator and their barriers -------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/transform/TensorCopyOps.h"

#include "ir/tt/DescriptorBlock.h"
#include "ir/ttg/query/OpKinds.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::vendor::nvidia;

ttg::MemDescType vendor::nvidia::getBlockMemory(tt::TensorDescType descriptor,
                                                ArrayRef<int64_t> shape, bool isMutable) {
  RankedTensorType block = tt::withoutSigns(descriptor.getBlockType());
  MLIRContext *context = block.getContext();
  Attribute encoding = block.getEncoding();
  if (auto nvmma = dyn_cast_or_null<ttg::NvmmaSharedEncodingAttr>(encoding)) {
    layout::nvidia::NvmmaShared shared = nvmma.getLayout();
    shared.rank = shape.size();
    encoding = ttg::NvmmaSharedEncodingAttr::get(context, shared);
  }
  return ttg::MemDescType::get(shape, block.getElementType(), encoding,
                               ttg::SharedMemorySpaceAttr::get(context), isMutable);
}

SmallVector<Value> BlockLoad::getPlace() const {
  auto load = dyn_cast<tt::LoadOp>(op);
  if (!load)
    return SmallVector<Value>(op->getOperands());
  SmallVector<Value> place = {load.getPtr()};
  if (load.getMask())
    place.push_back(load.getMask());
  return place;
}

ttg::MemDescType BlockLoad::getMemoryType() const {
  if (isOfPointers()) {
    auto alloc = cast<ttg::LocalAllocOp>(*op->user_begin());
    const ttg::MemDescType type = alloc.getType();
    return ttg::MemDescType::get(type.getShape(), type.getElementType(), type.getEncoding(),
                                 type.getMemorySpace(), /*isMutable=*/true);
  }
  return getBlockMemory(cast<tt::TensorDescType>(op->getOperand(0).getType()),
                        cast<RankedTensorType>(getResult().getType()).getShape(),
                        /*isMutable=*/true);
}

uint32_t BlockLoad::getBytes() const { return getMemoryType().getAllocBytes(); }

unsigned BlockLoad::countCopies(unsigned threads) const {
  if (!isOfPointers())
    return 0;
  const int64_t all = cast<RankedTensorType>(getResult().getType()).getNumElements();
  return llvm::divideCeil(all, int64_t(threads) * elements);
}

Operation *BlockLoad::createCopy(OpBuilder &builder, Value memory, Value barrier,
                                 Value predicate) const {
  if (auto load = dyn_cast<tt::LoadOp>(op))
    return ttg::AsyncCopyGlobalToLocalOp::create(builder, op->getLoc(), load.getPtr(), memory,
                                                 load.getMask(), /*other=*/Value(), load.getCache(),
                                                 load.getEvict(), /*isVolatile=*/false, elements);
  if (auto load = dyn_cast<tt::DescriptorLoadOp>(op))
    return ttng::AsyncTMACopyGlobalToLocalOp::create(
        builder, op->getLoc(), load.getDesc(), load.getIndices(), ValueRange(), barrier, memory,
        predicate, load.getCache(), load.getEvict());
  auto gather = cast<tt::DescriptorGatherOp>(op);
  return ttng::AsyncTMAGatherOp::create(builder, op->getLoc(), gather.getDesc(),
                                        gather.getXOffsets(), gather.getYOffset(), barrier, memory,
                                        predicate);
}

bool BlockLoad::isReadInPlace(Operation *user) const {
  auto alloc = dyn_cast<ttg::LocalAllocOp>(user);
  const ttg::MemDescType memory = getMemoryType();
  return alloc && alloc.getType().getEncoding() == memory.getEncoding() &&
         alloc.getType().getShape() == memory.getShape();
}

void BlockLoad::replaceAllocation(ttg::LocalAllocOp alloc, Value memory) {
  alloc.getResult().replaceAllUsesWith(memory);
  ttg::makeViewsMutable(memory);
}
