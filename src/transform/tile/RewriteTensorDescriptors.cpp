//===- RewriteTensorDescriptors.cpp - Descriptor accesses rewritten as pointers and masks -===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A descriptor of rank r becomes 2 r + 2 values: the pointer, r sizes, r strides (all i64)
// and an i1 that says whether elements outside are NaN. As a conversion of types this goes
// through branches, loops and functions. An access becomes one through a tensor of
// pointers, base + sum over d of (index_d + i_d) * stride_d, where
// 0 <= index_d + i_d < size_d for every dimension d. Both are computed for each dimension
// by itself and broadcast to the block afterwards; in 64 bits, so that neither overflows.
//
//===--------------------------------------------------------------------------===//

#include "transform/tile/Passes.h"

#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace tilewright;

namespace tilewright::transform {
#define GEN_PASS_DEF_TRITONREWRITETENSORDESCRIPTORTOPOINTER
#include "transform/tile/Passes.h.inc"
} // namespace tilewright::transform

namespace {

/// The values that a descriptor has become.
struct Descriptor {
  Descriptor(tt::TensorDescType type, ValueRange values)
      : type(type.getBlockType()), base(values.front()),
        shape(values.slice(1, this->type.getRank())),
        strides(values.slice(1 + this->type.getRank(), this->type.getRank())),
        padsWithNan(values.back()) {}

  /// Integers in memory and in tensors have no sign.
  Type getElementType() const {
    Type element = type.getElementType();
    if (auto integer = dyn_cast<IntegerType>(element))
      return IntegerType::get(element.getContext(), integer.getWidth());
    return element;
  }

  RankedTensorType type;
  Value base;
  ValueRange shape;
  ValueRange strides;
  Value padsWithNan;
};

/// Builds the tensors of an access at one place.
class AccessBuilder {
public:
  AccessBuilder(OpBuilder &builder, Location loc, const Descriptor &desc,
                ArrayRef<int64_t> blockShape)
      : builder(builder), loc(loc), desc(desc), blockShape(blockShape) {}

  /// index, index + 1, ..: the positions of a block along a dimension.
  Value positionsFrom(Value index, int64_t size) {
    auto type = RankedTensorType::get({size}, builder.getI32Type());
    Value steps = tt::MakeRangeOp::create(builder, loc, type, 0, static_cast<int32_t>(size));
    Value first = arith::ExtSIOp::create(builder, loc, builder.getI64Type(), index);
    return arith::AddIOp::create(builder, loc, splat(first, {size}), widened(steps));
  }

  Value widened(Value positions) {
    auto type = cast<RankedTensorType>(positions.getType());
    return arith::ExtSIOp::create(builder, loc, type.clone(builder.getI64Type()), positions);
  }

  /// Adds the positions along dimension `dim` to the pointers and the mask.
  void addDimension(unsigned dim, Value positions) {
    auto type = cast<RankedTensorType>(positions.getType());
    Value zero = arith::ConstantOp::create(
        builder, loc, SplatElementsAttr::get(type, builder.getI64IntegerAttr(0)));
    using Predicate = arith::CmpIPredicate;
    Value notBefore = arith::CmpIOp::create(builder, loc, Predicate::sge, positions, zero);
    Value notAfter = arith::CmpIOp::create(builder, loc, Predicate::slt, positions,
                                           splat(desc.shape[dim], type.getShape()));
    Value inside = arith::AndIOp::create(builder, loc, notBefore, notAfter);
    Value offset = positions;
    if (!matchPattern(desc.strides[dim], m_One()))
      offset =
          arith::MulIOp::create(builder, loc, positions, splat(desc.strides[dim], type.getShape()));
    offset = toBlock(offset, dim);
    inside = toBlock(inside, dim);
    offsets = offsets ? arith::AddIOp::create(builder, loc, offsets, offset) : offset;
    mask = mask ? arith::AndIOp::create(builder, loc, mask, inside) : inside;
  }

