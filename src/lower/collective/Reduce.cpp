//===- Reduce.cpp - Lowering of reductions ------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Emits what plan::planReduction says.
//
//===--------------------------------------------------------------------------===//

#include "lower/collective/CollectivePlans.h"
#include "lower/collective/Combiner.h"
#include "lower/collective/WarpValues.h"
#include "lower/core/types/VectorValues.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using plan::ReductionPlan;

namespace {

struct ReducePattern final : LoweringPattern<tt::ReduceOp> {
  ReducePattern(const TypeConverter &converter, LoweringContext &context,
                const ScalarOps &scalarOps, MLIRContext *mlirContext)
      : LoweringPattern(converter, context, mlirContext), scalarOps(scalarOps) {}

  LogicalResult matchAndRewrite(tt::ReduceOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    Combiner combiner(op.getCombineOp(), e, scalarOps, *getTypeConverter(), rewriter);
    if (Operation *unsupported = combiner.findUnsupported())
      return reject(op, rewriter,
                    "with " + unsupported->getName().getStringRef() + " in its region");
    const ReductionPlan &plan = planReduction(op, context.plans);
    std::optional<std::vector<unsigned>> partialOfResult = findResults(op, plan);
    if (!partialOfResult)
      return reject(op, rewriter, "with its results in a layout that is not its operands' slice");
    std::optional<uint64_t> offset = getScratchOffset(op);
    if (plan.axisWarps > 1 && !offset)
      return reject(op, rewriter, "before allocate-shared-memory has placed its scratch");

    SmallVector<Item> partials = reduceInThread(plan, adaptor.getSrcs(), combiner);
    const SmallVector<Item> ofThread = partials;
    if (!reduceWholeWarp(plan, e, partials, combiner))
      reduceInWarp(plan, e, partials, combiner);
    if (plan.axisWarps > 1)
      reduceAcrossWarps(op, plan, e, *offset, partials, combiner);
    if (combiner.failedOp)
      return reject(op, rewriter,
                    "with " + combiner.failedOp->getName().getStringRef() + " on these types");

    joinVectors(e, ofThread, partials);
    SmallVector<SmallVector<Value>> results(op.getNumResults());
    for (unsigned partial : *partialOfResult)
      for (auto [result, value] : llvm::zip_equal(results, partials[partial]))
        result.push_back(value);
    rewriter.replaceOpWithMultiple(op, std::move(results));
    return success();
  }

private:
  /// For each register of the results its partial; nothing if it is in another thread.
  static std::optional<std::vector<unsigned>> findResults(tt::ReduceOp op,
                                                          const ReductionPlan &plan) {
    if (!isa<RankedTensorType>(op.getResultTypes()[0]))
      return std::vector<unsigned>{0};
    layout::LinearLayout src = layoutOf(op.getSrcs()[0]);
    return plan::partialsOfResult(plan, src, axisOf(src, op.getAxis()),
                                  layoutOf(op.getResult()[0]));
  }

  /// Puts partials together that were a vector before threads exchanged them: what is computed with
  /// them has vectors as well. That pays for vectors of several rows, as products give them.
  static void joinVectors(LoweringBuilder &e, ArrayRef<Item> before,
                          MutableArrayRef<Item> partials) {
    constexpr size_t rows = 8;
    if (!e.target.hasVectorArithmetic())
      return;
    for (size_t operand = 0; operand < before.front().size(); ++operand)
      for (size_t first = 0; first + rows <= before.size(); first += rows) {
        auto valuesOf = [&](ArrayRef<Item> items) {
          return llvm::map_to_vector(items.slice(first, rows),
                                     [&](const Item &item) { return item[operand]; });
        };
        if (!findUnpacked(valuesOf(before)))
          continue;
        const SmallVector<Value> joined = e.unpackVector(e.packVector(valuesOf(partials)));
        for (auto [item, value] : llvm::zip_equal(partials.slice(first, rows), joined))
          item[operand] = value;
      }
  }

  static SmallVector<Item> reduceInThread(const ReductionPlan &plan, ArrayRef<ValueRange> srcs,
                                          Combiner &combiner) {
    SmallVector<SmallVector<Item>> lists;
    for (const std::vector<unsigned> &registers : plan.registers) {
      SmallVector<Item> &items = lists.emplace_back();
      for (unsigned r : registers) {
        Item &item = items.emplace_back();
        for (ValueRange src : srcs)
          item.push_back(src[r]);
      }
    }
    return combiner.combineAll(std::move(lists), plan.registers);
  }

