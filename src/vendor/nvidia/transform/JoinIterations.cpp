//===- JoinIterations.cpp - Short tiles along K, two iterations at once -------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// An iteration of a product of warp groups has two barriers and waits for products and for copies.
// Rows of 64 bytes, two instructions along K, are too little work for that. Two iterations are one
// of a tile twice as long along K:
//
//     for k in (0, K, 64):    a[:, k + (0..63)]  @ b[k + (0..63), :]
//     for k in (0, K, 128):   a[:, k + (0..127)] @ b[k + (0..127), :]
//
// where columns from 64 on are masked off in the last iteration if the number of iterations is odd:
// zeros then add nothing. This is done with products of i8, whose sums are exact in any order,
// where the copies of the longer tile leave as many blocks on a multiprocessor. int8 of 4096, in
// tiles of 128 x 128 x 64 by 8 warps, takes an H200 0.112 ms so, and 0.131 without.
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/Attributes.h"
#include "target/Target.h"
#include "vendor/nvidia/transform/Passes.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tilewright::vendor::nvidia {
#define GEN_PASS_DEF_NVIDIAJOINITERATIONS
#include "vendor/nvidia/transform/Passes.h.inc"
} // namespace tilewright::vendor::nvidia

using namespace mlir;
using namespace tilewright;

namespace {

/// Iterations that become one.
constexpr int64_t joined = 2;

RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

/// `type` with `joined` times the elements along `dim`.
RankedTensorType longer(RankedTensorType type, unsigned dim) {
  SmallVector<int64_t> shape = llvm::to_vector(type.getShape());
  shape[dim] *= joined;
  return RankedTensorType::get(shape, type.getElementType());
}

/// Makes of the tensors of an iteration those of two: what the first has comes first along one
/// dimension, then what the second has.
class Joiner {
public:
  explicit Joiner(scf::ForOp loop) : loop(loop) {}

  /// `value`, joined along `dim`; null where the second iteration's is not simply the continuation
  /// of the first one's. Elements that follow each other are neighbours, or equal.
  Value join(Value value, unsigned dim) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return {};
    OpBuilder builder(op);
    builder.setInsertionPointAfter(op);
    const Location loc = op->getLoc();
    const RankedTensorType type = longer(typeOf(value), dim);
    if (SplatElementsAttr splat; matchPattern(value, m_Constant(&splat)))
      return arith::ConstantOp::create(builder, loc, splat.resizeSplat(type));
    if (auto splat = dyn_cast<tt::SplatOp>(op))
      return isInvariant(splat.getSrc())
                 ? tt::SplatOp::create(builder, loc, type, splat.getSrc()).getResult()
                 : Value();
    if (auto broadcast = dyn_cast<tt::BroadcastOp>(op)) {
      Value source = broadcast.getSrc();
      if (typeOf(source).getDimSize(dim) != 1)
        source = join(source, dim);
      else if (!isInvariant(source))
        return {};
      return source ? tt::BroadcastOp::create(builder, loc, type, source).getResult() : Value();
    }
    if (auto expand = dyn_cast<tt::ExpandDimsOp>(op)) {
      if (expand.getAxis() == dim)
        return {};
      Value source = join(expand.getSrc(), expand.getAxis() < dim ? dim - 1 : dim);
      return source ? tt::ExpandDimsOp::create(builder, loc, type, source, expand.getAxis())
                          .getResult()
                    : Value();
    }
    if (Value range = joinRange(op))
      return range;
    if (!isa<arith::AddIOp, arith::CmpIOp, arith::AndIOp, arith::ExtSIOp, tt::AddPtrOp>(op))
      return {};
    IRMapping mapping;
    for (Value operand : op->getOperands()) {
      Value other = join(operand, dim);
      if (!other)
        return {};
      mapping.map(operand, other);
    }
    Operation *clone = builder.clone(*op, mapping);
    clone->getResult(0).setType(type);
    return clone->getResult(0);
  }

private:
  bool isInvariant(Value value) { return loop.isDefinedOutsideOfLoop(value); }

