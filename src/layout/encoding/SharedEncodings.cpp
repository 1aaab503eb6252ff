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

std::string verify(const SwizzledShared &encoding, unsigned rank) {
  for (auto [name, value] :
       {std::pair("vec", encoding.vec), std::pair("perPhase", encoding.perPhase),
        std::pair("maxPhase", encoding.maxPhase)})
    if (!isPowerOfTwo(value))
      return std::string(name) + " is " + std::to_string(value) + ", which is not a power of two";
  if (std::string e = verifyOrder(encoding.order, rank); !e.empty())
    return e;
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

  /// "" or what is wrong with it; otherwise it is a surjective map.
  std::string verify(unsigned rank) const {
    if (rank == 0 || rank > LinearLayout::MaxDims)
      return "a layout of shared memory has between 1 and " +
             std::to_string(LinearLayout::MaxDims) + " dimensions";
    if (offsets.size() > MaxTensorBits)
      return "a layout of shared memory has at most " + std::to_string(MaxTensorBits) +
             " bases of offset";
    if (blocks.size() > MaxClusterBits)
      return "a cluster has at most " + std::to_string(1u << MaxClusterBits) + " blocks";
    Result<LinearLayout> literal = map(rank);
    if (!literal)
      return literal.error();
    if (!literal->isSurjective())
      return "the bases of a layout of shared memory do not reach every element";
    return "";
  }

  std::string verifyShape(std::span<const int64_t> shape) const {
    Result<LinearLayout> literal = map(static_cast<unsigned>(shape.size()));
    if (!literal)
      return literal.error();
    for (unsigned d = 0; d < shape.size(); ++d)
      if (uint64_t size = literal->outSize(Dim::tensor(d)); size != static_cast<uint64_t>(shape[d]))
        return "the bases span " + std::to_string(size) + " elements of dimension " +
               std::to_string(d) + ", but the tensor has " + std::to_string(shape[d]);
    return "";
  }
};

LiteralOrder orderOf(const SharedLinear &encoding) { return {encoding.offsets, encoding.blocks}; }
LiteralOrder orderOf(const PaddedShared &encoding) { return {encoding.offsets, encoding.blocks}; }

} // namespace

std::string verify(const SharedLinear &encoding, unsigned rank) {
  if (!isPowerOfTwo(encoding.alignment))
    return "alignment is " + std::to_string(encoding.alignment) + ", which is not a power of two";
  return orderOf(encoding).verify(rank);
}

std::string verifyShape(const SharedLinear &encoding, std::span<const int64_t> shape) {
  return orderOf(encoding).verifyShape(shape);
}

LinearLayout toLinearLayout(const SharedLinear &encoding, std::span<const int64_t> shape) {
  return *orderOf(encoding).map(static_cast<unsigned>(shape.size()));
}

//===----------------------------------------------------------------------------===//
// Padded
//===----------------------------------------------------------------------------===//

std::string verify(const PaddedShared &encoding, unsigned rank) {
  if (encoding.intervals.empty())
    return "a padded layout has at least one interval";
  if (encoding.intervals.size() != encoding.paddings.size())
    return "there are " + std::to_string(encoding.intervals.size()) + " intervals, but " +
           std::to_string(encoding.paddings.size()) + " paddings";
  for (size_t i = 0; i < encoding.intervals.size(); ++i) {
    for (auto [name, value] :
         {std::pair("interval", encoding.intervals[i]), std::pair("padding", encoding.paddings[i])})
      if (!isPowerOfTwo(value))
        return "the " + std::string(name) + " " + std::to_string(value) + " is not a power of two";
    auto before = encoding.intervals.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::find(encoding.intervals.begin(), before, encoding.intervals[i]) != before)
      return "the interval " + std::to_string(encoding.intervals[i]) + " is there twice";
  }
  if (std::string e = orderOf(encoding).verify(rank); !e.empty())
    return e;
  LinearLayout order = *orderOf(encoding).map(rank);
  uint64_t seen = 0;
  for (uint64_t basis : order.bases()) {
    if (!basis)
      return "a basis of a padded layout is zero, but each element has one place only";
    if (!isPowerOfTwo(basis))
      return "each basis of a padded layout has one value that is not zero, and that is a power of "
             "two";
    if (seen & basis)
      return "two bases of a padded layout are the same";
    seen |= basis;
  }
  return "";
}

std::string verifyShape(const PaddedShared &encoding, std::span<const int64_t> shape) {
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
