//===- AxisFacts.cpp - Axis facts and their join ------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "analysis/AxisFacts.h"

#include "ir/tt/Dialect.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::transform;

int64_t transform::divisorOf(int64_t value) {
  if (value == 0)
    return maxDivisibility;
  return std::min<int64_t>(maxDivisibility, value & -value);
}

int64_t transform::product(int64_t a, int64_t b) { return std::min(maxDivisibility, a * b); }

ArrayRef<int64_t> transform::shapeOf(Type type) {
  static constexpr int64_t scalar[] = {1};
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() > 0 ? tensor.getShape() : ArrayRef<int64_t>(scalar);
}

SmallVector<DimInfo, 2> transform::realDims(const AxisInfo &info, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() == 0 ? SmallVector<DimInfo, 2>() : info.dims;
}

int64_t transform::elementBytes(Type type) {
  auto pointer = dyn_cast<tt::PointerType>(tt::getElementTypeOrSelf(type));
  return pointer ? tt::getStorageBits(pointer.getPointeeType()) / 8 : 1;
}

AxisInfo transform::unknownOf(Type type) { return AxisInfo::unknown(shapeOf(type).size()); }

bool transform::isTracked(Type type) {
  return isa<IntegerType, IndexType, tt::PointerType>(tt::getElementTypeOrSelf(type));
}

int64_t transform::divisorAtStarts(const DimInfo &info, int64_t group, int64_t bytes) {
  return group >= info.contiguity ? info.divisibility
                                  : std::min(info.divisibility, product(group, bytes));
}

int64_t AxisInfo::divisorOfAll(int64_t elementBytes) const {
  int64_t divisor = constant ? divisorOf(*constant) : 1;
  for (const DimInfo &dim : dims)
    divisor = std::max(divisor, divisorAtStarts(dim, 1, elementBytes));
  return divisor;
}

int64_t transform::alignedGroup(const DimInfo &run, const DimInfo &other, int64_t otherDivisor) {
  return std::min(std::min(run.contiguity, run.divisibility),
                  std::min(other.constancy, otherDivisor));
}

AxisInfo transform::constantInfo(int64_t value, ArrayRef<int64_t> shape) {
  AxisInfo result;
  for (int64_t size : shape)
    result.dims.push_back({1, divisorOf(value), size});
  result.constant = value;
  result.nonNegative = value >= 0;
  return result;
}

AxisInfo transform::join(const AxisInfo &a, const AxisInfo &b, int64_t bytes) {
  AxisInfo result = AxisInfo::unknown(a.dims.size());
  for (auto [out, x, y] : llvm::zip_equal(result.dims, a.dims, b.dims)) {
    out.contiguity = std::min(x.contiguity, y.contiguity);
    out.constancy = std::min(x.constancy, y.constancy);
    out.divisibility = std::min(divisorAtStarts(x, out.contiguity, bytes),
                                divisorAtStarts(y, out.contiguity, bytes));
  }
  if (a.constant == b.constant)
    result.constant = a.constant;
  result.nonNegative = a.nonNegative && b.nonNegative;
  return result;
}
