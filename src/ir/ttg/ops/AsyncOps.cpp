//===- AsyncOps.cpp - Verifiers of asynchronous copies ------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/Verification.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::ttg;

LogicalResult AsyncCopyGlobalToLocalOp::verify() {
  auto from = cast<RankedTensorType>(getSrc().getType());
  MemDescType to = getResult().getType();
  if (failed(verifyMutable(*this, to)))
    return failure();
  if (!to.inSharedMemory())
    return emitOpError() << "copies to shared memory, not to " << to;
  Type pointee = tt::getElementTypeOrSelf(tt::getPointeeType(from));
  if (from.getShape() != to.getShape() || pointee != to.getElementType())
    return emitOpError() << "needs memory of the shape and type of what it reads through " << from
                         << ", got " << to;
  if (int32_t contiguity = getContiguity(); contiguity <= 0 || !llvm::isPowerOf2_32(contiguity))
    return emitOpError() << "has `contiguity` = " << contiguity << ", which must be a power of two";
  return success();
}

LogicalResult AsyncWaitOp::verify() {
  if (int32_t count = getNum(); count < 0)
    return emitOpError() << "has `num` = " << count << "; the number of groups is not negative";
  return success();
}
