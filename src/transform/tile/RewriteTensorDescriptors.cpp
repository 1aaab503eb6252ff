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
// by itself and broadcast to the block afterwards; in 64 bits, so that neither overflows. Of
// blocks of more than two dimensions those of size 1 only move the pointer.
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/encoding/Inference.h"
#include "transform/tile/BlockLines.h"
#include "transform/tile/ExpandedValues.h"
#include "transform/tile/Passes.h"

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
  /// `block`: the shape of what is accessed, and its layout or none.
  AccessBuilder(OpBuilder &builder, Location loc, const Descriptor &desc, RankedTensorType block)
      : builder(builder), loc(loc), desc(desc), lines(builder, loc, block), base(desc.base) {}

  /// Adds the positions along dimension `dim`, in 64 bits, to the pointers and the mask.
  void addDimension(unsigned dim, unsigned ofDesc, Value positions) {
    Value inside = lines.isInside(dim, positions, desc.shape[ofDesc]);
    Value offset = positions;
    if (!matchPattern(desc.strides[ofDesc], m_One()))
      offset = arith::MulIOp::create(builder, loc, positions,
                                     lines.splatLine(dim, desc.strides[ofDesc]));
    offset = lines.toBlock(dim, offset);
    inside = lines.toBlock(dim, inside);
    offsets = offsets ? arith::AddIOp::create(builder, loc, offsets, offset) : offset;
    addToMask(inside);
  }

  /// index, index + 1, .. along dimension `dim` of the block, which is the descriptor's `ofDesc`.
  void addRange(unsigned dim, unsigned ofDesc, Value index) {
    addDimension(dim, ofDesc, lines.getPositions(dim, index));
  }

  /// A dimension that is none of the block's.
  void addIndex(unsigned ofDesc, Value index) {
    Value position = arith::ExtSIOp::create(builder, loc, builder.getI64Type(), index);
    Value zero = arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(0));
    using Predicate = arith::CmpIPredicate;
    Value inside = arith::AndIOp::create(
        builder, loc, arith::CmpIOp::create(builder, loc, Predicate::sge, position, zero),
        arith::CmpIOp::create(builder, loc, Predicate::slt, position, desc.shape[ofDesc]));
    addToMask(lines.splatBlock(inside));
    Value offset = arith::MulIOp::create(builder, loc, position, desc.strides[ofDesc]);
    base = tt::AddPtrOp::create(builder, loc, base.getType(), base, offset);
  }

  /// Positions of 32 bits, one an element along `dim`, in a layout of their own or none.
  void addIndices(unsigned dim, Value indices) {
    RankedTensorType type = lines.getType(dim, tt::getElementTypeOrSelf(indices.getType()));
    if (indices.getType() != type)
      indices = ttg::ConvertLayoutOp::create(builder, loc, type, indices);
    addDimension(
        dim, dim,
        arith::ExtSIOp::create(builder, loc, lines.getType(dim, builder.getI64Type()), indices));
  }

  Value getPointers() {
    Value bases = lines.splatBlock(base);
    return tt::AddPtrOp::create(builder, loc, bases.getType(), bases, offsets);
  }

  Value getMask() const { return mask; }

  /// What elements outside of the tensor are read as.
  Value getPadding() {
    Type element = desc.getElementType();
    Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element));
    auto floatType = dyn_cast<FloatType>(element);
    if (!floatType || matchPattern(desc.padsWithNan, m_Zero()))
      return lines.splatBlock(zero);
    Value nan = arith::ConstantOp::create(
        builder, loc,
        builder.getFloatAttr(floatType, APFloat::getNaN(floatType.getFloatSemantics())));
    return lines.splatBlock(
        builder.createOrFold<arith::SelectOp>(loc, desc.padsWithNan, nan, zero));
  }

private:
  void addToMask(Value inside) {
    mask = mask ? arith::AndIOp::create(builder, loc, mask, inside) : inside;
  }

  OpBuilder &builder;
  Location loc;
  const Descriptor &desc;
  transform::BlockLines lines;
  Value base;
  Value offsets;
  Value mask;
};

/// The dimensions of the descriptor's block that an access moves along: at least two, and those of
/// more than one element.
SmallVector<unsigned> tileDimsOf(const Descriptor &desc) {
  const auto rank = static_cast<unsigned>(desc.type.getRank());
  unsigned unitDims = rank > 2 ? rank - 2 : 0;
  SmallVector<unsigned> dims;
  for (unsigned dim = 0; dim < rank; ++dim)
    if (unitDims && desc.type.getDimSize(dim) == 1)
      --unitDims;
    else
      dims.push_back(dim);
  return dims;
}

/// The block of `desc` that `tensor` is, with dimensions of size 1 more or less, in the dimensions
/// that it is accessed in, and in the layout in which no element moves on the way.
RankedTensorType blockFor(const Descriptor &desc, RankedTensorType tensor) {
  SmallVector<int64_t> shape;
  for (unsigned dim : tileDimsOf(desc))
    shape.push_back(desc.type.getDimSize(dim));
  Attribute layout = tensor.getEncoding();
  if (layout && tensor.getShape() != ArrayRef(shape))
    layout = ttg::inferReshape(tensor.getShape(), layout, shape);
  return RankedTensorType::get(shape, desc.getElementType(), layout);
}

