//===- NvmmaShared.cpp - Shared memory layouts of NVIDIA matrix units ---------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "layout/encoding/NvidiaMma.h"

#include "layout/encoding/EncodingParts.h"

#include <algorithm>
#include <numeric>

namespace tilewright::layout::nvidia {

using layout::Dim;
using layout::LinearLayout;
using layout::SizedDim;
namespace dims = layout::dims;

namespace {

/// The swizzle moves chunks of 16 bytes; its pattern repeats every 8 rows.
constexpr unsigned ChunkBits = 128;
constexpr unsigned RowsOfAtom = 8;
/// The swizzle is a function of the address: one step of its XOR for each 128 bytes.
constexpr unsigned BytesPerPhase = 128;
/// The largest size that the tensor memory accelerator takes in one dimension of a box.
constexpr int64_t MaxBoxSize = 256;

/// The dimensions, fastest first.
std::vector<unsigned> memoryOrder(const NvmmaShared &encoding) {
  std::vector<unsigned> order = layout::rowMajorOrder(encoding.rank);
  if (encoding.transposed)
    std::rotate(order.begin(), order.end() - 1, order.end());
  return order;
}

/// Offsets in a swizzled row, and how many elements it has: half as many where each
/// 16 bytes hold 8 bytes of data.
unsigned rowOffsets(const NvmmaShared &encoding) {
  return 8 * encoding.swizzlingByteWidth / encoding.elementBitWidth;
}
unsigned rowElements(const NvmmaShared &encoding) {
  return rowOffsets(encoding) / (encoding.fp4Padded ? 2 : 1);
}

/// The part of a block's part of a tensor that one copy by the tensor memory accelerator moves,
/// which lies in memory as a whole.
std::vector<int64_t> boxShape(const NvmmaShared &encoding, std::span<const int64_t> shape) {
  std::vector<int64_t> box;
  for (int64_t size : shape)
    box.push_back(std::min(size, MaxBoxSize));
  int64_t &contiguous = box[memoryOrder(encoding)[0]];
  if (encoding.swizzlingByteWidth)
    contiguous = rowElements(encoding);
  else if (encoding.fp4Padded)
    contiguous = std::min(contiguous, MaxBoxSize / 2); // the accelerator counts the values
  return box;
}

/// Rows of one swizzled width, for all rows of a box: (offset) -> (column, row).
LinearLayout swizzledRows(const NvmmaShared &encoding, uint64_t rows, Dim column, Dim row) {
  unsigned chunk = ChunkBits / encoding.elementBitWidth;
  // With padding, the upper half of each chunk has the same elements as the lower.
  auto elementAt = [&](unsigned offset) {
    return encoding.fp4Padded ? offset / chunk * (chunk / 2) + offset % (chunk / 2) : offset;
  };
  unsigned columns = rowElements(encoding);
  LinearLayout::BasisList bases;
  for (unsigned offset = 1; offset < rowOffsets(encoding); offset *= 2)
    bases.push_back(elementAt(offset));
  for (uint64_t r = 1; r < rows; r *= 2) {
    unsigned phase =
        static_cast<unsigned>(r % RowsOfAtom) / (BytesPerPhase / encoding.swizzlingByteWidth);
    bases.push_back(r * columns + elementAt(phase * chunk));
  }
  return LinearLayout::fromPacked({SizedDim{dims::Offset, static_cast<unsigned>(bases.size())}},
                                  {SizedDim{column, log2Of(columns)}, SizedDim{row, log2Of(rows)}},
                                  {bases.data(), bases.size()});
}

/// All dimensions of a box but the fastest: its rows.
uint64_t rowsOf(std::span<const int64_t> box, std::span<const unsigned> order) {
  uint64_t rows = 1;
  for (unsigned d : order.subspan(1))
    rows *= static_cast<uint64_t>(box[d]);
  return rows;
}

LinearLayout boxLayout(const NvmmaShared &encoding, std::span<const int64_t> box) {
  std::vector<unsigned> order = memoryOrder(encoding);
  if (!encoding.swizzlingByteWidth) {
    std::vector<unsigned> sizes(box.begin(), box.end());
    return layout::identityND(dims::Offset, sizes, order);
  }
  LinearLayout flat = swizzledRows(encoding, rowsOf(box, order), dims::Dim0, dims::Dim1);
  LinearLayout::DimList outs;
  for (unsigned d : order)
    outs.push_back({Dim::tensor(d), log2Of(static_cast<uint64_t>(box[d]))});
  return flat.reshapeOuts({outs.data(), outs.size()});
}

} // namespace

Result<void> verify(const NvmmaShared &encoding) {
  unsigned width = encoding.swizzlingByteWidth, bits = encoding.elementBitWidth;
  if (width != 0 && width != 32 && width != 64 && width != 128)
    return Failure("swizzlingByteWidth is " + std::to_string(width) +
                   ", but it is 0, 32, 64 or 128");
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64)
    return Failure("elementBitWidth is " + std::to_string(bits) + ", but it is 8, 16, 32 or 64");
  if (encoding.rank < 1 || encoding.rank > 5)
    return Failure("rank is " + std::to_string(encoding.rank) +
                   ", but the tensor memory accelerator has 1 to 5 dimensions");
  if (width && encoding.rank < 2)
    return Failure("a tensor of one dimension has no rows to be swizzled");
  if (encoding.fp4Padded && bits != 8)
    return Failure("fp4Padded is for pairs of 4-bit elements in bytes, but elementBitWidth is " +
                   std::to_string(bits));
  return layout::verifyClusterBases(encoding.cluster, encoding.rank);
}

Result<void> verifyShape(const NvmmaShared &encoding, std::span<const int64_t> shape) {
  if (shape.size() != encoding.rank)
    return Failure("the tensor has " + std::to_string(shape.size()) + " dimensions, but rank is " +
                   std::to_string(encoding.rank));
  if (!encoding.swizzlingByteWidth)
    return {};
  std::vector<int64_t> inner = layout::shapePerBlock(shape, encoding.cluster);
  std::vector<unsigned> order = memoryOrder(encoding);
  if (inner[order[0]] < rowElements(encoding))
    return Failure("a swizzled row of " + std::to_string(encoding.swizzlingByteWidth) +
                   " bytes has " + std::to_string(rowElements(encoding)) +
                   " elements, but dimension " + std::to_string(order[0]) +
                   " of a block's part of the tensor has " + std::to_string(inner[order[0]]));
  // A single row, such as those that are gathered, is not swizzled.
  if (uint64_t rows = rowsOf(boxShape(encoding, inner), order); rows != 1 && rows < RowsOfAtom)
    return Failure("the swizzle takes " + std::to_string(RowsOfAtom) +
                   " rows, but a block's part of the tensor has " + std::to_string(rows));
  return {};
}

LinearLayout toLinearLayout(const NvmmaShared &encoding, std::span<const int64_t> shape) {
  std::vector<int64_t> inner = layout::shapePerBlock(shape, encoding.cluster);
  std::vector<unsigned> order(encoding.rank);
  std::iota(order.begin(), order.end(), 0u);
  LinearLayout result =
      layout::fitToShape(boxLayout(encoding, boxShape(encoding, inner)), inner, order, dims::Offset)
          .transposeOuts(layout::standardDims(encoding.rank));
  return layout::withCluster(result, encoding.cluster, shape);
}

} // namespace tilewright::layout::nvidia
