//===- TensorMemoryOps.cpp - The tensor memory of a kernel --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/tw/Dialect.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tw;

LogicalResult TensorMemoryViewOp::verify() {
  auto type = dyn_cast<ttg::MemDescType>(getResult().getType());
  if (!type || type.inSharedMemory())
    return emitOpError() << "gives memory in #ttng.tensor_memory, not " << getResult().getType();
  return success();
}

void MemoryDotOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  for (OpOperand *operand : {&getAMutable(), &getBMutable()})
    effects.emplace_back(MemoryEffects::Read::get(), operand, ttg::SharedMemory::get());
}

LogicalResult MemoryDotOp::verify() {
  ttg::MemDescType a = getA().getType(), b = getB().getType();
  ArrayRef<int64_t> result = cast<RankedTensorType>(getD().getType()).getShape();
  if (!a.inSharedMemory() || !b.inSharedMemory())
    return emitOpError() << "needs its operands in shared memory, got " << a << " and " << b;
  if (a.getRank() != 2 || b.getRank() != 2 || result.size() != 2 || a.getShape()[0] != result[0] ||
      b.getShape()[1] != result[1] || a.getShape()[1] != b.getShape()[0])
    return emitOpError() << "needs M x K, K x N and M x N elements, but has " << a << ", " << b
                         << " and " << getD().getType();
  if (getBlockM() <= 0 || getBlockN() <= 0 || result[0] % getBlockM() || result[1] % getBlockN())
    return emitOpError() << "has tiles of " << getBlockM() << " x " << getBlockN()
                         << ", which do not divide its result";
  return success();
}
