//===- ClusterOps.cpp - What the blocks of a cluster do together --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A tile that goes to other blocks is left in each block's shared memory, in row-major order. Then
// the blocks meet, every thread loads what it needs from the block that has it, and they meet
// again: a block that ended, or went on to use the memory, would take it from the others (PTX ISA,
// mapa and barrier.cluster).
//
// Where an element lies is linear over F2: the bits of its coordinates are an offset in memory and,
// the highest of the dimensions that are divided, the rank of a block. So both are sums of what the
// register, the thread and the own rank give.
//
//===--------------------------------------------------------------------------===//

#include "ir/tw/ClusterSplit.h"
#include "ir/tw/Dialect.h"
#include "lower/core/Patterns.h"
#include "lower/core/builder/IndexMaps.h"
#include "lower/core/builder/Scratch.h"
#include "lower/memory/ThreadAccess.h"
#include "vendor/nvidia/lower/NvidiaPatterns.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using layout::Dim;
using layout::LinearLayout;
using tw::ClusterSplit;

namespace {

/// PTX's state space of the cluster's shared memory, as LLVM numbers it.
constexpr unsigned clusterAddressSpace = 7;

void emitClusterBarrier(LoweringBuilder &e) {
  e.create<NVVM::ClusterArriveOp>(e.builder.getUnitAttr());
  e.create<NVVM::ClusterWaitOp>(e.builder.getUnitAttr());
}

/// The layout of a part with the last dimension in the lowest bits of its packed coordinates.
LinearLayout getRowMajorLayout(RankedTensorType type) {
  const LinearLayout layout = ttg::toLinearLayout(type);
  FixedVector<Dim, LinearLayout::MaxDims> dims;
  for (size_t d = layout.outs().size(); d-- > 0;)
    dims.push_back(layout.outs()[d].dim);
  return layout.transposeOuts(dims);
}

/// Where the elements of a tile are.
class Places {
public:
  Places(RankedTensorType src, const ClusterSplit &from, const ClusterSplit &to)
      : layout(getRowMajorLayout(src)), from(from), to(to) {}

  struct Place {
    uint64_t offset = 0;
    uint64_t rank = 0;
    Place operator^(Place other) const { return {offset ^ other.offset, rank ^ other.rank}; }
  };

  /// Of the element at packed coordinates of the result's `resultLayout`; or of its dimension `dim`
  /// alone the bit `bit`, in the whole tile.
  Place ofElement(const LinearLayout &resultLayout, uint64_t packed) const {
    Place place;
    for (layout::SizedDim out : resultLayout.outs()) {
      const uint64_t along =
          (packed & resultLayout.outMask(out.dim)) >> resultLayout.outShift(out.dim);
      for (uint64_t rest = along; rest; rest &= rest - 1)
        place = place ^ ofBit(out.dim, llvm::countr_zero(rest));
    }
    return place;
  }

  /// What bit `bit` of the own rank adds.
  Place ofRankBit(const LinearLayout &resultLayout, unsigned bit) const {
    const int32_t divided = to[bit];
    if (divided == ClusterSplit::Nothing)
      return {};
    const unsigned before = llvm::popcount(to.bitsAlong(divided) & ((1u << bit) - 1));
    const Dim dim = Dim::tensor(static_cast<unsigned>(divided));
    return ofBit(dim, resultLayout.outBits(dim) + before);
  }

private:
  /// Of the element whose coordinates are zero but for this bit.
  Place ofBit(Dim dim, unsigned bit) const {
    const unsigned own = layout.outBits(dim);
    if (bit < own)
      return {uint64_t(1) << (layout.outShift(dim) + bit), 0};
    unsigned number = 0;
    for (unsigned rankBit = 0; rankBit < from.numBits(); ++rankBit)
      if (from[rankBit] != ClusterSplit::Nothing &&
          Dim::tensor(static_cast<unsigned>(from[rankBit])) == dim && own + number++ == bit)
        return {0, uint64_t(1) << rankBit};
    llvm_unreachable("the parts are of one tile");
  }

  LinearLayout layout;
  ClusterSplit from, to;
};

struct ClusterConvertPattern final : LoweringPattern<tw::ClusterConvertOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(tw::ClusterConvertOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    std::optional<uint64_t> scratch = getScratchOffset(op);
    if (!scratch)
      return reject(op, rewriter, "before allocate-shared-memory has placed its scratch");
    if (e.getGroup().partition)
      return reject(op, rewriter, "in a partition of a block's warps");
    Type type = getTypeConverter()->convertType(op.getType().getElementType());
    storeOwn(e, op.getSrc().getType(), adaptor.getSrc(), *scratch);
    emitClusterBarrier(e);
    SmallVector<Value> registers = load(e, op, type, *scratch);
    emitClusterBarrier(e);
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{registers});
    return success();
  }

