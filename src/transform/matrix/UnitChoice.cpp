//===- UnitChoice.cpp - Which matrix unit computes a product ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// All atoms of the types and all ways of sharing the result between warps are compared by, in this
// order: the cycles of the unit; the operands that threads have to store to shared memory; whether
// an operand is read by threads that the unit could read itself; the instructions; the time in
// which shared memory brings a warp its operands,
//
//     (rows of a warp * bytes of A * cycles a byte + columns of a warp * bytes of B * ..) * K,
//
// which is least for squares if both operands come the same way; the fragments of a warp; and its
// columns, which are to be few. Of a group of warps it is the rows, which share B.
//
// The product of the transposes, B^T * A^T, has the same cost but for which operand is in
// registers: where four warps multiply together, that is A. It is what they do where B is not as
// they read it.
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

  void transpose() { std::swap(m, n); }
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

/// What it takes to hand operands to four warps that multiply together.
struct Handover {
  /// Operands that threads store to shared memory, and that they load from there without need.
  unsigned stored = 0, loaded = 0;
};

/// That, if four warps can do the product together: they share rows of A and of the result, and
/// what they read from memory lies there as they want it.
std::optional<Handover> planWarpGroups(const MmaAtom &atom, const Sizes &sizes,
                                       const OperandForms &forms, unsigned ofRows,
                                       unsigned ofColumns) {
  if (!forms.mayBeShared || !forms.mayBeImprecise || sizes.rank != 2 ||
      ofRows % target::warpsOfGroup != 0 || sizes.m < atom.m ||
      sizes.n < uint64_t(atom.n) * ofColumns)
    return std::nullopt;
  auto isReadable = [&](const OperandForm &form, bool inEitherOrder, uint64_t rows, unsigned bits) {
    // Rows of 32 bytes, eight of them: the smallest swizzle.
    return (form.isAlongK || inEitherOrder) && (form.isAlongK ? sizes.k : rows) * bits >= 256 &&
           (form.isAlongK ? rows : sizes.k) >= 8;
  };
  const unsigned bits = target::bitsOf(atom.a);
  const bool aIsReadable = isReadable(forms.a, atom.bOperand.inEitherOrder, sizes.m, bits);
  if (!isReadable(forms.b, atom.bOperand.inEitherOrder, sizes.n, target::bitsOf(atom.b)))
    return std::nullopt;
  Handover handover = {.stored = forms.b.isComputed};
  if (atom.aOperand.space == target::Space::Registers) {
    handover.loaded = aIsReadable && !forms.a.isComputed;
  } else {
    if (!aIsReadable || forms.aFromProduct)
      return std::nullopt;
    handover.stored += forms.a.isComputed;
  }
  return handover;
}

/// That, if the unit of the block can do the product: whole tiles of it, of operands that threads
/// need not turn round, with room for the result beside `takenColumns` of others.
std::optional<Handover> planBlock(const MmaAtom &atom, const Sizes &sizes,
                                  const OperandForms &forms, unsigned warps,
                                  const target::Multiprocessor &multiprocessor) {
  const uint64_t columns = multiprocessor.tensorColumnsOf(sizes.m, sizes.n);
  // Four warps reach all rows of tensor memory.
  if (!forms.mayBeShared || sizes.rank != 2 || warps % target::warpsOfGroup || sizes.m % atom.m ||
      sizes.n % atom.n || columns + forms.takenColumns > multiprocessor.tensorColumns)
    return std::nullopt;
  auto isReadable = [&](const OperandForm &form, uint64_t rows, unsigned bits) {
    // Rows of 32 bytes, eight of them: the smallest swizzle.
    return (form.isAlongK || atom.bOperand.inEitherOrder) &&
           (form.isAlongK ? sizes.k : rows) * bits >= 256 && (form.isAlongK ? rows : sizes.k) >= 8;
  };
  if (!isReadable(forms.a, sizes.m, target::bitsOf(atom.a)) ||
      !isReadable(forms.b, sizes.n, target::bitsOf(atom.b)))
    return std::nullopt;
  return Handover{.stored = unsigned(forms.a.isComputed) + unsigned(forms.b.isComputed)};
}

/// The cycles in which shared memory brings a lane 128 bits of an operand to where it multiplies
/// them: those of the data, 32 bits each, and one for each load. Matrix loads bring all at once if
/// the elements, of `bits` bits, lie along K, or if one transposes such elements. Others come one
/// by one, bytes in words of four (NeighborRows.h).
unsigned loadCycles(const target::Target &target, unsigned bits, bool alongK) {
  bool hasMatrixLoads = false;
  for (const target::CopyAtom &load : target.sharedMemory().loads) {
    if (load.issuer == target::Issuer::Lane || !load.form(bits / 8))
      continue;
    hasMatrixLoads = true;
    alongK |= !load.keepsNeighbors();
  }
  const unsigned loads = hasMatrixLoads && !alongK ? std::max(1u, 128 / std::max(32u, bits)) : 1;
  return std::max(4u, loads) + loads;
}

