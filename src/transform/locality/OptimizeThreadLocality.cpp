//===- OptimizeThreadLocality.cpp - Reductions across threads moved out of loops -===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
//     for .. iter_args(acc = init)               for .. iter_args(part = neutral)
//       r = reduce(x)                              p = reduce(x) within each thread
//       yield op(acc, r)                   =>      yield op(part, p)
//                                                op(init, reduce(part))
//
// How x is reduced within a thread: the bits of its coordinate along the axis each belong to
// the thread's registers or to its lane, warp and block number. Runs of neighbouring bits of
// one kind become dimensions of their own, by a reshape that keeps the row-major order, so
// that no element moves:
//
//     tensor<MxN>, N = 4 registers * 32 lanes * 2 registers  ->  tensor<Mx4x32x2>
//
// Then the dimensions of registers are reduced in the loop, the others after it. `part` takes
// no more registers than `acc` did, which every thread had a copy of.
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/encoding/Inference.h"
#include "transform/layout/LayoutTypes.h"
#include "transform/locality/DataMovement.h"
#include "transform/locality/Passes.h"
#include "transform/locality/ReshapeLocality.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;

namespace tilewright::transform {
#define GEN_PASS_DEF_TRITONGPUOPTIMIZETHREADLOCALITY
#include "transform/locality/Passes.h.inc"
} // namespace tilewright::transform

namespace {

/// acc = op(acc, reduce(x)) in a loop, whose value number `index` acc is.
struct AccumulatedReduction {
  scf::ForOp loop;
  tt::ReduceOp reduce;
  Operation *accumulate;
  unsigned index;
};

/// A stretch of the reduced axis: its size, and whether a thread has all of it.
struct Run {
  int64_t size;
  bool inThread;
};

} // namespace

/// The op of a region that combines two elements by one op; null for others.
static Operation *getCombiner(tt::ReduceOp reduce) {
  Block &block = reduce.getCombineOp().front();
  if (reduce.getSrcs().size() != 1 || !llvm::hasNItems(block, 2))
    return nullptr;
  Operation &op = block.front();
  bool combinesBoth = op.getNumOperands() == 2 && op.getOperand(0) != op.getOperand(1) &&
                      llvm::all_of(op.getOperands(), [&](Value operand) {
                        auto arg = dyn_cast<BlockArgument>(operand);
                        return arg && arg.getOwner() == &block;
                      });
  return combinesBoth && block.getTerminator()->getOperand(0) == op.getResult(0) ? &op : nullptr;
}

/// The e with op(e, x) = x for every x; null where there is none or the op is not known to be
/// associative and commutative.
static TypedAttr getNeutralElement(Operation *op) {
  Type type = tt::getElementTypeOrSelf(op->getResult(0).getType());
  if (isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type)) {
    const llvm::fltSemantics &semantics = cast<FloatType>(type).getFloatSemantics();
    // -0 + x is x, where 0 + -0 is 0.
    if (isa<arith::AddFOp>(op))
      return FloatAttr::get(type, APFloat::getZero(semantics, /*Negative=*/true));
    if (isa<arith::MulFOp>(op))
      return FloatAttr::get(type, 1.0);
    // The other neutral elements are what these flags promise not to occur.
    auto flags = dyn_cast<arith::ArithFastMathInterface>(op);
    if (flags && flags.getFastMathFlagsAttr() &&
        bitEnumContainsAny(flags.getFastMathFlagsAttr().getValue(),
                           arith::FastMathFlags::nnan | arith::FastMathFlags::ninf))
      return {};
    if (isa<arith::MaximumFOp>(op))
      return FloatAttr::get(type, APFloat::getInf(semantics, /*Negative=*/true));
    if (isa<arith::MinimumFOp>(op))
      return FloatAttr::get(type, APFloat::getInf(semantics));
    // maxnum and minnum give the other operand where one is a NaN.
    if (isa<arith::MaxNumFOp, arith::MinNumFOp>(op))
      return FloatAttr::get(type, APFloat::getNaN(semantics));
    return {};
  }
  if (!isa<IntegerType>(type))
    return {};
  unsigned bits = type.getIntOrFloatBitWidth();
  if (isa<arith::AddIOp, arith::OrIOp, arith::XOrIOp, arith::MaxUIOp>(op))
    return IntegerAttr::get(type, APInt::getZero(bits));
  if (isa<arith::MulIOp>(op))
    return IntegerAttr::get(type, APInt(bits, 1));
  if (isa<arith::AndIOp, arith::MinUIOp>(op))
    return IntegerAttr::get(type, APInt::getAllOnes(bits));
  if (isa<arith::MaxSIOp>(op))
    return IntegerAttr::get(type, APInt::getSignedMinValue(bits));
  if (isa<arith::MinSIOp>(op))
    return IntegerAttr::get(type, APInt::getSignedMaxValue(bits));
  return {};
}