private:
  static void storeOwn(LoweringBuilder &e, RankedTensorType type, ValueRange registers,
                       uint64_t scratch) {
    const LinearLayout layout = getRowMajorLayout(type);
    const unsigned bytes = e.getMemoryBytes(registers[0].getType());
    ThreadOffsets offsets(e, getThreadBases(layout), bytes, scratch);
    Value isFirst = e.testThreadBitsZero(getCopyThreads(layout, e));
    const uint64_t copies = layout.freeMask() >> layout.inShift(layout::dims::Register);
    for (auto [r, value] : llvm::enumerate(registers))
      if (!(r & copies))
        e.target.emitStore(e.builder, e.loc, e.packVector(e.toMemory(value)),
                           offsets.get(offsetOf(layout, r)), bytes, isFirst, {});
  }

  static SmallVector<Value> load(LoweringBuilder &e, tw::ClusterConvertOp op, Type type,
                                 uint64_t scratch) {
    const Places places(op.getSrc().getType(), ClusterSplit(op.getFrom()),
                        ClusterSplit(op.getTo()));
    const LinearLayout layout = getRowMajorLayout(op.getType());
    const unsigned bytes = e.getMemoryBytes(type);
    ThreadBases offsetBases, rankBases;
    for (uint64_t basis : getThreadBases(layout)) {
      const Places::Place place = places.ofElement(layout, basis);
      offsetBases.push_back(place.offset * bytes);
      rankBases.push_back(place.rank);
    }
    SmallVector<uint64_t> offsetColumns, rankColumns;
    for (unsigned bit = 0; bit < op.getTo().size(); ++bit) {
      const Places::Place place = places.ofRankBit(layout, bit);
      offsetColumns.push_back(place.offset * bytes);
      rankColumns.push_back(place.rank);
    }
    Value own = e.create<NVVM::ClusterId>(e.builder.getI32Type());
    Value offset = emitXor(e, e.getThreadValue(offsetBases), emitLinearMap(e, own, offsetColumns));
    Value rank = emitXor(e, e.getThreadValue(rankBases), emitLinearMap(e, own, rankColumns));

    Value begin = e.addBytes(e.getSharedBase(), static_cast<int64_t>(scratch));
    auto remote = LLVM::LLVMPointerType::get(e.builder.getContext(), clusterAddressSpace);
    auto vectorType = VectorType::get(1, e.getMemoryType(type));
    llvm::DenseMap<uint64_t, Value> beginOfRank;
    SmallVector<Value> registers;
    for (uint64_t r = 0; r < layout.inSize(layout::dims::Register); ++r) {
      const Places::Place place = places.ofElement(layout, offsetOf(layout, r));
      auto xored = [&](Value part, uint64_t constant) {
        return constant || !part ? emitXor(e, part, e.getI32(static_cast<int64_t>(constant)))
                                 : part;
      };
      Value &memory = beginOfRank[place.rank];
      if (!memory)
        memory = e.create<NVVM::MapaOp>(remote, begin, xored(rank, place.rank));
      Value pointer = e.addBytes(memory, xored(offset, place.offset * bytes));
      Value loaded =
          e.target.emitLoad(e.builder, e.loc, vectorType, pointer, bytes, Value(), Value(), {});
      registers.push_back(e.fromMemory(e.unpackVector(loaded)[0], type));
    }
    return registers;
  }

  static uint64_t offsetOf(const LinearLayout &layout, uint64_t reg) {
    return layout.applyFlat(reg << layout.inShift(layout::dims::Register));
  }
};

struct ClusterRankPattern final : LoweringPattern<tw::ClusterRankOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(tw::ClusterRankOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<NVVM::ClusterId>(op, op.getType());
    return success();
  }
};

struct ClusterBarrierPattern final : LoweringPattern<tw::ClusterBarrierOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(tw::ClusterBarrierOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    emitClusterBarrier(e);
    rewriter.eraseOp(op);
    return success();
  }
};

ttg::Scratch getClusterConvertScratch(tw::ClusterConvertOp op, plan::PlanCache &) {
  const RankedTensorType type = op.getSrc().getType();
  return {static_cast<uint64_t>(type.getNumElements()) * tt::getStorageBits(type.getElementType()) /
              8,
          /*hasBlockBarrier=*/true};
}

} // namespace

void nvidia::registerClusterScratch(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tw::TilewrightDialect *) {
    attachScratch<tw::ClusterConvertOp, getClusterConvertScratch>(*context);
  });
}

void nvidia::addClusterPatterns(RewritePatternSet &patterns, const PatternServices &services) {
  patterns.add<ClusterConvertPattern, ClusterRankPattern, ClusterBarrierPattern>(
      services.converter, services.context, patterns.getContext());
}
