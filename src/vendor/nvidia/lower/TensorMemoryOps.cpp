//===- TensorMemoryOps.cpp - Lowering of ops on tensor memory -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// PTX ISA, tcgen05.alloc, .dealloc, .ld, .st, .wait and .fence. A load and a store wait for
// themselves: the words of a load are read of the wait's result (plan/TensorMemoryFunctions.h). So
// between threads there is left to say only that they have waited: a barrier for tensor memory has
// a fence before and one after it.
//
//===--------------------------------------------------------------------------===//

#include "ir/ttng/TensorMemory.h"
#include "ir/tw/Dialect.h"
#include "lower/core/Patterns.h"
#include "lower/core/blocks/Branch.h"
#include "lower/core/builder/Scratch.h"
#include "lower/memory/ThreadAccess.h"
#include "vendor/nvidia/lower/ElectThread.h"
#include "vendor/nvidia/lower/Intrinsics.h"
#include "vendor/nvidia/lower/NvidiaPatterns.h"
#include "vendor/nvidia/lower/RegisterCalls.h"
#include "vendor/nvidia/lower/TensorMemory.h"
#include "vendor/nvidia/plan/TensorMemoryAccess.h"
#include "vendor/nvidia/plan/TensorMemoryFunctions.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using namespace tilewright::lower::nvidia;
using namespace tilewright::vendor::nvidia;
using layout::LinearLayout;
using layout::nvidia::columnDim;
using layout::nvidia::rowDim;

namespace {

/// Before the common patterns, which are for shared memory.
constexpr unsigned beforeCommon = 2;

bool isInTensorMemory(Type type) {
  auto memory = dyn_cast<ttg::MemDescType>(type);
  return memory && tensorMemorySpace.contains(memory);
}

/// The warps that have a quarter of the rows each.
constexpr unsigned warpsOfRows = 4;

Value addAddress(LoweringBuilder &e, Value address, uint32_t more) {
  return more ? e.create<LLVM::AddOp>(address, e.getI32(static_cast<int32_t>(more))) : address;
}

//===--------------------------------------------------------------------------===//
// The kernel's columns
//===--------------------------------------------------------------------------===//

/// The word through which the block's threads learn the address.
ttg::Scratch getReserveScratch(tw::TensorMemoryReserveOp, plan::PlanCache &) {
  return {.bytes = 4, .hasBlockBarrier = true};
}

struct ReservePattern final : LoweringPattern<tw::TensorMemoryReserveOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(tw::TensorMemoryReserveOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    std::optional<uint64_t> scratch = getScratchOffset(op);
    if (!scratch)
      return reject(op, rewriter, "before allocate-shared-memory has placed its scratch");
    Value word = e.addBytes(e.getSharedBase(), static_cast<int64_t>(*scratch));
    Value columns = e.getI32(op.getColumns());
    emitForFirstWarp(e, rewriter, [&] {
      callIntrinsic(e, "tcgen05.alloc.shared.cg1", {word, columns});
      callIntrinsic(e, "tcgen05.relinq.alloc.permit.cg1", {});
    });
    e.emitSharedBarrier();
    rewriter.replaceOp(op, e.create<LLVM::LoadOp>(e.builder.getI32Type(), word));
    return success();
  }
};

struct ReleasePattern final : LoweringPattern<tw::TensorMemoryReleaseOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(tw::TensorMemoryReleaseOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    emitFenceBeforeSync(e);
    e.emitSharedBarrier();
    emitForFirstWarp(e, rewriter, [&] {
      emitFenceAfterSync(e);
      callIntrinsic(e, "tcgen05.dealloc.cg1",
                    {getTensorMemoryPointer(e, adaptor.getBase()[0]), e.getI32(op.getColumns())});
    });
    rewriter.eraseOp(op);
    return success();
  }
};

//===--------------------------------------------------------------------------===//
// Views
//===--------------------------------------------------------------------------===//

struct ViewPattern final : LoweringPattern<tw::TensorMemoryViewOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(tw::TensorMemoryViewOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    SmallVector<SmallVector<Value>> results(op->getNumResults());
    results[0] = {
        addAddress(e, adaptor.getBase()[0], tensorMemoryAddress(op.getRow(), op.getColumn()))};
    rewriter.replaceOpWithMultiple(op, std::move(results));
    return success();
  }
};

struct IndexPattern final : LoweringPattern<ttg::MemDescIndexOp> {
  IndexPattern(const TypeConverter &converter, LoweringContext &context, MLIRContext *mlirContext)
      : LoweringPattern(converter, context, mlirContext, beforeCommon) {}

