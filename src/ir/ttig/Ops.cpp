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

/// A matrix has two dimensions and elements of the pointer's type.
static LogicalResult verifyRectangle(Operation *op, Value base, Type type) {
  auto tensor = cast<RankedTensorType>(type);
  if (tensor.getRank() != 2)
    return op->emitOpError() << "moves tensors of two dimensions, not " << tensor;
  Type element = tt::getPointeeType(base.getType());
  if (element != tensor.getElementType())
    return op->emitOpError() << "cannot move " << tensor << " at a pointer to " << element;
  return success();
}

LogicalResult BlockLoadOp::verify() {
  return verifyRectangle(*this, getBase(), getResult().getType());
}

LogicalResult BlockStoreOp::verify() {
  return verifyRectangle(*this, getBase(), getValue().getType());
}

LogicalResult BlockPrefetchOp::verify() { return verifyRectangle(*this, getBase(), getTile()); }