  /// Combines the partials of all lanes, of which each lane gets all results. Many partials are
  /// scattered first: in the first steps a lane gives away one half of its partials and combines
  /// the other half, so that there are half as many in the next step; in the end lanes give each
  /// other what they have. That takes fewer than 2 shuffles for each partial instead of one a step.
  static void reduceInWarp(const ReductionPlan &plan, LoweringBuilder &e,
                           SmallVector<Item> &partials, Combiner &combiner) {
    const ArrayRef<ReductionPlan::LaneStep> steps = plan.laneSteps;
    const unsigned halvings = countHalvings(steps, e, partials);
    for (const ReductionPlan::LaneStep &step : steps.take_front(halvings)) {
      const unsigned half = partials.size() / 2;
      const auto first = ArrayRef(partials).take_front(half),
                 last = ArrayRef(partials).drop_front(half);
      Value isLower = e.testThreadBitsZero(step.laneXor);
      const SmallVector<Item> kept = select(e, isLower, first, last);
      partials = combineAll(kept, shuffleItems(e, select(e, isLower, last, first), step.laneXor),
                            combiner);
    }
    for (const ReductionPlan::LaneStep &step : steps.drop_front(halvings)) {
      SmallVector<Item> wanted;
      for (unsigned p = 0; p < partials.size(); ++p)
        wanted.push_back(partials[p ^ step.partialXor]);
      partials = combineAll(partials, shuffleItems(e, wanted, step.laneXor), combiner);
    }
    for (const ReductionPlan::LaneStep &step : llvm::reverse(steps.take_front(halvings))) {
      const SmallVector<Item> others = shuffleItems(e, partials, step.laneXor);
      Value isLower = e.testThreadBitsZero(step.laneXor);
      SmallVector<Item> all = select(e, isLower, partials, others);
      all.append(select(e, isLower, others, partials));
      partials = std::move(all);
    }
  }

  static void reduceAcrossWarps(tt::ReduceOp op, const ReductionPlan &plan, LoweringBuilder &e,
                                uint64_t scratch, SmallVector<Item> &partials, Combiner &combiner) {
    const target::Target &target = e.target.getTarget();
    const plan::CombineWork work = {op.getNumOperands(), combiner.countInstructions()};
    if (combinesWarpsByLanes(plan, work, ttg::getThreadsPerWarp(op),
                             target.multiprocessor.partitions, target.costs)) {
      partials = exchangeWithLanes(e, plan.exchange, scratch, partials);
      for (unsigned lane = 1; lane < plan.axisWarps; lane *= 2)
        partials = combineAll(partials, shuffleItems(e, partials, lane), combiner);
      return;
    }
    SmallVector<SmallVector<Item>> values =
        exchangeAcrossWarps(e, plan.exchange, scratch, partials);
    for (auto [partial, ofWarps] : llvm::zip_equal(partials, values))
      partial = combiner.combineAll(std::move(ofWarps));
  }

  /// In how many of the first steps partials are scattered. It takes twice as many steps, each of
  /// which waits for a shuffle, and two selections for each shuffle; so only where there are many
  /// partials, and where lanes differ in one bit, which says who keeps what. Moves between fixed
  /// lanes are part of the addition, so that nothing is gained there.
  static unsigned countHalvings(ArrayRef<ReductionPlan::LaneStep> steps, LoweringBuilder &e,
                                ArrayRef<Item> partials) {
    constexpr unsigned minSteps = 3, minPartials = 16;
    const bool isPlain = llvm::all_of(steps, [](const ReductionPlan::LaneStep &step) {
      return step.partialXor == 0 && llvm::isPowerOf2_32(step.laneXor);
    });
    if (!isPlain || steps.size() < minSteps || partials.size() < minPartials ||
        !llvm::isPowerOf2_64(partials.size()) || e.target.getTarget().costs.fixedShuffle)
      return 0;
    return std::min<unsigned>(steps.size(), llvm::Log2_64(partials.size()));
  }

  /// The items of `a` where the condition holds, else those of `b`.
  static SmallVector<Item> select(LoweringBuilder &e, Value condition, ArrayRef<Item> a,
                                  ArrayRef<Item> b) {
    SmallVector<Item> chosen;
    for (auto [x, y] : llvm::zip_equal(a, b)) {
      Item &item = chosen.emplace_back();
      for (auto [v, w] : llvm::zip_equal(x, y))
        item.push_back(e.create<LLVM::SelectOp>(condition, v, w));
    }
    return chosen;
  }

