//===- IntelDpas.cpp - Fragments of Intel matrix units ------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "layout/encoding/IntelDpas.h"

#include "layout/encoding/EncodingParts.h"

#include <algorithm>

namespace tilewright::layout::intel {

using layout::Dim;
using layout::LinearLayout;
using layout::verifyPowersOfTwo;
namespace dims = layout::dims;

namespace {

// A DPAS instruction's operand takes at most 9 bits.
constexpr unsigned MaxReplicationBits = layout::MaxTileBits - 9;

std::string describe(const char *name, uint64_t value) {
  return std::string(name) + " is " + std::to_string(value);
}

/// An empty map with the inputs of a distributed layout's tile, in their order.
LinearLayout noTile() {
  return LinearLayout::fromPacked({{dims::Register, 0}, {dims::Lane, 0}, {dims::Warp, 0}}, {}, {});
}

/// The rows and columns of a matrix: the last two dimensions of its tensor.
struct MatrixDims {
  explicit MatrixDims(unsigned rank) : row(rank - 2), col(rank - 1) {}
  unsigned row, col;
  Dim rows() const { return Dim::tensor(row); }
  Dim cols() const { return Dim::tensor(col); }
};

/// The lanes that share a row of operand A: each holds 16 bits of it, 32 where an element
/// is that wide.
unsigned lanesInRowOfA(const Dpas &dpas) {
  return dpas.systolicDepth * dpas.opsPerChan / (dpas.opsPerChan == 4 ? 2 : 1);
}

/// Slots of a register file: `cols` lanes are a row, the next lanes the next row; the rows
/// that the lanes are too few for are in further registers.
LinearLayout slots(unsigned rows, unsigned cols, unsigned threadsPerWarp, MatrixDims matrix) {
  unsigned rowsInLanes = threadsPerWarp / cols;
  return LinearLayout::identity1D(cols, dims::Lane, matrix.cols()) *
         LinearLayout::identity1D(rowsInLanes, dims::Lane, matrix.rows()) *
         LinearLayout::identity1D(rows / rowsInLanes, dims::Register, matrix.rows());
}

/// The warps of a work-group, counted along the columns of C first. Those that differ along
/// dimension `shared` hold the same of an operand.
LinearLayout operandWarps(const Dpas &dpas, unsigned shared) {
  return layout::identitySharedAlong(shared, dims::Warp, dpas.warpsPerCTA,
                                     layout::rowMajorOrder(dpas.rank()));
}

/// repCluster along dimension `d` of the result.
LinearLayout clusterAlong(const Dpas &dpas, unsigned d) {
  return LinearLayout::identity1D(dpas.repCluster[d], dims::Register, Dim::tensor(d));
}

} // namespace

//===----------------------------------------------------------------------------===//
// DPAS
//===----------------------------------------------------------------------------===//

Result<void> verify(const Dpas &encoding) {
  const Dpas &dpas = encoding;
  if (dpas.rank() != 2 && dpas.rank() != 3)
    return Failure("warpsPerCTA has " + std::to_string(dpas.rank()) +
                   " entries, but the operands of DPAS have 2 or 3 dimensions");
  if (!isPowerOfTwo(dpas.repeatCount) || dpas.repeatCount > 8)
    return Failure(describe("repeatCount", dpas.repeatCount) + ", not 1, 2, 4 or 8");
  if (dpas.systolicDepth != 8)
    return Failure(describe("systolicDepth", dpas.systolicDepth) + ", not 8");
  if (dpas.executionSize != 8 && dpas.executionSize != 16)
    return Failure(describe("executionSize", dpas.executionSize) + ", not 8 or 16");
  if (dpas.opsPerChan != 1 && dpas.opsPerChan != 2 && dpas.opsPerChan != 4)
    return Failure(describe("opsPerChan", dpas.opsPerChan) + ", not 1, 2 or 4");
  if (dpas.fp4KPack != 0 && dpas.fp4KPack != 2)
    return Failure(describe("fp4KPack", dpas.fp4KPack) + ", not 2");
  if (dpas.fp4KPack && dpas.opsPerChan != 4)
    return Failure(describe("fp4KPack", dpas.fp4KPack) + ", which needs opsPerChan 4, not " +
                   std::to_string(dpas.opsPerChan));
  if (dpas.threadsPerWarp != 16 && dpas.threadsPerWarp != 32)
    return Failure(describe("threadsPerWarp", dpas.threadsPerWarp) + ", not 16 or 32");
  unsigned lanesInRow = std::min(lanesInRowOfA(dpas), dpas.executionSize);
  if (dpas.repeatCount * lanesInRow < dpas.threadsPerWarp)
    return Failure(describe("repeatCount", dpas.repeatCount) + ", but the " +
                   std::to_string(dpas.threadsPerWarp) + " lanes of a warp hold " +
                   std::to_string(dpas.threadsPerWarp / lanesInRow) + " rows");
  unsigned bits = 0;
  if (Result<void> valid = verifyPowersOfTwo("warpsPerCTA", dpas.warpsPerCTA, dpas.rank(), bits);
      !valid)
    return valid;
  if (Result<void> valid = verifyPowersOfTwo("repCluster", dpas.repCluster, dpas.rank(), bits);
      !valid)
    return valid;
  if (dpas.rank() == 3 && dpas.repCluster[0] != 1)
    return Failure("repCluster is " + std::to_string(dpas.repCluster[0]) +
                   " along the batch, where it is always 1");
  if (bits > MaxReplicationBits)
    return Failure("warpsPerCTA and repCluster make a tile of 2^" + std::to_string(bits) +
                   " instructions, more than 2^" + std::to_string(MaxReplicationBits));
  return layout::verifyClusterBases(dpas.cluster, dpas.rank());
}

LinearLayout toLinearLayout(const Dpas &encoding, std::span<const int64_t> shape) {
  MatrixDims matrix(encoding.rank());
  LinearLayout tile =
      noTile() *
      slots(encoding.repeatCount, encoding.executionSize, encoding.threadsPerWarp, matrix) *
      clusterAlong(encoding, matrix.col) * clusterAlong(encoding, matrix.row) *
      layout::identityND(dims::Warp, encoding.warpsPerCTA, layout::rowMajorOrder(encoding.rank()));
  return layout::coverTensor(tile, layout::rowMajorOrder(encoding.rank()), encoding.cluster, shape);
}

OperandSize instructionOperand(const Dpas &parent, unsigned opIdx) {
  unsigned depth = parent.systolicDepth * parent.opsPerChan;
  return opIdx == 0 ? OperandSize{parent.repeatCount, depth}
                    : OperandSize{depth, parent.executionSize};
}

unsigned operandKWidth(const Dpas &parent, unsigned opIdx) {
  return opIdx == 0 ? std::max(1u, parent.opsPerChan / 2) : parent.opsPerChan;
}

Result<void> verifyOperand(const Dpas &parent, unsigned opIdx, unsigned kWidth) {
  if (opIdx > 1)
    return Failure(describe("opIdx", opIdx) + ", but DPAS has operands 0 (A) and 1 (B)");
  unsigned expected = operandKWidth(parent, opIdx);
  if (kWidth != expected)
    return Failure(describe("kWidth", kWidth) + ", but operand " + (opIdx == 0 ? "A" : "B") +
                   " of DPAS with opsPerChan " + std::to_string(parent.opsPerChan) +
                   " has kWidth " + std::to_string(expected));
  return {};
}

LinearLayout operandLayout(const Dpas &parent, unsigned opIdx, unsigned kWidth,
                           std::span<const int64_t> shape) {
  unsigned rank = parent.rank(), k = layout::contractedDim(opIdx, rank);
  MatrixDims matrix(rank);
  LinearLayout tile = noTile();
  if (opIdx == 0) {
    unsigned lanesInRow = lanesInRowOfA(parent);
    unsigned packed = parent.systolicDepth * parent.opsPerChan / lanesInRow;
    tile *= LinearLayout::identity1D(packed, dims::Register, matrix.cols()) *
            slots(parent.repeatCount, lanesInRow, parent.threadsPerWarp, matrix);
  } else {
    tile *= LinearLayout::identity1D(parent.opsPerChan, dims::Register, matrix.rows()) *
            slots(parent.systolicDepth, parent.executionSize, parent.threadsPerWarp, matrix);
  }
  unsigned other = k == matrix.row ? matrix.col : matrix.row;
  tile *= clusterAlong(parent, other) * operandWarps(parent, k);
  return layout::coverTensor(tile, layout::operandOrder(opIdx, rank),
                             layout::operandCluster(parent.cluster, k), shape);
}

//===----------------------------------------------------------------------------===//
// 2D block messages
//===----------------------------------------------------------------------------===//

Result<void> verify(const Subgroup2DBlock &encoding) {
  if (encoding.warpsPerCTA.size() != 2)
    return Failure("warpsPerCTA has " + std::to_string(encoding.warpsPerCTA.size()) +
                   " entries, but a 2D block has 2 dimensions");
  unsigned bits = 0;
  if (Result<void> valid = verifyPowersOfTwo("warpsPerCTA", encoding.warpsPerCTA, 2, bits); !valid)
    return valid;
  if (Result<void> valid = verifyPowersOfTwo("instrShape", encoding.instrShape, 2, bits); !valid)
    return valid;
  if (!isPowerOfTwo(encoding.numBlocks))
    return Failure(describe("numBlocks", encoding.numBlocks) + ", which is not a power of two");
  bits += log2Of(encoding.numBlocks);
  if (encoding.kWidth != 1 && encoding.kWidth != 2 && encoding.kWidth != 4)
    return Failure(describe("kWidth", encoding.kWidth) + ", not 1, 2 or 4");
  if (encoding.threadsPerWarp != 16)
    return Failure(describe("threadsPerWarp", encoding.threadsPerWarp) + ", not 16");
  if (bits > MaxReplicationBits)
    return Failure("warpsPerCTA, instrShape and numBlocks make a tile of 2^" +
                   std::to_string(bits) + " elements, more than 2^" +
                   std::to_string(MaxReplicationBits));
  if (Result<void> valid = layout::verifyOrder(encoding.order, 2); !valid)
    return valid;
  return layout::verifyClusterBases(encoding.cluster, 2);
}

LinearLayout toLinearLayout(const Subgroup2DBlock &encoding, std::span<const int64_t> shape) {
  unsigned rows = encoding.instrShape[0], cols = encoding.instrShape[1];
  unsigned lanesInRow = std::min(cols, encoding.threadsPerWarp);
  unsigned rowsInLanes = std::min(rows, encoding.threadsPerWarp / lanesInRow);
  unsigned idleLanes = encoding.threadsPerWarp / (lanesInRow * rowsInLanes);
  auto along = [](unsigned count, Dim in, unsigned d) {
    return LinearLayout::identity1D(count, in, Dim::tensor(d));
  };
  LinearLayout tile =
      noTile() * along(cols / lanesInRow, dims::Register, 1) * along(lanesInRow, dims::Lane, 1) *
      along(rowsInLanes, dims::Lane, 0) * LinearLayout::zeros1D(idleLanes, dims::Lane, dims::Dim0) *
      along(rows / rowsInLanes, dims::Register, 0) * along(encoding.numBlocks, dims::Register, 1) *
      layout::identitySharedAlong(encoding.order[0], dims::Warp, encoding.warpsPerCTA,
                                  layout::rowMajorOrder(2));
  return layout::coverTensor(tile, encoding.order, encoding.cluster, shape);
}

} // namespace tilewright::layout::intel
