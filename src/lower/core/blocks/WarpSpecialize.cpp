//===- WarpSpecialize.cpp - Groups of warps in a kernel -----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/core/blocks/WarpSpecialize.h"

#include "lower/core/builder/Constants.h"
#include "lower/core/builder/Scratch.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

/// Bytes of shared memory for the number of a ttg.warp_specialize, and for each captured value.
static constexpr unsigned slotBytes = 8;

unsigned lower::getBarrierId(const ttg::ThreadGroup &group) {
  return group.partition ? allWarpsBarrierId + 1 + *group.partition : 0;
}

uint64_t lower::getDispatchBytes(ttg::WarpSpecializeOp op) {
  uint64_t slots = 1;
  // A pointer and an offset are a tensor in shared memory.
  for (Type type : op.getOperandTypes())
    slots += isa<ttg::MemDescType>(type) ? 2 : 1;
  return slots * slotBytes;
}

//===----------------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------------===//

namespace {

struct WarpSpecializePattern final : LoweringPattern<ttg::WarpSpecializeOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(ttg::WarpSpecializeOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!getScratchOffset(op))
      return reject(op, rewriter, "without shared memory to hand its partitions what they take",
                    "run allocate-shared-memory first");
    const TypeConverter &converter = *getTypeConverter();
    SmallVector<SmallVector<Type>> resultTypes;
    SmallVector<Type> flatTypes;
    for (Type type : op.getResultTypes()) {
      if (failed(converter.convertType(type, resultTypes.emplace_back())))
        return failure();
      llvm::append_range(flatTypes, resultTypes.back());
    }
    SmallVector<Value> captures;
    for (ValueRange values : adaptor.getExplicitCaptures())
      llvm::append_range(captures, values);

    auto converted = ttg::WarpSpecializeOp::create(rewriter, op.getLoc(), flatTypes, captures,
                                                   op.getPartitionNumWarpsAttr(),
                                                   op.getWarpGroupStartIdsAttr(), {}, {});
    converted->setAttr(ttg::allocationOffsetAttrName, op->getAttr(ttg::allocationOffsetAttrName));
    OpBuilder::InsertionGuard guard(rewriter);
    MutableArrayRef<Region> from = op.getPartitionRegions();
    rewriter.createBlock(&converted.getPartitionOpHolder());
    auto partitions = ttg::WarpSpecializePartitionsOp::create(rewriter, op.getLoc(), from.size());
    auto move = [&](Region &from, Region &to) {
      TypeConverter::SignatureConversion signature(from.getNumArguments());
      rewriter.inlineRegionBefore(from, to, to.end());
      return success(succeeded(converter.convertSignatureArgs(to.getArgumentTypes(), signature)) &&
                     succeeded(rewriter.convertRegionTypes(&to, converter, &signature)));
    };
    if (failed(move(op.getDefaultRegion(), converted.getDefaultRegion())))
      return failure();
    for (auto [source, target] : llvm::zip_equal(from, partitions.getPartitionRegions()))
      if (failed(move(source, target)))
        return failure();

    SmallVector<SmallVector<Value>> results;
    auto next = converted.getResults().begin();
    for (ArrayRef<Type> types : resultTypes) {
      results.emplace_back(next, next + types.size());
      next += types.size();
    }
    rewriter.replaceOpWithMultiple(op, std::move(results));
    return success();
  }
};

struct WarpYieldPattern final : LoweringPattern<ttg::WarpYieldOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(ttg::WarpYieldOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> values;
    for (ValueRange range : adaptor.getValues())
      llvm::append_range(values, range);
    rewriter.replaceOpWithNewOp<ttg::WarpYieldOp>(op, values);
    return success();
  }
};

} // namespace

void lower::addWarpSpecializePatterns(RewritePatternSet &patterns, ConversionTarget &legality,
                                      const TypeConverter &converter, LoweringContext &context) {
  patterns.add<WarpSpecializePattern, WarpYieldPattern>(converter, context, patterns.getContext());
  legality.addDynamicallyLegalOp<ttg::WarpSpecializeOp, ttg::WarpSpecializePartitionsOp,
                                 ttg::WarpYieldOp>([&converter](Operation *op) {
    if (isa<ttg::WarpSpecializeOp>(op) && !getScratchOffset(op))
      return false;
    return converter.isLegal(op) && llvm::all_of(op->getRegions(), [&](Region &region) {
             return converter.isLegal(&region);
           });
  });
  legality.addLegalOp<ttg::WarpReturnOp>();
}

