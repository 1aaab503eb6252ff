//===- ControlFlow.cpp - Lowering of functions, calls, branches and grid queries -===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A tensor that is a block's or a function's argument becomes as many arguments as it has
// registers. Several results of a function (or registers of one) are returned as a struct.
//
// Where the target has arithmetic on vectors, blocks get the results of matrix products as vectors:
// so products and what else a loop does with its sums find them whole, and a loop has an eighth of
// the arguments.
//
//===--------------------------------------------------------------------------===//

#include "ir/tt/DescriptorArguments.h"
#include "ir/ttg/Dialect.h"
#include "lower/core/Patterns.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

namespace {

constexpr StringLiteral divisibilityAttrName = "tt.divisibility";

SmallVector<Value> flatten(ArrayRef<ValueRange> values) {
  SmallVector<Value> flat;
  for (ValueRange range : values)
    llvm::append_range(flat, range);
  return flat;
}

/// Elements of the vectors in which blocks get tensors, as accumulators of matrix units have them.
constexpr unsigned carriedElements = 8;

/// Whether branches pass on a tensor of `type` in such vectors. Vectors of registers that are
/// computed one by one would have to be put together for each branch.
bool isCarriedInVectors(const LoweringContext &context, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !context.target.hasVectorArithmetic())
    return false;
  Attribute encoding = tensor.getEncoding();
  while (auto slice = dyn_cast<ttg::SliceEncodingAttr>(encoding))
    encoding = slice.getParent();
  if (isa<ttg::BlockedEncodingAttr, ttg::LinearEncodingAttr>(encoding))
    return false;
  Type element = tensor.getElementType();
  return element.isIntOrFloat() && element.getIntOrFloatBitWidth() >= 16 &&
         ttg::getElementsPerThread(tensor) % carriedElements == 0;
}

/// What a branch with `operands`, which have been converted to `registers`, gives its destination:
/// first what stands there one by one, then vectors.
SmallVector<Value> getBlockOperands(LoweringBuilder &e, ValueRange operands,
                                    ArrayRef<ValueRange> registers) {
  SmallVector<Value> flat, vectors;
  for (auto [operand, values] : llvm::zip_equal(operands, registers)) {
    if (!isCarriedInVectors(e.context, operand.getType())) {
      llvm::append_range(flat, values);
      continue;
    }
    for (unsigned first = 0; first < values.size(); first += carriedElements)
      vectors.push_back(e.packVector(values.slice(first, carriedElements)));
  }
  flat.append(vectors);
  return flat;
}

/// Gives a block that is no function's first the vectors that getBlockOperands passes, if any.
LogicalResult convertVectors(LoweringContext &context, const TypeConverter &converter, Block &block,
                             ConversionPatternRewriter &rewriter) {
  const unsigned count = block.getNumArguments();
  if (llvm::none_of(block.getArgumentTypes(),
                    [&](Type type) { return isCarriedInVectors(context, type); }))
    return success();
  SmallVector<SmallVector<Value>> vectors(count);
  for (unsigned i = 0; i < count; ++i) {
    BlockArgument argument = block.getArgument(i);
    if (!isCarriedInVectors(context, argument.getType()))
      continue;
    auto tensor = cast<RankedTensorType>(argument.getType());
    auto type = VectorType::get(carriedElements, converter.convertType(tensor.getElementType()));
    for (unsigned j = 0; j < ttg::getElementsPerThread(tensor); j += carriedElements)
      vectors[i].push_back(block.addArgument(type, argument.getLoc()));
  }
  TypeConverter::SignatureConversion conversion(block.getNumArguments());
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(&block);
  for (unsigned i = 0; i < block.getNumArguments(); ++i) {
    if (i < count && !vectors[i].empty()) {
      LoweringBuilder e(context, rewriter, block.getArgument(i).getLoc());
      SmallVector<Value> registers;
      for (Value vector : vectors[i])
        llvm::append_range(registers, e.unpackVector(vector));
      conversion.remapInput(i, registers);
    } else if (failed(
                   converter.convertSignatureArg(i, block.getArgument(i).getType(), conversion))) {
      return failure();
    }
  }
  rewriter.applySignatureConversion(&block, conversion, &converter);
  return success();
}

/// What a function of these (converted) results returns.
Type getReturnType(MLIRContext *context, ArrayRef<Type> results) {
  if (results.empty())
    return LLVM::LLVMVoidType::get(context);
  if (results.size() == 1)
    return results[0];
  return LLVM::LLVMStructType::getLiteral(context, results);
}