  /// The loop's counter added to its step's number of consecutive integers.
  Value joinRange(Operation *op) {
    auto add = dyn_cast<arith::AddIOp>(op);
    for (unsigned i : {0, 1}) {
      auto splat = add ? add->getOperand(i).getDefiningOp<tt::SplatOp>() : tt::SplatOp();
      auto range =
          add ? add->getOperand(1 - i).getDefiningOp<tt::MakeRangeOp>() : tt::MakeRangeOp();
      if (!splat || !range || splat.getSrc() != loop.getInductionVar())
        continue;
      OpBuilder builder(op);
      const RankedTensorType type = longer(typeOf(range), 0);
      Value counter = tt::SplatOp::create(builder, op->getLoc(), type, splat.getSrc());
      Value longRange = tt::MakeRangeOp::create(builder, op->getLoc(), type, range.getStart(),
                                                range.getStart() + type.getDimSize(0));
      return arith::AddIOp::create(builder, op->getLoc(), counter, longRange);
    }
    return {};
  }

  scf::ForOp loop;
};

class JoinIterations : public vendor::nvidia::impl::NvidiaJoinIterationsBase<JoinIterations> {
public:
  using NvidiaJoinIterationsBase::NvidiaJoinIterationsBase;

  void runOnOperation() override {
    target = target::Target::find(targetName);
    if (!target)
      return;
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      if (tt::DotOp dot = findProduct(loop))
        joinLoop(loop, dot);
    // Ops that have been replaced.
    getOperation()->walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
      if (isOpTriviallyDead(op))
        op->erase();
    });
  }

