//===- AmdMfma.cpp - Fragments of AMD CDNA matrix units -----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "layout/encoding/AmdMfma.h"

#include "layout/encoding/EncodingParts.h"

namespace tilewright::layout::amd {

using namespace layout;

namespace {

constexpr unsigned Lanes = 64;
constexpr unsigned MaxK = 256;
constexpr unsigned MaxKWidth = 64;

/// The map of a block, which is put together from the inside out. Where two pieces go along one
/// dimension the later one takes the larger steps.
class BlockMap {
public:
  BlockMap(const Mfma &mfma, LinearLayout instruction, std::span<const int64_t> shape)
      : mfma(mfma), map(std::move(instruction)), shape(shape) {}

  /// As many registers as cover the tensor along `dim`.
  void repeat(unsigned dim) {
    Dim out = Dim::tensor(dim);
    auto size = static_cast<uint64_t>(shape[dim]);
    if (size > map.outSize(out))
      map *= LinearLayout::identity1D(size / map.outSize(out), dims::Register, out);
  }

  /// The tiles of a warp along `dim`, the warps, and the repetition of both.
  void tileAndRepeat(unsigned dim) {
    Dim out = Dim::tensor(dim);
    map *= LinearLayout::identity1D(mfma.tilesPerWarp[dim], dims::Register, out);
    map *= LinearLayout::identity1D(mfma.warpsPerCTA[dim], dims::Warp, out);
    repeat(dim);
  }

  /// Warps that go along `dim` of the result, but hold the same of an operand.
  void shareWarps(unsigned dim) {
    map *= LinearLayout::zeros1D(mfma.warpsPerCTA[dim], dims::Warp, Dim::tensor(dim));
  }

  const LinearLayout &get() const { return map; }

private:
  const Mfma &mfma;
  LinearLayout map;
  std::span<const int64_t> shape;
};

} // namespace

Result<void> verify(const Mfma &encoding) {
  if (encoding.version > 4)
    return Failure("MFMA has the versions 1 to 4, and 0 for any, not " +
                   std::to_string(encoding.version));
  unsigned rank = encoding.rank(), bits = 0;
  if (rank < 2 || rank > 3)
    return Failure("an MFMA layout has 2 or 3 dimensions, not " + std::to_string(rank));
  const std::vector<unsigned> &shape = encoding.instrShape;
  if (shape.size() != 3)
    return Failure("instrShape is [M, N, K], not " + listText(shape));
  auto [m, n] = std::pair(shape[0], shape[1]);
  bool square = m == n && (m == 32 || m == 16);
  bool narrow = (m == 64 && n == 4) || (m == 4 && n == 64);
  if (!square && !narrow)
    return Failure("MFMA gives 32 x 32, 16 x 16, 64 x 4 or 4 x 64 elements, not " +
                   std::to_string(m) + " x " + std::to_string(n));
  if (!isPowerOfTwo(shape[2]) || shape[2] > MaxK)
    return Failure("K of instrShape is a power of two up to " + std::to_string(MaxK) + ", not " +
                   std::to_string(shape[2]));
  if (encoding.elementBitWidth != 32 && encoding.elementBitWidth != 64)
    return Failure("elementBitWidth is 32 or 64, not " + std::to_string(encoding.elementBitWidth));
  if (encoding.elementBitWidth == 64 && m != 16)
    return Failure("elements of 64 bits come from instructions of 16 x 16, not of " +
                   std::to_string(m) + " x " + std::to_string(n));
  for (auto [name, list] : {std::pair("warpsPerCTA", &encoding.warpsPerCTA),
                            std::pair("tilesPerWarp", &encoding.tilesPerWarp)})
    if (Result<void> valid = verifyPowersOfTwo(name, *list, rank, bits); !valid)
      return valid;
  // An instruction has 10 bits and an operand's K 8.
  if (bits + 18 > MaxTileBits)
    return Failure("warpsPerCTA and tilesPerWarp make a tile that is too large");
  return verifyClusterBases(encoding.cluster, rank);
}

LinearLayout toLinearLayout(const Mfma &encoding, std::span<const int64_t> shape) {
  unsigned rank = encoding.rank();
  // `down`: along a lane's registers; `across`: along the lanes.
  Dim down = Dim::tensor(rank - 2), across = Dim::tensor(rank - 1);
  unsigned downSize = encoding.instrShape[0], acrossSize = encoding.instrShape[1];
  if (encoding.isTransposed) {
    std::swap(down, across);
    std::swap(downSize, acrossSize);
  }
  unsigned together = encoding.elementBitWidth == 64 ? 1 : 4, lanesDown = Lanes / acrossSize;
  LinearLayout instruction =
      LinearLayout::identity1D(together, dims::Register, down) *
      LinearLayout::identity1D(acrossSize, dims::Lane, across) *
      LinearLayout::identity1D(lanesDown, dims::Lane, down) *
      LinearLayout::identity1D(downSize / (together * lanesDown), dims::Register, down);

  std::vector<int64_t> inner = shapePerBlock(shape, encoding.cluster);
  BlockMap block(encoding, instruction, inner);
  std::vector<unsigned> order = rowMajorOrder(rank);
  for (unsigned dim : order)
    block.tileAndRepeat(dim);
  return coverTensor(block.get(), order, encoding.cluster, shape);
}

Result<void> verifyOperand(const Mfma &parent, unsigned opIdx, unsigned kWidth) {
  if (Result<void> valid = verify(parent); !valid)
    return valid;
  if (opIdx > 1)
    return Failure("opIdx is 0 (A) or 1 (B), not " + std::to_string(opIdx));
  if (!isPowerOfTwo(kWidth) || kWidth > MaxKWidth)
    return Failure("kWidth of an operand of MFMA is a power of two from 1 to " +
                   std::to_string(MaxKWidth) + ", not " + std::to_string(kWidth));
  return {};
}

LinearLayout operandLayout(const Mfma &parent, unsigned opIdx, unsigned kWidth,
                           std::span<const int64_t> shape) {
  unsigned rank = parent.rank();
  unsigned kDim = contractedDim(opIdx, rank);
  Dim k = Dim::tensor(kDim), other = Dim::tensor(rank - 2 + opIdx);
  unsigned otherSize = parent.instrShape[opIdx];
  LinearLayout instruction = LinearLayout::identity1D(kWidth, dims::Register, k) *
                             LinearLayout::identity1D(otherSize, dims::Lane, other) *
                             LinearLayout::identity1D(Lanes / otherSize, dims::Lane, k);

  ClusterBases cluster = operandCluster(parent.cluster, kDim);
  std::vector<int64_t> inner = shapePerBlock(shape, cluster);
  BlockMap block(parent, instruction, inner);
  // Registers go along K first, warps along the last dimension.
  block.repeat(kDim);
  for (unsigned dim : rowMajorOrder(rank)) {
    if (dim == kDim)
      block.shareWarps(dim);
    else
      block.tileAndRepeat(dim);
  }
  return coverTensor(block.get(), operandOrder(opIdx, rank), cluster, shape);
}

} // namespace tilewright::layout::amd
