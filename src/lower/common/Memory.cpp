//===- Memory.cpp - Loads and stores through pointers -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A thread's registers are cut into groups, one vector access each. Where several places
// hold one element, the first of them stores it (all of them load it, which spares moving it).
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/Dialect.h"
#include "lower/common/Branch.h"
#include "lower/common/Patterns.h"
#include "lower/common/ThreadAccess.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

namespace {

bool isUsedOnce(tt::CacheModifier cache, tt::EvictionPolicy eviction) {
  return cache == tt::CacheModifier::CS || eviction == tt::EvictionPolicy::EVICT_FIRST;
}

template <typename Op> struct AccessPattern : LoweringPattern<Op> {
  AccessPattern(const TypeConverter &converter, LoweringContext &context,
                const AccessWidths &widths, MLIRContext *mlirContext)
      : LoweringPattern<Op>(converter, context, mlirContext), widths(widths) {}

  const AccessWidths &widths;
};

struct LoadPattern final : AccessPattern<tt::LoadOp> {
  using AccessPattern::AccessPattern;

  LogicalResult matchAndRewrite(tt::LoadOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(context, rewriter, op.getLoc());
    ValueRange pointers = adaptor.getPtr(), mask = adaptor.getMask(), other = adaptor.getOther();
    Type type = getTypeConverter()->convertType(tt::getElementTypeOrSelf(op.getType()));
    Type memoryType = e.getMemoryType(type);
    AccessFlags flags{.isVolatile = op.getIsVolatile(),
                      .nontemporal = isUsedOnce(op.getCache(), op.getEvict())};
    // Loads that other blocks' writes must be seen by may not be satisfied by a stale line.
    if (op.getCache() == tt::CacheModifier::CV)
      flags.isVolatile = true;

    const AccessWidth &width = widths.get(op);
    auto tensorType = dyn_cast<RankedTensorType>(op.getType());
    SmallVector<SmallVector<unsigned>> accesses{{0}};
    if (tensorType)
      accesses = getAccesses(ttg::toLinearLayout(tensorType), width);

    SmallVector<Value> registers(pointers.size());
    auto vectorType = VectorType::get(width.elements(), memoryType);
    for (ArrayRef<unsigned> access : accesses) {
      Value predicate = getPredicate(mask, access[0]), passThrough;
      if (predicate) {
        SmallVector<Value> others;
        for (unsigned r : access)
          others.push_back(other.empty() ? e.getZero(memoryType) : e.toMemory(other[r]));
        passThrough = e.packVector(others);
      }
      auto load = [&](Value predicate, Value passThrough) {
        return e.target.emitLoad(rewriter, op.getLoc(), vectorType, pointers[access[0]],
                                 width.alignment, predicate, passThrough, flags);
      };
      // No masked access can be volatile.
      Value vector = flags.isVolatile && predicate
                         ? emitBranch(e, rewriter, predicate, passThrough,
                                      [&] { return SmallVector<Value>{load({}, {})}; })[0]
                         : load(predicate, passThrough);
      for (auto [r, value] : llvm::zip_equal(access, e.unpackVector(vector)))
        registers[r] = e.fromMemory(value, type);
    }
    if (tensorType)
      fillCopies(ttg::toLinearLayout(tensorType), registers);
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{registers});
    return success();
  }
};

struct StorePattern final : AccessPattern<tt::StoreOp> {
  using AccessPattern::AccessPattern;

  LogicalResult matchAndRewrite(tt::StoreOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(context, rewriter, op.getLoc());
    ValueRange pointers = adaptor.getPtr(), mask = adaptor.getMask();
    AccessFlags flags{.nontemporal = isUsedOnce(op.getCache(), op.getEvict())};

    const AccessWidth &width = widths.get(op);
    SmallVector<SmallVector<unsigned>> accesses{{0}};
    // A scalar is the same in all threads: the first stores it.
    uint32_t copyThreads = context.numThreads() - 1;
    if (auto tensorType = dyn_cast<RankedTensorType>(op.getValue().getType())) {
      layout::LinearLayout layout = ttg::toLinearLayout(tensorType);
      accesses = getAccesses(layout, width);
      copyThreads = getCopyThreads(layout, context);
    }
    Value isFirst = e.testThreadBitsZero(copyThreads);

    llvm::SmallDenseMap<Value, Value> predicates;
    for (ArrayRef<unsigned> access : accesses) {
      Value masked = getPredicate(mask, access[0]);
      auto [predicate, isNew] = predicates.try_emplace(masked);
      if (isNew)
        predicate->second = e.andPredicates(masked, isFirst);
      SmallVector<Value> values;
      for (unsigned r : access)
        values.push_back(e.toMemory(adaptor.getValue()[r]));
      e.target.emitStore(rewriter, op.getLoc(), e.packVector(values), pointers[access[0]],
                         width.alignment, predicate->second, flags);
    }
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void lower::addMemoryPatterns(RewritePatternSet &patterns, const TypeConverter &converter,
                              LoweringContext &context, const AccessWidths &widths) {
  patterns.add<LoadPattern, StorePattern>(converter, context, widths, patterns.getContext());
}
