//===- LocalMemory.cpp - Tensors in shared memory -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A tensor in shared memory becomes a pointer to its buffer and the offset of its first element
// there, in elements: coordinates of a part are joined to those within it, so the offset
// is joined to offsets by XOR. Mostly it is a constant, zero. Views change the two and touch no
// memory; how a tensor gets in and out is layout::planLocalAccess's to say.
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/Dialect.h"
#include "layout/LocalAccess.h"
#include "lower/common/Branch.h"
#include "lower/common/EmitConversion.h"
#include "lower/common/Patterns.h"
#include "lower/common/SharedMemory.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

namespace {

/// A view of memory, as a value of the type converter's.
struct View {
  Value pointer, offset;

  explicit View(ValueRange values) : pointer(values[0]), offset(values[1]) {}
  View(Value pointer, Value offset) : pointer(pointer), offset(offset) {}

  /// The offset, where it is a constant.
  std::optional<uint64_t> constantOffset() const {
    auto constant = offset.getDefiningOp<LLVM::ConstantOp>();
    auto value = constant ? dyn_cast<IntegerAttr>(constant.getValue()) : IntegerAttr();
    return value ? std::optional(value.getValue().getZExtValue()) : std::nullopt;
  }
};

/// The addresses of elements of a memory by their offsets.
class Addresses {
public:
  Addresses(Emitter &e, ttg::MemDescType type, View view)
      : e(e), view(view),
        elementBytes(std::max(8u, tt::getStorageBits(type.getElementType())) / 8) {
    // Holes are a linear function of the offset's bits: what bit k adds beyond twice what bit
    // k - 1 does is the padding of an interval of 2^k.
    ttg::SharedLayoutEncoding encoding = type.getSharedEncoding();
    uint64_t before = 0;
    for (unsigned k = 0; k < type.toLinearLayout().inBits(layout::dims::Offset); ++k) {
      uint64_t holes = encoding.paddedOffset(uint64_t(1) << k) - (uint64_t(1) << k);
      if (holes != 2 * before)
        paddings.push_back({k, holes - 2 * before});
      before = holes;
    }
  }

  /// The most elements without a hole, and such that accesses of them stay aligned.
  uint64_t contiguous() const {
    uint64_t most = ~uint64_t(0);
    for (const Padding &padding : paddings)
      most = std::min(
          {most, uint64_t(1) << padding.intervalBits, padding.elements & -padding.elements});
    return most;
  }

  /// The element at `bases`(thread) ^ `xorOffset` ^ `addOffset` ^ the view's offset; the bits of
  /// addOffset are not among those of the bases.
  Value get(const ThreadBases &bases, uint64_t xorOffset, uint64_t addOffset) {
    uint64_t threadBits = 0;
    for (uint64_t basis : bases)
      threadBits |= basis;
    uint64_t whole = xorOffset | addOffset, added = 0;
    if (std::optional<uint64_t> constant = view.constantOffset()) {
      whole ^= *constant;
      added = whole & ~threadBits;
    }
    Value &base = baseOfXor[whole & ~added];
    if (!base)
      base = getBase(bases, whole & ~added);
    return e.addBytes(base, static_cast<int64_t>(padded(added) * elementBytes));
  }

  /// The element at `offset` (i32) ^ the view's offset.
  Value get(Value offset) {
    if (view.constantOffset() != 0)
      offset = e.create<LLVM::XOrOp>(offset, view.offset);
    return toPointer(offset);
  }

private:
  struct Padding {
    unsigned intervalBits;
    uint64_t elements;
  };

  uint64_t padded(uint64_t offset) const {
    uint64_t result = offset;
    for (const Padding &padding : paddings)
      result += (offset >> padding.intervalBits) * padding.elements;
    return result;
  }

