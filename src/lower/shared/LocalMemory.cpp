//===- LocalMemory.cpp - Lowering of shared-memory ops ------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Allocations, loads, stores and views: see LocalTransfer.h for what a view becomes.
//
//===--------------------------------------------------------------------------===//

#include "lower/core/Patterns.h"
#include "lower/core/builder/IndexMaps.h"
#include "lower/core/builder/Scratch.h"
#include "lower/memory/ThreadAccess.h"
#include "lower/shared/LocalTransfer.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

namespace {

//===----------------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------------===//

struct LocalAllocPattern final : LoweringPattern<ttg::LocalAllocOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(ttg::LocalAllocOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    std::optional<uint64_t> offset = getScratchOffset(op);
    if (!offset)
      return reject(op, rewriter, "before allocate-shared-memory has placed it");
    LocalView view(e.addBytes(e.getSharedBase(), static_cast<int64_t>(*offset)), e.getI32(0));
    if (op.getSrc()) {
      auto type = cast<RankedTensorType>(op.getSrc().getType());
      LocalTransfer transfer(e, rewriter, type, op.getType(), view);
      if (Result<void> planned = transfer.plan(plan::LocalDirection::Store); !planned)
        return reject(op, rewriter, planned.error());
      transfer.store(adaptor.getSrc());
    }
    rewriter.replaceOpWithMultiple(op, {view.values()});
    return success();
  }
};

struct LocalDeallocPattern final : LoweringPattern<ttg::LocalDeallocOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(ttg::LocalDeallocOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.eraseOp(op);
    return success();
  }
};

struct LocalLoadPattern final : LoweringPattern<ttg::LocalLoadOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(ttg::LocalLoadOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    auto tensor = cast<RankedTensorType>(op.getType());
    LocalTransfer transfer(e, rewriter, tensor, op.getSrc().getType(), LocalView(adaptor.getSrc()));
    if (Result<void> planned = transfer.plan(plan::LocalDirection::Load); !planned)
      return reject(op, rewriter, planned.error());
    SmallVector<Value> registers =
        transfer.load(getTypeConverter()->convertType(tensor.getElementType()));
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{registers});
    return success();
  }
};

struct LocalStorePattern final : LoweringPattern<ttg::LocalStoreOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(ttg::LocalStoreOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    LocalTransfer transfer(e, rewriter, cast<RankedTensorType>(op.getSrc().getType()),
                           op.getDst().getType(), LocalView(adaptor.getDst()));
    if (Result<void> planned = transfer.plan(plan::LocalDirection::Store); !planned)
      return reject(op, rewriter, planned.error());
    transfer.store(adaptor.getSrc());
    rewriter.eraseOp(op);
    return success();
  }
};

//===----------------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------------===//

uint64_t bufferBytes(ttg::MemDescType type) {
  return type.getBufferStride() * getLocalElementBytes(type);
}

struct MemDescIndexPattern final : LoweringPattern<ttg::MemDescIndexOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(ttg::MemDescIndexOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    LocalView view(adaptor.getSrc());
    Value bytes =
        e.create<LLVM::MulOp>(adaptor.getIndex()[0], e.getI32(bufferBytes(op.getSrc().getType())));
    rewriter.replaceOpWithMultiple(
        op, {SmallVector<Value>{e.addBytes(view.pointer, bytes), view.offset}});
    return success();
  }
};

struct MemDescSubslicePattern final : LoweringPattern<ttg::MemDescSubsliceOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(ttg::MemDescSubsliceOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    ttg::MemDescType type = op.getSrc().getType();
    LocalView view(adaptor.getSrc());
    SmallVector<int64_t> offsets(op.getOffsets().begin(), op.getOffsets().end());
    const size_t buffers = type.getBufferShape().size();
    for (size_t i = 0; i < buffers; ++i)
      view.pointer = e.addBytes(view.pointer, offsets[i] * static_cast<int64_t>(bufferBytes(type)));
    uint64_t part =
        plan::offsetOfPart(type.toLinearLayout(), ArrayRef(offsets).drop_front(buffers));
    if (std::optional<uint64_t> constant = view.constantOffset())
      view.offset = e.getI32(static_cast<int64_t>(*constant ^ part));
    else if (part)
      view.offset = e.create<LLVM::XOrOp>(view.offset, e.getI32(static_cast<int64_t>(part)));
    rewriter.replaceOpWithMultiple(op, {view.values()});
    return success();
  }
};