  static SmallVector<Item> combineAll(ArrayRef<Item> a, ArrayRef<Item> b, Combiner &combiner) {
    SmallVector<Item> combined;
    for (auto [x, y] : llvm::zip_equal(a, b))
      combined.push_back(combiner.combine(x, y));
    return combined;
  }

  /// Each item as the lane has it whose number differs in the bits of `laneMask`.
  static SmallVector<Item> shuffleItems(LoweringBuilder &e, ArrayRef<Item> items,
                                        unsigned laneMask) {
    const unsigned group = getShuffleGroup(e, items);
    SmallVector<Item> others(items.size());
    for (unsigned first = 0; first < items.size(); first += group)
      for (unsigned operand = 0; operand < items[first].size(); ++operand) {
        SmallVector<Value> values;
        for (const Item &item : items.slice(first, group))
          values.push_back(item[operand]);
        shuffleTogether(e, values, laneMask);
        for (auto [i, value] : llvm::enumerate(values))
          others[first + i].push_back(value);
      }
    return others;
  }

  /// How many items make a shuffle together: two if one word holds two of their values, and the
  /// target shuffles by lane numbers. Others have moves between fixed lanes that cost less than to
  /// pack words, and become a part of the addition.
  static unsigned getShuffleGroup(LoweringBuilder &e, ArrayRef<Item> items) {
    const bool isNarrow =
        llvm::any_of(items[0], [&](Value value) { return e.getMemoryBytes(value.getType()) == 2; });
    return isNarrow && items.size() % 2 == 0 && !e.target.getTarget().costs.fixedShuffle ? 2 : 1;
  }

  /// Gives each of `values`, which have one type, as the lane has it whose number differs in the
  /// bits of `laneMask`.
  static void shuffleTogether(LoweringBuilder &e, MutableArrayRef<Value> values,
                              unsigned laneMask) {
    const Type type = values[0].getType();
    if (values.size() * e.getMemoryBytes(type) != 4 || values.size() == 1) {
      for (Value &value : values)
        value = e.shuffleXor(value, laneMask);
      return;
    }
    SmallVector<Value> stored;
    for (Value value : values)
      stored.push_back(e.toMemory(value));
    Value vector = e.packVector(stored);
    Value word = e.create<LLVM::BitcastOp>(e.builder.getI32Type(), vector);
    word = e.target.shuffleXor(e.builder, e.loc, word, laneMask);
    vector = e.create<LLVM::BitcastOp>(vector.getType(), word);
    for (auto [value, element] : llvm::zip_equal(values, e.unpackVector(vector)))
      value = e.fromMemory(element, type);
  }

  /// One operation of the target in place of all the shuffles, for f32 and integers of up to 32
  /// bits.
  static bool reduceWholeWarp(const ReductionPlan &plan, LoweringBuilder &e,
                              MutableArrayRef<Item> partials, Combiner &combiner) {
    std::optional<WarpReduction> reduction;
    if (plan.wholeWarps)
      reduction = combiner.getWarpReduction();
    const Type type = partials[0][0].getType(), i32 = e.builder.getI32Type();
    if (!reduction || type.getIntOrFloatBitWidth() > 32 ||
        !e.target.getTarget().execution.warpReductions.contains(*reduction))
      return false;
    const bool isWord = type == i32 || type.isF32();
    const bool isSigned =
        *reduction == WarpReduction::MinSigned || *reduction == WarpReduction::MaxSigned;
    for (Item &partial : partials) {
      Value word = partial[0];
      if (!isWord)
        word = isSigned ? Value(e.create<LLVM::SExtOp>(i32, word))
                        : Value(e.create<LLVM::ZExtOp>(i32, word));
      word = e.target.reduceWarp(e.builder, e.loc, word, *reduction);
      partial[0] = isWord ? word : Value(e.create<LLVM::TruncOp>(type, word));
    }
    return true;
  }

  const ScalarOps &scalarOps;
};

} // namespace

void lower::addReducePattern(RewritePatternSet &patterns, const TypeConverter &converter,
                             LoweringContext &context, const ScalarOps &scalarOps) {
  patterns.add<ReducePattern>(converter, context, scalarOps, patterns.getContext());
}

void lower::attachReduceScratch(MLIRContext &context) {
  attachScratch<tt::ReduceOp, getReduceScratch>(context);
}