private:
  static constexpr int64_t rowBytes = 128;

  /// The one product of a loop that sums and loads and does nothing else; null where it is another
  /// loop, or where its tiles are as long as they should be.
  tt::DotOp findProduct(scf::ForOp loop) {
    tt::DotOp dot;
    for (Operation &op : loop.getBody()->without_terminator()) {
      if (auto found = dyn_cast<tt::DotOp>(op); found && !std::exchange(dot, found))
        continue;
      if (!isPure(&op) && !isa<tt::LoadOp>(op))
        return {};
      if (isa<tt::DotOp>(op))
        return {};
    }
    APInt lower, step;
    if (!dot || loop.getNumRegionIterArgs() != 1 || loop.getUnsignedCmp() ||
        dot.getC() != loop.getRegionIterArg(0) || !dot.getC().hasOneUse() ||
        loop.getYieldedValues()[0] != dot.getResult() || !dot.getResult().hasOneUse() ||
        !matchPattern(loop.getLowerBound(), m_ConstantInt(&lower)) || lower.isNegative() ||
        !matchPattern(loop.getStep(), m_ConstantInt(&step)))
      return {};
    const RankedTensorType a = typeOf(dot.getA()), b = typeOf(dot.getB());
    return a.getRank() == 2 && a.getElementType().isInteger(8) && b.getElementType().isInteger(8) &&
                   a.getDimSize(1) * joined == rowBytes && step == a.getDimSize(1) &&
                   isByWarpGroups(a, b) && leavesBlocks(a, b)
               ? dot
               : tt::DotOp();
  }

  bool isByWarpGroups(RankedTensorType a, RankedTensorType b) const {
    constexpr int64_t rowsOfGroup = 64;
    return numWarps % target::warpsOfGroup == 0 && a.getDimSize(0) >= rowsOfGroup &&
           b.getDimSize(1) >= 8;
  }

  /// Whether as many warps as keep a multiprocessor busy have room for their copies.
  bool leavesBlocks(RankedTensorType a, RankedTensorType b) const {
    const uint64_t bytes = (a.getNumElements() + b.getNumElements()) * joined * numStages;
    const target::BlockNeeds block = {.warps = unsigned(numWarps), .sharedBytes = bytes};
    return countBusyWarps(target->multiprocessor, block) == target->multiprocessor.busyWarps;
  }

  /// A factor of the product: what is loaded, and whether it is transposed then.
  struct Factor {
    tt::LoadOp load;
    tt::TransOp trans;
    /// The load's dimension along K.
    unsigned dim;

    Factor(Value operand, unsigned kDim) : dim(kDim) {
      trans = operand.getDefiningOp<tt::TransOp>();
      load = (trans ? trans.getSrc() : operand).getDefiningOp<tt::LoadOp>();
      if (trans)
        dim = trans.getOrder()[kDim];
    }

    /// Whether it is used for the product alone, and zero where it is masked off.
    bool mayBeJoined() {
      return load && load.getResult().hasOneUse() && (!trans || trans.getResult().hasOneUse()) &&
             !load.getIsVolatile() && (!load.getOther() || matchPattern(load.getOther(), m_Zero()));
    }
  };

  void joinLoop(scf::ForOp loop, tt::DotOp dot) {
    Joiner joiner(loop);
    Factor factors[] = {{dot.getA(), 1}, {dot.getB(), 0}};
    Value pointers[2], masks[2];
    for (auto [i, factor] : llvm::enumerate(factors)) {
      if (!factor.mayBeJoined())
        return;
      pointers[i] = joiner.join(factor.load.getPtr(), factor.dim);
      if (factor.load.getMask())
        masks[i] = joiner.join(factor.load.getMask(), factor.dim);
      if (!pointers[i] || (factor.load.getMask() && !masks[i]))
        return;
    }
    OpBuilder builder(dot);
    Value existing = createExisting(loop, builder, typeOf(dot.getA()).getDimSize(1));
    for (auto [i, factor] : llvm::enumerate(factors)) {
      Value operand = load(builder, factor, pointers[i], masks[i], existing);
      dot->setOperand(i, operand);
    }
    builder.setInsertionPoint(loop);
    loop.setStep(arith::ConstantOp::create(
        builder, loop.getLoc(),
        builder.getIntegerAttr(loop.getStep().getType(), typeOf(dot.getA()).getDimSize(1))));
    // More stages of the longer tile would leave room for fewer blocks.
    if (!loop->hasAttr(ttg::numStagesAttrName))
      loop->setAttr(ttg::numStagesAttrName, builder.getI32IntegerAttr(numStages));
  }

  /// Which of the joined columns, a vector of i1, belong to an iteration that there is.
  static Value createExisting(scf::ForOp loop, OpBuilder &builder, int64_t columns) {
    const Location loc = loop.getLoc();
    OpBuilder outside(loop);
    Value last = arith::SubIOp::create(outside, loc, loop.getUpperBound(), loop.getStep());
    Value hasSecond = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                            loop.getInductionVar(), last);
    auto number = [&](int64_t value) -> Value {
      return arith::ConstantOp::create(outside, loc, builder.getI32IntegerAttr(value));
    };
    Value end =
        arith::SelectOp::create(builder, loc, hasSecond, number(joined * columns), number(columns));
    auto type = RankedTensorType::get(joined * columns, builder.getI32Type());
    Value range = tt::MakeRangeOp::create(outside, loc, type, 0, joined * columns);
    Value ends = tt::SplatOp::create(builder, loc, type, end);
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, range, ends);
  }

  static Value load(OpBuilder &builder, Factor factor, Value pointer, Value mask, Value existing) {
    const Location loc = factor.load.getLoc();
    const RankedTensorType type = longer(typeOf(factor.load.getResult()), factor.dim);
    auto bits = [&](ArrayRef<int64_t> shape) {
      return RankedTensorType::get(shape, builder.getI1Type());
    };
    SmallVector<int64_t> shape = {1, 1};
    shape[factor.dim] = type.getDimSize(factor.dim);
    Value exists = tt::ExpandDimsOp::create(builder, loc, bits(shape), existing, 1 - factor.dim);
    exists = tt::BroadcastOp::create(builder, loc, bits(type.getShape()), exists);
    mask = mask ? arith::AndIOp::create(builder, loc, mask, exists).getResult() : exists;
    Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
    Value loaded = tt::LoadOp::create(builder, loc, type, pointer, mask, zero,
                                      factor.load.getBoundaryCheckAttr(),
                                      factor.load.getPaddingAttr(), factor.load.getCacheAttr(),
                                      factor.load.getEvictAttr(), factor.load.getIsVolatileAttr());
    if (!factor.trans)
      return loaded;
    SmallVector<int64_t> turned = {type.getDimSize(1), type.getDimSize(0)};
    return tt::TransOp::create(builder, loc, RankedTensorType::get(turned, type.getElementType()),
                               loaded, factor.trans.getOrder());
  }

  const target::Target *target = nullptr;
};

} // namespace