/// Views whose elements lie where they did.
template <typename Op> struct SameViewPattern final : LoweringPattern<Op> {
  using LoweringPattern<Op>::LoweringPattern;
  using OneToNOpAdaptor = typename LoweringPattern<Op>::OneToNOpAdaptor;

  LogicalResult matchAndRewrite(Op op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithMultiple(op, {adaptor.getSrc()});
    return success();
  }
};

struct MemDescReinterpretPattern final : LoweringPattern<ttg::MemDescReinterpretOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(ttg::MemDescReinterpretOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    LocalView view(adaptor.getSrc());
    if (!op.getSrc().getType().inSharedMemory())
      return reject(op, rewriter, "with memory that is not shared memory");
    // Where the operand begins; from there on the elements are others.
    Value pointer = view.pointer;
    if (view.constantOffset() != 0)
      pointer = LocalAddresses(e, op.getSrc().getType(), {pointer, e.getI32(0)}).get(view.offset);
    rewriter.replaceOpWithMultiple(op, {SmallVector<Value>{pointer, e.getI32(0)}});
    return success();
  }
};

/// A choice between two views chooses their parts; what elementwise ops do is for numbers.
struct MemDescSelectPattern final : LoweringPattern<arith::SelectOp> {
  MemDescSelectPattern(const TypeConverter &converter, LoweringContext &context,
                       MLIRContext *mlirContext)
      : LoweringPattern(converter, context, mlirContext, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(arith::SelectOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!isa<ttg::MemDescType, ttg::AsyncTokenType>(op.getType()))
      return failure();
    LoweringBuilder e(context, rewriter, op.getLoc());
    Value condition = adaptor.getCondition().front();
    SmallVector<Value> chosen;
    for (auto [a, b] : llvm::zip_equal(adaptor.getTrueValue(), adaptor.getFalseValue()))
      chosen.push_back(e.create<LLVM::SelectOp>(a.getType(), condition, a, b));
    rewriter.replaceOpWithMultiple(op, {chosen});
    return success();
  }
};

//===--------------------------------------------------------------------------===//
// Elements picked along one dimension
//===--------------------------------------------------------------------------===//

/// Where the elements of a tensor of indices' layout lie in `memory`, with the coordinate of
/// dimension `axis` replaced by the index.
class IndexedElements {
public:
  IndexedElements(LoweringBuilder &e, RankedTensorType indices, ttg::MemDescType memory,
                  LocalView view, unsigned axis)
      : e(e), layout(ttg::toLinearLayout(indices)), addresses(e, memory, view) {
    layout::LinearLayout offsets = memory.toOffsets();
    const layout::Dim axisDim = layout.outs()[axis].dim;
    // The image of each location without its coordinate along the axis.
    for (uint64_t basis : layout.bases())
      images.push_back(offsetOf(offsets, basis, axisDim));
    for (unsigned bit = 0; bit < offsets.inBits(axisDim); ++bit)
      axisBases.push_back(offsets.basis(axisDim, bit, layout::dims::Offset));
    bases.resize(e.threadBits());
    for (unsigned bit = 0; bit < bases.size(); ++bit)
      bases[bit] = bit < e.context.laneBits ? imageOf(layout::dims::Lane, bit)
                                            : imageOf(layout::dims::Warp, bit - e.context.laneBits);
  }

