//===- Inference.cpp - Layouts inferred for shape ops -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/Inference.h"

#include "ir/EncodingText.h"
#include "layout/ShapeChanges.h"
#include "layout/encoding/Encodings.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::ttg;

Attribute ttg::sliceOf(Attribute encoding, unsigned axis) {
  return SliceEncodingAttr::get(axis, cast<tt::LayoutEncoding>(encoding));
}

static std::vector<std::vector<unsigned>> basesOf(const layout::LinearLayout &map, layout::Dim in) {
  std::vector<std::vector<unsigned>> bases;
  for (uint64_t basis : map.bases(in)) {
    std::vector<unsigned> &values = bases.emplace_back();
    for (const layout::DimValue &value : map.unpackOutput(basis))
      values.push_back(value.value);
  }
  return bases;
}

template <typename Encoding>
static Encoding fromBases(MLIRContext *context, unsigned rank, const layout::Linear &bases) {
  return Encoding::get(context, rank, ir::flatten(bases.registers), ir::flatten(bases.lanes),
                       ir::flatten(bases.warps), ir::flatten(bases.blocks));
}

Attribute ttg::encodingOf(MLIRContext *context, const layout::LinearLayout &map) {
  unsigned rank = map.outs().size();
  layout::Linear bases{basesOf(map, layout::dims::Register), basesOf(map, layout::dims::Lane),
                       basesOf(map, layout::dims::Warp), basesOf(map, layout::dims::Block)};
  if (layout::verify(bases, rank, /*generic=*/false).empty())
    return fromBases<LinearEncodingAttr>(context, rank, bases);
  if (layout::verify(bases, rank, /*generic=*/true).empty())
    return fromBases<GenericLinearEncodingAttr>(context, rank, bases);
  return {};
}

static layout::LinearLayout mapOf(Attribute layout, ArrayRef<int64_t> shape) {
  return cast<tt::LayoutEncoding>(layout).toLinearLayout(shape);
}

/// The plainest encoding with the map.
static Attribute plainEncodingOf(Attribute like, const layout::LinearLayout &map) {
  if (BlockedEncodingAttr blocked = blockedEncodingOf(like.getContext(), map))
    return blocked;
  return encodingOf(like.getContext(), map);
}

Attribute ttg::inferReshape(ArrayRef<int64_t> from, Attribute layout, ArrayRef<int64_t> to) {
  if (from == to)
    return layout;
  return plainEncodingOf(layout, layout::reshapeRowMajor(mapOf(layout, from), to));
}

Attribute ttg::inferJoin(ArrayRef<int64_t> shape, Attribute layout) {
  return plainEncodingOf(layout, layout::join(mapOf(layout, shape)));
}

Attribute ttg::inferSplit(ArrayRef<int64_t> shape, Attribute layout) {
  std::optional<layout::LinearLayout> half = layout::split(mapOf(layout, shape));
  return half ? plainEncodingOf(layout, *half) : Attribute();
}

Attribute ttg::inferCat(ArrayRef<int64_t> shape, Attribute layout) {
  return plainEncodingOf(layout, layout::concatenate(mapOf(layout, shape)));
}

Attribute ttg::transposeByBases(tt::LayoutEncoding encoding, ArrayRef<int64_t> shape,
                                ArrayRef<int32_t> order) {
  // Coordinates keep the names of the dimensions, but come in the result's order; then the
  // names are given anew.
  auto dims = llvm::map_to_vector(order, [](int32_t dim) { return layout::Dim::tensor(dim); });
  layout::LinearLayout moved = encoding.toLinearLayout(shape).transposeOuts(dims);
  SmallVector<layout::SizedDim> outs;
  for (auto [i, dim] : llvm::enumerate(moved.outs()))
    outs.push_back({layout::Dim::tensor(i), dim.bits});
  return encodingOf(encoding.getContext(), moved.reshapeOuts(outs));
}

SmallVector<unsigned> ttg::permuteBases(ArrayRef<unsigned> flat, ArrayRef<int32_t> order) {
  SmallVector<unsigned> result;
  for (size_t i = 0; i < flat.size(); i += order.size())
    for (int32_t dim : order)
      result.push_back(flat[i + dim]);
  return result;
}

SmallVector<unsigned> ttg::permuteOrder(ArrayRef<unsigned> dims, ArrayRef<int32_t> order) {
  return llvm::map_to_vector(dims, [&](unsigned dim) -> unsigned {
    return llvm::find(order, static_cast<int32_t>(dim)) - order.begin();
  });
}
