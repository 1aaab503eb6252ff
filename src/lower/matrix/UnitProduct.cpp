//===- UnitProduct.cpp - Matrix products by instructions ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Emits what tileProduct says: the fragments of the operands and of the accumulator are packed once
// each, and each step is one instruction, which the vendor emits.
//
//===--------------------------------------------------------------------------===//

#include "lower/matrix/UnitProduct.h"

#include "ir/ttg/query/MatrixUnits.h"
#include "lower/core/Patterns.h"
#include "lower/matrix/Accumulators.h"
#include "lower/matrix/DotPlans.h"
#include "lower/memory/ThreadAccess.h"
#include "target/Target.h"

#include <tuple>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using plan::ProductTiling;

std::optional<UnitProduct> lower::planUnitProduct(tt::DotOp op, plan::PlanCache &plans) {
  const target::Target *target = ttg::getTarget(op);
  const std::optional<ttg::MmaTypes> types = ttg::getMmaTypes(op);
  // Blocked results are those of multiply-adds, whatever the target has.
  auto resultType = cast<RankedTensorType>(op.getType());
  if (!target || !types || isa<ttg::BlockedEncodingAttr>(resultType.getEncoding()))
    return std::nullopt;
  const plan::ProductLayouts layouts = getProductLayouts(op);
  const plan::ProductLayouts transposed = plan::transpose(layouts);
  const ttg::MmaTypes transposedTypes = {types->b, types->a, types->result};
  std::optional<UnitProduct> best;
  auto cost = [](const UnitProduct &product) {
    return std::tuple(product.tiling->steps.size() * product.atom->cycles,
                      product.tiling->steps.size());
  };
  for (const target::MmaAtom &atom : target->products())
    for (bool isTransposed : {false, true}) {
      if (!ttg::isWarpProduct(atom, isTransposed ? transposedTypes : *types))
        continue;
      const std::optional<ProductTiling> &tiling =
          plans.product(isTransposed ? transposed : layouts, atom);
      if (!tiling)
        continue;
      const UnitProduct product = {&atom, isTransposed, &*tiling};
      if (!best || cost(product) < cost(*best))
        best = product;
    }
  return best;
}

/// Whether the layout of an operand is that of fragments of matrix units.
static bool isFragmentLayout(Type type) {
  auto operand =
      dyn_cast_or_null<ttg::DotOperandEncodingAttr>(cast<RankedTensorType>(type).getEncoding());
  return operand && !isa<ttg::BlockedEncodingAttr>(operand.getParent());
}

/// Warns of a product whose types units have in warps of another size than the module's alone.
static void warnOfWarpSize(tt::DotOp op) {
  const target::Target *target = ttg::getTarget(op);
  const std::optional<ttg::MmaTypes> types = ttg::getMmaTypes(op);
  const unsigned lanes = ttg::getThreadsPerWarp(op->getParentOfType<ModuleOp>());
  if (!target || !types)
    return;
  unsigned unitLanes = 0;
  for (const target::MmaAtom &atom : target->products())
    if (ttg::isWarpProduct(atom, *types)) {
      unitLanes = ttg::getLanes(atom);
      if (unitLanes == lanes)
        return;
    }
  if (!unitLanes)
    return;
  InFlightDiagnostic warning = mlir::emitWarning(op.getLoc());
  warning << "'" << op->getName() << "' op is computed by multiply-adds: the matrix unit of "
          << target->name << " works for warps of " << unitLanes << " threads, and these have "
          << lanes;
  warning.attachNote(op.getLoc()) << "give --threads-per-warp " << unitLanes;
}

void lower::warnOfMultiplyAdds(tt::DotOp op) {
  if (isa<ttg::BlockedEncodingAttr>(cast<RankedTensorType>(op.getType()).getEncoding()))
    return warnOfWarpSize(op);
  if (!isFragmentLayout(op.getA().getType()) || !isFragmentLayout(op.getB().getType()))
    return;
  const target::Target *target = ttg::getTarget(op);
  const std::optional<ttg::MmaTypes> types = ttg::getMmaTypes(op);
  const bool hasTypes =
      target && types && llvm::any_of(target->products(), [&](const target::MmaAtom &atom) {
        return ttg::isWarpProduct(atom, *types);
      });
  InFlightDiagnostic warning = mlir::emitWarning(op.getLoc());
  warning
      << "'" << op->getName()
      << "' op is computed by multiply-adds, though its operands are laid out for matrix units: "
      << ttg::getTargetName(op);
  if (hasTypes)
    warning << " has none whose fragments have these layouts";
  else
    warning << " has none for " << tt::getElementTypeOrSelf(op.getA().getType()) << " and "
            << tt::getElementTypeOrSelf(op.getB().getType()) << " with sums of "
            << tt::getElementTypeOrSelf(op.getType());
  warning.attachNote(op.getLoc()) << "compile the kernel's TTIR for " << ttg::getTargetName(op)
                                  << ", which chooses the layouts";
}

namespace {

/// Before the multiply-adds.
constexpr unsigned beforeMultiplyAdds = 2;

struct UnitProductPattern final : LoweringPattern<tt::DotOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(tt::DotOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    const std::optional<UnitProduct> product = planUnitProduct(op, context.plans);
    if (!product)
      return rewriter.notifyMatchFailure(op, "no instruction for it");
    const MatrixUnits &units = context.target;
    const target::MmaAtom &atom = *product->atom;
    const Location loc = op.getLoc();
    const ValueRange c = adaptor.getC();

    using Registers = SmallVector<Value>;
    auto select = [](const std::vector<ProductTiling::Fragment> &fragments, ValueRange values) {
      return llvm::map_to_vector(fragments, [&](const ProductTiling::Fragment &fragment) {
        return llvm::map_to_vector(fragment, [&](unsigned reg) { return values[reg]; });
      });
    };
    auto pack = [&](const std::vector<ProductTiling::Fragment> &fragments, ProductOperand operand,
                    ValueRange values) {
      return llvm::map_to_vector(select(fragments, values), [&](const Registers &registers) {
        return units.packFragment(rewriter, loc, atom, operand, registers);
      });
    };
    ValueRange left = adaptor.getA(), right = adaptor.getB();
    if (product->isTransposed)
      std::swap(left, right);
    const auto a = pack(product->tiling->a, ProductOperand::A, left),
               b = pack(product->tiling->b, ProductOperand::B, right);
    Accumulators sums(units, rewriter, loc, atom, select(product->tiling->accumulators, c));
    for (const ProductTiling::Step &step : product->tiling->steps)
      sums.add(step.accumulator, a[step.a], b[step.b]);

    SmallVector<Value> results(c.size());
    for (const auto &[fragment, registers] :
         llvm::zip_equal(product->tiling->accumulators, sums.unpack(c.front().getType())))
      for (auto [reg, value] : llvm::zip_equal(fragment, registers))
        results[reg] = value;
    fillCopies(ttg::toLinearLayout(cast<RankedTensorType>(op.getType())), results);
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{results});
    return success();
  }
};

} // namespace

void lower::addUnitProductPattern(RewritePatternSet &patterns, const TypeConverter &converter,
                                  LoweringContext &context) {
  patterns.add<UnitProductPattern>(converter, context, patterns.getContext(), beforeMultiplyAdds);
}
