//===- Reduce.cpp - Lowering of reductions ------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Emits what planReduction says. An *item* is one value for each operand of the reduction.
//
//===--------------------------------------------------------------------------===//

#include "lower/common/Patterns.h"
#include "lower/common/Reduction.h"
#include "lower/common/SharedMemory.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

namespace {

using Item = SmallVector<Value, 2>;

/// The region of a reduction, emitted in place for each pair of items.
class Combiner {
public:
  Combiner(tt::ReduceOp op, Emitter &emitter, const ScalarOps &scalarOps,
           const TypeConverter &converter, ConversionPatternRewriter &rewriter)
      : body(op.getCombineOp().front()), emitter(emitter), scalarOps(scalarOps),
        converter(converter), rewriter(rewriter) {}

  /// The op of the region that cannot be emitted, or null.
  Operation *findUnsupported() {
    for (Operation &op : body.without_terminator())
      if (!scalarOps.find(op.getName()) && !isa<arith::ConstantOp>(op))
        return &op;
    return nullptr;
  }

  Item combine(ArrayRef<Value> a, ArrayRef<Value> b) {
    llvm::SmallDenseMap<Value, Value, 16> values;
    for (auto [argument, value] :
         llvm::zip_equal(body.getArguments(), llvm::concat<const Value>(a, b)))
      values[argument] = value;
    auto lookUp = [&](Value value) {
      // What the region takes from outside is a scalar that was converted before.
      Value mapped = values.lookup(value);
      return mapped ? mapped : rewriter.getRemappedValue(value);
    };
    for (Operation &op : body.without_terminator()) {
      emitter.loc = op.getLoc();
      SmallVector<Value> operands = llvm::map_to_vector(op.getOperands(), lookUp);
      SmallVector<Type> types;
      for (Type type : op.getResultTypes())
        types.push_back(converter.convertType(type));
      SmallVector<Value, 2> results;
      if (auto constant = dyn_cast<arith::ConstantOp>(op))
        results.push_back(emitter.getConstant(constant.getValue()));
      else
        scalarOps.find(op.getName())(emitter, {&op, operands, types}, results);
      for (auto [result, value] : llvm::zip_equal(op.getResults(), results)) {
        values[result] = value ? value : Value(emitter.create<LLVM::PoisonOp>(types[0]));
        if (!value)
          failedOp = &op;
      }
    }
    return llvm::map_to_vector<2>(body.getTerminator()->getOperands(), lookUp);
  }

  /// Combines all items, neighbours first, as a balanced tree: short chains of dependent ops.
  Item combineAll(SmallVector<Item> items) {
    while (items.size() > 1) {
      SmallVector<Item> next;
      for (size_t i = 0; i + 1 < items.size(); i += 2)
        next.push_back(combine(items[i], items[i + 1]));
      if (items.size() % 2)
        next.push_back(items.back());
      items = std::move(next);
    }
    return items[0];
  }

  /// An op that the target could not compute, or null.
  Operation *failedOp = nullptr;

private:
  Block &body;
  Emitter &emitter;
  const ScalarOps &scalarOps;
  const TypeConverter &converter;
  ConversionPatternRewriter &rewriter;
};

struct ReducePattern final : LoweringPattern<tt::ReduceOp> {
  ReducePattern(const TypeConverter &converter, LoweringContext &context,
                const ScalarOps &scalarOps, MLIRContext *mlirContext)
      : LoweringPattern(converter, context, mlirContext), scalarOps(scalarOps) {}

  LogicalResult matchAndRewrite(tt::ReduceOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(context, rewriter, op.getLoc());
    Combiner combiner(op, e, scalarOps, *getTypeConverter(), rewriter);
    if (Operation *unsupported = combiner.findUnsupported())
      return reject(op, rewriter,
                    "with " + unsupported->getName().getStringRef() + " in its region");
    std::optional<ReductionPlan> plan = planReduction(op, context.target.getMaxAccessBits());
    if (!plan)
      return reject(op, rewriter, "in a layout that mixes the axis with other dimensions");
    std::optional<uint64_t> offset = getScratchOffset(op);
    if (plan->scratchBytes && !offset)
      return reject(op, rewriter, "before allocate-shared-memory has placed its scratch");

    SmallVector<Item> partials = reduceInThread(*plan, adaptor.getSrcs(), combiner);
    e.loc = op.getLoc();
    reduceInWarp(*plan, e, partials, combiner);
    if (plan->axisWarps > 1)
      partials = reduceAcrossWarps(*plan, *offset, e, partials, combiner);
    if (combiner.failedOp)
      return reject(op, rewriter,
                    "with " + combiner.failedOp->getName().getStringRef() + " on these types");

    SmallVector<SmallVector<Value>> results(op.getNumResults());
    for (unsigned partial : plan->partialOfResult)
      for (auto [result, value] : llvm::zip_equal(results, partials[partial]))
        result.push_back(value);
    rewriter.replaceOpWithMultiple(op, std::move(results));
    return success();
  }

private:
  static SmallVector<Item> reduceInThread(const ReductionPlan &plan, ArrayRef<ValueRange> srcs,
                                          Combiner &combiner) {
    SmallVector<Item> partials;
    for (const std::vector<unsigned> &registers : plan.registers) {
      SmallVector<Item> items;
      for (unsigned r : registers) {
        Item &item = items.emplace_back();
        for (ValueRange src : srcs)
          item.push_back(src[r]);
      }
      partials.push_back(combiner.combineAll(std::move(items)));
    }
    return partials;
  }