  LogicalResult matchAndRewrite(ttg::MemDescIndexOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    ttg::MemDescType src = op.getSrc().getType();
    if (!isInTensorMemory(src))
      return rewriter.notifyMatchFailure(op, "is not in tensor memory");
    LoweringBuilder e(context, rewriter, op.getLoc());
    Value columns =
        e.create<LLVM::MulOp>(adaptor.getIndex()[0], e.getI32(ttng::getBufferColumns(src)));
    rewriter.replaceOp(op, e.create<LLVM::AddOp>(adaptor.getSrc()[0], columns));
    return success();
  }
};

/// The same memory with other elements.
struct ReinterpretPattern final : LoweringPattern<ttg::MemDescReinterpretOp> {
  ReinterpretPattern(const TypeConverter &converter, LoweringContext &context,
                     MLIRContext *mlirContext)
      : LoweringPattern(converter, context, mlirContext, beforeCommon) {}

  LogicalResult matchAndRewrite(ttg::MemDescReinterpretOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!isInTensorMemory(op.getSrc().getType()) || !isInTensorMemory(op.getType()))
      return rewriter.notifyMatchFailure(op, "is not in tensor memory");
    rewriter.replaceOp(op, adaptor.getSrc()[0]);
    return success();
  }
};

/// The address that the part of `memory` adds whose first element has coordinate `first` along
/// dimension `dim`; nothing where the places of the part's elements are not those of its own type.
std::optional<uint32_t> getPartAddress(ttg::MemDescType memory, ttg::MemDescType part, unsigned dim,
                                       uint64_t first) {
  const LinearLayout whole = ttng::toTensorMemoryLayout(memory);
  const LinearLayout own = ttng::toTensorMemoryLayout(part);
  const LinearLayout places = whole.pseudoInvert();
  const uint64_t place = places.applyFlat(first << whole.outShift(layout::Dim::tensor(dim)));
  const uint64_t row = places.outValue(place, rowDim());
  const uint64_t column = places.outValue(place, columnDim());
  // Where the part's bit of a place is used, the whole has the same element there.
  for (layout::Dim in : {rowDim(), columnDim()})
    for (unsigned bit = 0; bit < own.inBits(in); ++bit)
      for (layout::Dim out : {layout::dims::Dim0, layout::dims::Dim1})
        if (own.basis(in, bit) && (own.basis(in, bit, out) != whole.basis(in, bit, out) ||
                                   (in == rowDim() ? row : column) >> bit & 1))
          return std::nullopt;
  const uint64_t bits = column * ttng::getTensorMemoryElementBits(memory);
  if (bits % ttng::tensorMemoryWordBits)
    return std::nullopt;
  return tensorMemoryAddress(static_cast<uint32_t>(row),
                             static_cast<uint32_t>(bits / ttng::tensorMemoryWordBits));
}

struct SubslicePattern final : LoweringPattern<ttng::TMEMSubSliceOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(ttng::TMEMSubSliceOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    std::optional<uint32_t> address = getPartAddress(op.getSrc().getType(), op.getType(),
                                                     static_cast<unsigned>(op.getDim().value_or(1)),
                                                     static_cast<uint64_t>(op.getFirst()));
    if (!address)
      return reject(op, rewriter, "because its elements do not lie in the whole as its type says",
                    "give the part an encoding with the whole's blockM and a blockN that divides "
                    "the offset");
    rewriter.replaceOp(op, addAddress(e, adaptor.getSrc()[0], *address));
    return success();
  }
};

//===--------------------------------------------------------------------------===//
// Loads and stores
//===--------------------------------------------------------------------------===//

/// The most words that one instruction takes, of `words` that a thread has: half of the registers
/// that ptxas gives it at most, and less where that leaves it no room to overlap two of them
/// (Triton 3.6, TensorMemoryToLLVM.cpp).
unsigned getMaxWords(LoweringBuilder &e, unsigned words) {
  constexpr unsigned mostOfInstruction = 128, manyThreads = 512, whereSeveral = 64;
  if (e.context.numThreads() >= manyThreads || words > mostOfInstruction)
    return whereSeveral;
  return mostOfInstruction;
}

