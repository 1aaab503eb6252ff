//===- JoinOps.cpp - Verifiers of join, split and cat -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/tt/Dialect.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tt;

/// Checks that `whole` is `part` with a last dimension of size 2, and that both have a layout
/// or neither.
static LogicalResult verifyPair(Operation *op, Type partType, Type wholeType) {
  auto part = cast<RankedTensorType>(partType), whole = cast<RankedTensorType>(wholeType);
  SmallVector<int64_t> shape(part.getShape());
  shape.push_back(2);
  if (whole.getShape() != ArrayRef(shape))
    return op->emitOpError() << "needs " << shape << " as the shape of both halves of " << part
                             << ", not that of " << whole;
  if (bool(part.getEncoding()) != bool(whole.getEncoding()))
    return op->emitOpError("needs a layout on all its tensors or on none");
  return success();
}

LogicalResult JoinOp::verify() { return verifyPair(*this, getLhs().getType(), getType()); }

LogicalResult SplitOp::verify() {
  return verifyPair(*this, getOutLHS().getType(), getSrc().getType());
}

LogicalResult CatOp::verify() {
  auto part = cast<RankedTensorType>(getLhs().getType()), whole = cast<RankedTensorType>(getType());
  if (part.getRank() == 0)
    return emitOpError("needs tensors of one dimension or more");
  SmallVector<int64_t> shape(part.getShape());
  shape[0] *= 2;
  if (whole.getShape() != ArrayRef(shape))
    return emitOpError() << "of two " << part << " has shape " << shape << ", not that of "
                         << whole;
  if (bool(part.getEncoding()) != bool(whole.getEncoding()))
    return emitOpError("needs a layout on all its tensors or on none");
  return success();
}