/// `reduce` as what a loop accumulates and uses for nothing else.
static std::optional<AccumulatedReduction> matchAccumulation(tt::ReduceOp reduce) {
  auto loop = dyn_cast<scf::ForOp>(reduce->getParentOp());
  Operation *combiner = getCombiner(reduce);
  if (!loop || !combiner || !reduce->hasOneUse())
    return std::nullopt;
  Operation *accumulate = *reduce->user_begin();
  if (accumulate->getName() != combiner->getName() || !accumulate->hasOneUse() ||
      accumulate->getNumOperands() != 2)
    return std::nullopt;
  OpOperand &use = *accumulate->use_begin();
  if (use.getOwner() != loop.getBody()->getTerminator())
    return std::nullopt;
  unsigned index = use.getOperandNumber();
  BlockArgument carried = loop.getRegionIterArg(index);
  if (!carried.hasOneUse() || *carried.user_begin() != accumulate)
    return std::nullopt;
  return AccumulatedReduction{loop, reduce, accumulate, index};
}

/// Cuts the axis into runs, slowest first; none where its bits are not each one location's.
static SmallVector<Run> splitAxis(RankedTensorType type, unsigned axis) {
  layout::LinearLayout layout = ttg::toLinearLayout(type);
  layout::Dim out = layout::Dim::tensor(axis);
  unsigned bits = llvm::Log2_64(type.getShape()[axis]);
  uint64_t inThread = 0, seen = 0;
  for (const layout::SizedDim &in : layout.ins()) {
    for (uint64_t basis : layout.bases(in.dim)) {
      uint64_t value = layout.outValue(basis, out);
      if (value == 0)
        continue;
      if (!llvm::isPowerOf2_64(value) || (basis & ~layout.outMask(out)) || (seen & value))
        return {};
      seen |= value;
      if (in.dim == layout::dims::Register)
        inThread |= value;
    }
  }
  SmallVector<Run> runs;
  for (unsigned bit = bits; bit-- > 0;) {
    bool mine = inThread >> bit & 1;
    if (runs.empty() || runs.back().inThread != mine)
      runs.push_back({1, mine});
    runs.back().size *= 2;
  }
  return runs;
}

/// `src` with `axis` cut into `runs`, each a dimension of its own.
static Value reshapeIntoRuns(OpBuilder &builder, Value src, unsigned axis, ArrayRef<Run> runs) {
  auto type = cast<RankedTensorType>(src.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + axis);
  SmallVector<int64_t> sizes = llvm::map_to_vector(runs, [](const Run &run) { return run.size; });
  shape.insert(shape.begin() + axis, sizes.begin(), sizes.end());

  Attribute encoding = ttg::inferReshape(type.getShape(), type.getEncoding(), shape);
  return tt::ReshapeOp::create(builder, src.getLoc(),
                               RankedTensorType::get(shape, type.getElementType(), encoding), src);
}

