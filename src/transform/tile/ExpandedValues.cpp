//===- ExpandedValues.cpp - Values of one type as several values --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/tile/ExpandedValues.h"

#include "ir/tt/Dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"

using namespace mlir;
using namespace tilewright;

using transform::IsExpanded;

/// Whether an operand, a result, an argument of a region or of a function has such a type.
static bool usesTypes(Operation *op, IsExpanded isExpanded) {
  if (llvm::any_of(op->getOperandTypes(), isExpanded) ||
      llvm::any_of(op->getResultTypes(), isExpanded))
    return true;
  if (auto function = dyn_cast<tt::FuncOp>(op))
    return llvm::any_of(function.getArgumentTypes(), isExpanded) ||
           llvm::any_of(function.getResultTypes(), isExpanded);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (llvm::any_of(block.getArgumentTypes(), isExpanded))
        return true;
  return false;
}

namespace {

/// A choice between two expanded values chooses each of their values.
struct RewriteSelect : OpConversionPattern<arith::SelectOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(arith::SelectOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> values;
    for (auto [a, b] : llvm::zip_equal(adaptor.getTrueValue(), adaptor.getFalseValue()))
      values.push_back(arith::SelectOp::create(rewriter, op.getLoc(), op.getCondition(), a, b));
    rewriter.replaceOpWithMultiple(op, {values});
    return success();
  }
};

//===--------------------------------------------------------------------------===//
// Functions
//===--------------------------------------------------------------------------===//

SmallVector<Value> flatten(ArrayRef<ValueRange> ranges) {
  SmallVector<Value> flat;
  for (ValueRange range : ranges)
    llvm::append_range(flat, range);
  return flat;
}

struct RewriteFunction : OpConversionPattern<tt::FuncOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tt::FuncOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    const TypeConverter &converter = *getTypeConverter();
    TypeConverter::SignatureConversion signature(op.getNumArguments());
    SmallVector<Type> results;
    SmallVector<DictionaryAttr> attributes;
    for (auto [i, type] : llvm::enumerate(op.getArgumentTypes())) {
      SmallVector<Type> types;
      if (failed(converter.convertType(type, types)))
        return failure();
      signature.addInputs(i, types);
      // What is known of the whole is not known of each of its values.
      attributes.push_back(op.getArgAttrDict(i));
      attributes.resize(attributes.size() + types.size() - 1);
    }
    if (failed(converter.convertTypes(op.getResultTypes(), results)))
      return failure();
    if (!op.isExternal())
      rewriter.applySignatureConversion(&op.getBody().front(), signature, &converter);
    rewriter.modifyOpInPlace(op, [&] {
      op.setFunctionType(rewriter.getFunctionType(signature.getConvertedTypes(), results));
      if (op.getArgAttrsAttr())
        op.setAllArgAttrs(attributes);
    });
    return success();
  }
};

struct RewriteCall : OpConversionPattern<tt::CallOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tt::CallOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    SmallVector<size_t> counts;
    for (Type type : op.getResultTypes()) {
      size_t before = types.size();
      if (failed(getTypeConverter()->convertType(type, types)))
        return failure();
      counts.push_back(types.size() - before);
    }
    OperationState state(op.getLoc(), tt::CallOp::getOperationName());
    state.addOperands(flatten(adaptor.getOperands()));
    state.addTypes(types);
    state.addAttribute("callee", op.getCalleeAttr());
    Operation *call = rewriter.create(state);
    SmallVector<ValueRange> results;
    ValueRange rest = call->getResults();
    for (size_t count : counts) {
      results.push_back(rest.take_front(count));
      rest = rest.drop_front(count);
    }
    rewriter.replaceOpWithMultiple(op, results);
    return success();
  }
};

struct RewriteReturn : OpConversionPattern<tt::ReturnOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tt::ReturnOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<tt::ReturnOp>(op, flatten(adaptor.getOperands()));
    return success();
  }
};

} // namespace

LogicalResult transform::expandValues(Operation *root, const Expansion &expansion) {
  const IsExpanded isExpanded = expansion.isExpanded;
  bool found = false;
  WalkResult checked = root->walk([&](Operation *op) {
    if (!usesTypes(op, isExpanded))
      return WalkResult::advance();
    found = true;
    return succeeded(expansion.checkSupported(op)) ? WalkResult::advance()
                                                   : WalkResult::interrupt();
  });
  if (checked.wasInterrupted())
    return failure();
  if (!found)
    return success();

  TypeConverter converter;
  converter.addConversion([](Type type) { return type; });
  converter.addConversion(
      [&](Type type, SmallVectorImpl<Type> &types) -> std::optional<LogicalResult> {
        if (!isExpanded(type))
          return std::nullopt;
        expansion.expandType(type, types);
        return success();
      });
  MLIRContext *context = root->getContext();
  ConversionTarget target(*context);
  target.markUnknownOpDynamicallyLegal(
      [isExpanded](Operation *op) { return !usesTypes(op, isExpanded); });
  RewritePatternSet patterns(context);
  scf::populateSCFStructuralTypeConversions(converter, patterns);
  patterns.add<RewriteSelect, RewriteFunction, RewriteCall, RewriteReturn>(converter, context);
  target.addDynamicallyLegalOp<scf::YieldOp, scf::ConditionOp>([isExpanded](Operation *op) {
    return !usesTypes(op, isExpanded) && !usesTypes(op->getParentOp(), isExpanded);
  });
  expansion.addPatterns(converter, patterns);
  return applyFullConversion(root, target, std::move(patterns));
}
