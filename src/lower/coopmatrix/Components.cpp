//===- Components.cpp - Cooperative matrices, component by component ----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/Dialect.h"
#include "lower/coopmatrix/ElementArithmetic.h"
#include "lower/coopmatrix/MatrixRegisters.h"
#include "lower/coopmatrix/Patterns.h"
#include "lower/core/blocks/Branch.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using layout::CooperativeMatrix;

namespace {

struct SplatPattern final : LoweringPattern<tw::CoopMatrixSplatOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(tw::CoopMatrixSplatOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    MatrixRegisters places(e, op.getType());
    SmallVector<Value> results;
    for (unsigned r = 0; r < places.size(); ++r)
      results.push_back(places.withoutPadding(r, adaptor.getValue().front()));
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{results});
    return success();
  }
};

struct ScalePattern final : LoweringPattern<tw::CoopMatrixScaleOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(tw::CoopMatrixScaleOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    const Type elementType = op.getType().getElementType();
    ElementArithmetic arithmetic(e, elementType);
    MatrixRegisters places(e, op.getType());
    Value factor = arithmetic.widen(adaptor.getFactor().front(), elementType);
    SmallVector<Value> results;
    for (auto [r, value] : llvm::enumerate(adaptor.getMatrix())) {
      Value scaled =
          arithmetic.narrow(arithmetic.multiply(arithmetic.widen(value, elementType), factor));
      // 0 times infinity is not 0.
      results.push_back(places.withoutPadding(r, scaled));
    }
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{results});
    return success();
  }
};

struct CastPattern final : LoweringPattern<tw::CoopMatrixCastOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(tw::CoopMatrixCastOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    const tw::CoopMatrixType from = op.getMatrix().getType(), to = op.getType();
    const SmallVector<Value> values = llvm::map_to_vector(adaptor.getMatrix(), [&](Value value) {
      return castElement(e, value, from.getElementType(), to.getElementType(), op.getIsUnsigned());
    });
    // Of all layouts only that of packed operands with fewer rows than lanes has other lanes.
    MatrixRegisters places(e, from), resultPlaces(e, to);
    const CooperativeMatrix &layout = resultPlaces.getLayout();
    ElementGather gather(e, places.getLayout(), values);
    SmallVector<Value> results;
    for (unsigned r = 0; r < resultPlaces.size(); ++r) {
      const CooperativeMatrix::Element own = layout.registerElement(r);
      Value value = gather.get([&](int64_t lane) -> CooperativeMatrix::Element {
        const CooperativeMatrix::Element at = layout.laneElement(lane);
        return {own.row + at.row, own.column + at.column};
      });
      results.push_back(resultPlaces.withoutPadding(r, value));
    }
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{results});
    return success();
  }
};

/// Whether a thread's one register of `type` is the element with its lane's number.
bool isOnePerLane(RankedTensorType type, LoweringBuilder &e) {
  const layout::LinearLayout map = ttg::toLinearLayout(type);
  if (map.inSize(layout::dims::Register) != 1 ||
      map.outSize(layout::dims::Dim0) != 1u << e.context.laneBits)
    return false;
  for (auto [bit, basis] : llvm::enumerate(getThreadBases(map)))
    if (basis != (bit < e.context.laneBits ? uint64_t(1) << bit : 0))
      return false;
  return true;
}

constexpr StringLiteral notOnePerLane = "with a tensor that does not have element p in lane p";
constexpr StringLiteral useBlocked =
    "give the tensor as many elements as a warp has lanes, in the layout #ttg.blocked with one "
    "element a thread";

struct ExtractPattern final : LoweringPattern<tw::CoopMatrixExtractOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(tw::CoopMatrixExtractOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    if (!isOnePerLane(op.getType(), e))
      return reject(op, rewriter, notOnePerLane, useBlocked);
    SmallVector<Value> result = {adaptor.getMatrix()[op.getComponent()]};
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{result});
    return success();
  }
};

struct InsertPattern final : LoweringPattern<tw::CoopMatrixInsertOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(tw::CoopMatrixInsertOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    if (!isOnePerLane(op.getValue().getType(), e))
      return reject(op, rewriter, notOnePerLane, useBlocked);
    MatrixRegisters places(e, op.getType());
    SmallVector<Value> results(adaptor.getMatrix());
    const auto component = static_cast<unsigned>(op.getComponent());
    results[component] = places.withoutPadding(component, adaptor.getValue().front());
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{results});
    return success();
  }
};

