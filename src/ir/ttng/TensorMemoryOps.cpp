//===- TensorMemoryOps.cpp - Verifiers of tensor memory ops -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/Verification.h"
#include "ir/ttng/Verification.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::ttng;

/// A tensor in registers and one in tensor memory that `op` copies between.
static LogicalResult verifyCopy(Operation *op, Type registers, ttg::MemDescType memory) {
  if (failed(ttg::verifySameTensor(op, registers, memory)))
    return failure();
  return verifyTensorMemory(op, memory);
}

void TMEMAllocOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  // Memory that holds one tensor throughout its life is a value.
  if (!getResult().getType().getMutableMemory())
    return;
  auto result = cast<OpResult>(getResult());
  effects.emplace_back(MemoryEffects::Allocate::get(), result, TensorMemory::get());
  if (getSrc())
    effects.emplace_back(MemoryEffects::Write::get(), result, TensorMemory::get());
}

LogicalResult TMEMAllocOp::verify() {
  ttg::MemDescType type = getResult().getType();
  if (failed(verifyTensorMemory(*this, type)))
    return failure();
  if (!getSrc() && !type.getMutableMemory())
    return emitOpError("of memory that is not mutable needs the tensor that it holds");
  return getSrc() ? verifyCopy(*this, getSrc().getType(), type) : success();
}

LogicalResult TMEMLoadOp::verify() {
  if (getRedOp().has_value() != bool(getRed()))
    return emitOpError("gives a reduction of each row exactly when it has `redOp`");
  if (getDep() && !getToken())
    return emitOpError("waits for a token and so must give one");
  return verifyCopy(*this, getResult().getType(), getSrc().getType());
}

LogicalResult TMEMStoreOp::verify() {
  if (getDep() && !getToken())
    return emitOpError("waits for a token and so must give one");
  if (failed(ttg::verifyMutable(*this, getDst().getType())))
    return failure();
  return verifyCopy(*this, getSrc().getType(), getDst().getType());
}

LogicalResult TMEMSubSliceOp::verify() {
  ttg::MemDescType src = getSrc().getType(), dst = getType();
  if (getOffset().has_value() == getN().has_value())
    return emitOpError("needs the first column as `offset`, or as `N`, and not both");
  const int32_t dim = getDim().value_or(1);
  if (dim != 0 && dim != 1)
    return emitOpError() << "has the rows (dim = 0) or the columns (dim = 1) of a matrix, and no "
                            "dim = "
                         << dim;
  if (failed(verifyTensorMemory(*this, src)) || failed(verifyTensorMemory(*this, dst)))
    return failure();
  if (src.getRank() != 2 || dst.getRank() != 2 ||
      src.getShape()[1 - dim] != dst.getShape()[1 - dim] ||
      src.getElementType() != dst.getElementType() ||
      src.getMutableMemory() != dst.getMutableMemory())
    return emitOpError() << "gives " << (dim ? "columns" : "rows")
                         << " of a matrix, whole and of its type, but has " << src << " and "
                         << dst;
  if (src.getAllocShape() != dst.getAllocShape())
    return emitOpError() << "keeps the alloc shape, but has " << src << " and " << dst;
  int64_t first = getFirst(), size = dst.getShape()[dim];
  if (first < 0 || first + size > src.getShape()[dim])
    return emitOpError() << "takes " << (dim ? "columns [" : "rows [") << first << ", "
                         << first + size << ") of " << src.getShape()[dim];
  // An instruction takes the rows of a block together.
  if (auto tiles = dyn_cast<TensorMemoryEncodingAttr>(dst.getEncoding());
      tiles && dim == 0 && size % tiles.getBlockM() != 0)
    return emitOpError() << "takes " << size << " rows of blocks of " << tiles.getBlockM();
  return success();
}

LogicalResult TMEMCopyOp::verify() {
  ttg::MemDescType src = getSrc().getType(), dst = getDst().getType();
  if (!src.inSharedMemory())
    return emitOpError() << "copies from shared memory, not from " << src;
  if (failed(verifyTensorMemory(*this, dst)) || failed(ttg::verifyMutable(*this, dst)))
    return failure();
  return getBarrier() ? verifyBarrier(*this, getBarrier().getType()) : success();
}