  static void reduceInWarp(const ReductionPlan &plan, Emitter &e, MutableArrayRef<Item> partials,
                           Combiner &combiner) {
    const Location loc = e.loc;
    for (unsigned bit = 32; bit-- > 0;) {
      if (!(plan.axisLanes >> bit & 1))
        continue;
      for (Item &partial : partials) {
        e.loc = loc;
        Item other;
        for (Value value : partial)
          other.push_back(e.shuffleXor(value, 1u << bit));
        partial = combiner.combine(partial, other);
      }
    }
    e.loc = loc;
  }

  static SmallVector<Item> reduceAcrossWarps(const ReductionPlan &plan, uint64_t scratch,
                                             Emitter &e, ArrayRef<Item> partials,
                                             Combiner &combiner) {
    const Location loc = e.loc;
    const unsigned operands = partials[0].size();
    // The thread's place in operand `i`'s part of the scratch.
    auto getBase = [&](const ThreadBases &bases, unsigned i, unsigned bytes) {
      ThreadBases byteBases(bases);
      for (uint64_t &basis : byteBases)
        basis *= bytes;
      Value base = e.getSharedBase();
      if (Value threadPart = e.getThreadValue(byteBases))
        base = e.addBytes(base, threadPart);
      return e.addBytes(base, scratch + plan.operandOffsets[i]);
    };

    Value isStoring = e.testThreadBitsZero(plan.copyThreads);
    for (unsigned i = 0; i < operands; ++i) {
      unsigned bytes = e.getMemoryBytes(partials[0][i].getType());
      Value base = getBase(plan.storeBases, i, bytes);
      for (unsigned k = 0; k < partials.size(); k += plan.partialVector) {
        SmallVector<Value> values;
        for (const Item &partial : partials.slice(k, plan.partialVector))
          values.push_back(e.toMemory(partial[i]));
        e.target.emitStore(e.builder, loc, e.packVector(values),
                           e.addBytes(base, plan.partialOffsets[k] * bytes),
                           bytes * plan.partialVector, isStoring, {});
      }
    }
    e.target.emitBlockBarrier(e.builder, loc);

    // items[k][w]: partial k of warp w.
    SmallVector<SmallVector<Item>> items(partials.size(),
                                         SmallVector<Item>(plan.axisWarps, Item(operands)));
    for (unsigned i = 0; i < operands; ++i) {
      Type type = partials[0][i].getType(), memoryType = e.getMemoryType(type);
      unsigned bytes = e.getMemoryBytes(type);
      Value base = getBase(plan.loadBases, i, bytes);
      const unsigned vector = plan.partialVector * plan.warpVector;
      auto vectorType = VectorType::get(vector, memoryType);
      for (unsigned k = 0; k < partials.size(); k += plan.partialVector)
        for (unsigned w = 0; w < plan.axisWarps; w += plan.warpVector) {
          Value pointer = e.addBytes(base, (plan.partialOffsets[k] + plan.warpOffsets[w]) * bytes);
          Value loaded = e.target.emitLoad(e.builder, loc, vectorType, pointer, bytes * vector,
                                           Value(), Value(), {});
          // One of the two vector sizes is 1.
          for (auto [j, value] : llvm::enumerate(e.unpackVector(loaded)))
            items[k + (plan.partialVector > 1 ? j : 0)][w + (plan.warpVector > 1 ? j : 0)][i] =
                e.fromMemory(value, type);
        }
    }
    SmallVector<Item> results;
    for (SmallVector<Item> &ofWarps : items)
      results.push_back(combiner.combineAll(std::move(ofWarps)));
    e.loc = loc;
    return results;
  }

  const ScalarOps &scalarOps;
};

} // namespace

void lower::addReducePattern(RewritePatternSet &patterns, const TypeConverter &converter,
                             LoweringContext &context, const ScalarOps &scalarOps) {
  patterns.add<ReducePattern>(converter, context, scalarOps, patterns.getContext());
}
