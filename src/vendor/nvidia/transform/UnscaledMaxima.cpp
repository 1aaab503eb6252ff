//===- UnscaledMaxima.cpp - Maxima of products before they are scaled ---------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------------===//
//
// Attention scales the scores of a row, takes their maximum, and subtracts it from each:
//
//     t = (q @ k) * s;   m = max(t);   p = exp2(t - m)
//
// The subtraction and the scale are one multiply-add, so the products t are made for the maximum
// alone. Rounding keeps order: for s > 0, max(x * s) is max(x) * s, bit for bit. What the sign of s
// is, is known when the kernel runs; so q, which is the same in all iterations, takes it over:
//
//     q' = q * sign(s);  x = q' @ k;   m = max(x) * |s|;   p = exp2(x * |s| - m)
//
// max(x) * |s| is not max(x * |s|) where s is 0 or infinite and the product is NaN: for s = 0 an
// infinite maximum, for an infinite s a maximum of 0. Then an x * |s| of that row is NaN, and so is
// what attention makes of the row: it is done where that can be seen (RowNans.h).
//
// It is done where an element takes 64 products or fewer: with more, matrix units have to do for
// longer than the rest. Attention of depth 64 takes an H200 0.332 ms so, and 0.345 without; of
// depth 128 0.587 and 0.569.
//
//===----------------------------------------------------------------------------===//

#include "vendor/nvidia/transform/Passes.h"
#include "vendor/nvidia/transform/RowNans.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

namespace tilewright::vendor::nvidia {
#define GEN_PASS_DEF_NVIDIAUNSCALEDMAXIMA
#include "vendor/nvidia/transform/Passes.h.inc"
} // namespace tilewright::vendor::nvidia

using namespace mlir;
using namespace tilewright;

namespace {

/// The number that `value`, a tensor, has everywhere; null if it is no splat.
Value getSplat(Value value) {
  auto splat = value.getDefiningOp<tt::SplatOp>();
  return splat ? splat.getSrc() : Value();
}

/// Whether `reduce` takes the larger of two numbers, whatever their order.
bool isMaximum(tt::ReduceOp reduce) {
  if (reduce->getNumOperands() != 1 || !llvm::hasSingleElement(reduce->getRegion(0)))
    return false;
  Block &block = reduce->getRegion(0).front();
  auto larger = dyn_cast<arith::MaxNumFOp>(block.front());
  return larger && larger->getNextNode() == block.getTerminator() &&
         larger.getLhs() == block.getArgument(0) && larger.getRhs() == block.getArgument(1) &&
         block.getTerminator()->getOperand(0) == larger.getResult();
}

/// A scaled product of a loop.
struct ScaledProduct {
  ttng::WarpGroupDotOp dot;
  arith::MulFOp scaled;
  /// The memory of q, and the scale.
  ttg::LocalAllocOp memory;
  Value scale;
  SmallVector<tt::ReduceOp> maxima;
};

class UnscaledMaxima : public vendor::nvidia::impl::NvidiaUnscaledMaximaBase<UnscaledMaxima> {
public:
  void runOnOperation() override {
    SmallVector<ScaledProduct> products;
    getOperation().walk([&](ttng::WarpGroupDotOp dot) {
      if (std::optional<ScaledProduct> product = find(dot))
        products.push_back(*product);
    });
    for (ScaledProduct &product : products)
      rewrite(product);
  }

private:
  static std::optional<ScaledProduct> find(ttng::WarpGroupDotOp dot) {
    constexpr int64_t most = 64;
    auto loop = dyn_cast<scf::ForOp>(dot->getParentOp());
    auto memory = dot.getA().getDefiningOp<ttg::LocalAllocOp>();
    if (!loop || !memory || !memory.getSrc() ||
        (memory->getBlock() != loop.getBody() && memory->getBlock() != loop->getBlock()) ||
        !memory.getResult().hasOneUse() || dot.getUseC() ||
        !loop.isDefinedOutsideOfLoop(memory.getSrc()) ||
        memory.getType().getShape().back() > most ||
        !isa<FloatType>(memory.getType().getElementType()) ||
        memory.getType().getElementType().getIntOrFloatBitWidth() != 16 ||
        !matchPattern(dot.getC(), m_AnyZeroFloat()) || !dot.getResult().hasOneUse())
      return std::nullopt;
    auto scaled = dyn_cast<arith::MulFOp>(*dot->user_begin());
    if (!scaled)
      return std::nullopt;
    Value other = scaled.getLhs() == dot.getResult() ? scaled.getRhs() : scaled.getLhs();
    Value scale = getSplat(other);
    if (!scale || !loop.isDefinedOutsideOfLoop(scale) || !scale.getType().isF32())
      return std::nullopt;
    ScaledProduct product = {dot, scaled, memory, scale, {}};
    SmallVector<Value> results;
    for (Operation *user : scaled->getUsers())
      if (auto reduce = dyn_cast<tt::ReduceOp>(user); reduce && isMaximum(reduce)) {
        product.maxima.push_back(reduce);
        results.push_back(reduce->getResult(0));
      }
    if (product.maxima.empty() || !vendor::nvidia::isHiddenByNans(loop, scaled, results))
      return std::nullopt;
    return product;
  }

  static void rewrite(ScaledProduct &product) {
    auto loop = cast<scf::ForOp>(product.dot->getParentOp());
    const Location loc = product.scaled.getLoc();
    OpBuilder builder(loop);
    auto number = [&](float value) -> Value {
      return arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(value));
    };
    // By the bit, which -0 has too.
    Value bits = arith::BitcastOp::create(builder, loc, builder.getI32Type(), product.scale);
    Value zero = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0));
    Value isNegative = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, bits, zero);
    Value sign = arith::SelectOp::create(builder, loc, isNegative, number(-1), number(1));
    Value size = math::AbsFOp::create(builder, loc, product.scale);
    auto left = cast<RankedTensorType>(product.memory.getSrc().getType());
    sign = arith::TruncFOp::create(builder, loc, left.getElementType(), sign);
    sign = tt::SplatOp::create(builder, loc, left, sign);
    product.memory.getSrcMutable().assign(
        arith::MulFOp::create(builder, loc, product.memory.getSrc(), sign));
    if (product.memory->getBlock() == loop->getBlock())
      product.memory->moveBefore(loop);

    builder.setInsertionPoint(product.scaled);
    Value sizes = tt::SplatOp::create(builder, loc, product.scaled.getType(), size);
    product.scaled->setOperands({product.dot.getResult(), sizes});
    for (tt::ReduceOp maximum : product.maxima) {
      maximum->setOperand(0, product.dot.getResult());
      builder.setInsertionPointAfter(maximum);
      Value result = maximum->getResult(0);
      Value ofRows = isa<RankedTensorType>(result.getType())
                         ? tt::SplatOp::create(builder, loc, result.getType(), size).getResult()
                         : size;
      auto scaled = arith::MulFOp::create(builder, maximum.getLoc(), result, ofRows);
      result.replaceAllUsesExcept(scaled, scaled);
    }
  }
};

} // namespace