/// Looks for the cheapest instruction for a product.
class UnitSearch {
public:
  UnitSearch(tt::DotOp op, const target::Target &target, unsigned times)
      : op(op), target(target), numWarps(ttg::getNumWarps(op)), times(times) {}

  /// Goes through those for a product, or that of the transposes.
  void run(const Sizes &sizes, const ttg::MmaTypes &types, const OperandForms &forms,
           bool isTransposed) {
    const bool hasRows = llvm::any_of(target.products(), [&](const MmaAtom &atom) {
      return atom.m == forms.rows && ttg::isWarpProduct(atom, types);
    });
    const uint64_t maxCycles =
        multiplyAddCycles(sizes, types, target, numWarps * ttg::getThreadsPerWarp(op));
    for (const MmaAtom &atom : target.products()) {
      const bool isBlock = ttg::isBlockProduct(atom, types);
      const bool isGroups = isBlock || ttg::isWarpGroupProduct(atom, types);
      // The warps' own products gain nothing.
      if (!isGroups && isTransposed)
        continue;
      if ((!isGroups && !ttg::isWarpProduct(atom, types)) ||
          ttg::getLanes(atom) != ttg::getThreadsPerWarp(op))
        continue;
      if (hasRows && !isGroups && atom.m != forms.rows)
        continue;
      if (atom.k > sizes.k && (isGroups || !forms.mayPad))
        continue;
      const unsigned rowsOfWarp = ttg::getRowsOfWarp(atom);
      // Matrices of a batch need nothing of each other.
      const unsigned ofBatch = std::min<uint64_t>(numWarps, sizes.batch);
      const unsigned ofMatrix = numWarps / ofBatch;
      // A unit of the block does all of it, whoever has the result afterwards.
      for (unsigned ofRows = isBlock ? ofMatrix : 1; ofRows <= ofMatrix; ofRows *= 2) {
        const unsigned ofColumns = ofMatrix / ofRows;
        if (forms.rowsPerWarp && ofRows < ofMatrix && ofRows * rowsOfWarp < sizes.m)
          continue;
        std::optional<Handover> handover = Handover();
        if (isBlock)
          handover = planBlock(atom, sizes, forms, numWarps, target.multiprocessor);
        else if (isGroups)
          handover = planWarpGroups(atom, sizes, forms, ofRows, ofColumns);
        if (!handover)
          continue;
        const uint64_t rows = tilesOf(sizes.m, rowsOfWarp, isBlock ? 1 : ofRows),
                       columns = tilesOf(sizes.n, atom.n, ofColumns);
        const uint64_t instructions =
            tilesOf(sizes.batch, 1, ofBatch) * rows * columns * tilesOf(sizes.k, atom.k, 1);
        const uint64_t cycles = instructions * atom.cycles;
        if (times * cycles > maxCycles)
          continue;
        auto loads = [&](uint64_t elements, target::MmaType type, const OperandForm &form) {
          const unsigned bits = target::bitsOf(type);
          return elements * bits * loadCycles(target, bits, form.isAlongK);
        };
        const uint64_t loaded =
            loads(rows * rowsOfWarp, atom.a, forms.a) + loads(columns * atom.n, atom.b, forms.b);
        const Cost cost = {cycles,
                           handover->stored,
                           handover->loaded,
                           instructions,
                           loaded,
                           isGroups ? 0 : rows + columns,
                           isGroups ? rows : columns};
        if (best && cost >= bestCost)
          continue;
        SmallVector<unsigned> warps = {ofRows, ofColumns};
        if (sizes.rank == 3)
          warps.insert(warps.begin(), ofBatch);
        SmallVector<int64_t> shape = {static_cast<int64_t>(sizes.m), static_cast<int64_t>(sizes.n)};
        if (sizes.rank == 3)
          shape.insert(shape.begin(), sizes.batch);
        if (Attribute encoding = ttg::getAccumulatorEncoding(op.getContext(), atom, warps, shape)) {
          best = UnitChoice{&atom, std::move(warps), encoding, isTransposed};
          bestCost = cost;
        }
      }
    }
  }

  std::optional<UnitChoice> getBest() const { return best; }

private:
  using Cost = std::tuple<uint64_t, unsigned, unsigned, uint64_t, uint64_t, uint64_t, uint64_t>;

  tt::DotOp op;
  const target::Target &target;
  const unsigned numWarps, times;
  std::optional<UnitChoice> best;
  Cost bestCost;
};

} // namespace

std::optional<UnitChoice> chooseUnit(tt::DotOp op, const ttg::MmaTypes &types,
                                     const target::Target &target, const OperandForms &forms,
                                     unsigned times) {
  UnitSearch search(op, target, times);
  search.run(Sizes(op), types, forms, /*isTransposed=*/false);
  if (forms.mayTranspose) {
    Sizes sizes(op);
    sizes.transpose();
    OperandForms exchanged = forms;
    std::swap(exchanged.a, exchanged.b);
    search.run(sizes, {types.b, types.a, types.result}, exchanged, /*isTransposed=*/true);
  }
  return search.getBest();
}

} // namespace tilewright::transform
