//===- Scan.cpp - Lowering of scans -------------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Emits what plan::planScan says. For each chunk there are the scan of its last element, and
// what came before the chunk: its *prefix*, which the other elements are combined with in the
// end. The first chunks have none, so a prefix may be there for some threads only.
//
//===--------------------------------------------------------------------------===//

#include "lower/collective/CollectivePlans.h"
#include "lower/collective/WarpValues.h"
#include "lower/core/builder/IndexMaps.h"
#include "lower/core/builder/SourceLane.h"
#include "lower/layout/EmitConversion.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using plan::ScanPlan;
using plan::ScanSegment;

namespace {

class Scan {
public:
  Scan(const ScanSteps &steps, uint64_t scratch, LoweringBuilder &e, Combiner &combiner)
      : plan(steps.plan), steps(steps), scratch(scratch), e(e), combiner(combiner) {}

  /// operands[i][r] is register r of operand i; so are the results.
  SmallVector<SmallVector<Value>> run(ArrayRef<SmallVector<Value>> operands) {
    scanChunks(operands);
    for (auto [i, segment] : llvm::enumerate(plan.segments)) {
      isLast = i + 1 == plan.segments.size();
      switch (segment.kind) {
      case ScanSegment::Kind::Lanes:
        scanLanes(segment);
        break;
      case ScanSegment::Kind::Warps:
        scanWarps(segment, scratch + steps.segmentScratch[i]);
        break;
      case ScanSegment::Kind::Registers:
        scanRegisters(segment);
        break;
      }
      totalsAreLasts = false;
    }
    return finish(operands.size());
  }

private:
  /// What comes before a chunk, in the threads where `present` (null: everywhere).
  struct Prefix {
    Item item;
    Value present;
    bool exists() const { return !item.empty(); }
  };

  /// A block that the scan has finished: its chunks and the combination of all it has.
  struct Block {
    SmallVector<unsigned> chunks;
    Item total;
  };

  //===----------------------------------------------------------------------===//
  // Values
  //===----------------------------------------------------------------------===//

  Item select(Value condition, const Item &a, const Item &b) {
    Item item;
    for (auto [x, y] : llvm::zip_equal(a, b))
      item.push_back(e.create<LLVM::SelectOp>(condition, x, y));
    return item;
  }

  static Item shuffle(const Item &item, SourceLane &lane) {
    return llvm::map_to_vector<2>(item, [&](Value value) { return lane.shuffle(value); });
  }

  /// `a` and `b` combined; they are items where `present` (null: everywhere).
  Item combineWhere(Value present, const Item &a, const Item &b) {
    const llvm::SaveAndRestore<Value> areItems(combiner.areItems, present);
    return combiner.combine(a, b);
  }

  Value both(Value a, Value b) { return a && b ? Value(e.create<LLVM::AndOp>(a, b)) : a ? a : b; }

  /// Puts `item` before all that chunk `c` has; where `present` (null: everywhere).
  void prepend(unsigned c, const Item &item, Value present) {
    Item joined = combineWhere(present, item, lasts[c]);
    lasts[c] = present ? select(present, joined, lasts[c]) : joined;
    prependToPrefix(c, item, present);
  }

  void prependToPrefix(unsigned c, const Item &item, Value present) {
    // Chunks of one element have nothing else to combine it with.
    if (plan.chunks[c].size() == 1)
      return;
    Prefix &prefix = prefixes[c];
    if (!prefix.exists()) {
      prefix = {item, present};
      return;
    }
    Item joined = combineWhere(both(present, prefix.present), item, prefix.item);
    if (present)
      joined = select(present, joined, prefix.item);
    if (!prefix.present) {
      prefix.item = joined;
      return;
    }
    prefix.item = select(prefix.present, joined, item);
    prefix.present = present ? Value(e.create<LLVM::OrOp>(present, prefix.present)) : Value();
  }

  //===----------------------------------------------------------------------===//
  // Numbers of blocks
  //===----------------------------------------------------------------------===//

