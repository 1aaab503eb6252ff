//===- Memory.cpp - Lowering of loads and stores through pointers -------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A thread's registers are cut into groups, one vector access each. Where several locations
// hold one element, the first of them stores it (all of them load it, which spares moving it).
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/query/TransposingLoads.h"
#include "lower/core/Patterns.h"
#include "lower/core/blocks/Branch.h"
#include "lower/core/builder/TransposedVectors.h"
#include "lower/memory/ThreadAccess.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

namespace {

/// How an access uses the caches. What has a name in LLVM goes by that: `.cs` and `evict_first`,
/// as far as LLVM can carry it, and `.cv`, since a load that must see what other blocks write
/// may not be removed either.
template <typename Op> AccessFlags getFlags(Op op) {
  AccessFlags flags;
  const tt::CacheModifier cache = op.getCache();
  flags.nontemporal =
      cache == tt::CacheModifier::CS || op.getEvict() == tt::EvictionPolicy::EVICT_FIRST;
  flags.isVolatile = cache == tt::CacheModifier::CV;
  if (cache != tt::CacheModifier::NONE && !flags.isVolatile)
    flags.cachePolicy = tt::stringifyCacheModifier(cache);
  else if (op.getEvict() != tt::EvictionPolicy::NORMAL)
    flags.cachePolicy = tt::stringifyEvictionPolicy(op.getEvict());
  return flags;
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
    if (op->hasAttr(ttg::transposingAttrName))
      return reject(op, rewriter, "because the target has no load that transposes");
    LoweringBuilder e(context, rewriter, op.getLoc());
    ValueRange pointers = adaptor.getPtr(), mask = adaptor.getMask(), other = adaptor.getOther();
    Type type = getTypeConverter()->convertType(tt::getElementTypeOrSelf(op.getType()));
    Type memoryType = e.getMemoryType(type);
    AccessFlags flags = getFlags(op);
    flags.isVolatile |= op.getIsVolatile();

    const AccessWidth &width = widths.get(op);
    SmallVector<Value> registers(pointers.size());
    auto vectorType = VectorType::get(width.elements(), memoryType);
    for (ArrayRef<unsigned> access : getAccesses(op.getType(), width)) {
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
    if (auto tensorType = dyn_cast<RankedTensorType>(op.getType()))
      fillCopies(ttg::toLinearLayout(tensorType), registers);
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{registers});
    return success();
  }
};

struct StorePattern final : AccessPattern<tt::StoreOp> {
  using AccessPattern::AccessPattern;

  LogicalResult matchAndRewrite(tt::StoreOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    ValueRange pointers = adaptor.getPtr(), mask = adaptor.getMask();
    AccessFlags flags = getFlags(op);

    const AccessWidth &width = widths.get(op);
    const Type stored = op.getValue().getType();
    Value isFirst = e.testThreadBitsZero(getCopyThreads(stored, e));

    const auto accesses = getAccesses(stored, width);
    const SmallVector<Value> transposed = getTransposed(e, accesses, adaptor.getValue());
    llvm::SmallDenseMap<Value, Value> predicates;
    for (auto [access, vector] : llvm::zip_equal(accesses, transposed)) {
      Value masked = getPredicate(mask, access[0]);
      auto [predicate, isNew] = predicates.try_emplace(masked);
      if (isNew)
        predicate->second = e.andPredicates(masked, isFirst);
      SmallVector<Value> values;
      if (!vector)
        for (unsigned r : access)
          values.push_back(e.toMemory(adaptor.getValue()[r]));
      e.target.emitStore(rewriter, op.getLoc(), vector ? vector : e.packVector(values),
                         pointers[access[0]], width.alignment, predicate->second, flags);
    }
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// The vector of each access that is made by a transposition; null for the others.
  static SmallVector<Value> getTransposed(LoweringBuilder &e,
                                          ArrayRef<SmallVector<unsigned>> accesses,
                                          ValueRange registers) {
    const Type type = registers[0].getType();
    if (e.getMemoryType(type) != type)
      return SmallVector<Value>(accesses.size());
    const auto rows = llvm::map_to_vector(accesses, [&](ArrayRef<unsigned> access) {
      return llvm::map_to_vector(access, [&](unsigned r) -> Value { return registers[r]; });
    });
    return packTransposed(e, rows);
  }
};

} // namespace

void lower::addMemoryPatterns(RewritePatternSet &patterns, const TypeConverter &converter,
                              LoweringContext &context, const AccessWidths &widths) {
  patterns.add<LoadPattern, StorePattern>(converter, context, widths, patterns.getContext());
}
