//===- Gather.cpp - Lowering of gathers ---------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Emits what plan::planGather says.
//
//===--------------------------------------------------------------------------===//

#include "lower/collective/CollectivePlans.h"
#include "lower/core/Patterns.h"
#include "lower/core/builder/IndexMaps.h"
#include "lower/layout/EmitConversion.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using plan::GatherMap;
using plan::GatherPlan;

namespace {

struct GatherPattern final : LoweringPattern<tt::GatherOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(tt::GatherOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    const GatherPlan &plan = planGather(op, context.plans);
    SmallVector<Value> results;
    if (plan.kind == GatherPlan::Kind::SharedMemory) {
      std::optional<uint64_t> scratch = getScratchOffset(op);
      if (!scratch)
        return reject(op, rewriter, "before allocate-shared-memory has placed its scratch");
      results = gatherFromMemory(plan, e, adaptor.getSrc(), adaptor.getIndices(), *scratch);
    } else {
      for (auto [r, index] : llvm::enumerate(adaptor.getIndices()))
        results.push_back(pick(plan, e, adaptor.getSrc(), emitIndex32(e, index), r));
    }
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{results});
    return success();
  }

private:
  /// The image without the part of the register; null for 0.
  static Value emitMap(LoweringBuilder &e, const GatherMap &map, Value index) {
    return emitXor(e, e.getThreadValue(map.ofThread), emitLinearMap(e, index, map.ofIndex));
  }

  /// Register `r` of the result from the registers of the warp's lanes.
  static Value pick(const GatherPlan &plan, LoweringBuilder &e, ValueRange src, Value index,
                    unsigned r) {
    Value lane;
    if (plan.kind == GatherPlan::Kind::Shuffles) {
      lane = emitMap(e, plan.lane, index);
      Value constant = plan.lane.ofRegister[r] ? e.getI32(plan.lane.ofRegister[r]) : Value();
      lane = emitXor(e, lane, constant);
      if (!lane)
        lane = e.getI32(0);
    }
    SmallVector<Value> values;
    for (unsigned candidate : plan.candidates) {
      Value value = src[plan.baseRegister[r] ^ candidate];
      if (lane)
        value = e.shuffle(value, [&](Value word) {
          return e.target.shuffleIndexed(e.builder, e.loc, word, lane);
        });
      values.push_back(value);
    }
    if (values.size() == 1)
      return values[0];
    // Pairs that differ in the lowest bit of the choice, then in the next.
    Value choice = emitMap(e, plan.choice, index);
    for (unsigned bit = 0; values.size() > 1; ++bit) {
      Value masked = e.create<LLVM::AndOp>(choice, e.getI32(int64_t(1) << bit));
      Value isSet = e.create<LLVM::ICmpOp>(LLVM::ICmpPredicate::ne, masked, e.getI32(0));
      SmallVector<Value> chosen;
      for (size_t i = 0; i < values.size(); i += 2)
        chosen.push_back(e.create<LLVM::SelectOp>(isSet, values[i + 1], values[i]));
      values = std::move(chosen);
    }
    return values[0];
  }

  static SmallVector<Value> gatherFromMemory(const GatherPlan &plan, LoweringBuilder &e,
                                             ValueRange src, ValueRange indices, uint64_t scratch) {
    const Type type = src[0].getType(), memoryType = e.getMemoryType(type);
    const unsigned bytes = e.getMemoryBytes(type);
    Value isStoring = testCondition(e, plan.storing);
    ThreadOffsets stores(e, plan.storeBases, bytes, scratch);
    for (const GatherPlan::Store &store : plan.stores) {
      SmallVector<Value> values =
          llvm::map_to_vector(store.registers, [&](unsigned r) { return e.toMemory(src[r]); });
      e.target.emitStore(e.builder, e.loc, e.packVector(values), stores.get(store.offset),
                         bytes * values.size(), isStoring, {});
    }
    e.emitSharedBarrier();

    auto inBytes = [&](std::vector<uint64_t> offsets) {
      for (uint64_t &offset : offsets)
        offset *= bytes;
      return offsets;
    };
    const GatherMap map = {inBytes(plan.offset.ofIndex), inBytes(plan.offset.ofThread),
                           inBytes(plan.offset.ofRegister)};
    uint64_t variable = 0;
    for (const auto *part : {&map.ofIndex, &map.ofThread})
      for (uint64_t offset : *part)
        variable |= offset;
    Value base = e.getSharedBase();
    SmallVector<Value> results;
    for (auto [r, index] : llvm::enumerate(indices)) {
      // Of the register's part, what shares no bit with the others goes into the instruction.
      const uint64_t shared = map.ofRegister[r] & variable;
      Value offset = emitMap(e, map, emitIndex32(e, index));
      if (shared)
        offset = emitXor(e, offset, e.getI32(static_cast<int64_t>(shared)));
      Value pointer = e.addBytes(offset ? e.addBytes(base, offset) : base,
                                 static_cast<int64_t>(scratch + (map.ofRegister[r] ^ shared)));
      Value loaded = e.target.emitLoad(e.builder, e.loc, VectorType::get(1, memoryType), pointer,
                                       bytes, Value(), Value(), {});
      results.push_back(e.fromMemory(e.unpackVector(loaded)[0], type));
    }
    return results;
  }
};

} // namespace

void lower::addGatherPattern(RewritePatternSet &patterns, const TypeConverter &converter,
                             LoweringContext &context) {
  patterns.add<GatherPattern>(converter, context, patterns.getContext());
}

void lower::attachGatherScratch(MLIRContext &context) {
  attachScratch<tt::GatherOp, getGatherScratch>(context);
}