/// The region is copied for each register; the copies are lowered as what stands outside is.
struct ApplyPattern final : LoweringPattern<tw::CoopMatrixApplyOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(tw::CoopMatrixApplyOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    if (Operation *unfit = findUnfit(op.getBody()))
      return reject(op, rewriter, "with " + unfit->getName().getStringRef() + " in its function",
                    "the function may compute with its arguments, with scalars and with what it "
                    "loads through pointers");
    const Type resultType = getTypeConverter()->convertType(op.getType().getElementType());
    MatrixRegisters places(e, op.getType());
    SmallVector<Value> results;
    for (auto [r, value] : llvm::enumerate(adaptor.getMatrix())) {
      if (places.getLayout().isPadding(r)) {
        results.push_back(e.getZero(resultType));
        continue;
      }
      auto run = [&, r = static_cast<unsigned>(r), value = value]() -> SmallVector<Value> {
        return {inlineBody(op, e, rewriter, {places.getRow(r), places.getColumn(r), value},
                           resultType)};
      };
      Value isElement = places.isElement(r);
      results.push_back(
          isElement ? emitBranch(e, rewriter, isElement, e.getZero(resultType), run)[0] : run()[0]);
    }
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{results});
    return success();
  }

private:
  /// An op that cannot run in some lanes only, or null.
  static Operation *findUnfit(Region &body) {
    Operation *unfit = nullptr;
    body.walk([&](Operation *inner) {
      const bool isScalar =
          llvm::none_of(inner->getOperandTypes(), llvm::IsaPred<RankedTensorType>);
      if (isScalar &&
          (isPure(inner) ||
           isa<tt::LoadOp, cf::BranchOp, cf::CondBranchOp, tw::CoopMatrixApplyReturnOp>(inner)))
        return WalkResult::advance();
      unfit = inner;
      return WalkResult::interrupt();
    });
    return unfit;
  }

  Value inlineBody(tw::CoopMatrixApplyOp op, LoweringBuilder &e,
                   ConversionPatternRewriter &rewriter, ArrayRef<Value> arguments,
                   Type resultType) const {
    IRMapping mapping;
    Region &body = op.getBody();
    for (auto [argument, value] : llvm::zip_equal(body.getArguments(), arguments)) {
      // Some floats are their bits in registers.
      Value source = value;
      if (source.getType() != argument.getType())
        source =
            UnrealizedConversionCastOp::create(rewriter, op.getLoc(), argument.getType(), value)
                .getResult(0);
      mapping.map(argument, source);
    }
    auto toRegister = [&](Value returned) {
      Value value = mapping.lookupOrDefault(returned);
      if (value.getType() == resultType)
        return value;
      return UnrealizedConversionCastOp::create(rewriter, op.getLoc(), resultType, value)
          .getResult(0);
    };
    if (body.hasOneBlock()) {
      for (Operation &inner : body.front().without_terminator())
        rewriter.clone(inner, mapping);
      return toRegister(body.front().getTerminator()->getOperand(0));
    }
    Block *before = rewriter.getInsertionBlock();
    Block *after = rewriter.splitBlock(before, rewriter.getInsertionPoint());
    Value result = after->addArgument(resultType, op.getLoc());
    for (Block &block : body) {
      Block *copy = rewriter.createBlock(after);
      mapping.map(&block, copy);
      if (!block.isEntryBlock())
        for (BlockArgument argument : block.getArguments())
          mapping.map(argument, copy->addArgument(argument.getType(), argument.getLoc()));
    }
    rewriter.setInsertionPointToEnd(before);
    e.create<LLVM::BrOp>(ValueRange(), mapping.lookup(&body.front()));
    for (Block &block : body) {
      rewriter.setInsertionPointToEnd(mapping.lookup(&block));
      for (Operation &inner : block)
        if (isa<tw::CoopMatrixApplyReturnOp>(inner))
          e.create<LLVM::BrOp>(toRegister(inner.getOperand(0)), after);
        else
          rewriter.clone(inner, mapping);
    }
    rewriter.setInsertionPointToStart(after);
    return result;
  }
};

} // namespace

void lower::addCoopMatrixComponentPatterns(RewritePatternSet &patterns,
                                           const TypeConverter &converter,
                                           LoweringContext &context) {
  patterns
      .add<SplatPattern, ScalePattern, CastPattern, ExtractPattern, InsertPattern, ApplyPattern>(
          converter, context, patterns.getContext());
}

void lower::addCoopMatrixPatterns(RewritePatternSet &patterns, TypeConverter &converter,
                                  LoweringContext &context) {
  converter.addConversion(
      [&converter, &context](tw::CoopMatrixType type,
                             SmallVectorImpl<Type> &types) -> std::optional<LogicalResult> {
        const CooperativeMatrix matrix = type.getMatrix(1u << context.laneBits);
        types.append(matrix.registerCount(), converter.convertType(type.getElementType()));
        return success();
      });
  addCoopMatrixAccessPatterns(patterns, converter, context);
  addCoopMatrixComponentPatterns(patterns, converter, context);
  addCoopMatrixPrefetchPattern(patterns, converter, context);
  addCoopMatrixProductPattern(patterns, converter, context);
  addCoopMatrixReducePattern(patterns, converter, context);
}
