//===- RewriteTensorPointers.cpp - Block pointers as tensors of pointers ------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A block pointer of rank r becomes 3 r + 1 values: the pointer, r sizes and r strides (i64), r
// offsets (i32). An access becomes one through the pointers base + sum over d of
// (offset_d + i_d) * stride_d; of the dimensions to be checked those elements are accessed for
// which 0 <= offset_d + i_d < size_d. Both are computed for each dimension by itself, in 64 bits,
// and broadcast to the block afterwards, where its layout has the dimension.
//
//===--------------------------------------------------------------------------===//

#include "ir/tt/BlockPointer.h"
#include "transform/tile/BlockLines.h"
#include "transform/tile/ExpandedValues.h"
#include "transform/tile/Passes.h"

using namespace mlir;
using namespace tilewright;

namespace tilewright::transform {
#define GEN_PASS_DEF_TRITONREWRITETENSORPOINTER
#include "transform/tile/Passes.h.inc"
} // namespace tilewright::transform

namespace {

RankedTensorType getBlockType(Type pointer) {
  return cast<RankedTensorType>(cast<tt::PointerType>(pointer).getPointeeType());
}

/// The values that a block pointer has become.
struct BlockPointer {
  BlockPointer(Type type, ValueRange values) : block(getBlockType(type)), base(values.front()) {
    const size_t rank = block.getRank();
    shape = values.slice(1, rank);
    strides = values.slice(1 + rank, rank);
    offsets = values.slice(1 + 2 * rank, rank);
  }

  RankedTensorType block;
  Value base;
  ValueRange shape, strides, offsets;
};

/// Builds the tensors of one access.
class AccessBuilder {
public:
  AccessBuilder(OpBuilder &builder, Location loc, const BlockPointer &pointer,
                ArrayRef<int32_t> checked)
      : builder(builder), loc(loc), pointer(pointer), lines(builder, loc, pointer.block) {
    for (unsigned dim = 0; dim < pointer.block.getRank(); ++dim)
      addDimension(dim, llvm::is_contained(checked, static_cast<int32_t>(dim)));
  }

  Value getPointers() {
    Value bases = lines.splatBlock(pointer.base);
    return tt::AddPtrOp::create(builder, loc, bases.getType(), bases, offsets);
  }

  /// Null where no dimension is checked.
  Value getMask() const { return mask; }

  /// What elements outside of the tensor are read as; null where that is not said.
  Value getPadding(std::optional<tt::PaddingOption> padding) {
    if (!mask || !padding)
      return {};
    Type element = pointer.block.getElementType();
    TypedAttr value = builder.getZeroAttr(element);
    if (*padding == tt::PaddingOption::PAD_NAN) {
      auto type = cast<FloatType>(element);
      value = builder.getFloatAttr(type, APFloat::getNaN(type.getFloatSemantics()));
    }
    return arith::ConstantOp::create(builder, loc, SplatElementsAttr::get(pointer.block, value));
  }

private:
  void addDimension(unsigned dim, bool isChecked) {
    Value positions = lines.getPositions(dim, pointer.offsets[dim]);
    if (isChecked) {
      Value inside = lines.toBlock(dim, lines.isInside(dim, positions, pointer.shape[dim]));
      mask = mask ? Value(arith::AndIOp::create(builder, loc, mask, inside)) : inside;
    }
    Value strides = lines.splatLine(dim, pointer.strides[dim]);
    Value along = lines.toBlock(dim, arith::MulIOp::create(builder, loc, positions, strides));
    offsets = offsets ? Value(arith::AddIOp::create(builder, loc, offsets, along)) : along;
  }

  OpBuilder &builder;
  Location loc;
  const BlockPointer &pointer;
  transform::BlockLines lines;
  Value offsets, mask;
};

struct RewriteMake : OpConversionPattern<tt::MakeTensorPtrOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tt::MakeTensorPtrOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithMultiple(op, {adaptor.getOperands()});
    return success();
  }
};

struct RewriteAdvance : OpConversionPattern<tt::AdvanceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tt::AdvanceOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> values(adaptor.getPtr());
    MutableArrayRef<Value> offsets = MutableArrayRef(values).take_back(op.getOffsets().size());
    for (auto [offset, step] : llvm::zip_equal(offsets, op.getOffsets()))
      offset = arith::AddIOp::create(rewriter, op.getLoc(), offset, step);
    rewriter.replaceOpWithMultiple(op, {values});
    return success();
  }
};

struct RewriteLoad : OpConversionPattern<tt::LoadOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tt::LoadOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    BlockPointer pointer(op.getPtr().getType(), adaptor.getPtr());
    AccessBuilder access(rewriter, op.getLoc(), pointer, op.getBoundaryCheck());
    auto load = tt::LoadOp::create(rewriter, op.getLoc(), access.getPointers(), access.getMask(),
                                   access.getPadding(op.getPadding()));
    load.setCache(op.getCache());
    load.setEvict(op.getEvict());
    load.setIsVolatile(op.getIsVolatile());
    rewriter.replaceOp(op, load);
    return success();
  }
};

struct RewriteStore : OpConversionPattern<tt::StoreOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tt::StoreOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    BlockPointer pointer(op.getPtr().getType(), adaptor.getPtr());
    AccessBuilder access(rewriter, op.getLoc(), pointer, op.getBoundaryCheck());
    rewriter.replaceOpWithNewOp<tt::StoreOp>(op, access.getPointers(), op.getValue(),
                                             access.getMask(), ArrayRef<int32_t>(), op.getCache(),
                                             op.getEvict());
    return success();
  }
};

/// Whether `op`, which uses block pointers, can do with them what it does; says so where it cannot.
LogicalResult checkSupported(Operation *op) {
  if (auto function = dyn_cast<tt::FuncOp>(op);
      function && function.isPublic() &&
      llvm::any_of(function.getArgumentTypes(), tt::isBlockPointer)) {
    auto error = function.emitOpError("is a kernel and cannot take a block pointer as an argument");
    error.attachNote() << "make it in the kernel, by tt.make_tensor_ptr";
    return error;
  }
  if (isa<tt::LoadOp, tt::StoreOp>(op))
    return tt::isBlockPointer(op->getOperand(0).getType()) ? tt::verifyBlockAccess(op) : success();
  if (isa<tt::MakeTensorPtrOp, tt::AdvanceOp, tt::FuncOp, tt::CallOp, tt::ReturnOp, scf::ForOp,
          scf::IfOp, scf::WhileOp, scf::YieldOp, scf::ConditionOp, arith::SelectOp>(op))
    return success();
  return op->emitOpError("cannot take or give a block pointer");
}

void expandType(Type type, SmallVectorImpl<Type> &types) {
  const unsigned rank = getBlockType(type).getRank();
  types.push_back(tt::getBlockBaseType(type));
  types.append(2 * rank, IntegerType::get(type.getContext(), 64));
  types.append(rank, IntegerType::get(type.getContext(), 32));
}

void addPatterns(const TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<RewriteMake, RewriteAdvance, RewriteLoad, RewriteStore>(converter,
                                                                       patterns.getContext());
}

struct RewriteTensorPointers
    : transform::impl::TritonRewriteTensorPointerBase<RewriteTensorPointers> {
  void runOnOperation() override {
    if (failed(transform::expandValues(
            getOperation(), {tt::isBlockPointer, checkSupported, expandType, addPatterns})))
      signalPassFailure();
  }
};

} // namespace