/// Reduces the dimensions from `axis` on that `runs` name and that have `inThread`.
static Value reduceRuns(OpBuilder &builder, tt::ReduceOp like, Value value, unsigned axis,
                        ArrayRef<Run> runs, bool inThread) {
  // Backwards, so that the axes still to come keep their numbers.
  for (unsigned i = runs.size(); i-- > 0;) {
    if (runs[i].inThread != inThread)
      continue;
    auto reduce = tt::ReduceOp::create(builder, like.getLoc(), value, static_cast<int>(axis + i));
    IRMapping mapping;
    like.getCombineOp().cloneInto(&reduce.getCombineOp(), mapping);
    value = reduce->getResult(0);
  }
  return value;
}

/// `op` with `from` replaced by the values of `to`, giving a result of their type.
static Value rebuild(OpBuilder &builder, Operation *op, ArrayRef<Value> from, ArrayRef<Value> to) {
  IRMapping mapping;
  mapping.map(from, to);
  Operation *copy = builder.clone(*op, mapping);
  copy->getResult(0).setType(to.front().getType());
  return copy->getResult(0);
}

static void optimize(const AccumulatedReduction &match) {
  auto [loop, reduce, accumulate, index] = match;
  TypedAttr neutral = getNeutralElement(accumulate);
  auto srcType = cast<RankedTensorType>(reduce.getSrcs().front().getType());
  if (!neutral || !getNeutralElement(getCombiner(reduce)) || !tt::getLayoutEncoding(srcType) ||
      !transform::reducesAcrossThreads(reduce))
    return;
  unsigned axis = reduce.getAxis();
  SmallVector<Run> runs = splitAxis(srcType, axis);
  if (runs.empty())
    return;

  // In the loop: a thread's part.
  OpBuilder builder(reduce);
  Value part = reduce.getSrcs().front();
  if (runs.size() > 1)
    part = reshapeIntoRuns(builder, part, axis, runs);
  part = reduceRuns(builder, reduce, part, axis, runs, /*inThread=*/true);
  auto partType = cast<RankedTensorType>(part.getType());

  Value init = loop.getInitArgs()[index], carried = loop.getRegionIterArg(index);
  Value total = loop.getResult(index);
  Type totalType = total.getType();
  builder.setInsertionPoint(loop);
  loop.getInitArgsMutable()[index].set(arith::ConstantOp::create(
      builder, reduce.getLoc(), SplatElementsAttr::get(partType, Attribute(neutral))));
  carried.setType(partType);
  total.setType(partType);

  builder.setInsertionPoint(accumulate);
  Value reduced = reduce->getResult(0);
  Value sum = rebuild(builder, accumulate, {carried, reduced}, {carried, part});
  loop.getBody()->getTerminator()->setOperand(index, sum);

  // After it: all threads' parts, and what the loop began with.
  builder.setInsertionPointAfter(loop);
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : total.getUses())
    uses.push_back(&use);
  SmallVector<Run> left;
  llvm::copy_if(runs, std::back_inserter(left), [](const Run &run) { return !run.inThread; });
  Value whole = reduceRuns(builder, reduce, total, axis, left, /*inThread=*/false);
  if (whole.getType() != totalType)
    whole = ttg::ConvertLayoutOp::create(builder, reduce.getLoc(), totalType, whole);
  Value result = rebuild(builder, accumulate, {carried, reduced}, {init, whole});
  for (OpOperand *use : uses)
    use->set(result);
  accumulate->erase();
  reduce.erase();
}

namespace {

struct OptimizeThreadLocality
    : transform::impl::TritonGPUOptimizeThreadLocalityBase<OptimizeThreadLocality> {
  void runOnOperation() override {
    getOperation().walk([](tt::FuncOp function) { transform::placeReducedReshapes(function); });
    SmallVector<AccumulatedReduction> matches;
    getOperation().walk([&](tt::ReduceOp reduce) {
      if (std::optional<AccumulatedReduction> match = matchAccumulation(reduce))
        matches.push_back(*match);
    });
    for (const AccumulatedReduction &match : matches)
      optimize(match);
  }
};

} // namespace
