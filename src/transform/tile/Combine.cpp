//===- Combine.cpp - Combination of adjacent ops ------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// One walk in program order: what an op is merged from comes before it and has been
// merged already, so chains collapse without a second walk. Therefore no patterns that a driver
// applies until none fits.
//
//===--------------------------------------------------------------------------===//

#include "transform/tile/Passes.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;

namespace tilewright::transform {
#define GEN_PASS_DEF_TRITONCOMBINE
#include "transform/tile/Passes.h.inc"
} // namespace tilewright::transform

/// The number that an offset is everywhere, where that is known.
static std::optional<int64_t> getConstantOffset(Value offset) {
  APInt value;
  if (!matchPattern(offset, m_ConstantInt(&value)) || value.getBitWidth() > 64)
    return std::nullopt;
  return value.getSExtValue();
}

/// `value` everywhere in a value of `type`, an integer or a tensor of integers.
static TypedAttr getIntegerConstant(Type type, int64_t value) {
  auto number = IntegerAttr::get(tt::getElementTypeOrSelf(type), value);
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return SplatElementsAttr::get(tensor, Attribute(number));
  return number;
}

/// addptr(addptr(p, a), b) -> addptr(p, a + b) for constants. Sums of offsets that are not
/// constant stay as they are: they could wrap around where the pointer would not.
static void combineAddPtr(tt::AddPtrOp op) {
  auto inner = op.getPtr().getDefiningOp<tt::AddPtrOp>();
  if (!inner)
    return;
  std::optional<int64_t> first = getConstantOffset(inner.getOffset());
  std::optional<int64_t> second = getConstantOffset(op.getOffset());
  int64_t sum;
  if (!first || !second || llvm::AddOverflow(*first, *second, sum))
    return;
  for (Type type : {op.getOffset().getType(), inner.getOffset().getType()}) {
    if (!llvm::isIntN(tt::getElementTypeOrSelf(type).getIntOrFloatBitWidth(), sum))
      continue;
    OpBuilder builder(op);
    op.getOffsetMutable().assign(
        arith::ConstantOp::create(builder, op.getLoc(), getIntegerConstant(type, sum)));
    op.getPtrMutable().assign(inner.getPtr());
    if (inner->use_empty())
      inner.erase();
    return;
  }
}

/// select(mask, load(p, mask, anything), other) -> load(p, mask, other), also where the
/// condition is the scalar of which the mask is a splat.
static void combineSelect(arith::SelectOp op, DominanceInfo &dominance) {
  auto load = op.getTrueValue().getDefiningOp<tt::LoadOp>();
  if (!load || !load.getMask() || hasEffect<MemoryEffects::Write>(load) || !load->hasOneUse())
    return;
  auto splat = load.getMask().getDefiningOp<tt::SplatOp>();
  if (load.getMask() != op.getCondition() && !(splat && splat.getSrc() == op.getCondition()))
    return;
  if (!dominance.properlyDominates(op.getFalseValue(), load))
    return;
  load.getOtherMutable().assign(op.getFalseValue());
  op.replaceAllUsesWith(load.getResult());
  op.erase();
}

/// Whether combining an element with itself gives that element.
static bool isIdempotent(tt::ReduceOp op) {
  Block &block = op.getCombineOp().front();
  if (op.getSrcs().size() != 1 || !llvm::hasNItems(block, 2))
    return false;
  Operation &combine = block.front();
  return isa<arith::MaxNumFOp, arith::MinNumFOp, arith::MaximumFOp, arith::MinimumFOp,
             arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp, arith::AndIOp,
             arith::OrIOp>(combine) &&
         block.getTerminator()->getOperand(0) == combine.getResult(0) &&
         llvm::all_of(combine.getOperands(), [&](Value operand) {
           return cast<BlockArgument>(operand).getOwner() == &block;
         });
}

/// A reduction that combines nothing, or equal elements only.
static void combineReduce(tt::ReduceOp op) {
  OpBuilder builder(op);
  auto srcType = cast<RankedTensorType>(op.getSrcs().front().getType());
  if (srcType.getShape()[op.getAxis()] == 1 && !srcType.getEncoding()) {
    for (auto [src, result] : llvm::zip_equal(op.getSrcs(), op->getResults())) {
      Value element;
      if (isa<RankedTensorType>(result.getType()))
        element = tt::ReshapeOp::create(builder, op.getLoc(), result.getType(), src);
      else
        element = tt::UnsplatOp::create(builder, op.getLoc(), result.getType(), src);
      result.replaceAllUsesWith(element);
    }
    op.erase();
    return;
  }
  auto splat = op.getSrcs().front().getDefiningOp<tt::SplatOp>();
  if (!splat || !isIdempotent(op))
    return;
  Value result = splat.getSrc();
  if (Type type = op->getResult(0).getType(); isa<RankedTensorType>(type))
    result = tt::SplatOp::create(builder, op.getLoc(), type, result);
  op->getResult(0).replaceAllUsesWith(result);
  op.erase();
  if (splat->use_empty())
    splat.erase();
}

/// dot(a, b, 0) + c -> dot(a, b, c): what `acc += tl.dot(a, b)` says. A product sums in an order
/// of its own anyway, and a second set of accumulators would take as many registers again.
static void combineAddDot(Operation *add) {
  for (unsigned side : {0, 1}) {
    auto dot = add->getOperand(side).getDefiningOp<tt::DotOp>();
    if (!dot || !dot->hasOneUse() || dot->getBlock() != add->getBlock() ||
        !(matchPattern(dot.getC(), m_AnyZeroFloat()) || matchPattern(dot.getC(), m_Zero())))
      continue;
    dot->moveBefore(add);
    dot.getCMutable().assign(add->getOperand(1 - side));
    add->getResult(0).replaceAllUsesWith(dot);
    add->erase();
    return;
  }
}

namespace {

struct Combine : transform::impl::TritonCombineBase<Combine> {
  void runOnOperation() override {
    auto &dominance = getAnalysis<DominanceInfo>();
    getOperation().walk([&](Operation *op) {
      if (auto addPtr = dyn_cast<tt::AddPtrOp>(op))
        combineAddPtr(addPtr);
      else if (auto select = dyn_cast<arith::SelectOp>(op))
        combineSelect(select, dominance);
      else if (auto reduce = dyn_cast<tt::ReduceOp>(op))
        combineReduce(reduce);
      else if (isa<arith::AddFOp, arith::AddIOp>(op))
        combineAddDot(op);
    });
  }
};

} // namespace
