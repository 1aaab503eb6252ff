//===- TensorCopyOps.cpp - Verifiers of TMA copies ----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/tt/DescriptorBlock.h"
#include "ir/ttg/Verification.h"
#include "ir/ttng/Verification.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::ttng;

/// The block that a descriptor speaks of, as memory has it.
static RankedTensorType blockOf(Type descriptor) {
  if (auto image = dyn_cast<TensorDescIm2ColType>(descriptor))
    return tt::withoutSigns(image.getBlockType());
  return tt::withoutSigns(cast<tt::TensorDescType>(descriptor).getBlockType());
}

/// Whether `memory`, of memory with fewer dimensions than a block, is the layout of the block
/// without as many at its beginning.
static bool lacksDimensions(Attribute block, Attribute memory) {
  auto all = dyn_cast<ttg::NvmmaSharedEncodingAttr>(block);
  auto last = dyn_cast<ttg::NvmmaSharedEncodingAttr>(memory);
  if (!all || !last || last.getRank() > all.getRank())
    return false;
  layout::nvidia::NvmmaShared shared = all.getLayout();
  shared.rank = last.getRank();
  return shared == last.getLayout();
}

/// Whether `memory` has the shape of a part of the block, of which there are several equal ones. As
/// in Triton, a copy of that is the messages for it; the lowering checks that they end with it.
static bool isPart(RankedTensorType block, ttg::MemDescType memory) {
  return block.getEncoding() && block.getRank() == memory.getRank() &&
         llvm::all_of(llvm::zip_equal(block.getShape(), memory.getShape()),
                      [](auto sizes) { return std::get<0>(sizes) % std::get<1>(sizes) == 0; });
}

/// A block of the descriptor or a part of one, and memory that is copied between them: as many
/// elements, of one type, in the layout that the descriptor has, if it has one. The memory may lack
/// dimensions of size 1.
static LogicalResult verifyBlock(Operation *op, Type descriptor, ttg::MemDescType memory) {
  RankedTensorType block = blockOf(descriptor);
  if (!memory.inSharedMemory())
    return op->emitOpError() << "copies from and to shared memory, not " << memory;
  if (block.getElementType() != memory.getElementType() ||
      (block.getNumElements() != memory.getNumElements() && !isPart(block, memory)))
    return op->emitOpError() << "copies whole blocks, but has " << descriptor << " and " << memory;
  if (block.getEncoding() && block.getEncoding() != memory.getEncoding() &&
      !lacksDimensions(block.getEncoding(), memory.getEncoding()))
    return op->emitOpError() << "needs memory in the layout of its descriptor, "
                             << block.getEncoding() << ", got " << memory;
  return success();
}

static LogicalResult verifyCoordinates(Operation *op, Type descriptor, OperandRange coordinates) {
  int64_t rank = blockOf(descriptor).getRank();
  if (static_cast<int64_t>(coordinates.size()) != rank)
    return op->emitOpError() << "needs a coordinate for each dimension of " << descriptor << ", "
                             << rank << ", got " << coordinates.size();
  return success();
}

LogicalResult AsyncSharedStoreOp::verify() {
  if (ttg::getNumCTAs(*this) < 2)
    return emitOpError("stores in another block of the cluster, which has one").attachNote()
           << "use ttg.local_store";
  ttg::MemDescType dst = getDst().getType();
  if (!dst.inSharedMemory())
    return emitOpError() << "is about shared memory, not " << dst;
  if (failed(ttg::verifyMutable(*this, dst)) ||
      failed(ttg::verifySameTensor(*this, getSrc().getType(), dst)))
    return failure();
  return verifyBarrier(*this, getMbarrier().getType());
}

LogicalResult AsyncTMACopyGlobalToLocalOp::verify() {
  Type descriptor = getDesc().getType();
  if (failed(verifyBarrier(*this, getBarrier().getType())) ||
      failed(ttg::verifyMutable(*this, getResult().getType())))
    return failure();
  if (isa<TensorDescIm2ColType>(descriptor)) {
    // Batch, pixels' coordinates, channel; a patch has an offset in each of the pixels'.
    if (getCoord().size() < 3 || getCoord().size() > 5 ||
        getOffsets().size() + 2 != getCoord().size())
      return emitOpError() << "of an image needs 3 to 5 coordinates and an offset for each but the "
                              "first and the last, got "
                           << getCoord().size() << " and " << getOffsets().size();
  } else if (!getOffsets().empty()) {
    return emitOpError() << "has `offsets`, which " << descriptor << " has none of";
  } else if (failed(verifyCoordinates(*this, descriptor, getCoord()))) {
    return failure();
  }
  return verifyBlock(*this, descriptor, getResult().getType());
}

/// A copy to global memory reads the memory of its own block.
static LogicalResult verifyOwnMemory(Operation *op, ttg::MemDescType memory) {
  if (memory.getAllocShape().take_back(memory.getRank()) == memory.getShape())
    return success();
  const layout::LinearLayout map = memory.toLinearLayout();
  for (unsigned bit = 0; bit < map.inBits(layout::dims::Block); ++bit)
    if (map.basis(layout::dims::Block, bit))
      return op->emitOpError() << "reads a part of memory that the blocks of a cluster share out, "
                                  "which may begin in another block: "
                               << memory;
  return success();
}

