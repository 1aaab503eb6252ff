//===- EncodingParts.cpp - Helpers to build encodings' maps -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "layout/encoding/EncodingParts.h"

namespace tilewright::layout {

std::vector<Dim> standardDims(unsigned rank) {
  std::vector<Dim> dims;
  for (unsigned d = 0; d < rank; ++d)
    dims.push_back(Dim::tensor(d));
  return dims;
}

std::vector<unsigned> rowMajorOrder(unsigned rank) {
  std::vector<unsigned> order;
  for (unsigned d = rank; d-- > 0;)
    order.push_back(d);
  return order;
}

LinearLayout identityND(Dim in, std::span<const unsigned> shape, std::span<const unsigned> order) {
  LinearLayout result;
  for (unsigned d : order)
    result *= LinearLayout::identity1D(shape[d], in, Dim::tensor(d));
  return result;
}

LinearLayout identitySharedAlong(unsigned shared, Dim in, std::span<const unsigned> shape,
                                 std::span<const unsigned> order) {
  LinearLayout result;
  for (unsigned d : order)
    result *= d == shared ? LinearLayout::zeros1D(shape[d], in, Dim::tensor(d))
                          : LinearLayout::identity1D(shape[d], in, Dim::tensor(d));
  return result;
}

LinearLayout coverTensor(const LinearLayout &tile, std::span<const unsigned> order,
                         const ClusterBases &cluster, std::span<const int64_t> shape) {
  std::vector<int64_t> inner = shapePerBlock(shape, cluster);
  std::vector<Dim> dims = standardDims(static_cast<unsigned>(shape.size()));
  return withCluster(fitToShape(tile, inner, order, dims::Register).transposeOuts(dims), cluster,
                     shape);
}

LinearLayout swizzledRows(std::span<const unsigned> order, const ClusterBases &cluster,
                          std::span<const int64_t> shape,
                          const std::function<uint64_t(uint64_t row)> &columnXor) {
  std::vector<int64_t> inner = shapePerBlock(shape, cluster);
  auto dimAt = [&](size_t position) {
    return SizedDim{Dim::tensor(order[position]),
                    log2Of(static_cast<uint64_t>(inner[order[position]]))};
  };
  SizedDim columns = dimAt(0);
  LinearLayout result = LinearLayout::identity1D(columns.size(), dims::Offset, columns.dim);
  if (order.size() > 1) {
    SizedDim rows = dimAt(1);
    LinearLayout::BasisList bases(result.bases());
    for (uint64_t row = 1; row < rows.size(); row *= 2)
      bases.push_back(row * columns.size() + columnXor(row) % columns.size());
    result = LinearLayout::fromPacked({SizedDim{dims::Offset, columns.bits + rows.bits}},
                                      {columns, rows}, bases);
  }
  for (size_t i = 2; i < order.size(); ++i)
    result *= LinearLayout::identity1D(dimAt(i).size(), dims::Offset, dimAt(i).dim);
  std::vector<Dim> standard = standardDims(static_cast<unsigned>(shape.size()));
  return withCluster(result.transposeOuts(standard), cluster, shape);
}

std::vector<unsigned> operandOrder(unsigned opIdx, unsigned rank) {
  std::vector<unsigned> order = rowMajorOrder(rank);
  if (opIdx == 1)
    std::swap(order[0], order[1]);
  return order;
}

ClusterBases operandCluster(const ClusterBases &parent, unsigned contracted) {
  ClusterBases result = parent;
  for (std::vector<unsigned> &basis : result)
    basis[contracted] = 0;
  return result;
}

Result<LinearLayout> literalMap(std::initializer_list<std::pair<Dim, const LiteralBases *>> inputs,
                                unsigned rank) {
  std::vector<InputBases> ins;
  for (auto [dim, bases] : inputs) {
    ins.push_back({dim, {}});
    for (const std::vector<unsigned> &basis : *bases)
      ins.back().bases.emplace_back(basis.begin(), basis.end());
  }
  return LinearLayout::fromBases(ins, standardDims(rank));
}

Result<void> verifyPowersOfTwo(const char *name, std::span<const unsigned> list, unsigned rank,
                               unsigned &bits) {
  if (list.size() != rank)
    return Failure(std::string(name) + " has " + std::to_string(list.size()) +
                   " entries, but there are " + std::to_string(rank) + " dimensions");
  for (unsigned value : list) {
    if (!isPowerOfTwo(value))
      return Failure(std::string(name) + " has the entry " + std::to_string(value) +
                     ", which is not a power of two");
    bits += log2Of(value);
  }
  return {};
}

std::string listText(std::span<const unsigned> list) {
  std::string text = "[";
  for (size_t i = 0; i < list.size(); ++i)
    text += (i ? ", " : "") + std::to_string(list[i]);
  return text + "]";
}

} // namespace tilewright::layout
