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

/// Whether four warps can do the product together: they share rows of A and of the result, and what
/// they read from memory lies there as they want it.
bool fitsWarpGroups(const MmaAtom &atom, const Sizes &sizes, const OperandForms &forms,
                    unsigned ofRows, unsigned ofColumns) {
  constexpr unsigned warpsOfGroup = 4;
  if (!forms.mayBeShared || sizes.rank != 2 || ofRows % warpsOfGroup != 0 || sizes.m < atom.m ||
      sizes.n < uint64_t(atom.n) * ofColumns)
    return false;
  const bool isInRegisters = atom.aOperand.space == target::Space::Registers;
  if (isInRegisters != forms.aInRegisters)
    return false;
  auto fits = [](const target::AtomOperand &operand, uint64_t rows, uint64_t k, unsigned bits,
                 bool alongK) {
    // Rows of 32 bytes, eight of them: the smallest swizzle.
    return (alongK || operand.inEitherOrder) && (alongK ? k : rows) * bits >= 256 &&
           (alongK ? rows : k) >= 8;
  };
  return (isInRegisters ||
          fits(atom.aOperand, sizes.m, sizes.k, target::bitsOf(atom.a), forms.aAlongK)) &&
         fits(atom.bOperand, sizes.n, sizes.k, target::bitsOf(atom.b), forms.bAlongK);
}

} // namespace

std::optional<UnitChoice> chooseUnit(tt::DotOp op, const ttg::MmaTypes &types,
                                     const target::Target &target, const OperandForms &forms,
                                     unsigned times) {
  const Sizes sizes(op);
  const unsigned numWarps = ttg::getNumWarps(op);
  const uint64_t mostCycles =
      multiplyAddCycles(sizes, types, target, numWarps * ttg::getThreadsPerWarp(op));

  using Cost = std::tuple<uint64_t, uint64_t, uint64_t, uint64_t>;
  std::optional<UnitChoice> best;
  Cost bestCost;
  for (const MmaAtom &atom : target.products()) {
    const bool isGroups = ttg::isWarpGroupProduct(atom, types);
    if ((!isGroups && !ttg::isWarpProduct(atom, types)) || atom.k > sizes.k)
      continue;
    const unsigned rowsOfWarp = ttg::getRowsOfWarp(atom);
    // Matrices of a batch need nothing of each other.
    const unsigned ofBatch = std::min<uint64_t>(numWarps, sizes.batch);
    const unsigned ofMatrix = numWarps / ofBatch;
    for (unsigned ofRows = 1; ofRows <= ofMatrix; ofRows *= 2) {
      const unsigned ofColumns = ofMatrix / ofRows;
      if (forms.rowsPerWarp && ofRows < ofMatrix && ofRows * rowsOfWarp < sizes.m)
        continue;
      if (isGroups && !fitsWarpGroups(atom, sizes, forms, ofRows, ofColumns))
        continue;
      const uint64_t rows = tilesOf(sizes.m, rowsOfWarp, ofRows),
                     columns = tilesOf(sizes.n, atom.n, ofColumns);
      const uint64_t instructions =
          tilesOf(sizes.batch, 1, ofBatch) * rows * columns * (sizes.k / atom.k);
      const uint64_t cycles = instructions * atom.cycles;
      if (times * cycles > mostCycles)
        continue;
      const uint64_t bits =
          rows * rowsOfWarp * target::bitsOf(atom.a) + columns * atom.n * target::bitsOf(atom.b);
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
