//===- BlockMessages.cpp - Lowering of 2D block messages ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// An op becomes the messages of its plan, each a call of the function that is named for it
// (vendor/intel/plan/BlockFunctions.h). All operands are the same in all lanes: a warp's place
// comes from its number.
//
// What a lane has of a message lies in the lane's own memory, since that is how OpenCL's functions
// give it; drivers keep it in registers. It is read and written in vectors of an instruction's
// operand, where that is known, which vanish where the operand is put together again of the
// elements that they are taken apart to.
//
//===--------------------------------------------------------------------------===//

#include "vendor/intel/lower/BlockMessages.h"

#include "ir/ttig/Ops.h"
#include "lower/core/Patterns.h"
#include "lower/core/blocks/Branch.h"
#include "support/Bits.h"
#include "vendor/intel/lower/Builtins.h"
#include "vendor/intel/plan/BlockFunctions.h"
#include "vendor/intel/plan/BlockTransfer.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using namespace tilewright::lower::intel;
using namespace tilewright::plan::block2d;
using namespace tilewright::vendor::intel;
namespace dims = layout::dims;

namespace {

/// Emits the messages of one op.
class MessageBuilder {
public:
  /// `adaptor`: the operands of `op`.
  template <typename Adaptor>
  MessageBuilder(LoweringBuilder &e, Operation *op, Adaptor adaptor, const BlockMessagePlan &plan)
      : e(e), plan(plan), message(plan.message), cachePolicy(op->getAttr(ttg::cachePolicyAttrName)),
        elementsInValue(message.slotBits() / plan.elementBits),
        values(countLaneValues(message, plan.limits.registerBytes, plan.threadsPerWarp)) {
    const unsigned elementBytes = plan.elementBits / 8;
    auto toBytes = [&](Value elements) -> Value {
      return e.create<LLVM::MulOp>(elements, e.getI32(elementBytes));
    };
    surface = {adaptor.getBase().front(), toBytes(adaptor.getWidth().front()),
               adaptor.getHeight().front(), toBytes(adaptor.getPitch().front())};
    if (auto slices = adaptor.getSlicePitch(); !slices.empty())
      slicePitch = e.create<LLVM::MulOp>(
          slices.front(), e.create<LLVM::ConstantOp>(e.builder.getI64Type(), elementBytes));
    row = adaptor.getRow().front();
    column = adaptor.getColumn().front();
    if (message.elementBits > plan.elementBits)
      column = e.create<LLVM::AShrOp>(column, e.getI32(columnShift()));
  }

  /// Memory of the lane's own for its values of a message; kept for the function.
  Value allocate() {
    OpBuilder::InsertionGuard guard(e.builder);
    Region *body = e.builder.getBlock()->getParent();
    e.builder.setInsertionPointToStart(&body->front());
    auto type = LLVM::LLVMArrayType::get(valueType(), values);
    return e.create<LLVM::AllocaOp>(LLVM::LLVMPointerType::get(e.builder.getContext()), type,
                                    e.create<LLVM::ConstantOp>(e.builder.getI32Type(), 1),
                                    /*alignment=*/plan.limits.registerBytes);
  }

  /// Issues message `index`; `memory`: the lane's values, null for a prefetch.
  void issue(unsigned index, Value memory) {
    Value coordinates = e.create<LLVM::PoisonOp>(VectorType::get(2, e.builder.getI32Type()));
    coordinates = e.create<LLVM::InsertElementOp>(
        coordinates, placeOf(index, plan.contiguousDim, column, columnShift()), e.getI32(0));
    coordinates = e.create<LLVM::InsertElementOp>(coordinates, placeOf(index, *plan.rowDim, row, 0),
                                                  e.getI32(1));
    SmallVector<Value> operands = surface;
    if (slicePitch)
      operands.front() = addSlices(operands.front(), placeOf(index, 0, e.getI32(0), 0));
    operands.push_back(coordinates);
    if (memory)
      operands.push_back(memory);
    const BlockFunction function = getBlockFunction(message);
    auto call = callBuiltin(e.builder, e.loc, function.name, function.parameters, Type(), operands,
                            Effect::Message);
    if (cachePolicy)
      call->setAttr(ttg::cachePolicyAttrName, cachePolicy);
  }

