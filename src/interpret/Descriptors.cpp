//===- Descriptors.cpp - Blocks of tensors in global memory ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "interpret/Codec.h"
#include "interpret/GlobalAccess.h"

#include "ir/tt/Dialect.h"
#include "ir/ttg/Dialect.h"
#include "ir/ttig/Ops.h"
#include "ir/ttng/Dialect.h"

#include <cmath>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::interpret;

static SmallVector<int64_t> integersOf(Machine &machine, ValueRange values, Operation *op) {
  SmallVector<int64_t> numbers;
  for (Value value : values)
    numbers.push_back(machine.integer(value, op));
  return numbers;
}

/// The shape of a descriptor's blocks, of its type.
static SmallVector<int64_t> blockShapeOf(Value descriptor) {
  return SmallVector<int64_t>(
      cast<tt::TensorDescType>(descriptor.getType()).getBlockType().getShape());
}

static void make(Machine &machine, tt::MakeTensorDescOp op) {
  Descriptor made;
  made.base = static_cast<uint64_t>(machine.integer(op.getBase(), op));
  made.element = op.getType().getBlockType().getElementType();
  made.shape = integersOf(machine, op.getShape(), op);
  made.strides = integersOf(machine, op.getStrides(), op);
  made.padsWithNan = op.getPadding() == tt::PaddingOption::PAD_NAN;
  machine.set(op.getResult(), made);
}

static void load(Machine &machine, tt::DescriptorLoadOp op) {
  const Descriptor descriptor = machine.descriptor(op.getDesc());
  const BlockPlace place = placeBlock(descriptor, blockShapeOf(op.getDesc()),
                                      integersOf(machine, op.getIndices(), op), op.getContext());
  const TensorPtr loaded = loadBlock(machine, op, descriptor, place);
  // Dimensions of size 1 may have gone.
  loaded->shape = shapeOf(op.getType());
  loaded->element = elementOf(op.getType());
  machine.set(op.getResult(), loaded);
}

static void store(Machine &machine, tt::DescriptorStoreOp op) {
  const BlockPlace place = placeBlock(machine.descriptor(op.getDesc()), blockShapeOf(op.getDesc()),
                                      integersOf(machine, op.getIndices(), op), op.getContext());
  storeElements(machine, op, place.pointers, &place.inside, *machine.tensor(op.getSrc()));
}

/// An element in memory after it has been combined with one of a block.
static uint64_t combine(tt::DescriptorReduceKind kind, uint64_t old, uint64_t value, Type element) {
  const unsigned width = widthOf(element);
  const bool isUnsigned = element.isUnsignedInteger();
  auto isLess = [&](uint64_t a, uint64_t b) {
    if (isa<FloatType>(element))
      return Codec(element).decode(a) < Codec(element).decode(b);
    return isUnsigned ? a < b : signExtend(a, width) < signExtend(b, width);
  };
  switch (kind) {
  case tt::DescriptorReduceKind::ADD:
    if (isa<FloatType>(element))
      return Codec(element).encode(Codec(element).decode(old) + Codec(element).decode(value));
    return lowBits(old + value, width);
  case tt::DescriptorReduceKind::MIN:
    return isLess(value, old) ? value : old;
  case tt::DescriptorReduceKind::MAX:
    return isLess(old, value) ? value : old;
  case tt::DescriptorReduceKind::INC:
    return old >= value ? 0 : old + 1;
  case tt::DescriptorReduceKind::DEC:
    return old == 0 || old > value ? value : old - 1;
  case tt::DescriptorReduceKind::AND:
    return old & value;
  case tt::DescriptorReduceKind::OR:
    return old | value;
  case tt::DescriptorReduceKind::XOR:
    return old ^ value;
  }
  return old;
}

static void reduceInto(Machine &machine, Operation *op, tt::DescriptorReduceKind kind,
                       const BlockPlace &place, const Tensor &values) {
  machine.memory.beginAccess(op->getLoc(), machine.programNumber, /*isAtomic=*/true);
  machine.spend(2 * values.size(), op);
  const unsigned bytes = bytesOf(values.element);
  for (size_t i = 0; i < values.size() && !machine.hasStopped(); ++i) {
    if (!place.inside.bits[i])
      continue;
    uint64_t old = 0;
    bool isUndefined = false;
    if (!machine.memory.load(place.pointers.bits[i], bytes, old, isUndefined))
      return machine.fault(op, "it changes an element outside of an argument: " +
                                   machine.memory.describe(place.pointers.bits[i], bytes));
    (void)machine.memory.store(place.pointers.bits[i], bytes,
                               combine(kind, old, values.bits[i], values.element),
                               isUndefined || values.isUndefined(i));
  }
}

static void reduce(Machine &machine, tt::DescriptorReduceOp op) {
  const BlockPlace place = placeBlock(machine.descriptor(op.getDesc()), blockShapeOf(op.getDesc()),
                                      integersOf(machine, op.getIndices(), op), op.getContext());
  reduceInto(machine, op, op.getKind(), place, *machine.tensor(op.getSrc()));
}

static void gather(Machine &machine, tt::DescriptorGatherOp op) {
  const Descriptor descriptor = machine.descriptor(op.getDesc());
  const BlockPlace place =
      placeRows(descriptor, shapeOf(op.getType()), *machine.tensor(op.getXOffsets()),
                machine.integer(op.getYOffset(), op), op.getContext());
  machine.set(op.getResult(), loadBlock(machine, op, descriptor, place));
}