  /// The thread's number in the segment, in the order of the scan.
  Value getNumber(const ScanSegment &segment) {
    ThreadBases bases(e.threadBits());
    for (auto [k, parity] : llvm::enumerate(segment.bits)) {
      uint32_t mask = getThreadMask(parity, e.context);
      for (auto [bit, basis] : llvm::enumerate(bases))
        basis |= uint64_t(mask >> bit & 1) << k;
    }
    return e.getIndex(bases, plan.reverse ? (uint64_t(1) << segment.bits.size()) - 1 : 0);
  }

  Value isNumber(Value number, LLVM::ICmpPredicate predicate, unsigned k) {
    return e.create<LLVM::ICmpOp>(predicate, number, e.getI32(k));
  }

  /// The lane whose number has the first `bits` bits set and is otherwise the thread's own, XOR
  /// `flipped`.
  SourceLane getLastLane(const ScanSegment &segment, size_t bits, uint32_t flipped) {
    // A bit that is not set is flipped: in the reverse, one whose coordinate has it.
    ThreadBases bases(e.threadBits());
    for (unsigned bit = 0; bit < e.context.laneBits; ++bit)
      bases[bit] = uint64_t(1) << bit;
    for (size_t k = 0; k < bits; ++k) {
      uint32_t mask = getThreadMask(segment.bits[k], e.context);
      for (auto [bit, basis] : llvm::enumerate(bases))
        if (mask >> bit & 1)
          basis ^= segment.laneXors[k];
      if (!plan.reverse)
        flipped ^= segment.laneXors[k];
    }
    return SourceLane(e, bases, flipped);
  }

  /// The lane whose number is one less: subtracting 1 inverts the lowest bit that is set and all
  /// below. `number` is the thread's own.
  SourceLane getPreviousLane(const ScanSegment &segment, Value number) {
    SmallVector<uint64_t> columns(segment.laneXors.begin(), segment.laneXors.end());
    auto compute = [this, columns, number] {
      Value inverted = e.create<LLVM::XOrOp>(number, e.create<LLVM::SubOp>(number, e.getI32(1)));
      ThreadBases lane(e.threadBits());
      for (unsigned bit = 0; bit < e.context.laneBits; ++bit)
        lane[bit] = uint64_t(1) << bit;
      return emitXor(e, e.getThreadValue(lane), emitLinearMap(e, inverted, columns));
    };
    return SourceLane(e, getPreviousLanes(segment), compute);
  }

  /// The same for each lane; nothing where warps differ.
  SmallVector<unsigned> getPreviousLanes(const ScanSegment &segment) const {
    SmallVector<unsigned> lanes;
    for (unsigned lane = 0; lane < 1u << e.context.laneBits; ++lane) {
      unsigned &previous = lanes.emplace_back(lane);
      for (auto [bit, laneXor] : llvm::zip_equal(segment.bits, segment.laneXors)) {
        if (bit.warps)
          return {};
        previous ^= laneXor;
        // In the reverse the number's bit is inverted.
        if ((llvm::popcount(lane & bit.lanes) % 2 != 0) != plan.reverse)
          break;
      }
    }
    return lanes;
  }

  //===----------------------------------------------------------------------===//
  // Segments
  //===----------------------------------------------------------------------===//

  void scanChunks(ArrayRef<SmallVector<Value>> operands) {
    for (auto [c, registers] : llvm::enumerate(plan.chunks)) {
      SmallVector<Item> &items = inChunk.emplace_back();
      for (unsigned r : registers) {
        Item item;
        for (ArrayRef<Value> operand : operands)
          item.push_back(operand[r]);
        items.push_back(items.empty() ? item : combiner.combine(items.back(), item));
      }
      lasts.push_back(items.back());
      blocks.push_back({{static_cast<unsigned>(c)}, items.back()});
    }
    prefixes.resize(plan.chunks.size());
  }