  Value getPointers() {
    Value bases = splat(desc.base, blockShape);
    return tt::AddPtrOp::create(builder, loc, bases.getType(), bases, offsets);
  }

  Value getMask() const { return mask; }

  /// What elements outside of the tensor are read as.
  Value getPadding() {
    Type element = desc.getElementType();
    Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element));
    auto floatType = dyn_cast<FloatType>(element);
    if (!floatType || matchPattern(desc.padsWithNan, m_Zero()))
      return splat(zero, blockShape);
    Value nan = arith::ConstantOp::create(
        builder, loc,
        builder.getFloatAttr(floatType, APFloat::getNaN(floatType.getFloatSemantics())));
    return splat(builder.createOrFold<arith::SelectOp>(loc, desc.padsWithNan, nan, zero),
                 blockShape);
  }

private:
  Value splat(Value scalar, ArrayRef<int64_t> shape) {
    return tt::SplatOp::create(builder, loc, RankedTensorType::get(shape, scalar.getType()),
                               scalar);
  }

  /// A tensor of one dimension as the dimension `dim` of the block.
  Value toBlock(Value line, unsigned dim) {
    auto type = cast<RankedTensorType>(line.getType());
    SmallVector<int64_t> shape(type.getShape());
    for (unsigned i = 0; i < blockShape.size(); ++i)
      if (i != dim) {
        shape.insert(shape.begin() + i, 1);
        type = type.clone(shape);
        line = tt::ExpandDimsOp::create(builder, loc, type, line, i);
      }
    if (type.getShape() == blockShape)
      return line;
    return tt::BroadcastOp::create(builder, loc, type.clone(blockShape), line);
  }

  OpBuilder &builder;
  Location loc;
  const Descriptor &desc;
  ArrayRef<int64_t> blockShape;
  Value offsets;
  Value mask;
};

/// The access of a whole block that begins at `indices`.
AccessBuilder accessBlock(OpBuilder &builder, Location loc, const Descriptor &desc,
                          ValueRange indices) {
  AccessBuilder access(builder, loc, desc, desc.type.getShape());
  for (auto [dim, index] : llvm::enumerate(indices))
    access.addDimension(dim, access.positionsFrom(index, desc.type.getDimSize(dim)));
  return access;
}

/// The access of rows, each with its own index, from column `column` on.
AccessBuilder accessRows(OpBuilder &builder, Location loc, const Descriptor &desc,
                         ArrayRef<int64_t> shape, Value rows, Value column) {
  AccessBuilder access(builder, loc, desc, shape);
  access.addDimension(0, access.widened(rows));
  access.addDimension(1, access.positionsFrom(column, shape[1]));
  return access;
}

/// A tensor with the shape of another type of as many elements.
Value reshapeTo(OpBuilder &builder, Location loc, Value value, ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getShape() == shape)
    return value;
  return tt::ReshapeOp::create(builder, loc, type.clone(shape), value, /*allow_reorder=*/false);
}

//===--------------------------------------------------------------------------===//
// Ops on descriptors
//===--------------------------------------------------------------------------===//

struct RewriteMake : OpConversionPattern<tt::MakeTensorDescOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tt::MakeTensorDescOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<Value> values{adaptor.getBase()};
    for (Value size : adaptor.getShape())
      values.push_back(arith::ExtSIOp::create(rewriter, loc, rewriter.getI64Type(), size));
    llvm::append_range(values, adaptor.getStrides());
    bool nan = op.getPadding() == tt::PaddingOption::PAD_NAN;
    values.push_back(arith::ConstantOp::create(rewriter, loc, rewriter.getBoolAttr(nan)));
    rewriter.replaceOpWithMultiple(op, {values});
    return success();
  }
};

struct RewriteLoad : OpConversionPattern<tt::DescriptorLoadOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tt::DescriptorLoadOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Descriptor desc(op.getDesc().getType(), adaptor.getDesc());
    AccessBuilder access = accessBlock(rewriter, loc, desc, op.getIndices());
    auto load = tt::LoadOp::create(rewriter, loc, access.getPointers(), access.getMask(),
                                   access.getPadding());
    load.setCache(op.getCache());
    load.setEvict(op.getEvict());
    rewriter.replaceOp(op, reshapeTo(rewriter, loc, load, op.getType().getShape()));
    return success();
  }
};

