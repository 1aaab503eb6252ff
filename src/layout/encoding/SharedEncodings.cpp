//===- SharedEncodings.cpp - Shared memory encodings as maps ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "layout/encoding/SharedEncodings.h"

#include "layout/encoding/EncodingParts.h"

#include <algorithm>

namespace tilewright::layout {

//===----------------------------------------------------------------------------===//
// Swizzled
//===----------------------------------------------------------------------------===//

Result<void> verify(const SwizzledShared &encoding, unsigned rank) {
  for (auto [name, value] :
       {std::pair("vec", encoding.vec), std::pair("perPhase", encoding.perPhase),
        std::pair("maxPhase", encoding.maxPhase)})
    if (!isPowerOfTwo(value))
      return Failure(std::string(name) + " is " + std::to_string(value) +
                     ", which is not a power of two");
  if (Result<void> valid = verifyOrder(encoding.order, rank); !valid)
    return valid;
  return verifyClusterBases(encoding.cluster, rank);
}

LinearLayout toLinearLayout(const SwizzledShared &encoding, std::span<const int64_t> shape) {
  return swizzledRows(encoding.order, encoding.cluster, shape, [&](uint64_t row) {
    return encoding.vec * (row / encoding.perPhase % encoding.maxPhase);
  });
}

//===----------------------------------------------------------------------------===//
// Linear
//===----------------------------------------------------------------------------===//

namespace {

/// An order of shared memory given literally: one that may hold an element twice or not.
struct LiteralOrder {
  const LiteralBases &offsets, &blocks;

  Result<LinearLayout> map(unsigned rank) const {
    return literalMap({{dims::Offset, &offsets}, {dims::Block, &blocks}}, rank);
  }

  /// Whether it is a surjective map.
  Result<void> verify(unsigned rank) const {
    if (rank == 0 || rank > LinearLayout::MaxDims)
      return Failure("a layout of shared memory has between 1 and " +
                     std::to_string(LinearLayout::MaxDims) + " dimensions");
    if (offsets.size() > MaxTensorBits)
      return Failure("a layout of shared memory has at most " + std::to_string(MaxTensorBits) +
                     " bases of offset");
    if (blocks.size() > MaxClusterBits)
      return Failure("a cluster has at most " + std::to_string(1u << MaxClusterBits) + " blocks");
    Result<LinearLayout> literal = map(rank);
    if (!literal)
      return Failure(literal.error());
    if (!literal->isSurjective())
      return Failure("the bases of a layout of shared memory do not reach every element");
    return {};
  }

  Result<void> verifyShape(std::span<const int64_t> shape) const {
    Result<LinearLayout> literal = map(static_cast<unsigned>(shape.size()));
    if (!literal)
      return Failure(literal.error());
    for (unsigned d = 0; d < shape.size(); ++d)
      if (uint64_t size = literal->outSize(Dim::tensor(d)); size != static_cast<uint64_t>(shape[d]))
        return Failure("the bases span " + std::to_string(size) + " elements of dimension " +
                       std::to_string(d) + ", but the tensor has " + std::to_string(shape[d]));
    return {};
  }
};

LiteralOrder orderOf(const SharedLinear &encoding) { return {encoding.offsets, encoding.blocks}; }
LiteralOrder orderOf(const PaddedShared &encoding) { return {encoding.offsets, encoding.blocks}; }

} // namespace

Result<void> verify(const SharedLinear &encoding, unsigned rank) {
  if (!isPowerOfTwo(encoding.alignment))
    return Failure("alignment is " + std::to_string(encoding.alignment) +
                   ", which is not a power of two");
  return orderOf(encoding).verify(rank);
}

Result<void> verifyShape(const SharedLinear &encoding, std::span<const int64_t> shape) {
  return orderOf(encoding).verifyShape(shape);
}

LinearLayout toLinearLayout(const SharedLinear &encoding, std::span<const int64_t> shape) {
  return *orderOf(encoding).map(static_cast<unsigned>(shape.size()));
}

//===----------------------------------------------------------------------------===//
// Padded
//===----------------------------------------------------------------------------===//

Result<void> verify(const PaddedShared &encoding, unsigned rank) {
  if (encoding.intervals.empty())
    return Failure("a padded layout has at least one interval");
  if (encoding.intervals.size() != encoding.paddings.size())
    return Failure("there are " + std::to_string(encoding.intervals.size()) + " intervals, but " +
                   std::to_string(encoding.paddings.size()) + " paddings");
  for (size_t i = 0; i < encoding.intervals.size(); ++i) {
    for (auto [name, value] :
         {std::pair("interval", encoding.intervals[i]), std::pair("padding", encoding.paddings[i])})
      if (!isPowerOfTwo(value))
        return Failure("the " + std::string(name) + " " + std::to_string(value) +
                       " is not a power of two");
    auto before = encoding.intervals.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::find(encoding.intervals.begin(), before, encoding.intervals[i]) != before)
      return Failure("the interval " + std::to_string(encoding.intervals[i]) + " is there twice");
  }
  if (Result<void> valid = orderOf(encoding).verify(rank); !valid)
    return valid;
  LinearLayout order = *orderOf(encoding).map(rank);
  uint64_t seen = 0;
  for (uint64_t basis : order.bases()) {
    if (!basis)
      return Failure("a basis of a padded layout is zero, but each element has one place only");
    if (!isPowerOfTwo(basis))
      return Failure(
          "each basis of a padded layout has one value that is not zero, and that is a power of "
          "two");
    if (seen & basis)
      return Failure("two bases of a padded layout are the same");
    seen |= basis;
  }
  return {};
}

Result<void> verifyShape(const PaddedShared &encoding, std::span<const int64_t> shape) {
  return orderOf(encoding).verifyShape(shape);
}

LinearLayout toLinearLayout(const PaddedShared &encoding, std::span<const int64_t> shape) {
  return *orderOf(encoding).map(static_cast<unsigned>(shape.size()));
}

uint64_t paddedOffset(const PaddedShared &encoding, uint64_t offset) {
  uint64_t result = offset;
  for (size_t i = 0; i < encoding.intervals.size(); ++i)
    result += offset / encoding.intervals[i] * encoding.paddings[i];
  return result;
}

uint64_t paddedSize(const PaddedShared &encoding, uint64_t count) {
  return paddedOffset(encoding, count - 1) + 1;
}

} // namespace tilewright::layout