  Value getBase(const ThreadBases &bases, uint64_t constant) {
    const bool isConstant = view.constantOffset().has_value();
    if (paddings.empty() && isConstant) {
      ThreadBases byteBases(bases);
      for (uint64_t &basis : byteBases)
        basis *= elementBytes;
      return e.addBytes(view.pointer, e.getIndex(byteBases, constant * elementBytes));
    }
    Value offset = e.getIndex(bases, constant);
    if (!isConstant)
      offset = e.create<LLVM::XOrOp>(offset, view.offset);
    return toPointer(offset);
  }

  Value toPointer(Value offset) {
    Value result = offset;
    for (const Padding &padding : paddings) {
      Value intervals = e.create<LLVM::LShrOp>(offset, e.getI32(padding.intervalBits));
      result = e.create<LLVM::AddOp>(result,
                                     e.create<LLVM::MulOp>(intervals, e.getI32(padding.elements)));
    }
    return e.addBytes(view.pointer, e.create<LLVM::MulOp>(result, e.getI32(elementBytes)));
  }

  Emitter &e;
  View view;
  unsigned elementBytes;
  SmallVector<Padding> paddings;
  llvm::SmallDenseMap<uint64_t, Value> baseOfXor;
};

/// A tensor on its way in or out of memory.
class Transfer {
public:
  Transfer(Emitter &e, RewriterBase &rewriter, RankedTensorType tensor, ttg::MemDescType memory,
           View view)
      : e(e), rewriter(rewriter), tensor(tensor), memory(memory), addresses(e, memory, view) {}

  /// Null where there is none; then `reason` says why.
  bool plan(layout::LocalDirection direction) {
    if (!memory.getBufferShape().empty()) {
      reason = "with several buffers at once: pick one by ttg.memdesc_index";
      return false;
    }
    layout::Result<layout::LocalAccessPlan> result = layout::planLocalAccess(
        ttg::toLinearLayout(tensor),
        {memory.toLinearLayout(), tt::getStorageBits(memory.getElementType()),
         addresses.contiguous()},
        direction, e.target.getTarget().sharedMemory());
    if (!result) {
      reason = "because " + result.error();
      return false;
    }
    steps = *result;
    bases = getThreadBases(steps.base);
    return true;
  }

  void store(ValueRange values) {
    Value predicate = testCondition(e, steps.condition);
    // Matrices have no predicates; whole warps go around their stores.
    const bool branches = predicate && steps.kind != layout::AccessKind::Vector;
    auto storeAll = [&] {
      for (const layout::SharedAccess &access : steps.accesses) {
        SmallVector<Value> stored;
        for (unsigned r : access.registers)
          stored.push_back(e.toMemory(values[r]));
        emitSharedStore(e, steps.kind, pointerOf(access), stored, branches ? Value() : predicate);
      }
      return SmallVector<Value>();
    };
    if (branches)
      emitBranch(e, rewriter, predicate, {}, storeAll);
    else
      storeAll();
  }

  SmallVector<Value> load(Type type) {
    SmallVector<Value> loaded(steps.copies.size()), results;
    for (const layout::SharedAccess &access : steps.accesses)
      for (auto [r, value] : llvm::zip_equal(
               access.registers, emitSharedLoad(e, steps.kind, pointerOf(access),
                                                access.registers.size(), e.getMemoryType(type))))
        loaded[r] = e.fromMemory(value, type);
    for (unsigned copy : steps.copies)
      results.push_back(loaded[copy]);
    return results;
  }

  std::string reason;

private:
  Value pointerOf(const layout::SharedAccess &access) {
    return addresses.get(bases, access.xorOffset, access.addOffset);
  }

