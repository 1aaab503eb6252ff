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

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

namespace {

/// Register numbers of the accesses of a thread: each list is one access, its elements in the
/// order of their addresses. Registers that are copies of others are in none.
SmallVector<SmallVector<unsigned>> getAccesses(const layout::LinearLayout &layout,
                                               const AccessWidth &width) {
  const unsigned shift = layout.inShift(layout::dims::Register);
  const uint64_t copies = layout.freeMask() >> shift;
  uint64_t vectorBits = 0;
  for (unsigned bit : width.registerBits)
    vectorBits |= uint64_t(1) << bit;
  SmallVector<SmallVector<unsigned>> accesses;
  for (unsigned first = 0; first < layout.inSize(layout::dims::Register); ++first) {
    if (first & (vectorBits | copies))
      continue;
    SmallVector<unsigned> &access = accesses.emplace_back();
    for (unsigned i = 0; i < width.elements(); ++i) {
      unsigned element = first;
      for (auto [k, bit] : llvm::enumerate(width.registerBits))
        element |= (i >> k & 1) << bit;
      access.push_back(element);
    }
  }
  return accesses;
}

/// The bits of the thread's number that do not matter: threads that differ in them hold the
/// same elements.
uint32_t getCopyThreads(const layout::LinearLayout &layout, const LoweringContext &context) {
  uint64_t free = layout.freeMask();
  uint64_t lanes =
      free >> layout.inShift(layout::dims::Lane) & (layout.inSize(layout::dims::Lane) - 1);
  uint64_t warps =
      free >> layout.inShift(layout::dims::Warp) & (layout.inSize(layout::dims::Warp) - 1);
  return static_cast<uint32_t>(lanes | warps << context.laneBits);
}

bool isUsedOnce(tt::CacheModifier cache, tt::EvictionPolicy eviction) {
  return cache == tt::CacheModifier::CS || eviction == tt::EvictionPolicy::EVICT_FIRST;
}

bool isTrue(Value predicate) {
  auto constant = predicate.getDefiningOp<LLVM::ConstantOp>();
  auto value = constant ? dyn_cast<IntegerAttr>(constant.getValue()) : IntegerAttr();
  return value && value.getValue().isOne();
}

/// The mask of one access; null where there is none, or it is constantly true.
Value getPredicate(ValueRange mask, unsigned element) {
  return mask.empty() || isTrue(mask[element]) ? Value() : mask[element];
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
    // Registers that are copies hold what the first such register does.
    if (tensorType) {
      layout::LinearLayout layout = ttg::toLinearLayout(tensorType);
      const unsigned shift = layout.inShift(layout::dims::Register);
      llvm::DenseMap<uint64_t, Value> loaded;
      for (auto [r, value] : llvm::enumerate(registers)) {
        uint64_t element = layout.applyFlat(uint64_t(r) << shift);
        if (value)
          loaded.try_emplace(element, value);
        else
          value = loaded.lookup(element);
      }
    }
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