/// The attributes of an argument: no argument is undefined, a pointer is aligned as its
/// divisibility promises, and a tensor map is passed to a kernel by value.
DictionaryAttr getArgumentAttrs(Builder &builder, tt::FuncOp func, unsigned index, Type type) {
  NamedAttrList attrs;
  attrs.set(LLVM::LLVMDialect::getNoUndefAttrName(), builder.getUnitAttr());
  if (func.isPublic() && isa<tt::TensorDescType>(func.getArgumentTypes()[index])) {
    Type bytes = LLVM::LLVMArrayType::get(builder.getI8Type(), tt::tensorMapBytes);
    attrs.set(LLVM::LLVMDialect::getByValAttrName(), TypeAttr::get(bytes));
    attrs.set(LLVM::LLVMDialect::getAlignAttrName(),
              builder.getI64IntegerAttr(tt::tensorMapAlignment));
  }
  auto divisibility = func.getArgAttrOfType<IntegerAttr>(index, divisibilityAttrName);
  if (divisibility && isa<LLVM::LLVMPointerType>(type) &&
      llvm::isPowerOf2_64(divisibility.getInt()))
    attrs.set(LLVM::LLVMDialect::getAlignAttrName(),
              builder.getI64IntegerAttr(divisibility.getInt()));
  return attrs.getDictionary(builder.getContext());
}

struct FuncPattern final : LoweringPattern<tt::FuncOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(tt::FuncOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    FunctionType type = op.getFunctionType();
    TypeConverter::SignatureConversion signature(type.getNumInputs());
    SmallVector<Type> results;
    if (failed(getTypeConverter()->convertSignatureArgs(type.getInputs(), signature)) ||
        failed(getTypeConverter()->convertTypes(type.getResults(), results)))
      return failure();
    auto llvmType = LLVM::LLVMFunctionType::get(getReturnType(getContext(), results),
                                                signature.getConvertedTypes());
    bool isKernel = op.isPublic();
    auto func =
        LLVM::LLVMFuncOp::create(rewriter, op.getLoc(), op.getName(), llvmType,
                                 isKernel ? LLVM::Linkage::External : LLVM::Linkage::Internal);
    for (unsigned i : llvm::seq(type.getNumInputs())) {
      auto mapping = signature.getInputMapping(i);
      for (unsigned j : llvm::seq(mapping->inputNo, mapping->inputNo + mapping->size))
        func.setArgAttrs(j, getArgumentAttrs(rewriter, op, i, llvmType.getParamType(j)));
    }
    if (isKernel) {
      context.target.markKernel(func, context.numThreads());
    } else {
      func.setNoInline(op->hasAttrOfType<BoolAttr>("noinline") &&
                       op->getAttrOfType<BoolAttr>("noinline").getValue());
      // Back ends that give each thread a stack know how long it is if nothing recurses.
      const bool callsOthers =
          op.walk([](tt::CallOp) { return WalkResult::interrupt(); }).wasInterrupted();
      if (!callsOthers)
        func.setPassthroughAttr(rewriter.getStrArrayAttr({"norecurse"}));
    }
    rewriter.inlineRegionBefore(op.getBody(), func.getBody(), func.end());
    for (Block &block : llvm::make_early_inc_range(llvm::drop_begin(func.getBody())))
      if (failed(convertVectors(context, *getTypeConverter(), block, rewriter)))
        return failure();
    if (failed(rewriter.convertRegionTypes(&func.getBody(), *getTypeConverter(), &signature)))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }
};

struct ReturnPattern final : LoweringPattern<tt::ReturnOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(tt::ReturnOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    SmallVector<Value> values = flatten(adaptor.getSrcs());
    if (values.size() > 1) {
      SmallVector<Type> types(ValueRange(values).getTypes());
      Value aggregate = e.create<LLVM::PoisonOp>(getReturnType(getContext(), types));
      for (auto [i, value] : llvm::enumerate(values))
        aggregate = e.create<LLVM::InsertValueOp>(aggregate, value, static_cast<int64_t>(i));
      values = {aggregate};
    }
    rewriter.replaceOpWithNewOp<LLVM::ReturnOp>(op, values);
    return success();
  }
};