  Emitter &e;
  RewriterBase &rewriter;
  RankedTensorType tensor;
  ttg::MemDescType memory;
  Addresses addresses;
  layout::LocalAccessPlan steps;
  ThreadBases bases;
};

//===----------------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------------===//

struct LocalAllocPattern final : LoweringPattern<ttg::LocalAllocOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(ttg::LocalAllocOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(context, rewriter, op.getLoc());
    std::optional<uint64_t> offset = getScratchOffset(op);
    if (!offset)
      return reject(op, rewriter, "before allocate-shared-memory has placed it");
    View view(e.addBytes(e.getSharedBase(), static_cast<int64_t>(*offset)), e.getI32(0));
    if (op.getSrc()) {
      auto type = cast<RankedTensorType>(op.getSrc().getType());
      Transfer transfer(e, rewriter, type, op.getType(), view);
      if (!transfer.plan(layout::LocalDirection::Store))
        return reject(op, rewriter, transfer.reason);
      transfer.store(adaptor.getSrc());
    }
    rewriter.replaceOpWithMultiple(op, {SmallVector<Value>{view.pointer, view.offset}});
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
    Emitter e(context, rewriter, op.getLoc());
    auto tensor = cast<RankedTensorType>(op.getType());
    Transfer transfer(e, rewriter, tensor, op.getSrc().getType(), View(adaptor.getSrc()));
    if (!transfer.plan(layout::LocalDirection::Load))
      return reject(op, rewriter, transfer.reason);
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
    Emitter e(context, rewriter, op.getLoc());
    Transfer transfer(e, rewriter, cast<RankedTensorType>(op.getSrc().getType()),
                      op.getDst().getType(), View(adaptor.getDst()));
    if (!transfer.plan(layout::LocalDirection::Store))
      return reject(op, rewriter, transfer.reason);
    transfer.store(adaptor.getSrc());
    rewriter.eraseOp(op);
    return success();
  }
};

//===----------------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------------===//

uint64_t bufferBytes(ttg::MemDescType type) {
  return type.getBufferStride() * std::max(8u, tt::getStorageBits(type.getElementType())) / 8;
}

struct MemDescIndexPattern final : LoweringPattern<ttg::MemDescIndexOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(ttg::MemDescIndexOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(context, rewriter, op.getLoc());
    View view(adaptor.getSrc());
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
    Emitter e(context, rewriter, op.getLoc());
    ttg::MemDescType type = op.getSrc().getType();
    View view(adaptor.getSrc());
    SmallVector<int64_t> offsets(op.getOffsets().begin(), op.getOffsets().end());
    const size_t buffers = type.getBufferShape().size();
    for (size_t i = 0; i < buffers; ++i)
      view.pointer = e.addBytes(view.pointer, offsets[i] * static_cast<int64_t>(bufferBytes(type)));
    uint64_t part =
        layout::offsetOfPart(type.toLinearLayout(), ArrayRef(offsets).drop_front(buffers));
    if (std::optional<uint64_t> constant = view.constantOffset())
      view.offset = e.getI32(static_cast<int64_t>(*constant ^ part));
    else if (part)
      view.offset = e.create<LLVM::XOrOp>(view.offset, e.getI32(static_cast<int64_t>(part)));
    rewriter.replaceOpWithMultiple(op, {SmallVector<Value>{view.pointer, view.offset}});
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
    Emitter e(context, rewriter, op.getLoc());
    View view(adaptor.getSrc());
    if (!op.getSrc().getType().inSharedMemory())
      return reject(op, rewriter, "with memory that is not shared memory");
    // Where the operand begins; from there on the elements are others.
    Value pointer = view.pointer;
    if (view.constantOffset() != 0)
      pointer = Addresses(e, op.getSrc().getType(), {pointer, e.getI32(0)}).get(view.offset);
    rewriter.replaceOpWithMultiple(op, {SmallVector<Value>{pointer, e.getI32(0)}});
    return success();
  }
};

} // namespace

void lower::addLocalMemoryPatterns(RewritePatternSet &patterns, const TypeConverter &converter,
                                   LoweringContext &context) {
  patterns.add<LocalAllocPattern, LocalDeallocPattern, LocalLoadPattern, LocalStorePattern,
               MemDescIndexPattern, MemDescSubslicePattern, SameViewPattern<ttg::MemDescTransOp>,
               SameViewPattern<ttg::MemDescReshapeOp>, MemDescReinterpretPattern>(
      converter, context, patterns.getContext());
}