struct RewriteStore : OpConversionPattern<tt::DescriptorStoreOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tt::DescriptorStoreOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Descriptor desc(op.getDesc().getType(), adaptor.getDesc());
    AccessBuilder access = accessBlock(rewriter, loc, desc, op.getIndices());
    Value value = reshapeTo(rewriter, loc, op.getSrc(), desc.type.getShape());
    rewriter.replaceOp(op, storeThrough(rewriter, loc, access, value));
    return success();
  }

  static tt::StoreOp storeThrough(OpBuilder &builder, Location loc, AccessBuilder &access,
                                  Value value) {
    return tt::StoreOp::create(builder, loc, access.getPointers(), value, access.getMask(),
                               ArrayRef<int32_t>(), tt::CacheModifier::NONE,
                               tt::EvictionPolicy::NORMAL);
  }
};

struct RewriteGather : OpConversionPattern<tt::DescriptorGatherOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tt::DescriptorGatherOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Descriptor desc(op.getDesc().getType(), adaptor.getDesc());
    ArrayRef<int64_t> shape = op.getType().getShape();
    AccessBuilder access =
        accessRows(rewriter, op.getLoc(), desc, shape, op.getXOffsets(), op.getYOffset());
    rewriter.replaceOpWithNewOp<tt::LoadOp>(op, access.getPointers(), access.getMask(),
                                            access.getPadding());
    return success();
  }
};

struct RewriteScatter : OpConversionPattern<tt::DescriptorScatterOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tt::DescriptorScatterOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Descriptor desc(op.getDesc().getType(), adaptor.getDesc());
    ArrayRef<int64_t> shape = op.getSrc().getType().getShape();
    AccessBuilder access =
        accessRows(rewriter, op.getLoc(), desc, shape, op.getXOffsets(), op.getYOffset());
    rewriter.replaceOp(op, RewriteStore::storeThrough(rewriter, op.getLoc(), access, op.getSrc()));
    return success();
  }
};

/// The atomic operation that combines elements of the block's type; nothing if there is none.
std::optional<tt::RMWOp> atomicOf(tt::DescriptorReduceKind kind, Type element) {
  using Kind = tt::DescriptorReduceKind;
  bool isFloat = isa<FloatType>(element);
  if (kind == Kind::ADD)
    return isFloat ? tt::RMWOp::FADD : tt::RMWOp::ADD;
  if (isFloat)
    return std::nullopt;
  switch (kind) {
  case Kind::MIN:
    return element.isUnsignedInteger() ? tt::RMWOp::UMIN : tt::RMWOp::MIN;
  case Kind::MAX:
    return element.isUnsignedInteger() ? tt::RMWOp::UMAX : tt::RMWOp::MAX;
  case Kind::AND:
    return tt::RMWOp::AND;
  case Kind::OR:
    return tt::RMWOp::OR;
  case Kind::XOR:
    return tt::RMWOp::XOR;
  default:
    return std::nullopt;
  }
}

struct RewriteReduce : OpConversionPattern<tt::DescriptorReduceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tt::DescriptorReduceOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Descriptor desc(op.getDesc().getType(), adaptor.getDesc());
    AccessBuilder access = accessBlock(rewriter, loc, desc, op.getIndices());
    Value value = reshapeTo(rewriter, loc, op.getSrc(), desc.type.getShape());
    tt::AtomicRMWOp::create(rewriter, loc, value.getType(),
                            *atomicOf(op.getKind(), desc.type.getElementType()),
                            access.getPointers(), value, access.getMask(), tt::MemSemantic::RELAXED,
                            tt::MemSyncScope::GPU);
    rewriter.eraseOp(op);
    return success();
  }
};

/// A choice between two descriptors chooses each of their values.
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
      // What is known of a descriptor is not known of each of its values.
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

