//===- Tensor.cpp - Values of programs of tiles ---------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "interpret/Tensor.h"

#include "ir/tt/Dialect.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::interpret;

size_t interpret::sizeOf(ArrayRef<int64_t> shape) {
  size_t size = 1;
  for (int64_t extent : shape)
    size *= static_cast<size_t>(extent);
  return size;
}

SmallVector<int64_t> interpret::stridesOf(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (size_t dim = shape.size(); dim-- > 1;)
    strides[dim - 1] = strides[dim] * shape[dim];
  return strides;
}

unsigned interpret::widthOf(Type element) {
  return element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
}

unsigned interpret::bytesOf(Type element) { return (widthOf(element) + 7) / 8; }

Type interpret::elementOf(Type type) {
  auto shaped = dyn_cast<RankedTensorType>(type);
  return shaped ? shaped.getElementType() : type;
}

SmallVector<int64_t> interpret::shapeOf(Type type) {
  auto shaped = dyn_cast<RankedTensorType>(type);
  return shaped ? SmallVector<int64_t>(shaped.getShape()) : SmallVector<int64_t>();
}

TensorPtr interpret::makeScalar(Type type, uint64_t bits) {
  auto scalar = std::make_shared<Tensor>(type, ArrayRef<int64_t>());
  scalar->bits[0] = lowBits(bits, widthOf(type));
  return scalar;
}

int64_t interpret::signExtend(uint64_t bits, unsigned width) {
  return width >= 64 ? static_cast<int64_t>(bits)
                     : static_cast<int64_t>(bits << (64 - width)) >> (64 - width);
}

void Barrier::check() {
  if (pending > 0 || expectedBytes != 0)
    return;
  ++phases;
  pending = count;
}