static void scatter(Machine &machine, tt::DescriptorScatterOp op) {
  const TensorPtr values = machine.tensor(op.getSrc());
  const BlockPlace place =
      placeRows(machine.descriptor(op.getDesc()), values->shape, *machine.tensor(op.getXOffsets()),
                machine.integer(op.getYOffset(), op), op.getContext());
  storeElements(machine, op, place.pointers, &place.inside, *values);
}

//===--------------------------------------------------------------------------===//
// Descriptors that programs write
//===--------------------------------------------------------------------------===//

static void writeDescriptor(Machine &machine, ttng::TensormapCreateOp op) {
  Descriptor made;
  made.base = static_cast<uint64_t>(machine.integer(op.getGlobalAddress(), op));
  made.element = cast<tt::PointerType>(op.getGlobalAddress().getType()).getPointeeType();
  made.shape = integersOf(machine, op.getGlobalDim(), op);
  made.strides = integersOf(machine, op.getGlobalStride(), op);
  // From the fastest dimension first, and bytes, to rows first, and elements.
  const auto bytes = static_cast<int64_t>(bytesOf(made.element));
  for (int64_t &stride : made.strides)
    stride /= bytes;
  made.strides.insert(made.strides.begin(), 1);
  std::reverse(made.shape.begin(), made.shape.end());
  std::reverse(made.strides.begin(), made.strides.end());
  made.padsWithNan = op.getFillMode() != 0;
  machine.writtenDescriptors[static_cast<uint64_t>(machine.integer(op.getDescPtr(), op))] = made;
}

static void readDescriptor(Machine &machine, ttng::ReinterpretTensorDescOp op) {
  auto found =
      machine.writtenDescriptors.find(static_cast<uint64_t>(machine.integer(op.getRawDesc(), op)));
  if (found == machine.writtenDescriptors.end())
    return machine.fault(op, "there is no descriptor at the address");
  Descriptor read = found->second;
  if (auto type = dyn_cast<tt::TensorDescType>(op.getType()))
    read.element = type.getBlockType().getElementType();
  machine.set(op.getResult(), read);
}

//===--------------------------------------------------------------------------===//
// Rectangles of matrices
//===--------------------------------------------------------------------------===//

/// The matrix as a descriptor whose dimensions are those of the tile.
template <typename Op>
static Descriptor matrixOf(Machine &machine, Op op, size_t rank, SmallVector<int64_t> &offsets) {
  Descriptor matrix;
  matrix.base = static_cast<uint64_t>(machine.integer(op.getBase(), op));
  matrix.element = cast<tt::PointerType>(op.getBase().getType()).getPointeeType();
  const size_t across = op.getColumnMajor() ? rank - 2 : rank - 1, along = 2 * rank - 3 - across;
  matrix.shape.assign(rank, 1 << 30);
  matrix.strides.assign(rank, 1);
  offsets.assign(rank, 0);
  matrix.shape[along] = machine.integer(op.getHeight(), op);
  matrix.shape[across] = machine.integer(op.getWidth(), op);
  matrix.strides[along] = machine.integer(op.getPitch(), op);
  if (rank == 3)
    matrix.strides[0] = machine.integer(op.getSlicePitch(), op);
  offsets[along] = machine.integer(op.getRow(), op);
  offsets[across] = machine.integer(op.getColumn(), op);
  return matrix;
}

static void loadRectangle(Machine &machine, ttig::BlockLoadOp op) {
  SmallVector<int64_t> offsets;
  const SmallVector<int64_t> shape = shapeOf(op.getType());
  const Descriptor matrix = matrixOf(machine, op, shape.size(), offsets);
  machine.set(op.getResult(),
              loadBlock(machine, op, matrix, placeBlock(matrix, shape, offsets, op.getContext())));
}

static void storeRectangle(Machine &machine, ttig::BlockStoreOp op) {
  SmallVector<int64_t> offsets;
  const TensorPtr values = machine.tensor(op.getValue());
  const Descriptor matrix = matrixOf(machine, op, values->shape.size(), offsets);
  const BlockPlace place = placeBlock(matrix, values->shape, offsets, op.getContext());
  storeElements(machine, op, place.pointers, &place.inside, *values);
}

void interpret::addDescriptors(Handlers &handlers) {
  handlers.add<tt::MakeTensorDescOp>(make);
  handlers.add<tt::DescriptorLoadOp>(load);
  handlers.add<tt::DescriptorStoreOp>(store);
  handlers.add<tt::DescriptorReduceOp>(reduce);
  handlers.add<tt::DescriptorGatherOp>(gather);
  handlers.add<tt::DescriptorScatterOp>(scatter);
  handlers.add<ttng::TensormapCreateOp>(writeDescriptor);
  handlers.add<ttng::ReinterpretTensorDescOp>(readDescriptor);
  handlers.add<ttig::BlockLoadOp>(loadRectangle);
  handlers.add<ttig::BlockStoreOp>(storeRectangle);
  handlers.addAll<ttig::BlockPrefetchOp, ttng::TensormapFenceproxyAcquireOp>(
      [](Machine &, Operation *) {});
}