LogicalResult AsyncTMACopyLocalToGlobalOp::verify() {
  if (failed(verifyCoordinates(*this, getDesc().getType(), getCoord())) ||
      failed(verifyOwnMemory(*this, getSrc().getType())))
    return failure();
  return verifyBlock(*this, getDesc().getType(), getSrc().getType());
}

/// Whether the unit does `kind` with elements of this type (PTX ISA, cp.reduce.async.bulk, the
/// types of each operation in global memory).
static bool canReduce(tt::DescriptorReduceKind kind, Type element) {
  using tt::DescriptorReduceKind;
  auto integer = dyn_cast<IntegerType>(element);
  const unsigned bits = tt::getElementBits(element);
  switch (kind) {
  case DescriptorReduceKind::INC:
  case DescriptorReduceKind::DEC:
    return integer && bits == 32;
  case DescriptorReduceKind::AND:
  case DescriptorReduceKind::OR:
  case DescriptorReduceKind::XOR:
    return integer && bits >= 32;
  case DescriptorReduceKind::MIN:
  case DescriptorReduceKind::MAX:
    return integer ? bits >= 32 : bits == 16;
  case DescriptorReduceKind::ADD:
    // .u64 adds what has no sign; a descriptor of signed numbers has no addition of 64 bits.
    return integer ? bits == 32 || (bits == 64 && !integer.isSigned()) : bits == 16 || bits == 32;
  default:
    return true;
  }
}

LogicalResult AsyncTMAReduceOp::verify() {
  if (failed(verifyCoordinates(*this, getDesc().getType(), getCoord())) ||
      failed(verifyOwnMemory(*this, getSrc().getType())))
    return failure();
  Type element = getDesc().getType();
  if (auto descriptor = dyn_cast<tt::TensorDescType>(element))
    element = descriptor.getBlockType().getElementType();
  else
    element = cast<TensorDescIm2ColType>(element).getBlockType().getElementType();
  if (!canReduce(getKind(), element)) {
    auto error = emitOpError() << "has no " << tt::stringifyDescriptorReduceKind(getKind())
                               << " of " << element << " in memory";
    error.attachNote() << "use atomic operations on pointers";
    return error;
  }
  return verifyBlock(*this, getDesc().getType(), getSrc().getType());
}

/// Rows of a descriptor's single row, one for each index.
static LogicalResult verifyRows(Operation *op, tt::TensorDescType descriptor, Type indices,
                                ttg::MemDescType memory) {
  RankedTensorType block = blockOf(descriptor);
  auto rows = cast<RankedTensorType>(indices);
  if (block.getRank() != 2 || block.getShape()[0] != 1)
    return op->emitOpError() << "needs a descriptor of one row, got " << descriptor;
  if (rows.getRank() != 1)
    return op->emitOpError() << "needs its indices in one dimension, got " << rows;
  if (!memory.inSharedMemory() || memory.getRank() != 2 ||
      memory.getShape()[0] != rows.getShape()[0] || memory.getShape()[1] != block.getShape()[1] ||
      memory.getElementType() != block.getElementType())
    return op->emitOpError() << "copies a row of " << descriptor << " for each index of " << rows
                             << ", but has " << memory;
  return success();
}

LogicalResult AsyncTMAGatherOp::verify() {
  if (failed(verifyBarrier(*this, getBarrier().getType())) ||
      failed(ttg::verifyMutable(*this, getResult().getType())))
    return failure();
  return verifyRows(*this, cast<tt::TensorDescType>(getDesc().getType()), getXOffsets().getType(),
                    getResult().getType());
}

LogicalResult AsyncTMAScatterOp::verify() {
  if (failed(verifyOwnMemory(*this, getSrc().getType())))
    return failure();
  return verifyRows(*this, cast<tt::TensorDescType>(getDesc().getType()), getXOffsets().getType(),
                    getSrc().getType());
}

LogicalResult TMAStoreWaitOp::verify() {
  if (int32_t count = getPendings(); count < 0)
    return emitOpError() << "has `pendings` = " << count
                         << "; the number of groups is not negative";
  return success();
}

LogicalResult TensormapCreateOp::verify() {
  size_t rank = getBoxDim().size();
  if (rank < 1 || rank > 5)
    return emitOpError() << "describes tensors of 1 to 5 dimensions, not of " << rank;
  if (getGlobalDim().size() != rank || getElementStride().size() != rank ||
      getGlobalStride().size() != rank - 1)
    return emitOpError() << "needs " << rank << " sizes of the block, of the tensor and strides of "
                         << "elements, and one stride in bytes less; got " << getGlobalDim().size()
                         << " sizes, " << getElementStride().size() << " strides of elements and "
                         << getGlobalStride().size() << " in bytes";
  return success();
}