//===--------------------------------------------------------------------------===//
// The pass
//===--------------------------------------------------------------------------===//

/// One that hardware does not take as it is: it has no layout of its blocks in shared memory.
bool isDescriptor(Type type) {
  auto descriptor = dyn_cast<tt::TensorDescType>(type);
  return descriptor && !descriptor.getBlockType().getEncoding();
}

bool usesDescriptors(Operation *op) {
  if (llvm::any_of(op->getOperandTypes(), isDescriptor) ||
      llvm::any_of(op->getResultTypes(), isDescriptor))
    return true;
  if (auto function = dyn_cast<tt::FuncOp>(op))
    return llvm::any_of(function.getArgumentTypes(), isDescriptor) ||
           llvm::any_of(function.getResultTypes(), isDescriptor);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (llvm::any_of(block.getArgumentTypes(), isDescriptor))
        return true;
  return false;
}

/// What cannot be written with pointers. Says so.
LogicalResult checkSupported(Operation *op) {
  if (auto reduce = dyn_cast<tt::DescriptorReduceOp>(op);
      reduce && isDescriptor(reduce.getDesc().getType())) {
    Type element = reduce.getDesc().getType().getBlockType().getElementType();
    if (!atomicOf(reduce.getKind(), element))
      return op->emitOpError() << "cannot be written as an atomic operation: there is no "
                               << tt::stringifyDescriptorReduceKind(reduce.getKind()) << " of "
                               << element;
  }
  auto checkRows = [&](tt::TensorDescType desc) -> LogicalResult {
    if (desc.getBlockType().getRank() == 2 || !isDescriptor(desc))
      return success();
    return op->emitOpError() << "needs a descriptor of two dimensions, not " << desc.getBlockType();
  };
  if (auto gather = dyn_cast<tt::DescriptorGatherOp>(op))
    return checkRows(gather.getDesc().getType());
  if (auto scatter = dyn_cast<tt::DescriptorScatterOp>(op))
    return checkRows(scatter.getDesc().getType());
  return success();
}

struct RewriteTensorDescriptors
    : transform::impl::TritonRewriteTensorDescriptorToPointerBase<RewriteTensorDescriptors> {
  void runOnOperation() override {
    bool found = false;
    WalkResult checked = getOperation().walk([&](Operation *op) {
      found |= usesDescriptors(op);
      return succeeded(checkSupported(op)) ? WalkResult::advance() : WalkResult::interrupt();
    });
    if (checked.wasInterrupted())
      return signalPassFailure();
    if (!found)
      return;

    MLIRContext *context = &getContext();
    TypeConverter converter;
    converter.addConversion([](Type type) { return type; });
    converter.addConversion(
        [](tt::TensorDescType type, SmallVectorImpl<Type> &types) -> std::optional<LogicalResult> {
          if (!isDescriptor(type))
            return std::nullopt;
          Type element = type.getBlockType().getElementType();
          MLIRContext *context = type.getContext();
          if (auto integer = dyn_cast<IntegerType>(element))
            element = IntegerType::get(context, integer.getWidth());
          types.push_back(tt::PointerType::get(element, 1));
          types.append(2 * type.getBlockType().getRank(), IntegerType::get(context, 64));
          types.push_back(IntegerType::get(context, 1));
          return success();
        });

    ConversionTarget target(*context);
    target.markUnknownOpDynamicallyLegal([](Operation *op) { return !usesDescriptors(op); });
    RewritePatternSet patterns(context);
    scf::populateSCFStructuralTypeConversions(converter, patterns);
    target.addDynamicallyLegalOp<scf::YieldOp, scf::ConditionOp>(
        [](Operation *op) { return !usesDescriptors(op) && !usesDescriptors(op->getParentOp()); });
    patterns.add<RewriteMake, RewriteLoad, RewriteStore, RewriteGather, RewriteScatter,
                 RewriteReduce, RewriteSelect, RewriteFunction, RewriteCall, RewriteReturn>(
        converter, context);
    if (failed(applyFullConversion(getOperation(), target, std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
