//===- ProductLayouts.cpp - Shares of warps of products of matrix units -------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/layout/candidates/ProductLayouts.h"

#include "ir/ttg/query/MatrixUnits.h"
#include "ir/ttng/Dialect.h"
#include "transform/layout/LayoutTypes.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilewright::transform {

using target::MmaAtom;
using target::Space;

namespace {

/// A product of a matrix unit with its result in registers.
struct UnitProduct {
  Operation *op;
  RankedTensorType result;
  ttg::MmaTypes types;
  int64_t k;
  bool isOfGroup;
  bool isAInRegisters;

  ArrayRef<int64_t> shape() const { return result.getShape(); }
  int64_t batch() const { return result.getRank() == 3 ? shape().front() : 1; }
  int64_t rows() const { return shape()[result.getRank() - 2]; }
  int64_t columns() const { return shape().back(); }
};

/// The warps along each dimension of a result: two, or three with a batch.
struct WarpShare {
  unsigned ofBatch, ofRows, ofColumns;

  SmallVector<unsigned> list(unsigned rank) const {
    return rank == 3 ? SmallVector<unsigned>{ofBatch, ofRows, ofColumns}
                     : SmallVector<unsigned>{ofRows, ofColumns};
  }
};

} // namespace

/// A tensor in registers or in memory, as a type without layout.
static RankedTensorType plainType(Value value) {
  if (auto memory = dyn_cast<ttg::MemDescType>(value.getType()))
    return RankedTensorType::get(memory.getShape(), memory.getElementType());
  return cast<RankedTensorType>(value.getType());
}

static std::optional<UnitProduct> describe(Operation *op, Value a, Value b, Value d,
                                           tt::InputPrecision precision) {
  const RankedTensorType left = plainType(a), right = plainType(b),
                         result = cast<RankedTensorType>(d.getType());
  const std::optional<target::MmaType> typeOfA =
                                           ttg::getOperandMmaType(left.getElementType(), precision),
                                       typeOfB = ttg::getOperandMmaType(right.getElementType(),
                                                                        precision),
                                       sum = ttg::getResultMmaType(result.getElementType());
  if (!typeOfA || !typeOfB || !sum ||
      isa_and_nonnull<ttg::BlockedEncodingAttr>(result.getEncoding()))
    return std::nullopt;
  return UnitProduct{op,
                     result,
                     {*typeOfA, *typeOfB, *sum},
                     left.getShape().back(),
                     isa<ttng::WarpGroupDotOp>(op),
                     isa<RankedTensorType>(a.getType())};
}

static std::optional<UnitProduct> describe(Operation *op) {
  if (auto dot = dyn_cast<tt::DotOp>(op))
    return describe(op, dot.getA(), dot.getB(), dot.getD(), dot.getInputPrecision());
  if (auto dot = dyn_cast<ttng::WarpGroupDotOp>(op))
    return describe(op, dot.getA(), dot.getB(), dot.getD(), dot.getInputPrecision());
  return std::nullopt;
}

/// Whether `atom` has the operands and the result where the product has them.
static bool isInstructionOf(const MmaAtom &atom, const UnitProduct &product) {
  if (ttg::getLanes(atom) != ttg::getThreadsPerWarp(product.op) || int64_t(atom.k) > product.k)
    return false;
  return product.isOfGroup ? ttg::isWarpGroupProduct(atom, product.types) &&
                                 (atom.aOperand.space == Space::Registers) == product.isAInRegisters
                           : ttg::isWarpProduct(atom, product.types);
}

/// Whether warps can share a result of the product so, by such instructions.
static bool canShare(const UnitProduct &product, const MmaAtom &atom, const WarpShare &share) {
  return !product.isOfGroup ||
         (share.ofRows % target::warpsOfGroup == 0 && product.rows() >= int64_t(atom.m) &&
          product.columns() >= int64_t(atom.n) * share.ofColumns);
}

/// The time of a warp's part of the product by an instruction. Where several take as long, the one
/// that is needed the fewest times is taken.
struct ProductCost {
  Cost cycles;
  Cost instructions;
};

