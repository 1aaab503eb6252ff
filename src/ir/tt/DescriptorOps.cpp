//===- DescriptorOps.cpp - Verifiers of tensor descriptor ops -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/tt/DescriptorBlock.h"
#include "ir/tt/Dialect.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tt;

RankedTensorType tt::withoutSigns(RankedTensorType block) {
  if (auto integer = dyn_cast<IntegerType>(block.getElementType()))
    return block.clone(IntegerType::get(block.getContext(), integer.getWidth()));
  return block;
}

/// The block as a tensor has it.
static RankedTensorType blockOf(Value descriptor) {
  return withoutSigns(cast<TensorDescType>(descriptor.getType()).getBlockType());
}

/// A block of the descriptor as a tensor in registers: dimensions of size 1 at the front may
/// be missing there.
static LogicalResult verifyBlock(Operation *op, Value descriptor, Type type) {
  RankedTensorType block = blockOf(descriptor);
  auto tensor = cast<RankedTensorType>(type);
  ArrayRef<int64_t> shape = block.getShape();
  while (static_cast<int64_t>(shape.size()) > tensor.getRank() && shape.front() == 1)
    shape = shape.drop_front();
  if (shape != tensor.getShape() || block.getElementType() != tensor.getElementType())
    return op->emitOpError() << "needs a tensor of the descriptor's block, "
                             << RankedTensorType::get(block.getShape(), block.getElementType())
                             << ", got " << tensor;
  return success();
}

static LogicalResult verifyIndices(Operation *op, Value descriptor, OperandRange indices) {
  int64_t rank = blockOf(descriptor).getRank();
  if (static_cast<int64_t>(indices.size()) != rank)
    return op->emitOpError() << "needs an index for each dimension of " << descriptor.getType()
                             << ", " << rank << ", got " << indices.size();
  return success();
}

LogicalResult MakeTensorDescOp::verify() {
  RankedTensorType block = blockOf(getResult());
  int64_t rank = block.getRank();
  if (static_cast<int64_t>(getShape().size()) != rank)
    return emitOpError() << "needs a size and a stride for each dimension of " << getType() << ", "
                         << rank << " of each, got " << getShape().size();
  Type pointee = tt::getPointeeType(getBase().getType());
  if (pointee != block.getElementType())
    return emitOpError() << "of a pointer to " << pointee << " cannot give " << getType();
  if (getPadding() == PaddingOption::PAD_NAN && !isa<FloatType>(pointee))
    return emitOpError() << "pads with NaN, which " << pointee << " does not have";
  return success();
}

LogicalResult DescriptorLoadOp::verify() {
  if (failed(verifyIndices(*this, getDesc(), getIndices())))
    return failure();
  return verifyBlock(*this, getDesc(), getType());
}

LogicalResult DescriptorStoreOp::verify() {
  if (failed(verifyIndices(*this, getDesc(), getIndices())))
    return failure();
  return verifyBlock(*this, getDesc(), getSrc().getType());
}

LogicalResult DescriptorReduceOp::verify() {
  if (failed(verifyIndices(*this, getDesc(), getIndices())))
    return failure();
  Type element = blockOf(getDesc()).getElementType();
  bool forFloats = getKind() == DescriptorReduceKind::ADD ||
                   getKind() == DescriptorReduceKind::MIN || getKind() == DescriptorReduceKind::MAX;
  if (isa<FloatType>(element) && !forFloats)
    return emitOpError() << stringifyDescriptorReduceKind(getKind()) << " is about integers, not "
                         << element;
  return verifyBlock(*this, getDesc(), getSrc().getType());
}

/// Rows that are gathered or scattered: the descriptor's block is one of them, `rows` are their
/// indices, and `type` is all of them.
static LogicalResult verifyRows(Operation *op, Value descriptor, Value rows, Type type) {
  RankedTensorType block = blockOf(descriptor);
  auto indices = cast<RankedTensorType>(rows.getType()), tensor = cast<RankedTensorType>(type);
  if (block.getRank() != 2 || block.getShape()[0] != 1)
    return op->emitOpError() << "needs a descriptor whose block is one row, such as 1x64xf16, got "
                             << descriptor.getType();
  if (indices.getRank() != 1)
    return op->emitOpError() << "needs its row indices in one dimension, got " << indices;
  const int64_t shape[] = {indices.getShape()[0], block.getShape()[1]};
  if (tensor.getShape() != ArrayRef(shape) || tensor.getElementType() != block.getElementType())
    return op->emitOpError() << "moves " << shape[0] << " rows of " << descriptor.getType()
                             << ", which are not " << tensor;
  return success();
}

LogicalResult DescriptorGatherOp::verify() {
  return verifyRows(*this, getDesc(), getXOffsets(), getType());
}

LogicalResult DescriptorScatterOp::verify() {
  return verifyRows(*this, getDesc(), getXOffsets(), getSrc().getType());
}
