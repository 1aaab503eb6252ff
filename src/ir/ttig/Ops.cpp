//===- Ops.cpp - Verifiers of the ttig dialect's ops --------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/ttig/Ops.h"

#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::ttig;

#define GET_OP_CLASSES
#include "ir/ttig/Ops.cpp.inc"

/// A matrix has two dimensions and elements of the pointer's type. Of three dimensions the first
/// counts matrices, which are `slicePitch` elements apart.
static LogicalResult verifyRectangle(Operation *op, Value base, Value slicePitch, Type type) {
  auto tensor = cast<RankedTensorType>(type);
  const int64_t rank = tensor.getRank();
  if (rank != 2 && rank != 3)
    return op->emitOpError() << "moves tensors of two dimensions, or of three, not " << tensor;
  if ((rank == 3) != static_cast<bool>(slicePitch))
    return op->emitOpError() << (slicePitch ? "has slices, but moves " : "has no slices to move ")
                             << tensor;
  Type element = tt::getPointeeType(base.getType());
  if (element != tensor.getElementType())
    return op->emitOpError() << "cannot move " << tensor << " at a pointer to " << element;
  return success();
}

LogicalResult BlockLoadOp::verify() {
  return verifyRectangle(*this, getBase(), getSlicePitch(), getResult().getType());
}

LogicalResult BlockStoreOp::verify() {
  return verifyRectangle(*this, getBase(), getSlicePitch(), getValue().getType());
}

LogicalResult BlockPrefetchOp::verify() {
  return verifyRectangle(*this, getBase(), getSlicePitch(), getTile());
}
