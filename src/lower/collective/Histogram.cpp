//===- Histogram.cpp - Lowering of histograms ---------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Each bin has a counter in scratch memory, and one more counts what is in no bin or masked
// off, so that no element needs a branch. The threads set the counters to zero, count their
// elements by atomic additions of the constant 1, which memories have a fast form for, and load
// the counters that they are to have. Elements that several locations hold are counted by the
// first.
//
//===--------------------------------------------------------------------------===//

#include "lower/collective/CollectivePlans.h"
#include "lower/core/Patterns.h"
#include "lower/core/blocks/Branch.h"
#include "lower/memory/ThreadAccess.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using layout::LinearLayout;

namespace {

/// Bytes of a counter, and the most that one access takes.
constexpr unsigned counterBytes = 4;
constexpr uint64_t maxCounters = 4;

class Histogram {
public:
  Histogram(tt::HistogramOp op, LoweringBuilder &e, RewriterBase &rewriter, uint64_t scratch)
      : e(e), rewriter(rewriter),
        base(e.addBytes(e.getSharedBase(), static_cast<int64_t>(scratch))),
        src(layoutOf(op.getSrc())), result(layoutOf(op.getResult())),
        bins(op.getResult().getType().getNumElements()) {}

  SmallVector<Value> run(ValueRange elements, ValueRange mask, Type resultType) {
    clear();
    e.emitSharedBarrier();
    count(elements, mask);
    e.emitSharedBarrier();
    return load(resultType);
  }

private:
  /// Each thread sets some counters, as many as one store takes, and again those that are a
  /// block's worth further.
  void clear() {
    const uint64_t threads = e.numThreads();
    const uint64_t vector = std::clamp<uint64_t>(bins / threads, 1, maxCounters);
    const uint64_t storing = std::min(threads, bins / vector);
    Value zeros = e.getZero(VectorType::get(vector, e.builder.getI32Type()));
    ThreadBases bases(e.threadBits());
    for (auto [bit, basis] : llvm::enumerate(bases))
      if (uint64_t(1) << bit < storing)
        basis = (uint64_t(1) << bit) * vector * counterBytes;
    Value pointer = base;
    if (Value offset = e.getThreadValue(bases))
      pointer = e.addBytes(base, offset);
    Value isStoring = e.testThreadBitsZero(static_cast<uint32_t>((threads - 1) & ~(storing - 1)));
    for (uint64_t first = 0; first < bins; first += storing * vector)
      e.target.emitStore(e.builder, e.loc, zeros,
                         e.addBytes(pointer, static_cast<int64_t>(first * counterBytes)),
                         vector * counterBytes, isStoring, {});
    e.target.emitStore(e.builder, e.loc, e.getZero(VectorType::get(1, e.builder.getI32Type())),
                       e.addBytes(base, static_cast<int64_t>(bins * counterBytes)), counterBytes,
                       e.testThreadBitsZero(static_cast<uint32_t>(threads - 1)), {});
  }

  /// The counter of an element.
  Value getCounter(Value element, Value mask) {
    const Type i32 = e.builder.getI32Type();
    const unsigned width = element.getType().getIntOrFloatBitWidth();
    // Elements are counted by their bits: a negative one is in no bin.
    if (width < 32)
      element = e.create<LLVM::ZExtOp>(i32, element);
    Value isInside;
    if (width >= 32 || bins < uint64_t(1) << width)
      isInside = e.create<LLVM::ICmpOp>(LLVM::ICmpPredicate::ult, element,
                                        e.getInt(element.getType(), static_cast<int64_t>(bins)));
    if (width > 32)
      element = e.create<LLVM::TruncOp>(i32, element);
    if (Value isCounted = e.andPredicates(isInside, mask))
      element = e.create<LLVM::SelectOp>(isCounted, element, e.getI32(static_cast<int64_t>(bins)));
    return element;
  }