Result<TensorMemoryAccess> planAccess(LoweringBuilder &e, RankedTensorType tensor,
                                      ttg::MemDescType memory, bool isLoad) {
  using target::Space;
  if (const unsigned first = e.getGroup().firstWarp; first % warpsOfRows)
    return Failure("a warp reaches the rows of its number modulo 4, but its warps begin at " +
                   std::to_string(first));
  const auto copies = target::copiesBetween(e.target.getTarget().copies(),
                                            isLoad ? Space::TensorMemory : Space::Registers,
                                            isLoad ? Space::Registers : Space::TensorMemory);
  const LinearLayout layout = ttg::toLinearLayout(tensor).dropIn(layout::dims::Block);
  const unsigned bits = ttng::getTensorMemoryElementBits(memory);
  const auto registers = static_cast<unsigned>(layout.inSize(layout::dims::Register));
  return planTensorMemoryAccess(copies, layout, ttng::toTensorMemoryLayout(memory), bits,
                                getMaxWords(e, std::max(1u, registers * bits / 32)));
}

/// The address of a warp's part.
Value getWarpAddress(LoweringBuilder &e, const TensorMemoryAccess &access, Value address) {
  ThreadBases bases(e.threadBits());
  for (auto [bit, more] : llvm::enumerate(access.addressOfWarp))
    bases[e.context.laneBits + bit] = more;
  Value part = e.getThreadValue(bases);
  return part ? e.create<LLVM::AddOp>(address, part) : address;
}

/// "tcgen05.ld.16x256b.x8"
std::string intrinsicName(const TensorMemoryAccess &access) {
  return access.atom->name + ".x" + std::to_string(access.times);
}

/// The operands before the words: the address and, of 16x32bx2 the distance of its halves.
SmallVector<Value> leadingOperands(LoweringBuilder &e, const TensorMemoryAccess &access,
                                   Value address) {
  SmallVector<Value> operands = {getTensorMemoryPointer(e, address)};
  if (access.splitColumns)
    operands.push_back(e.getInt(e.builder.getI64Type(), access.splitColumns));
  return operands;
}

constexpr StringLiteral layoutRemedy =
    "convert to a layout in which a warp's lanes are 32 rows, or the rows and columns of a matrix "
    "fragment";

struct LoadPattern final : LoweringPattern<ttng::TMEMLoadOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(ttng::TMEMLoadOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    if (op.getRedOp())
      return reject(op, rewriter, "with a reduction, for which LLVM has no instruction",
                    "load the tensor and reduce it");
    auto tensor = cast<RankedTensorType>(op.getResult().getType());
    Result<TensorMemoryAccess> access =
        planAccess(e, tensor, op.getSrc().getType(), /*isLoad=*/true);
    if (!access)
      return reject(op, rewriter, "because " + access.error(), layoutRemedy);
    SmallVector<Value> words = emitLoads(e, *access, adaptor.getSrc()[0]);
    Type type = getTypeConverter()->convertType(tensor.getElementType());
    SmallVector<SmallVector<Value>> results(op->getNumResults());
    results[0] = toRegisters(e, *access, words, tensor, type);
    rewriter.replaceOpWithMultiple(op, std::move(results));
    return success();
  }

private:
  /// The words of all messages, after the wait for them.
  static SmallVector<Value> emitLoads(LoweringBuilder &e, const TensorMemoryAccess &access,
                                      Value address) {
    Type i32 = e.builder.getI32Type();
    const unsigned count = access.wordsOfMessage();
    Type type = count == 1 ? i32 : VectorType::get(count, i32);
    Value base = getWarpAddress(e, access, address);
    SmallVector<Value> words;
    for (const TensorMemoryAccess::Message &message : access.messages) {
      SmallVector<Value> operands =
          leadingOperands(e, access, addAddress(e, base, message.address));
      operands.push_back(e.getInt(e.builder.getI1Type(), 0));
      Value loaded = callIntrinsic(e, intrinsicName(access), operands, type);
      if (count == 1)
        words.push_back(loaded);
      else
        llvm::append_range(words, e.unpackVector(loaded));
    }
    return callWithRegisters(e, tensorLoadWaitFunction(words.size()),
                             SmallVector<Type>(words.size(), i32), words);
  }

  static SmallVector<Value> toRegisters(LoweringBuilder &e, const TensorMemoryAccess &access,
                                        ArrayRef<Value> words, RankedTensorType tensor, Type type) {
    const LinearLayout layout = ttg::toLinearLayout(tensor);
    SmallVector<Value> registers(layout.inSize(layout::dims::Register));
    const unsigned bits = type.getIntOrFloatBitWidth(), parts = access.parts.size();
    size_t next = 0;
    for (const TensorMemoryAccess::Message &message : access.messages)
      for (size_t i = 0; i < message.registers.size(); i += parts) {
        Value word = words[next++];
        if (bits == 32) {
          registers[message.registers[i]] =
              type.isInteger() ? word : e.create<LLVM::BitcastOp>(type, word);
          continue;
        }
        auto vector = VectorType::get(32 / bits, type);
        SmallVector<Value> elements = e.unpackVector(e.create<LLVM::BitcastOp>(vector, word));
        for (unsigned part = 0; part < parts; ++part)
          registers[message.registers[i + part]] = elements[access.parts[part]];
      }
    fillCopies(layout, registers);
    return registers;
  }
};

