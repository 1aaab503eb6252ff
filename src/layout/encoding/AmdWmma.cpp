//===- AmdWmma.cpp - Fragments of AMD RDNA matrix units -----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "layout/encoding/AmdWmma.h"

#include "layout/encoding/EncodingParts.h"
#include "layout/encoding/SharedEncodings.h"

#include <algorithm>
#include <bit>

namespace tilewright::layout::amd {

using namespace layout;

namespace {

/// Rows of A, columns of B, rows and columns of the accumulator.
constexpr unsigned TileSize = 16;
/// Elements along K of the instructions of version 3: f32; 16 bits; 8 bits; 8 bits or 4.
constexpr unsigned depths3[] = {4, 32, 64, 128};
/// A fragment has at most 11 bits; with these it stays within what layout/encoding/Encodings.h
/// allows a tile.
constexpr size_t MaxTileBases = 16;

/// A tile with the block's other tiles beside it.
LinearLayout withTiles(const LinearLayout &tile, const LiteralBases &registers,
                       const LiteralBases &warps, unsigned rank) {
  return tile * *literalMap({{dims::Register, &registers}, {dims::Warp, &warps}}, rank);
}

/// The bases without their way along dimension `dim`. Those of registers vanish if that is all
/// they do, those of warps stay.
LiteralBases without(const LiteralBases &bases, unsigned dim, bool keepZeros) {
  LiteralBases result;
  for (std::vector<unsigned> basis : bases) {
    basis[dim] = 0;
    if (keepZeros || std::any_of(basis.begin(), basis.end(), [](unsigned v) { return v != 0; }))
      result.push_back(std::move(basis));
  }
  return result;
}

Result<void> verifyTiles(const Wmma &encoding) {
  if (encoding.registers.size() + encoding.warps.size() > MaxTileBases)
    return Failure("ctaLayout has at most " + std::to_string(MaxTileBases) + " bases");
  std::vector<uint64_t> seen(encoding.rank, 0);
  for (const LiteralBases *bases : {&encoding.registers, &encoding.warps})
    for (const std::vector<unsigned> &basis : *bases) {
      if (basis.size() != encoding.rank)
        return Failure("the basis " + listText(basis) + " of ctaLayout has " +
                       std::to_string(basis.size()) + " values, but there are " +
                       std::to_string(encoding.rank) + " dimensions");
      unsigned nonzero = 0;
      for (unsigned d = 0; d < encoding.rank; ++d) {
        if (!basis[d])
          continue;
        if (!std::has_single_bit(basis[d]))
          return Failure("the basis " + listText(basis) + " of ctaLayout has the value " +
                         std::to_string(basis[d]) + ", which is not a power of two");
        if (seen[d] & basis[d])
          return Failure("ctaLayout has the basis " + listText(basis) + " twice");
        seen[d] |= basis[d];
        ++nonzero;
      }
      if (nonzero > 1)
        return Failure("the basis " + listText(basis) +
                       " of ctaLayout points along two dimensions");
    }
  for (unsigned d = 0; d < encoding.rank; ++d)
    if (!std::has_single_bit(seen[d] + 1))
      return Failure("the bases of ctaLayout leave a gap in dimension " + std::to_string(d));
  return {};
}

} // namespace

//===----------------------------------------------------------------------------===//
// WMMA: the accumulator
//===----------------------------------------------------------------------------===//

std::vector<std::vector<unsigned>> tileBases(std::span<const unsigned> counts,
                                             std::span<const std::vector<unsigned>> first) {
  LiteralBases bases;
  for (size_t d = counts.size(); d-- > 0;) {
    unsigned covered = 1;
    for (const std::vector<unsigned> &basis : first)
      covered = std::max(covered, 2 * basis[d]);
    for (unsigned tile = 1; tile < counts[d]; tile *= 2) {
      std::vector<unsigned> &basis = bases.emplace_back(counts.size(), 0);
      basis[d] = tile * covered;
    }
  }
  return bases;
}

Result<void> verify(const Wmma &encoding) {
  if (encoding.version < 1 || encoding.version > 3)
    return Failure("WMMA has the versions 1 (gfx11), 2 (gfx12) and 3 (gfx1250), not " +
                   std::to_string(encoding.version));
  if (encoding.rank < 2 || encoding.rank > 3)
    return Failure("a WMMA layout has 2 or 3 dimensions, not " + std::to_string(encoding.rank));
  const std::vector<unsigned> k16 = {TileSize, TileSize, 16}, k32 = {TileSize, TileSize, 32};
  if (encoding.version == 1 && encoding.instrShape != k16)
    return Failure("instrShape of WMMA version 1 is [16, 16, 16], not " +
                   listText(encoding.instrShape));
  if (encoding.version == 2 && encoding.instrShape != k16 && encoding.instrShape != k32)
    return Failure("instrShape of WMMA version 2 is [16, 16, 16] or [16, 16, 32], not " +
                   listText(encoding.instrShape));
  if (encoding.version == 3 &&
      std::none_of(std::begin(depths3), std::end(depths3), [&](unsigned k) {
        return encoding.instrShape == std::vector<unsigned>{TileSize, TileSize, k};
      }))
    return Failure("instrShape of WMMA version 3 is [16, 16, K] with K = 4, 32, 64 or 128, not " +
                   listText(encoding.instrShape));
  if (Result<void> valid = verifyTiles(encoding); !valid)
    return valid;
  return verifyClusterBases(encoding.cluster, encoding.rank);
}

LinearLayout toLinearLayout(const Wmma &encoding, std::span<const int64_t> shape) {
  Dim row = Dim::tensor(encoding.rank - 2), column = Dim::tensor(encoding.rank - 1);
  if (encoding.isTranspose)
    std::swap(row, column);
  LinearLayout columns = LinearLayout::identity1D(TileSize, dims::Lane, column);
  LinearLayout tile = encoding.version == 1
                          ? columns * LinearLayout::identity1D(2, dims::Lane, row) *
                                LinearLayout::identity1D(8, dims::Register, row)
                          : LinearLayout::identity1D(8, dims::Register, row) * columns *
                                LinearLayout::identity1D(2, dims::Lane, row);
  LinearLayout block = withTiles(tile, encoding.registers, encoding.warps, encoding.rank)
                           .transposeIns({dims::Register, dims::Lane, dims::Warp});
  return coverTensor(block, rowMajorOrder(encoding.rank), encoding.cluster, shape);
}

//===----------------------------------------------------------------------------===//
// WMMA: the operands
//===----------------------------------------------------------------------------===//

Result<void> verifyOperand(const Wmma &parent, unsigned opIdx, unsigned kWidth) {
  if (Result<void> valid = verify(parent); !valid)
    return valid;
  if (opIdx > 1)
    return Failure("opIdx is 0 (A) or 1 (B), not " + std::to_string(opIdx));
  if (parent.version == 1 && kWidth != 8 && kWidth != 16)
    return Failure("kWidth of an operand of WMMA version 1 is 8 or 16, not " +
                   std::to_string(kWidth));
  if (parent.version == 2 && kWidth != 4 && kWidth != 8 && kWidth != 16)
    return Failure("kWidth of an operand of WMMA version 2 is 4, 8 or 16, not " +
                   std::to_string(kWidth));
  if (parent.version == 3 && kWidth != 2 && kWidth != 8 && kWidth != 16)
    return Failure("kWidth of an operand of WMMA version 3 is 2, 8 or 16, not " +
                   std::to_string(kWidth));
  return {};
}

LinearLayout operandLayout(const Wmma &parent, unsigned opIdx, unsigned kWidth,
                           std::span<const int64_t> shape) {
  unsigned kDim = contractedDim(opIdx, parent.rank), otherDim = parent.rank - 2 + opIdx;
  Dim k = Dim::tensor(kDim), other = Dim::tensor(otherDim);
  LinearLayout tile = LinearLayout::identity1D(kWidth, dims::Register, k) *
                      LinearLayout::identity1D(TileSize, dims::Lane, other) *
                      (parent.version == 1 ? LinearLayout::zeros1D(2, dims::Lane, k)
                                           : LinearLayout::identity1D(2, dims::Lane, k));

  ClusterBases cluster = operandCluster(parent.cluster, kDim);
  int64_t sizeOfK = shapePerBlock(shape, cluster)[kDim];
  // A fragment is whole even where the tensor has less of K.
  uint64_t size = std::max<uint64_t>(static_cast<uint64_t>(sizeOfK), parent.instrShape[2]);
  if (size > tile.outSize(k))
    tile *= LinearLayout::identity1D(size / tile.outSize(k), dims::Register, k);

  LinearLayout block = withTiles(tile, without(parent.registers, kDim, /*keepZeros=*/false),
                                 without(parent.warps, kDim, /*keepZeros=*/true), parent.rank);
  return coverTensor(block, operandOrder(opIdx, parent.rank), cluster, shape);
}

//===----------------------------------------------------------------------------===//
// Rotating shared memory
//===----------------------------------------------------------------------------===//

Result<void> verify(const RotatingShared &encoding, unsigned rank) {
  return layout::verify(SwizzledShared{encoding.vec, encoding.perPhase, encoding.maxPhase,
                                       encoding.order, encoding.cluster},
                        rank);
}

LinearLayout toLinearLayout(const RotatingShared &encoding, std::span<const int64_t> shape) {
  return swizzledRows(encoding.order, encoding.cluster, shape, [&](uint64_t row) {
    uint64_t group = row / encoding.perPhase;
    uint64_t phase = (group ^ group / encoding.maxPhase) % encoding.maxPhase;
    return encoding.vec * phase;
  });
}

} // namespace tilewright::layout::amd