  void scanLanes(const ScanSegment &segment) {
    // The scan of blocks: in the end, each lane has the total of all up to its own.
    for (size_t k = 0; k < segment.bits.size(); ++k) {
      SourceLane source = getLastLane(segment, k, segment.laneXors[k]);
      Value isUpper = testCondition(e, {{{segment.bits[k], !plan.reverse}}});
      for (Block &block : blocks) {
        Item lower = shuffle(block.total, source);
        block.total = select(isUpper, combineWhere(isUpper, lower, block.total), block.total);
      }
    }
    const bool hasLongChunks = plan.chunks[0].size() > 1;
    std::optional<SourceLane> previous;
    Value isPresent;
    if (hasLongChunks || !totalsAreLasts) {
      Value number = getNumber(segment);
      previous.emplace(getPreviousLane(segment, number));
      isPresent = isNumber(number, LLVM::ICmpPredicate::ne, 0);
    }
    for (Block &block : blocks) {
      Item before;
      if (previous)
        before = shuffle(block.total, *previous);
      for (unsigned c : block.chunks)
        if (!totalsAreLasts) {
          prepend(c, before, isPresent);
        } else {
          lasts[c] = block.total;
          if (previous)
            prependToPrefix(c, before, isPresent);
        }
    }
    // Only the last lane has the total of all; an exchange between warps takes it from there.
    totalsIn = isLast ? nullptr : &segment;
  }

  void scanWarps(const ScanSegment &segment, uint64_t begin) {
    SmallVector<Item> totals;
    for (const Block &block : blocks)
      totals.push_back(block.total);
    SmallVector<SmallVector<Item>> values = exchangeAcrossWarps(e, segment.exchange, begin, totals);
    totalsIn = nullptr;
    Value number = getNumber(segment);
    Value isPresent = isNumber(number, LLVM::ICmpPredicate::ne, 0);
    const unsigned count = 1u << segment.bits.size();
    SmallVector<Value> isK(count);
    for (unsigned k = 2; k < count; ++k)
      isK[k] = isNumber(number, LLVM::ICmpPredicate::eq, k);
    for (auto [block, items] : llvm::zip_equal(blocks, values)) {
      auto valueOf = [&](unsigned k) -> const Item & {
        return items[plan.reverse ? count - 1 - k : k];
      };
      Item running = valueOf(0), before = running;
      for (unsigned k = 2; k < count; ++k) {
        running = combiner.combine(running, valueOf(k - 1));
        before = select(isK[k], running, before);
      }
      for (unsigned c : block.chunks)
        prepend(c, before, isPresent);
      if (!isLast)
        block.total = combiner.combine(running, valueOf(count - 1));
    }
  }

  void scanRegisters(const ScanSegment &segment) {
    std::optional<SourceLane> last;
    if (totalsIn)
      last.emplace(getLastLane(*totalsIn, totalsIn->bits.size(), 0));
    totalsIn = nullptr;
    // The total of a block, which the last lane alone may have.
    auto totalOf = [&](unsigned b) {
      return last ? shuffle(blocks[b].total, *last) : blocks[b].total;
    };
    SmallVector<Block> next;
    for (const std::vector<unsigned> &joined : segment.joined) {
      Block block{blocks[joined[0]].chunks, totalOf(joined[0])};
      for (size_t k = 1; k < joined.size(); ++k) {
        for (unsigned c : blocks[joined[k]].chunks) {
          prepend(c, block.total, {});
          block.chunks.push_back(c);
        }
        if (!isLast || k + 1 < joined.size())
          block.total = combiner.combine(block.total, totalOf(joined[k]));
      }
      next.push_back(std::move(block));
    }
    blocks = std::move(next);
  }