struct StorePattern final : LoweringPattern<ttng::TMEMStoreOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(ttng::TMEMStoreOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    auto tensor = cast<RankedTensorType>(op.getSrc().getType());
    Result<TensorMemoryAccess> access =
        planAccess(e, tensor, op.getDst().getType(), /*isLoad=*/false);
    if (!access)
      return reject(op, rewriter, "because " + access.error(), layoutRemedy);
    auto store = [&] {
      emitStores(e, *access, adaptor.getDst()[0], adaptor.getSrc());
      callIntrinsic(e, "tcgen05.wait.st", {});
      return SmallVector<Value>();
    };
    if (matchPattern(op.getPred(), m_One()))
      store();
    else
      emitBranch(e, rewriter, adaptor.getPred()[0], {}, store);
    rewriter.replaceOpWithMultiple(op, SmallVector<SmallVector<Value>>(op->getNumResults()));
    return success();
  }

private:
  static void emitStores(LoweringBuilder &e, const TensorMemoryAccess &access, Value address,
                         ValueRange registers) {
    Value base = getWarpAddress(e, access, address);
    for (const TensorMemoryAccess::Message &message : access.messages) {
      SmallVector<Value> words = toWords(e, access, message, registers);
      SmallVector<Value> operands =
          leadingOperands(e, access, addAddress(e, base, message.address));
      operands.push_back(words.size() == 1 ? words[0] : e.packVector(words));
      operands.push_back(e.getInt(e.builder.getI1Type(), 0));
      callIntrinsic(e, intrinsicName(access), operands);
    }
  }

  static SmallVector<Value> toWords(LoweringBuilder &e, const TensorMemoryAccess &access,
                                    const TensorMemoryAccess::Message &message,
                                    ValueRange registers) {
    Type i32 = e.builder.getI32Type();
    Type type = registers.front().getType();
    const unsigned bits = type.getIntOrFloatBitWidth(), parts = access.parts.size();
    SmallVector<Value> words;
    for (size_t i = 0; i < message.registers.size(); i += parts) {
      Value word = registers[message.registers[i]];
      if (bits < 32) {
        SmallVector<Value> elements(32 / bits, e.getZero(type));
        for (unsigned part = 0; part < parts; ++part)
          elements[access.parts[part]] = registers[message.registers[i + part]];
        word = e.packVector(elements);
      }
      words.push_back(word.getType() == i32 ? word : e.create<LLVM::BitcastOp>(i32, word));
    }
    return words;
  }
};

//===--------------------------------------------------------------------------===//
// Barriers
//===--------------------------------------------------------------------------===//

struct BarrierPattern final : LoweringPattern<ttg::BarrierOp> {
  BarrierPattern(const TypeConverter &converter, LoweringContext &context, MLIRContext *mlirContext)
      : LoweringPattern(converter, context, mlirContext, beforeCommon) {}

  LogicalResult matchAndRewrite(ttg::BarrierOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!(op.getAddressSpaces() & ttg::Tensor) || !usesTensorMemory(op))
      return rewriter.notifyMatchFailure(op, "is not for tensor memory");
    LoweringBuilder e(context, rewriter, op.getLoc());
    emitFenceBeforeSync(e);
    if (op.getAddressSpaces() & (ttg::GlobalRead | ttg::GlobalWrite))
      e.emitGroupBarrier();
    else
      e.emitSharedBarrier();
    emitFenceAfterSync(e);
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void nvidia::addTensorMemoryPatterns(RewritePatternSet &patterns, const PatternServices &services) {
  patterns.add<ReservePattern, ReleasePattern, ViewPattern, IndexPattern, ReinterpretPattern,
               SubslicePattern, LoadPattern, StorePattern, BarrierPattern>(
      services.converter, services.context, patterns.getContext());
}

void nvidia::registerTensorMemoryScratch(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tw::TilewrightDialect *) {
    attachScratch<tw::TensorMemoryReserveOp, getReserveScratch>(*context);
  });
}