/// The cycles are those of the unit, or of shared memory if that takes longer to bring what the
/// unit reads there itself, which it does while it multiplies.
static ProductCost costOf(const UnitProduct &product, const MmaAtom &atom, const WarpShare &share,
                          const target::Target &target) {
  auto tiles = [](int64_t size, int64_t tile, int64_t warps) {
    return std::max<int64_t>(1, size / (tile * warps));
  };
  const Cost rows = tiles(product.rows(), ttg::getRowsOfWarp(atom), share.ofRows),
             columns = tiles(product.columns(), atom.n, share.ofColumns);
  const Cost instructions =
      tiles(product.batch(), 1, share.ofBatch) * rows * columns * tiles(product.k, atom.k, 1);
  // A warp of a group reads its rows of A, and all of them B once.
  Cost bits = 0;
  if (atom.aOperand.space == Space::Shared)
    bits += rows * ttg::getRowsOfWarp(atom) * product.k * target::bitsOf(atom.a);
  if (atom.bOperand.space == Space::Shared)
    bits += columns * atom.n * product.k * target::bitsOf(atom.b) / target::warpsOfGroup;
  const Cost reading = llvm::divideCeil(bits, 8 * target.shared.bankRowBytes()) *
                       target.sharedMemory().costs.transaction;
  return {std::max<Cost>(instructions * atom.cycles, reading), instructions};
}

/// The product with its result in `encoding`; nothing if its operands do not go with that.
static std::optional<LayoutProposal> propose(const UnitProduct &product, Attribute encoding,
                                             Cost cost, std::string why) {
  LayoutProposal proposal{{}, {encoding}, cost, std::move(why)};
  for (Value value : product.op->getOperands()) {
    const Attribute layout = getLayout(value.getType());
    if (!layout)
      continue;
    auto operand = dyn_cast<ttg::DotOperandEncodingAttr>(layout);
    if (!operand) {
      proposal.operands.push_back(encoding);
      continue;
    }
    const auto parent = dyn_cast<ttg::DotOperandParent>(encoding);
    if (!parent || !parent.verifyOperand(operand.getOpIdx(), operand.getKWidth()))
      return std::nullopt;
    proposal.operands.push_back(ttg::DotOperandEncodingAttr::get(
        encoding.getContext(), operand.getOpIdx(), parent, operand.getKWidth()));
  }
  return proposal;
}

namespace {

/// The best instruction for a way to share the result.
struct SharedProduct {
  WarpShare share;
  Attribute encoding;
  ProductCost cost;

  bool isBetterThan(const SharedProduct &other) const {
    return std::pair(cost.cycles, cost.instructions) <
           std::pair(other.cost.cycles, other.cost.instructions);
  }
};

} // namespace

/// The product with its result shared so; nothing if no instruction has such results.
static std::optional<SharedProduct> choose(const UnitProduct &product, const WarpShare &share,
                                           const target::Target &target) {
  std::optional<SharedProduct> best;
  for (const MmaAtom &atom : target.products()) {
    if (!isInstructionOf(atom, product) || !canShare(product, atom, share))
      continue;
    const SharedProduct found = {share,
                                 ttg::getAccumulatorEncoding(product.op->getContext(), atom,
                                                             share.list(product.result.getRank()),
                                                             product.shape()),
                                 costOf(product, atom, share, target)};
    if (found.encoding && (!best || found.isBetterThan(*best)))
      best = found;
  }
  return best;
}

void ProductLayouts::propose(Operation *op, SmallVectorImpl<LayoutProposal> &proposals) {
  const std::optional<UnitProduct> product = describe(op);
  if (!product)
    return;
  const unsigned numWarps = ttg::getNumWarps(op);
  const unsigned ofBatch = std::min<uint64_t>(numWarps, product->batch());
  for (unsigned ofRows = 1; ofRows <= numWarps / ofBatch; ofRows *= 2) {
    const WarpShare share = {ofBatch, ofRows, numWarps / ofBatch / ofRows};
    const std::optional<SharedProduct> shared = choose(*product, share, target);
    if (!shared)
      continue;
    if (std::optional<LayoutProposal> proposal = transform::propose(
            *product, shared->encoding, shared->cost.cycles,
            "warps " + std::to_string(share.ofRows) + " x " + std::to_string(share.ofColumns)))
      proposals.push_back(std::move(*proposal));
  }
}

} // namespace tilewright::transform