  SmallVector<SmallVector<Value>> finish(size_t operands) {
    SmallVector<SmallVector<Item>> items;
    for (auto [c, scanned] : llvm::enumerate(inChunk)) {
      SmallVector<Item> &results = items.emplace_back();
      const Prefix &prefix = prefixes[c];
      for (const Item &item : ArrayRef(scanned).drop_back()) {
        Item joined = item;
        if (prefix.exists()) {
          joined = combineWhere(prefix.present, prefix.item, item);
          if (prefix.present)
            joined = select(prefix.present, joined, item);
        }
        results.push_back(joined);
      }
      results.push_back(lasts[c]);
    }
    SmallVector<SmallVector<Value>> results(operands);
    for (ScanPlan::Position position : plan.positions)
      for (auto [i, result] : llvm::enumerate(results))
        result.push_back(items[position.chunk][position.index][i]);
    return results;
  }

  const ScanPlan &plan;
  const ScanSteps &steps;
  uint64_t scratch;
  LoweringBuilder &e;
  Combiner &combiner;

  /// The scan of each chunk alone.
  SmallVector<SmallVector<Item>> inChunk;
  /// For each chunk, the scan of its last element, and what came before its first.
  SmallVector<Item> lasts;
  SmallVector<Prefix> prefixes;
  SmallVector<Block> blocks;
  /// Before the first segment, the total of a block is the last element of its chunk.
  bool totalsAreLasts = true;
  /// The segment of lanes whose last lane alone has the totals; null if all threads have them.
  const ScanSegment *totalsIn = nullptr;
  /// No segment follows the current one: nobody asks for totals.
  bool isLast = false;
};

struct ScanPattern final : LoweringPattern<tt::ScanOp> {
  ScanPattern(const TypeConverter &converter, LoweringContext &context, const ScalarOps &scalarOps,
              MLIRContext *mlirContext)
      : LoweringPattern(converter, context, mlirContext), scalarOps(scalarOps) {}

  LogicalResult matchAndRewrite(tt::ScanOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    Combiner combiner(op.getCombineOp(), e, scalarOps, *getTypeConverter(), rewriter);
    if (Operation *unsupported = combiner.findUnsupported())
      return reject(op, rewriter,
                    "with " + unsupported->getName().getStringRef() + " in its region");
    const ScanSteps steps(op, context.plans);
    std::optional<uint64_t> scratch = getScratchOffset(op);
    if (steps.use.bytes && !scratch)
      return reject(op, rewriter, "before allocate-shared-memory has placed its scratch");
    for (const auto *conversions : {&steps.before, &steps.after})
      for (const ScanSteps::Conversion &conversion : *conversions)
        if (!conversion.plan)
          return reject(op, rewriter, "because " + conversion.plan.error());

    SmallVector<SmallVector<Value>> values;
    for (ValueRange src : adaptor.getSrcs())
      values.emplace_back(src);
    convert(steps.before, scratch.value_or(0), e, rewriter, values);
    values = Scan(steps, scratch.value_or(0), e, combiner).run(values);
    convert(steps.after, scratch.value_or(0), e, rewriter, values);
    if (combiner.failedOp)
      return reject(op, rewriter,
                    "with " + combiner.failedOp->getName().getStringRef() + " on these types");
    rewriter.replaceOpWithMultiple(op, std::move(values));
    return success();
  }

private:
  static void convert(ArrayRef<ScanSteps::Conversion> conversions, uint64_t scratch,
                      LoweringBuilder &e, RewriterBase &rewriter,
                      MutableArrayRef<SmallVector<Value>> values) {
    for (auto [i, conversion] : llvm::enumerate(conversions))
      values[i] = emitConversion(e, rewriter, *conversion.plan, values[i], values[i][0].getType(),
                                 scratch + conversion.scratch);
  }

  const ScalarOps &scalarOps;
};

} // namespace

void lower::addScanPattern(RewritePatternSet &patterns, const TypeConverter &converter,
                           LoweringContext &context, const ScalarOps &scalarOps) {
  patterns.add<ScanPattern>(converter, context, scalarOps, patterns.getContext());
}

void lower::attachScanScratch(MLIRContext &context) {
  attachScratch<tt::ScanOp, getScanScratch>(context);
}
