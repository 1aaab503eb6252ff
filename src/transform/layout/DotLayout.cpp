//===- DotLayout.cpp - The layout of a matrix product -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/layout/DotLayout.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;

namespace tilewright::transform {

ttg::BlockedEncodingAttr getDotResultLayout(tt::DotOp op, unsigned numWarps,
                                            unsigned threadsPerWarp,
                                            const target::ExchangeModel &memory) {
  auto type = cast<RankedTensorType>(op.getType());
  const unsigned rank = type.getRank(), m = rank - 2, n = rank - 1;
  const unsigned rows = type.getDimSize(m), columns = type.getDimSize(n);
  SmallVector<unsigned> sizes(rank, 1), lanes(rank, 1), warps(rank, 1);
  if (rank == 3)
    warps[0] = std::min<unsigned>(numWarps, type.getDimSize(0));
  const unsigned warpsOfMatrix = numWarps / warps[0];

  // The elements of a thread, in rows and columns.
  const uint64_t threads = uint64_t(warpsOfMatrix) * threadsPerWarp;
  const unsigned elements = std::max<uint64_t>(1, uint64_t(rows) * columns / threads);
  unsigned tall = std::min(rows, 1u << llvm::Log2_32(elements) / 2);
  unsigned wide = std::min(columns, elements / tall);
  tall = std::min(rows, elements / wide);

  // Operands are read in vectors, those of the lanes side by side along the rows of the result
  // filling a row of the memory.
  const unsigned vector = std::max(
      1u, memory.maxAccessBits / tt::getStorageBits(tt::getElementTypeOrSelf(op.getB().getType())));
  const unsigned lanesAlongRow = 1u << memory.logPhaseLanes(memory.maxAccessBits / 8);
  sizes[m] = std::min(tall, vector);
  sizes[n] = std::min(wide, vector);
  // Where there are more threads than elements, some hold the same.
  lanes[n] = std::min({columns / wide, lanesAlongRow, threadsPerWarp});
  lanes[m] = std::min(rows / tall, threadsPerWarp / lanes[n]);
  lanes[n] = threadsPerWarp / lanes[m];
  warps[m] = std::min(warpsOfMatrix, std::max(1u, rows / (tall * lanes[m])));
  warps[n] = warpsOfMatrix / warps[m];
  SmallVector<unsigned> order;
  for (unsigned dim = rank; dim-- > 0;)
    order.push_back(dim);
  return ttg::BlockedEncodingAttr::get(op.getContext(), sizes, lanes, warps, order);
}

} // namespace tilewright::transform
