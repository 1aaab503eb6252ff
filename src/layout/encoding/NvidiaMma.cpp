//===- NvidiaMma.cpp - Fragments of NVIDIA matrix units -----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "layout/encoding/NvidiaMma.h"

#include "layout/encoding/EncodingParts.h"

namespace tilewright::layout::nvidia {

using layout::Dim;
using layout::LinearLayout;
using layout::listText;
namespace dims = layout::dims;

namespace {

/// Contiguous elements of an accumulator that a lane holds.
constexpr unsigned AccumulatorWidth = 2;
/// A lane's part of a fragment: 4 lanes side by side along the contiguous dimension, 8
/// groups of them along the other.
constexpr unsigned LanesInner = 4;
constexpr unsigned LanesOuter = 8;
/// Of the widest element contiguous along K: an operand of single bits.
constexpr unsigned MaxKWidth = 32;

/// The one pattern that all fragments have: each lane holds `width` elements contiguous along
/// `inner`; a warp holds 8 rows of 4 such pieces, its lanes along `inner` first; registers
/// repeat this along `outer`, then along `inner`.
LinearLayout fragment(Dim outer, unsigned outerSize, Dim inner, unsigned innerSize,
                      unsigned width) {
  return LinearLayout::identity1D(width, dims::Register, inner) *
         LinearLayout::identity1D(LanesInner, dims::Lane, inner) *
         LinearLayout::identity1D(LanesOuter, dims::Lane, outer) *
         LinearLayout::identity1D(outerSize / LanesOuter, dims::Register, outer) *
         LinearLayout::identity1D(innerSize / (LanesInner * width), dims::Register, inner);
}

/// Warps of mma.sync are counted along the last dimension first; those of wgmma along rows
/// first, because four consecutive ones do one instruction on 64 rows.
std::vector<unsigned> warpOrder(const Mma &mma) {
  std::vector<unsigned> order = layout::rowMajorOrder(mma.rank());
  if (mma.versionMajor == 3)
    std::swap(order[0], order[1]);
  return order;
}

/// The batch dimensions of `tile`, which has the matrix's two, added with size 1.
LinearLayout withBatch(const LinearLayout &tile, unsigned rank) {
  LinearLayout result = tile;
  for (unsigned d = 0; d + 2 < rank; ++d)
    result *= LinearLayout::identity1D(1, dims::Register, Dim::tensor(d));
  return result;
}

/// M and N of one instruction.
std::pair<unsigned, unsigned> instructionSize(const Mma &mma) {
  if (mma.versionMajor == 3)
    return {mma.instrShape[0], mma.instrShape[1]};
  return {mma.instrShape[mma.rank() - 2], mma.instrShape[mma.rank() - 1]};
}

Result<void> verifyInstruction(const Mma &mma) {
  const std::vector<unsigned> &shape = mma.instrShape;
  if (mma.versionMajor == 2) {
    std::vector<unsigned> expected(mma.rank() - 2, 1);
    expected.insert(expected.end(), {16, 8});
    if (shape != expected)
      return Failure("instrShape is " + listText(shape) + ", but of mma.sync it is " +
                     listText(expected));
    return {};
  }
  if (shape.size() != 3 || shape[0] != 16)
    return Failure("instrShape is " + listText(shape) + ", but of wgmma it is [16, N, K]");
  if (!isPowerOfTwo(shape[1]) || shape[1] < 8 || shape[1] > 256)
    return Failure("N in instrShape is " + std::to_string(shape[1]) +
                   ", but it is a power of two from 8 to 256");
  if (!isPowerOfTwo(shape[2]) || shape[2] < 8 || shape[2] > 256)
    return Failure("K in instrShape is " + std::to_string(shape[2]) +
                   ", but it is a power of two from 8 to 256");
  return {};
}

} // namespace

Result<void> verify(const Mma &encoding) {
  if (encoding.versionMajor != 2 && encoding.versionMajor != 3)
    return Failure("versionMajor is " + std::to_string(encoding.versionMajor) +
                   ", but layouts of registers are those of 2 (mma.sync) and 3 (wgmma)");
  if (encoding.rank() != 2 && encoding.rank() != 3)
    return Failure("warpsPerCTA has " + std::to_string(encoding.rank()) +
                   " entries, but the result of a matrix product has 2 or 3 dimensions");
  if (Result<void> valid = verifyInstruction(encoding); !valid)
    return valid;
  auto [rows, cols] = instructionSize(encoding);
  unsigned tileBits = log2Of(rows) + log2Of(std::max(cols, 8 * MaxKWidth));
  if (Result<void> valid =
          layout::verifyPowersOfTwo("warpsPerCTA", encoding.warpsPerCTA, encoding.rank(), tileBits);
      !valid)
    return valid;
  if (tileBits > layout::MaxTileBits)
    return Failure("warpsPerCTA is too large");
  return layout::verifyClusterBases(encoding.cluster, encoding.rank());
}

LinearLayout toLinearLayout(const Mma &encoding, std::span<const int64_t> shape) {
  unsigned rank = encoding.rank();
  auto [rows, cols] = instructionSize(encoding);
  LinearLayout tile = withBatch(fragment(Dim::tensor(rank - 2), rows, Dim::tensor(rank - 1), cols,
                                         AccumulatorWidth),
                                rank) *
                      layout::identityND(dims::Warp, encoding.warpsPerCTA, warpOrder(encoding));
  return layout::coverTensor(tile, layout::rowMajorOrder(rank), encoding.cluster, shape);
}

Result<void> verifyOperand(const Mma &parent, unsigned opIdx, unsigned kWidth) {
  if (opIdx > 1)
    return Failure("opIdx is " + std::to_string(opIdx) + ", but a product has operands 0 and 1");
  if (parent.versionMajor == 3 && opIdx == 1)
    return Failure(
        "wgmma reads operand 1 from shared memory, so there is no layout of registers for it");
  if (!isPowerOfTwo(kWidth) || kWidth > MaxKWidth)
    return Failure("kWidth is " + std::to_string(kWidth) + ", but it is a power of two from 1 to " +
                   std::to_string(MaxKWidth));
  return {};
}

LinearLayout operandLayout(const Mma &parent, unsigned opIdx, unsigned kWidth,
                           std::span<const int64_t> shape) {
  unsigned rank = parent.rank();
  unsigned contracted = layout::contractedDim(opIdx, rank);
  unsigned other = opIdx == 0 ? rank - 2 : rank - 1;
  auto [rows, cols] = instructionSize(parent);
  unsigned otherSize = opIdx == 0 ? rows : cols;
  // Two pieces of kWidth elements along K a lane: K is 32 bytes where kWidth fills a word.
  LinearLayout tile =
      withBatch(fragment(Dim::tensor(other), otherSize, Dim::tensor(contracted),
                         2 * LanesInner * kWidth, kWidth),
                rank) *
      layout::identitySharedAlong(contracted, dims::Warp, parent.warpsPerCTA, warpOrder(parent));
  return layout::coverTensor(tile, layout::operandOrder(opIdx, rank),
                             layout::operandCluster(parent.cluster, contracted), shape);
}

} // namespace tilewright::layout::nvidia
