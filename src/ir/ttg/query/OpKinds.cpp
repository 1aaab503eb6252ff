//===- OpKinds.cpp - Loads, products and views among ops ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/query/OpKinds.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilewright;

bool ttg::isProduct(Operation *op) {
  if (isa<tt::DotOp, tt::DotScaledOp>(op))
    return true;
  auto user = dyn_cast<SharedMemoryUser>(op);
  if (!user)
    return false;
  const AsyncRole role = user.getAsyncRole();
  return role.queue == AsyncQueue::Products && !role.waits;
}

bool ttg::isLoad(Operation *op) {
  return isa<tt::LoadOp, tt::DescriptorLoadOp, tt::DescriptorGatherOp>(op);
}

uint64_t ttg::getTileBytes(Operation *load) {
  auto type = cast<RankedTensorType>(load->getResult(0).getType());
  return type.getNumElements() * tt::getStorageBits(type.getElementType()) / 8;
}

ttg::SharedLayoutEncoding ttg::getBlockEncoding(Value descriptor) {
  auto type = dyn_cast<tt::TensorDescType>(descriptor.getType());
  return type ? dyn_cast_or_null<SharedLayoutEncoding>(type.getBlockType().getEncoding())
              : SharedLayoutEncoding();
}

bool ttg::isBufferedBlock(Operation *op) {
  if (!isa<tt::DescriptorLoadOp, tt::DescriptorGatherOp>(op) || op->use_empty())
    return false;
  SharedLayoutEncoding encoding = getBlockEncoding(op->getOperand(0));
  return encoding && getTileBytes(op) % encoding.getAlignment() == 0;
}

bool ttg::isZero(Value value) {
  return matchPattern(value, m_Zero()) || matchPattern(value, m_PosZeroFloat());
}

void ttg::makeViewsMutable(Value view) {
  for (Operation *user : view.getUsers())
    for (Value made : user->getResults())
      if (auto type = dyn_cast<MemDescType>(made.getType()); type && !type.getMutableMemory()) {
        made.setType(MemDescType::get(type.getShape(), type.getElementType(), type.getEncoding(),
                                      type.getMemorySpace(), /*mutableMemory=*/true,
                                      type.getAllocShape()));
        makeViewsMutable(made);
      }
}