  /// The elements of `type` that the lane has of a message, one a slot.
  SmallVector<Value> read(Value memory, Type type) {
    SmallVector<Value> elements;
    for (unsigned first = 0; first < values; first += vectorSize()) {
      Value vector = e.create<LLVM::LoadOp>(vectorType(), at(memory, first));
      llvm::append_range(elements, e.unpackVector(cast(vector, elementVectorType(type))));
    }
    return elements;
  }

  /// Writes the elements of a message, one a slot.
  void write(Value memory, ArrayRef<Value> elements) {
    const unsigned inVector = vectorSize() * elementsInValue;
    for (unsigned i = 0; i < elements.size(); i += inVector)
      e.create<LLVM::StoreOp>(cast(e.packVector(elements.slice(i, inVector)), vectorType()),
                              at(memory, i / elementsInValue));
  }

  unsigned slots() const { return values * elementsInValue; }

  /// i1: whether the warp issues messages at all; null if all do.
  Value isBusy() {
    return e.testThreadBitsZero(static_cast<uint32_t>(plan.idleWarps << e.context.laneBits));
  }

private:
  /// log2 of a tensor's elements in one of the message's.
  unsigned columnShift() const { return log2Of(message.elementBits / plan.elementBits); }

  Type valueType() const { return e.builder.getIntegerType(message.slotBits()); }
  /// The elements of such a vector.
  VectorType elementVectorType(Type type) const {
    return VectorType::get(vectorSize() * elementsInValue, type);
  }
  Value cast(Value vector, VectorType type) {
    return vector.getType() == type ? vector : e.create<LLVM::BitcastOp>(type, vector);
  }
  unsigned vectorSize() const {
    constexpr unsigned maxVector = 8;
    const unsigned operand = plan.operandRegisters / elementsInValue;
    return std::min({values, operand ? operand : maxVector, maxVector});
  }
  VectorType vectorType() const { return VectorType::get(vectorSize(), valueType()); }
  Value at(Value memory, unsigned value) {
    return e.addBytes(memory, static_cast<int64_t>(value) * message.slotBits() / 8);
  }

  /// Where message `index` of the warp begins along dimension `dim`: from `start` on, in units of
  /// 2^shift elements.
  Value placeOf(unsigned index, unsigned dim, Value start, unsigned shift) {
    auto origin = [&](unsigned message, unsigned warp) {
      return plan.originOf(message, warp, 0)[dim] >> shift;
    };
    ThreadBases bases(e.context.laneBits);
    for (unsigned bit = 0; bit < plan.origin.inBits(dims::Warp); ++bit)
      bases.push_back(origin(0, 1u << bit));
    // The warp's place is one value for all messages, and so is its sum with the start.
    Value place = start;
    const uint64_t constant = origin(index, 0);
    uint64_t threadBits = 0;
    for (uint64_t basis : bases)
      threadBits |= basis;
    if (threadBits & constant)
      return e.create<LLVM::AddOp>(start, e.getIndex(bases, constant));
    if (Value ofWarp = e.getThreadValue(bases))
      place = e.create<LLVM::AddOp>(place, ofWarp);
    return constant ? e.create<LLVM::AddOp>(place, e.getI32(constant)) : place;
  }

  /// The address of what lies `slices` matrices after `base`.
  Value addSlices(Value base, Value slices) {
    Value number = e.create<LLVM::ZExtOp>(e.builder.getI64Type(), slices);
    return e.create<LLVM::GEPOp>(base.getType(), e.builder.getI8Type(), base,
                                 ValueRange{e.create<LLVM::MulOp>(number, slicePitch)});
  }