//===----------------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------------===//

namespace {

/// The control flow of one kernel whose warps are divided.
class WarpDivision {
public:
  WarpDivision(LLVM::LLVMFuncOp kernel, const LoweringContext &context)
      : kernel(kernel), context(context), loc(kernel.getLoc()), builder(kernel.getContext()) {}

  void run(ArrayRef<ttg::WarpSpecializeOp> ops) {
    place = *getScratchOffset(ops.front());
    Block *body = &kernel.getBody().front();
    SmallVector<LLVM::ReturnOp> ends(kernel.getBody().getOps<LLVM::ReturnOp>());
    workers = builder.createBlock(&kernel.getBody());
    divide(body);
    // Any number that is not one of an op says that the kernel ends.
    for (LLVM::ReturnOp end : ends)
      leaveWord(end, ops.size(), {});

    builder.setInsertionPointToEnd(workers);
    meet();
    Value number = LLVM::LoadOp::create(builder, loc, builder.getI32Type(), addressOf(0));
    Block *choice = workers, *end = builder.createBlock(&kernel.getBody());
    LLVM::ReturnOp::create(builder, loc, ValueRange());
    again = builder.createBlock(&kernel.getBody());
    meet();
    LLVM::BrOp::create(builder, loc, workers);

    SmallVector<Block *> cases;
    for (auto [i, specialize] : llvm::enumerate(ops)) {
      ttg::WarpSpecializeOp op = specialize;
      loc = op.getLoc();
      cases.push_back(runPartitions(op));
      runDefault(op, i);
    }
    builder.setInsertionPointToEnd(choice);
    LLVM::SwitchOp::create(builder, kernel.getLoc(), number, end, ValueRange(),
                           llvm::to_vector(llvm::seq<int32_t>(0, ops.size())), cases,
                           SmallVector<ValueRange>(ops.size()));
  }

private:
  /// All warps of the block meet.
  void meet() {
    context.target.emitNamedBarrier(builder, loc, {allWarpsBarrierId, context.numThreads()});
  }

  /// Where slot `slot` of the memory lies through which the default group speaks to the workers.
  Value addressOf(unsigned slot) {
    auto type = LLVM::LLVMPointerType::get(builder.getContext(), AddressSpace::Shared);
    Value base = LLVM::AddressOfOp::create(builder, loc, type, sharedMemorySymbol);
    const auto offset = static_cast<int32_t>(place + slot * slotBytes);
    return LLVM::GEPOp::create(builder, loc, type, builder.getI8Type(), base,
                               ArrayRef<LLVM::GEPArg>{offset}, LLVM::GEPNoWrapFlags::inbounds);
  }

  Value compare(LLVM::ICmpPredicate predicate, Value value, unsigned constant) {
    return LLVM::ICmpOp::create(builder, loc, predicate, value, getI32(builder, loc, constant));
  }

  /// Puts the division before `body`, the kernel's first block, which takes no arguments then.
  void divide(Block *body) {
    Block *entry = builder.createBlock(body);
    for (BlockArgument argument : body->getArguments())
      argument.replaceAllUsesWith(entry->addArgument(argument.getType(), argument.getLoc()));
    body->eraseArguments(0, body->getNumArguments());
    threadId = context.target.getThreadId(builder, loc, context.numThreads());
    warpThreadId = context.target.makeUniform(builder, loc, threadId);
    const unsigned defaultWarps = ttg::getThreadGroup(&kernel.getBody()).numWarps;
    Value isDefault =
        compare(LLVM::ICmpPredicate::ult, warpThreadId, defaultWarps << context.laneBits);
    LLVM::CondBrOp::create(builder, loc, isDefault, body, workers);
  }