  void count(ValueRange elements, ValueRange mask) {
    const uint64_t copies = src.freeMask();
    auto add = [&] {
      Value one = e.getI32(1);
      for (auto [r, element] : llvm::enumerate(elements)) {
        if (copies >> src.inShift(layout::dims::Register) & r)
          continue;
        Value counter = getCounter(element, mask.empty() ? Value() : mask[r]);
        Value pointer =
            e.create<LLVM::GEPOp>(base.getType(), e.builder.getI32Type(), base,
                                  ArrayRef<LLVM::GEPArg>{counter}, LLVM::GEPNoWrapFlags::inbounds);
        e.create<LLVM::AtomicRMWOp>(LLVM::AtomicBinOp::add, pointer, one,
                                    LLVM::AtomicOrdering::monotonic);
      }
      return SmallVector<Value>();
    };
    if (Value isCounting = e.testThreadBitsZero(getCopyThreads(src, e)))
      emitBranch(e, rewriter, isCounting, {}, add);
    else
      add();
  }

  SmallVector<Value> load(Type resultType) {
    const Type i32 = e.builder.getI32Type();
    const unsigned shift = result.inShift(layout::dims::Register);
    const uint64_t vector = std::min(maxCounters, getNeighbours());
    ThreadBases bases = getThreadBases(result);
    uint64_t threadBits = 0;
    for (uint64_t basis : bases)
      threadBits |= basis;
    SmallVector<Value> loaded(result.inSize(layout::dims::Register));
    for (uint64_t r = 0; r < loaded.size(); r += vector) {
      // What shares no bit with the thread's part goes into the instruction.
      const uint64_t bin = result.applyFlat(r << shift), shared = bin & threadBits;
      Value index = e.getIndex(bases, shared);
      Value pointer = e.create<LLVM::GEPOp>(
          base.getType(), i32, base, ArrayRef<LLVM::GEPArg>{index}, LLVM::GEPNoWrapFlags::inbounds);
      pointer = e.addBytes(pointer, static_cast<int64_t>((bin ^ shared) * counterBytes));
      Value values = e.target.emitLoad(e.builder, e.loc, VectorType::get(vector, i32), pointer,
                                       vector * counterBytes, Value(), Value(), {});
      for (auto [i, value] : llvm::enumerate(e.unpackVector(values)))
        loaded[r + i] = resize(value, resultType);
    }
    return loaded;
  }

  /// How many registers from a multiple of that number on are neighbouring bins in all threads.
  uint64_t getNeighbours() const {
    if (result.ins().empty() || result.ins().front().dim != layout::dims::Register)
      return 1;
    return std::min(result.getNumConsecutiveInOut(), result.inSize(layout::dims::Register));
  }

  Value resize(Value value, Type type) {
    const unsigned width = type.getIntOrFloatBitWidth();
    if (width == 32)
      return value;
    return width < 32 ? Value(e.create<LLVM::TruncOp>(type, value))
                      : Value(e.create<LLVM::ZExtOp>(type, value));
  }

  LoweringBuilder &e;
  RewriterBase &rewriter;
  /// The first counter.
  Value base;
  LinearLayout src, result;
  uint64_t bins;
};

struct HistogramPattern final : LoweringPattern<tt::HistogramOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(tt::HistogramOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    std::optional<uint64_t> scratch = getScratchOffset(op);
    if (!scratch)
      return reject(op, rewriter, "before allocate-shared-memory has placed its scratch");
    Type type = getTypeConverter()->convertType(op.getResult().getType().getElementType());
    ValueRange mask = op.getMask() ? adaptor.getMask() : ValueRange();
    SmallVector<Value> results =
        Histogram(op, e, rewriter, *scratch).run(adaptor.getSrc(), mask, type);
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{results});
    return success();
  }
};

} // namespace

void lower::addHistogramPattern(RewritePatternSet &patterns, const TypeConverter &converter,
                                LoweringContext &context) {
  patterns.add<HistogramPattern>(converter, context, patterns.getContext());
}

void lower::attachHistogramScratch(MLIRContext &context) {
  attachScratch<tt::HistogramOp, getHistogramScratch>(context);
}
