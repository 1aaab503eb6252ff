//===- UnitChoice.cpp - Which matrix unit computes a product ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// All atoms of the types and all ways of sharing the result between warps are compared by, in this
// order: the cycles of the unit; the instructions; the bytes of the operands that a warp reads,
//
//     (rows of a warp * bytes of A + columns of a warp * bytes of B) * K,
//
// which is least for squares; and the rows of a warp, which are to be few.
//
//===--------------------------------------------------------------------------===//

#include "transform/matrix/UnitChoice.h"

#include <tuple>

using namespace mlir;

namespace tilewright::transform {

using target::MmaAtom;

namespace {

/// What a product consists of.
struct Sizes {
  uint64_t batch, m, n, k;
  unsigned rank;

  explicit Sizes(tt::DotOp op) {
    auto result = cast<RankedTensorType>(op.getType());
    ArrayRef<int64_t> shape = result.getShape();
    rank = result.getRank();
    batch = rank == 3 ? shape[0] : 1;
    m = shape[rank - 2];
    n = shape[rank - 1];
    k = cast<RankedTensorType>(op.getA().getType()).getShape().back();
  }
};

/// Cycles of a scheduler for the multiply-adds of a warp's lanes: one for each, which for bytes
/// takes four products where the target has that, and at least four of doubles.
uint64_t multiplyAddCycles(const Sizes &sizes, const ttg::MmaTypes &types,
                           const target::Target &target, unsigned threads) {
  uint64_t products = sizes.batch * sizes.m * sizes.n * sizes.k / threads;
  if (types.result == target::MmaType::F64)
    products *= 4;
  if (types.result == target::MmaType::S32 && target.execution.hasByteDotProduct)
    products /= 4;
  return products;
}

/// The tiles of `tile` elements along a dimension that one of `warps` warps computes.
uint64_t tilesOf(uint64_t size, uint64_t tile, uint64_t warps) {
  return std::max<uint64_t>(1, size / (tile * warps));
}

} // namespace

std::optional<UnitChoice> chooseUnit(tt::DotOp op, const ttg::MmaTypes &types,
                                     const target::Target &target, bool rowsPerWarp,
                                     unsigned times) {
  const Sizes sizes(op);
  const unsigned numWarps = ttg::getNumWarps(op);
  const uint64_t mostCycles =
      multiplyAddCycles(sizes, types, target, numWarps * ttg::getThreadsPerWarp(op));

  using Cost = std::tuple<uint64_t, uint64_t, uint64_t, uint64_t>;
  std::optional<UnitChoice> best;
  Cost bestCost;
  for (const MmaAtom &atom : target.products()) {
    if (!ttg::isWarpProduct(atom, types) || atom.k > sizes.k)
      continue;
    // Matrices of a batch need nothing of each other.
    const unsigned ofBatch = std::min<uint64_t>(numWarps, sizes.batch);
    const unsigned ofMatrix = numWarps / ofBatch;
    for (unsigned ofRows = 1; ofRows <= ofMatrix; ofRows *= 2) {
      const unsigned ofColumns = ofMatrix / ofRows;
      if (rowsPerWarp && ofRows < ofMatrix && ofRows * atom.m < sizes.m)
        continue;
      const uint64_t rows = tilesOf(sizes.m, atom.m, ofRows),
                     columns = tilesOf(sizes.n, atom.n, ofColumns);
      const uint64_t instructions =
          tilesOf(sizes.batch, 1, ofBatch) * rows * columns * (sizes.k / atom.k);
      const uint64_t cycles = instructions * atom.cycles;
      if (times * cycles > mostCycles)
        continue;
      const uint64_t bits =
          rows * atom.m * target::bitsOf(atom.a) + columns * atom.n * target::bitsOf(atom.b);
      const Cost cost = {cycles, instructions, bits, rows};
      if (best && cost >= bestCost)
        continue;
      SmallVector<unsigned> warps = {ofRows, ofColumns};
      if (sizes.rank == 3)
        warps.insert(warps.begin(), ofBatch);
      if (Attribute encoding = ttg::getAccumulatorEncoding(op.getContext(), atom, warps)) {
        best = UnitChoice{&atom, std::move(warps), encoding};
        bestCost = cost;
      }
    }
  }
  return best;
}

} // namespace tilewright::transform