  LoweringBuilder &e;
  const BlockMessagePlan &plan;
  const BlockMessage &message;
  /// Null for the usual one.
  Attribute cachePolicy;
  /// The tensor's elements in one of a lane's values, and a lane's values of a message.
  unsigned elementsInValue, values;
  /// Base, width and height, pitch: in bytes and rows.
  SmallVector<Value> surface;
  Value row, column;
  /// Bytes from one matrix to the next; null if there is only one.
  Value slicePitch;
};

template <typename Op> struct MessagePattern : LoweringPattern<Op> {
  using LoweringPattern<Op>::LoweringPattern;

  Result<BlockMessagePlan> planOf(Op op, Type type, BlockAccess access) const {
    return planTransfer(this->context.target.getTarget(), cast<RankedTensorType>(type),
                        op.getColumnMajor(), access);
  }

  LogicalResult rejectPlan(Op op, ConversionPatternRewriter &rewriter,
                           const std::string &reason) const {
    return this->reject(op, rewriter, "by 2D block messages: " + reason);
  }
};

struct LoadPattern final : MessagePattern<ttig::BlockLoadOp> {
  using MessagePattern::MessagePattern;

  LogicalResult matchAndRewrite(ttig::BlockLoadOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getType());
    Result<BlockMessagePlan> plan = planOf(op, type, BlockAccess::Load);
    if (!plan)
      return rejectPlan(op, rewriter, plan.error());
    LoweringBuilder e(context, rewriter, op.getLoc());
    MessageBuilder emitter(e, op, adaptor, *plan);
    SmallVector<Value> memories;
    for (unsigned index = 0; index < plan->messageCount(); ++index) {
      memories.push_back(emitter.allocate());
      emitter.issue(index, memories.back());
    }
    Type element = getTypeConverter()->convertType(type.getElementType());
    Type memoryType = e.getMemoryType(element);
    SmallVector<SmallVector<Value>> elements;
    for (Value memory : memories)
      elements.push_back(emitter.read(memory, memoryType));

    SmallVector<Value> registers;
    for (uint64_t r = 0; r < plan->slots.inSize(dims::Register); ++r) {
      auto place = plan->slots.apply({{dims::Register, r}});
      registers.push_back(e.fromMemory(elements[place[1].value][place[0].value], element));
    }
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{registers});
    return success();
  }
};

struct StorePattern final : MessagePattern<ttig::BlockStoreOp> {
  using MessagePattern::MessagePattern;

  LogicalResult matchAndRewrite(ttig::BlockStoreOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Result<BlockMessagePlan> plan = planOf(op, op.getValue().getType(), BlockAccess::Store);
    if (!plan)
      return rejectPlan(op, rewriter, plan.error());
    LoweringBuilder e(context, rewriter, op.getLoc());
    MessageBuilder emitter(e, op, adaptor, *plan);
    auto store = [&] {
      for (unsigned index = 0; index < plan->messageCount(); ++index) {
        SmallVector<Value> elements;
        for (unsigned slot = 0; slot < emitter.slots(); ++slot) {
          const uint64_t from =
              plan->registers.apply({{slotDim(), slot}, {messageDim(), index}})[0].value;
          elements.push_back(e.toMemory(adaptor.getValue()[from]));
        }
        Value memory = emitter.allocate();
        emitter.write(memory, elements);
        emitter.issue(index, memory);
      }
      return SmallVector<Value>();
    };
    if (Value isBusy = emitter.isBusy())
      emitBranch(e, rewriter, isBusy, {}, store);
    else
      store();
    rewriter.eraseOp(op);
    return success();
  }
};

struct PrefetchPattern final : MessagePattern<ttig::BlockPrefetchOp> {
  using MessagePattern::MessagePattern;

  LogicalResult matchAndRewrite(ttig::BlockPrefetchOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Result<BlockMessagePlan> plan = planOf(op, op.getTile(), BlockAccess::Prefetch);
    if (!plan)
      return rejectPlan(op, rewriter, plan.error());
    LoweringBuilder e(context, rewriter, op.getLoc());
    MessageBuilder emitter(e, op, adaptor, *plan);
    auto prefetch = [&] {
      for (unsigned index = 0; index < plan->messageCount(); ++index)
        emitter.issue(index, {});
      return SmallVector<Value>();
    };
    if (Value isBusy = emitter.isBusy())
      emitBranch(e, rewriter, isBusy, {}, prefetch);
    else
      prefetch();
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void intel::addBlockMessagePatterns(RewritePatternSet &patterns, const PatternServices &services) {
  patterns.add<LoadPattern, StorePattern, PrefetchPattern>(services.converter, services.context,
                                                           patterns.getContext());
}
