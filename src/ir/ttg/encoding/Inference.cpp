//===- Inference.cpp - Layouts inferred for shape ops -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/encoding/Inference.h"

#include "layout/ShapeChanges.h"
#include "layout/encoding/Encodings.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::ttg;

Attribute ttg::sliceOf(Attribute encoding, unsigned axis) {
  return SliceEncodingAttr::get(axis, cast<tt::LayoutEncoding>(encoding));
}

static layout::LiteralBases basesOf(const layout::LinearLayout &map, layout::Dim in) {
  layout::LiteralBases bases;
  for (uint64_t basis : map.bases(in)) {
    std::vector<unsigned> &values = bases.emplace_back();
    for (const layout::DimValue &value : map.unpackOutput(basis))
      values.push_back(value.value);
  }
  return bases;
}

Attribute ttg::encodingOf(MLIRContext *context, const layout::LinearLayout &map) {
  unsigned rank = map.outs().size();
  layout::Linear bases{basesOf(map, layout::dims::Register), basesOf(map, layout::dims::Lane),
                       basesOf(map, layout::dims::Warp), basesOf(map, layout::dims::Block)};
  if (layout::verify(bases, rank, /*generic=*/false))
    return LinearEncodingAttr::get(context, rank, bases);
  if (layout::verify(bases, rank, /*generic=*/true))
    return GenericLinearEncodingAttr::get(context, rank, bases);
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

Attribute ttg::inferUnpack(ArrayRef<int64_t> shape, Attribute layout, unsigned axis) {
  MLIRContext *context = layout.getContext();
  if (auto operand = dyn_cast<DotOperandEncodingAttr>(layout);
      operand && operand.getKWidth() && axis + 1 + operand.getOpIdx() == shape.size())
    return DotOperandEncodingAttr::get(context, operand.getOpIdx(), operand.getParent(),
                                       operand.getKWidth() * 2);
  if (auto blocked = dyn_cast<BlockedEncodingAttr>(layout)) {
    layout::Blocked twice = blocked.getLayout();
    if (twice.order.front() == axis) {
      twice.sizePerThread[axis] *= 2;
      return BlockedEncodingAttr::get(context, twice);
    }
  }
  const layout::Dim dim = layout::Dim::tensor(axis);
  return encodingOf(context, layout::LinearLayout::identity1D(2, layout::dims::Register, dim) *
                                 mapOf(layout, shape));
}

Attribute ttg::inferSharedReshape(MemDescType from, ArrayRef<int64_t> to) {
  auto shared = from.inSharedMemory() ? from.getSharedEncoding() : SharedLayoutEncoding();
  if (!shared || shared.hasPadding() || from.getLayoutRank() != from.getRank() ||
      from.getShape() != from.getLayoutShape() || !llvm::all_of(to, [](int64_t size) {
        return size > 0 && llvm::isPowerOf2_64(static_cast<uint64_t>(size));
      }))
    return {};
  const layout::LinearLayout map = layout::reshapeRowMajor(from.toLinearLayout(), to);
  if (auto nvmma = dyn_cast<NvmmaSharedEncodingAttr>(from.getEncoding());
      nvmma && nvmma.getLayout().cluster.empty()) {
    layout::nvidia::NvmmaShared same = nvmma.getLayout();
    const bool keepsRow = same.transposed ? from.getShape().front() == to.front()
                                          : from.getShape().back() == to.back();
    same.rank = static_cast<unsigned>(to.size());
    if (keepsRow && layout::nvidia::verify(same) && layout::nvidia::verifyShape(same, to) &&
        layout::nvidia::toLinearLayout(same, to).sameMapAs(map))
      return NvmmaSharedEncodingAttr::get(from.getContext(), same);
  }
  const layout::SharedLinear bases{basesOf(map, layout::dims::Offset),
                                   basesOf(map, layout::dims::Block), shared.getAlignment()};
  const auto rank = static_cast<unsigned>(to.size());
  if (!layout::verify(bases, rank))
    return {};
  return SharedLinearEncodingAttr::get(from.getContext(), rank, bases);
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

std::vector<unsigned> ttg::permute(ArrayRef<unsigned> list, ArrayRef<int32_t> order) {
  std::vector<unsigned> result;
  for (int32_t dim : order)
    result.push_back(list[dim]);
  return result;
}

layout::LiteralBases ttg::permuteBases(const layout::LiteralBases &bases, ArrayRef<int32_t> order) {
  layout::LiteralBases result;
  for (const std::vector<unsigned> &basis : bases)
    result.push_back(permute(basis, order));
  return result;
}

std::vector<unsigned> ttg::permuteOrder(ArrayRef<unsigned> dims, ArrayRef<int32_t> order) {
  std::vector<unsigned> result;
  for (unsigned dim : dims)
    result.push_back(llvm::find(order, static_cast<int32_t>(dim)) - order.begin());
  return result;
}