  /// Before `op`: the first thread leaves `number` and `captures` to the workers, and all meet.
  void leaveWord(Operation *op, unsigned number, ValueRange captures) {
    Block *before = op->getBlock(), *after = before->splitBlock(op);
    Block *first = builder.createBlock(after);
    LLVM::StoreOp::create(builder, loc, getI32(builder, loc, number), addressOf(0));
    for (auto [i, capture] : llvm::enumerate(captures))
      LLVM::StoreOp::create(builder, loc, capture, addressOf(1 + i));
    LLVM::BrOp::create(builder, loc, after);
    builder.setInsertionPointToEnd(before);
    LLVM::CondBrOp::create(builder, loc, compare(LLVM::ICmpPredicate::eq, threadId, 0), first,
                           after);
    builder.setInsertionPointToStart(after);
    meet();
  }

  /// The blocks of the workers for `op`, of which the first is returned: each finds the partition
  /// that it has a part in, loads what that takes, and runs it.
  Block *runPartitions(ttg::WarpSpecializeOp op) {
    Block *first = builder.createBlock(&kernel.getBody()), *test = first;
    for (Region &region : op.getPartitionRegions()) {
      const ttg::ThreadGroup group = ttg::getThreadGroup(&region);
      Block *entry = &region.front();
      builder.setInsertionPointToStart(entry);
      for (BlockArgument argument : entry->getArguments())
        argument.replaceAllUsesWith(LLVM::LoadOp::create(builder, loc, argument.getType(),
                                                         addressOf(1 + argument.getArgNumber())));
      entry->eraseArguments(0, entry->getNumArguments());
      for (auto end : llvm::make_early_inc_range(region.getOps<ttg::WarpReturnOp>())) {
        builder.setInsertionPoint(end);
        LLVM::BrOp::create(builder, loc, again);
        end.erase();
      }
      kernel.getBody().getBlocks().splice(kernel.getBody().end(), region.getBlocks());

      Block *next = builder.createBlock(&kernel.getBody());
      builder.setInsertionPointToEnd(test);
      Value number = LLVM::SubOp::create(builder, loc, warpThreadId,
                                         getI32(builder, loc, group.firstWarp << context.laneBits));
      Value takesPart =
          compare(LLVM::ICmpPredicate::ult, number, group.numWarps << context.laneBits);
      LLVM::CondBrOp::create(builder, loc, takesPart, entry, next);
      test = next;
    }
    builder.setInsertionPointToEnd(test);
    LLVM::BrOp::create(builder, loc, again);
    return first;
  }

  /// The default region in the place of `op`, which is number `number`.
  void runDefault(ttg::WarpSpecializeOp op, unsigned number) {
    leaveWord(op, number, op.getExplicitCaptures());
    Block *before = op->getBlock(), *after = before->splitBlock(op);
    Region &region = op.getDefaultRegion();
    builder.setInsertionPointToEnd(before);
    LLVM::BrOp::create(builder, loc, &region.front());
    for (auto end : llvm::make_early_inc_range(region.getOps<ttg::WarpYieldOp>())) {
      builder.setInsertionPoint(end);
      meet();
      LLVM::BrOp::create(builder, loc, end.getValues(), after);
      end.erase();
    }
    for (Value result : op.getResults())
      result.replaceAllUsesWith(after->addArgument(result.getType(), loc));
    kernel.getBody().getBlocks().splice(after->getIterator(), region.getBlocks());
    op.erase();
  }

  LLVM::LLVMFuncOp kernel;
  const LoweringContext &context;
  Location loc;
  OpBuilder builder;
  uint64_t place = 0;
  /// The thread's number in the block, and that of a thread of its warp.
  Value threadId, warpThreadId;
  /// Where workers wait for something to do, and where they go when it is done.
  Block *workers = nullptr, *again = nullptr;
};

} // namespace

void lower::divideWarps(LLVM::LLVMFuncOp kernel, const LoweringContext &context) {
  SmallVector<ttg::WarpSpecializeOp> ops;
  kernel.walk([&](ttg::WarpSpecializeOp op) { ops.push_back(op); });
  if (!ops.empty())
    WarpDivision(kernel, context).run(ops);
}