struct CallPattern final : LoweringPattern<tt::CallOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(tt::CallOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    SmallVector<SmallVector<Type>> types;
    SmallVector<Type> flatTypes;
    for (Type type : op.getResultTypes()) {
      if (failed(getTypeConverter()->convertType(type, types.emplace_back())))
        return failure();
      llvm::append_range(flatTypes, types.back());
    }
    SmallVector<Type> returned;
    if (!flatTypes.empty())
      returned.push_back(getReturnType(getContext(), flatTypes));
    auto call = e.create<LLVM::CallOp>(returned, op.getCallee(), flatten(adaptor.getOperands()));
    SmallVector<SmallVector<Value>> results;
    int64_t next = 0;
    for (ArrayRef<Type> registers : types) {
      SmallVector<Value> &values = results.emplace_back();
      for ([[maybe_unused]] Type type : registers)
        values.push_back(flatTypes.size() == 1
                             ? call.getResult()
                             : Value(e.create<LLVM::ExtractValueOp>(call.getResult(), next++)));
    }
    rewriter.replaceOpWithMultiple(op, std::move(results));
    return success();
  }
};

/// Returns what the kernel says of a loop (`disable_licm`), which is on the branch to its head.
LLVM::LoopAnnotationAttr getLoopAnnotation(Operation *branch) {
  return branch->getAttrOfType<LLVM::LoopAnnotationAttr>("llvm.loop_annotation");
}

struct BranchPattern final : LoweringPattern<cf::BranchOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(cf::BranchOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    const LLVM::LoopAnnotationAttr annotation = getLoopAnnotation(op);
    auto branch = rewriter.replaceOpWithNewOp<LLVM::BrOp>(
        op, getBlockOperands(e, op.getDestOperands(), adaptor.getDestOperands()), op.getDest());
    branch.setLoopAnnotationAttr(annotation);
    return success();
  }
};

struct CondBranchPattern final : LoweringPattern<cf::CondBranchOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(cf::CondBranchOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    const LLVM::LoopAnnotationAttr annotation = getLoopAnnotation(op);
    auto branch = rewriter.replaceOpWithNewOp<LLVM::CondBrOp>(
        op, adaptor.getCondition().front(), op.getTrueDest(),
        getBlockOperands(e, op.getTrueDestOperands(), adaptor.getTrueDestOperands()),
        op.getFalseDest(),
        getBlockOperands(e, op.getFalseDestOperands(), adaptor.getFalseDestOperands()));
    branch.setLoopAnnotationAttr(annotation);
    return success();
  }
};

struct ProgramIdPattern final : LoweringPattern<tt::GetProgramIdOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(tt::GetProgramIdOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, context.target.getProgramId(rewriter, op.getLoc(),
                                                       static_cast<unsigned>(op.getAxis())));
    return success();
  }
};

struct NumProgramsPattern final : LoweringPattern<tt::GetNumProgramsOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(tt::GetNumProgramsOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, context.target.getNumPrograms(rewriter, op.getLoc(),
                                                         static_cast<unsigned>(op.getAxis())));
    return success();
  }
};

struct BarrierPattern final : LoweringPattern<ttg::BarrierOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(ttg::BarrierOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    if (op.getAddressSpaces() == ttg::Local)
      e.emitSharedBarrier();
    else
      e.emitGroupBarrier();
    rewriter.eraseOp(op);
    return success();
  }
};

struct WarpIdPattern final : LoweringPattern<ttg::WarpIdOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(ttg::WarpIdOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    rewriter.replaceOp(op, e.create<LLVM::LShrOp>(e.getWarpThreadId(), e.getI32(context.laneBits)));
    return success();
  }
};

/// Launches do not overlap, where the vendor has no pattern of its own for these.
template <typename Op> struct GridDependencyPattern final : LoweringPattern<Op> {
  using LoweringPattern<Op>::LoweringPattern;

  LogicalResult matchAndRewrite(Op op, typename LoweringPattern<Op>::OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void lower::addControlFlowPatterns(RewritePatternSet &patterns, const TypeConverter &converter,
                                   LoweringContext &context) {
  patterns.add<FuncPattern, ReturnPattern, CallPattern, BranchPattern, CondBranchPattern,
               ProgramIdPattern, NumProgramsPattern, BarrierPattern, WarpIdPattern,
               GridDependencyPattern<tt::GridDependencyWaitOp>,
               GridDependencyPattern<tt::GridDependencyLaunchOp>>(converter, context,
                                                                  patterns.getContext());
}
