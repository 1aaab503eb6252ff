//===- Encodings.cpp - Distributed encodings as maps --------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "layout/encoding/EncodingParts.h"

#include <algorithm>

namespace tilewright::layout {

namespace {

/// In each dimension the blocks that a cluster is split into.
std::vector<unsigned> clusterSplit(const ClusterBases &cluster, size_t rank) {
  std::vector<unsigned> split(rank, 1);
  for (const std::vector<unsigned> &basis : cluster)
    for (size_t d = 0; d < rank; ++d)
      if (basis[d])
        split[d] = std::max(split[d], 2 * basis[d]);
  return split;
}

} // namespace

//===----------------------------------------------------------------------------===//
// Parts that encodings share
//===----------------------------------------------------------------------------===//

Result<void> verifyShape(std::span<const int64_t> shape) {
  if (shape.empty())
    return Failure("a layout needs a tensor of at least one dimension");
  if (shape.size() > LinearLayout::MaxDims)
    return Failure("a tensor has at most " + std::to_string(LinearLayout::MaxDims) +
                   " dimensions, not " + std::to_string(shape.size()));
  unsigned bits = 0;
  for (int64_t size : shape) {
    if (!isPowerOfTwo(size))
      return Failure("the size " + std::to_string(size) + " of a tensor is not a power of two");
    bits += log2Of(static_cast<uint64_t>(size));
  }
  if (bits > MaxTensorBits)
    return Failure("a tensor has at most 2^" + std::to_string(MaxTensorBits) + " elements, not 2^" +
                   std::to_string(bits));
  return {};
}

Result<void> verifyClusterBases(const ClusterBases &bases, unsigned rank) {
  if (bases.size() > MaxClusterBits)
    return Failure("a cluster has at most " + std::to_string(1u << MaxClusterBits) + " blocks");
  std::vector<uint64_t> seen(rank, 0);
  for (const std::vector<unsigned> &basis : bases) {
    if (basis.size() != rank)
      return Failure("a basis of the cluster has " + std::to_string(basis.size()) +
                     " values, but there are " + std::to_string(rank) + " dimensions");
    unsigned nonzero = 0;
    for (unsigned d = 0; d < rank; ++d) {
      if (!basis[d])
        continue;
      ++nonzero;
      if (!isPowerOfTwo(basis[d]))
        return Failure("a basis of the cluster has the value " + std::to_string(basis[d]) +
                       ", which is not a power of two");
      if (seen[d] & basis[d])
        return Failure("two bases of the cluster are the same");
      seen[d] |= basis[d];
    }
    if (nonzero > 1)
      return Failure("a basis of the cluster points along two dimensions");
  }
  for (uint64_t all : seen)
    if (!isPowerOfTwo(all + 1))
      return Failure("the bases of the cluster leave a gap");
  return {};
}

Result<void> verifyOrder(std::span<const unsigned> order, unsigned rank) {
  if (order.size() != rank)
    return Failure("order has " + std::to_string(order.size()) + " entries, but there are " +
                   std::to_string(rank) + " dimensions");
  std::vector<bool> seen(rank, false);
  for (unsigned d : order) {
    if (d >= rank || seen[d])
      return Failure("order is not a permutation of the dimensions");
    seen[d] = true;
  }
  return {};
}

std::vector<int64_t> shapePerBlock(std::span<const int64_t> shape, const ClusterBases &cluster) {
  std::vector<unsigned> split = clusterSplit(cluster, shape.size());
  std::vector<int64_t> result;
  for (size_t d = 0; d < shape.size(); ++d)
    result.push_back(std::max<int64_t>(1, shape[d] / split[d]));
  return result;
}

LinearLayout withCluster(const LinearLayout &inner, const ClusterBases &cluster,
                         std::span<const int64_t> shape) {
  std::vector<unsigned> split = clusterSplit(cluster, shape.size());
  LinearLayout::DimList outs;
  for (unsigned d = 0; d < shape.size(); ++d)
    outs.push_back(
        {Dim::tensor(d), log2Of(std::min<uint64_t>(split[d], static_cast<uint64_t>(shape[d])))});
  LinearLayout::BasisList bases;
  for (const std::vector<unsigned> &basis : cluster) {
    uint64_t packed = 0;
    unsigned shift = 0;
    for (size_t d = 0; d < shape.size(); ++d) {
      packed |= (basis[d] & (outs[d].size() - 1)) << shift;
      shift += outs[d].bits;
    }
    bases.push_back(packed);
  }
  SizedDim block{dims::Block, static_cast<unsigned>(cluster.size())};
  return inner * LinearLayout::fromPacked({block}, outs, bases);
}

LinearLayout fitToShape(const LinearLayout &layout, std::span<const int64_t> shape,
                        std::span<const unsigned> order, Dim in) {
  LinearLayout result = layout;
  for (unsigned d : order) {
    auto size = static_cast<uint64_t>(shape[d]);
    if (uint64_t has = result.outSize(Dim::tensor(d)); has < size)
      result *= LinearLayout::identity1D(size / has, in, Dim::tensor(d));
  }
  for (unsigned d : order)
    result = result.resizeOut(Dim::tensor(d), static_cast<uint64_t>(shape[d]));
  return result;
}

//===----------------------------------------------------------------------------===//
// Blocked
//===----------------------------------------------------------------------------===//

Result<void> verify(const Blocked &encoding, unsigned rank) {
  unsigned tileBits = 0;
  for (auto [name, list] : {std::pair("sizePerThread", &encoding.sizePerThread),
                            std::pair("threadsPerWarp", &encoding.threadsPerWarp),
                            std::pair("warpsPerCTA", &encoding.warpsPerCTA)})
    if (Result<void> valid = verifyPowersOfTwo(name, *list, rank, tileBits); !valid)
      return valid;
  if (tileBits > MaxTileBits)
    return Failure("the tile of a blocked layout has at most 2^" + std::to_string(MaxTileBits) +
                   " elements, not 2^" + std::to_string(tileBits));
  if (Result<void> valid = verifyOrder(encoding.order, rank); !valid)
    return valid;
  return verifyClusterBases(encoding.cluster, rank);
}

LinearLayout toLinearLayout(const Blocked &encoding, std::span<const int64_t> shape) {
  LinearLayout tile = identityND(dims::Register, encoding.sizePerThread, encoding.order) *
                      identityND(dims::Lane, encoding.threadsPerWarp, encoding.order) *
                      identityND(dims::Warp, encoding.warpsPerCTA, encoding.order);
  return coverTensor(tile, encoding.order, encoding.cluster, shape);
}

//===----------------------------------------------------------------------------===//
// Operands of a blocked result
//===----------------------------------------------------------------------------===//

Result<void> verifyOperand(const Blocked &parent, unsigned opIdx, unsigned kWidth) {
  auto rank = static_cast<unsigned>(parent.order.size());
  if (opIdx > 1)
    return Failure("opIdx is " + std::to_string(opIdx) + ", but a product has operands 0 and 1");
  if (rank != 2 && rank != 3)
    return Failure("the operand of a product has 2 or 3 dimensions, not " + std::to_string(rank));
  if (kWidth)
    return Failure("kWidth is " + std::to_string(kWidth) +
                   ", but an operand whose parent is a blocked layout has none");
  return {};
}

LinearLayout operandLayout(const Blocked &parent, unsigned opIdx, unsigned kWidth,
                           std::span<const int64_t> shape) {
  // With all of K in the thread's tile, what lanes and warps add along K wraps around.
  unsigned contracted = contractedDim(opIdx, static_cast<unsigned>(shape.size()));
  Blocked operand = parent;
  operand.sizePerThread[contracted] = static_cast<unsigned>(shape[contracted]);
  operand.cluster = operandCluster(parent.cluster, contracted);
  return toLinearLayout(operand, shape);
}

//===----------------------------------------------------------------------------===//
// Slice
//===----------------------------------------------------------------------------===//

std::vector<int64_t> sliceParentShape(std::span<const int64_t> shape, unsigned dim) {
  std::vector<int64_t> result(shape.begin(), shape.end());
  result.insert(result.begin() + dim, 1);
  return result;
}

LinearLayout slice(const LinearLayout &parent, unsigned dim) {
  LinearLayout result = parent.dropOut(Dim::tensor(dim));
  auto rank = static_cast<unsigned>(parent.outs().size());
  for (unsigned d = dim + 1; d < rank; ++d)
    result = result.renameOut(Dim::tensor(d), Dim::tensor(d - 1));
  return result.removeZeroBasesAlong(dims::Register);
}

//===----------------------------------------------------------------------------===//
// Linear
//===----------------------------------------------------------------------------===//

namespace {

Result<LinearLayout> mapOf(const Linear &encoding, unsigned rank) {
  return literalMap({{dims::Register, &encoding.registers},
                     {dims::Lane, &encoding.lanes},
                     {dims::Warp, &encoding.warps},
                     {dims::Block, &encoding.blocks}},
                    rank);
}

/// All but warps move along one dimension each.
Result<void> verifyGenericBases(const LinearLayout &map) {
  for (Dim in : {dims::Register, dims::Lane, dims::Block})
    for (uint64_t basis : map.bases(in)) {
      unsigned moved = 0;
      for (SizedDim out : map.outs())
        moved += map.outValue(basis, out.dim) != 0;
      if (moved > 1)
        return Failure(
            "a basis of " + std::string(in.name()) +
            " in a generic linear layout has more than one value that is not zero; only those "
            "of warp may have");
    }
  return {};
}

/// The dimensions in the order in which registers first move along them; then those along
/// which no register moves, the last one first.
std::vector<unsigned> repetitionOrder(const LinearLayout &map) {
  std::vector<unsigned> order;
  auto rank = static_cast<unsigned>(map.outs().size());
  auto add = [&](unsigned d) {
    if (std::find(order.begin(), order.end(), d) == order.end())
      order.push_back(d);
  };
  for (uint64_t basis : map.bases(dims::Register))
    for (unsigned d = rank; d-- > 0;)
      if (map.outValue(basis, Dim::tensor(d)))
        add(d);
  for (unsigned d = rank; d-- > 0;)
    add(d);
  return order;
}

} // namespace

Result<void> verify(const Linear &encoding, unsigned rank, bool generic) {
  if (rank == 0 || rank > LinearLayout::MaxDims)
    return Failure("a linear layout has between 1 and " + std::to_string(LinearLayout::MaxDims) +
                   " dimensions");
  Result<LinearLayout> map = mapOf(encoding, rank);
  if (!map)
    return Failure(map.error());
  if (map->totalInBits() > MaxTileBits + MaxClusterBits)
    return Failure("a linear layout has at most " + std::to_string(MaxTileBits + MaxClusterBits) +
                   " bases");
  if (map->totalOutBits() > MaxTensorBits)
    return Failure("the bases of a linear layout span more than 2^" +
                   std::to_string(MaxTensorBits) + " elements");
  if (!map->isSurjective())
    return Failure("the bases of a linear layout do not reach every element");
  if (generic)
    return verifyGenericBases(*map);
  uint64_t seen = 0;
  for (uint64_t basis : map->bases()) {
    if (!basis)
      continue;
    if (!isPowerOfTwo(basis))
      return Failure(
          "each basis of a linear layout has at most one value that is not zero, and that is a "
          "power of two");
    if (seen & basis)
      return Failure("two bases of a linear layout are the same");
    seen |= basis;
  }
  return {};
}

LinearLayout toLinearLayout(const Linear &encoding, std::span<const int64_t> shape) {
  auto rank = static_cast<unsigned>(shape.size());
  LinearLayout literal = *mapOf(encoding, rank);
  LinearLayout fitted = fitToShape(literal, shape, repetitionOrder(literal), dims::Register);
  uint64_t wrapped = 0;
  for (unsigned bit = 0; bit < literal.inBits(dims::Register); ++bit)
    if (literal.basis(dims::Register, bit) && !fitted.basis(dims::Register, bit))
      wrapped |= uint64_t(1) << bit;
  return fitted.removeInBits(dims::Register, wrapped);
}

} // namespace tilewright::layout
