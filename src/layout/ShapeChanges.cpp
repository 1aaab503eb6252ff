//===- ShapeChanges.cpp - Maps of reshaped, joined and split tensors ----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "layout/ShapeChanges.h"

#include <bit>

namespace tilewright::layout {

/// The output dimensions of a tensor of `rank`, the last one first if `backwards`.
static FixedVector<Dim, LinearLayout::MaxDims> tensorDims(size_t rank, bool backwards) {
  FixedVector<Dim, LinearLayout::MaxDims> dims;
  for (size_t i = 0; i < rank; ++i)
    dims.push_back(Dim::tensor(static_cast<unsigned>(backwards ? rank - 1 - i : i)));
  return dims;
}

static std::span<const Dim> spanOf(const FixedVector<Dim, LinearLayout::MaxDims> &dims) {
  return {dims.data(), dims.size()};
}

/// With the last dimension lowest in the packed output, so that it counts in row-major order.
static LinearLayout lastDimLowest(const LinearLayout &map) {
  return map.transposeOuts(spanOf(tensorDims(map.outs().size(), /*backwards=*/true)));
}

LinearLayout flattenRowMajor(const LinearLayout &map) {
  return lastDimLowest(map).flattenOuts(dims::Dim0);
}

LinearLayout reshapeRowMajor(const LinearLayout &map, std::span<const int64_t> shape) {
  LinearLayout::DimList outs;
  for (size_t i = shape.size(); i-- > 0;)
    outs.push_back({Dim::tensor(static_cast<unsigned>(i)),
                    static_cast<unsigned>(std::countr_zero(static_cast<uint64_t>(shape[i])))});
  return lastDimLowest(map)
      .reshapeOuts(std::span<const SizedDim>(outs.data(), outs.size()))
      .transposeOuts(spanOf(tensorDims(shape.size(), /*backwards=*/false)));
}

LinearLayout join(const LinearLayout &map) {
  auto rank = map.outs().size();
  LinearLayout pair =
      LinearLayout::identity1D(2, dims::Register, Dim::tensor(static_cast<unsigned>(rank)));
  return (pair * map).transposeOuts(spanOf(tensorDims(rank + 1, /*backwards=*/false)));
}

std::optional<unsigned> findSplitBit(const LinearLayout &map) {
  const uint64_t half = map.outMask(map.outs().back().dim);
  std::optional<unsigned> bit;
  for (const SizedDim &in : map.ins())
    for (unsigned i = 0; i < in.bits; ++i) {
      const uint64_t basis = map.basis(in.dim, i);
      if (!(basis & half))
        continue;
      if (in.dim != dims::Register || basis != half || bit)
        return std::nullopt;
      bit = i;
    }
  return bit;
}

std::optional<LinearLayout> split(const LinearLayout &map) {
  std::optional<unsigned> bit = findSplitBit(map);
  if (!bit)
    return std::nullopt;
  return map.removeInBits(dims::Register, uint64_t(1) << *bit).dropOut(map.outs().back().dim);
}

LinearLayout concatenate(const LinearLayout &map) {
  return map * LinearLayout::identity1D(2, dims::Register, dims::Dim0);
}

} // namespace tilewright::layout