  /// The address for register `r`, whose index is `index`.
  Value getPointer(unsigned r, Value index) {
    uint64_t constant = 0;
    for (unsigned bit = 0; r >> bit; ++bit)
      if (r >> bit & 1)
        constant ^= imageOf(layout::dims::Register, bit);
    Value along = emitLinearMap(e, emitIndex32(e, index), axisBases);
    return addresses.get(emitXor(e, e.getIndex(bases, constant), along));
  }

  const layout::LinearLayout &getLayout() const { return layout; }

private:
  /// The offset of a packed output of `layout`, with coordinate 0 along `axis`.
  uint64_t offsetOf(const layout::LinearLayout &offsets, uint64_t element, layout::Dim axis) {
    uint64_t result = 0;
    for (layout::SizedDim out : layout.outs()) {
      uint64_t value = out.dim == axis ? 0 : layout.outValue(element, out.dim);
      for (unsigned bit = 0; value >> bit; ++bit)
        if (value >> bit & 1)
          result ^= offsets.basis(out.dim, bit, layout::dims::Offset);
    }
    return result;
  }
  uint64_t imageOf(layout::Dim dim, unsigned bit) const {
    return images[layout.inShift(dim) + bit];
  }

  LoweringBuilder &e;
  layout::LinearLayout layout;
  LocalAddresses addresses;
  SmallVector<uint64_t> images, axisBases;
  ThreadBases bases;
};

constexpr StringLiteral severalBuffers =
    "with several buffers at once: pick one by ttg.memdesc_index";

struct LocalGatherPattern final : LoweringPattern<ttg::LocalGatherOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(ttg::LocalGatherOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    if (!op.getSrc().getType().getBufferShape().empty())
      return reject(op, rewriter, severalBuffers);
    Type type = getTypeConverter()->convertType(tt::getElementTypeOrSelf(op.getType()));
    auto vectorType = VectorType::get(1, e.getMemoryType(type));
    IndexedElements elements(e, cast<RankedTensorType>(op.getIndices().getType()),
                             op.getSrc().getType(), LocalView(adaptor.getSrc()), op.getAxis());
    SmallVector<Value> registers;
    for (auto [r, index] : llvm::enumerate(adaptor.getIndices())) {
      Value loaded = e.target.emitLoad(e.builder, e.loc, vectorType, elements.getPointer(r, index),
                                       e.getMemoryBytes(type), Value(), Value(), {});
      registers.push_back(e.fromMemory(e.unpackVector(loaded)[0], type));
    }
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{registers});
    return success();
  }
};

struct LocalScatterPattern final : LoweringPattern<ttg::LocalScatterOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(ttg::LocalScatterOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    if (!op.getDst().getType().getBufferShape().empty())
      return reject(op, rewriter, severalBuffers);
    IndexedElements elements(e, cast<RankedTensorType>(op.getIndices().getType()),
                             op.getDst().getType(), LocalView(adaptor.getDst()), op.getAxis());
    Value isFirst = e.testThreadBitsZero(getCopyThreads(elements.getLayout(), e));
    for (ArrayRef<unsigned> access : getAccesses(elements.getLayout(), {})) {
      Value value = e.toMemory(adaptor.getValues()[access[0]]);
      e.target.emitStore(e.builder, e.loc, e.packVector(value),
                         elements.getPointer(access[0], adaptor.getIndices()[access[0]]),
                         e.getMemoryBytes(value.getType()), isFirst, {});
    }
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void lower::addLocalMemoryPatterns(RewritePatternSet &patterns, const TypeConverter &converter,
                                   LoweringContext &context) {
  patterns.add<LocalAllocPattern, LocalDeallocPattern, LocalLoadPattern, LocalStorePattern,
               MemDescIndexPattern, MemDescSubslicePattern, SameViewPattern<ttg::MemDescTransOp>,
               SameViewPattern<ttg::MemDescReshapeOp>, MemDescReinterpretPattern,
               MemDescSelectPattern, LocalGatherPattern, LocalScatterPattern>(
      converter, context, patterns.getContext());
}