/// The access of a whole block that begins at `indices`, as `tensor`.
AccessBuilder accessBlock(OpBuilder &builder, Location loc, const Descriptor &desc,
                          ValueRange indices, RankedTensorType tensor) {
  AccessBuilder access(builder, loc, desc, blockFor(desc, tensor));
  const SmallVector<unsigned> tileDims = tileDimsOf(desc);
  for (auto [dim, ofDesc] : llvm::enumerate(tileDims))
    access.addRange(dim, ofDesc, indices[ofDesc]);
  for (unsigned dim = 0; dim < indices.size(); ++dim)
    if (!llvm::is_contained(tileDims, dim))
      access.addIndex(dim, indices[dim]);
  return access;
}

/// The access of rows, each with its own index, from column `column` on, as `tensor`.
AccessBuilder accessRows(OpBuilder &builder, Location loc, const Descriptor &desc,
                         RankedTensorType tensor, Value rows, Value column) {
  AccessBuilder access(builder, loc, desc, tensor);
  access.addIndices(0, rows);
  access.addRange(1, 1, column);
  return access;
}

/// A tensor as one of another shape of as many elements.
Value reshapeTo(OpBuilder &builder, Location loc, Value value, RankedTensorType type) {
  if (cast<RankedTensorType>(value.getType()).getShape() == type.getShape())
    return value;
  return tt::ReshapeOp::create(builder, loc, type, value, /*allow_reorder=*/false);
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
    AccessBuilder access = accessBlock(rewriter, loc, desc, op.getIndices(), op.getType());
    auto load = tt::LoadOp::create(rewriter, loc, access.getPointers(), access.getMask(),
                                   access.getPadding());
    load.setCache(op.getCache());
    load.setEvict(op.getEvict());
    rewriter.replaceOp(op, reshapeTo(rewriter, loc, load, op.getType()));
    return success();
  }
};

struct RewriteStore : OpConversionPattern<tt::DescriptorStoreOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tt::DescriptorStoreOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Descriptor desc(op.getDesc().getType(), adaptor.getDesc());
    AccessBuilder access = accessBlock(rewriter, loc, desc, op.getIndices(), op.getSrc().getType());
    Value value = reshapeTo(rewriter, loc, op.getSrc(), blockFor(desc, op.getSrc().getType()));
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
    AccessBuilder access =
        accessRows(rewriter, op.getLoc(), desc, op.getType(), op.getXOffsets(), op.getYOffset());
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
    AccessBuilder access = accessRows(rewriter, op.getLoc(), desc, op.getSrc().getType(),
                                      op.getXOffsets(), op.getYOffset());
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
  // Of 16 bits, since the hardware that takes descriptors has these and no wider ones.
  if (isFloat &&
      (element.getIntOrFloatBitWidth() != 16 || (kind != Kind::MIN && kind != Kind::MAX)))
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
    AccessBuilder access = accessBlock(rewriter, loc, desc, op.getIndices(), op.getSrc().getType());
    Value value = reshapeTo(rewriter, loc, op.getSrc(), blockFor(desc, op.getSrc().getType()));
    tt::AtomicRMWOp::create(rewriter, loc, value.getType(),
                            *atomicOf(op.getKind(), desc.type.getElementType()),
                            access.getPointers(), value, access.getMask(), tt::MemSemantic::RELAXED,
                            tt::MemSyncScope::GPU);
    rewriter.eraseOp(op);
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

/// What cannot be written with pointers. Says so.
LogicalResult checkSupported(Operation *op) {
  if (llvm::any_of(op->getResultTypes(), isDescriptor) &&
      !isa<tt::MakeTensorDescOp, tt::CallOp, arith::SelectOp>(op) &&
      !isa<scf::SCFDialect>(op->getDialect())) {
    auto error = op->emitOpError()
                 << "makes a descriptor that has no layout of its blocks in shared memory; such "
                    "descriptors become pointers, which this one does not have";
    error.attachNote() << "name the layout in its type, as in "
                          "!tt.tensordesc<tensor<128x128xbf16, #shared>>";
    return error;
  }
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

void expandType(Type type, SmallVectorImpl<Type> &types) {
  const auto block = cast<tt::TensorDescType>(type).getBlockType();
  MLIRContext *context = type.getContext();
  Type element = block.getElementType();
  if (auto integer = dyn_cast<IntegerType>(element))
    element = IntegerType::get(context, integer.getWidth());
  types.push_back(tt::PointerType::get(element, 1));
  types.append(2 * block.getRank(), IntegerType::get(context, 64));
  types.push_back(IntegerType::get(context, 1));
}

void addPatterns(const TypeConverter &converter, RewritePatternSet &patterns) {
  patterns
      .add<RewriteMake, RewriteLoad, RewriteStore, RewriteGather, RewriteScatter, RewriteReduce>(
          converter, patterns.getContext());
}

struct RewriteTensorDescriptors
    : transform::impl::TritonRewriteTensorDescriptorToPointerBase<RewriteTensorDescriptors> {
  void runOnOperation() override {
    if (failed(transform::expandValues(getOperation(),
                                       {isDescriptor, checkSupported, expandType, addPatterns})))
      signalPassFailure();
  }
};

} // namespace
