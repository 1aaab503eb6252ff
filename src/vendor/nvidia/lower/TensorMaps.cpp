//===- TensorMaps.cpp - Lowering of tensor maps -------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A descriptor is the address of its tensor map: 128 bytes that the launch passes by value
// (.param), or that the kernel has made in global memory. The first warp makes one in shared
// memory, where a field takes no way to global memory and back, and copies it to its place.
//
//===--------------------------------------------------------------------------===//

#include "ir/ttng/Dialect.h"
#include "lower/core/Patterns.h"
#include "lower/core/builder/Scratch.h"
#include "vendor/nvidia/lower/ElectThread.h"
#include "vendor/nvidia/lower/Intrinsics.h"
#include "vendor/nvidia/lower/NvidiaPatterns.h"
#include "vendor/nvidia/plan/TensorMapFunctions.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using namespace tilewright::lower::nvidia;
using vendor::nvidia::tensorMapBytes;

namespace {

/// A map at a multiple of its size, wherever the scratch begins. Warps other than the first do not
/// touch it.
ttg::Scratch getMapScratch(ttng::TensormapCreateOp, plan::PlanCache &) {
  return {.bytes = 2 * tensorMapBytes - sharedMemoryAlignment, .hasBlockBarrier = false};
}

/// Emits the writing of one map.
class MapWriter {
public:
  /// `map`: its address in shared memory.
  MapWriter(LoweringBuilder &e, Value map) : e(e), map(map) {}

  /// Zeros, a word by each lane.
  void clear() {
    Value offset = e.create<LLVM::MulOp>(e.getThreadId(), e.getI32(tensorMapBytes / numLanes()));
    LLVM::StoreOp::create(e.builder, e.loc, e.getZero(e.builder.getI32Type()),
                          e.addBytes(map, offset), /*alignment=*/4);
  }

  /// By one thread.
  void setFields(ttng::TensormapCreateOp op, ttng::TensormapCreateOp::Adaptor values) {
    Value address = e.create<LLVM::PtrToIntOp>(e.builder.getI64Type(), values.getGlobalAddress());
    requireAlignmentOf(address, values.getGlobalStride());
    set("global.address", address);
    // Ranks count from zero.
    set("rank", constant(values.getBoxDim().size() - 1));
    setAll("box.dim", values.getBoxDim());
    setAll("global.dim", values.getGlobalDim());
    setAll("global.stride", values.getGlobalStride());
    setAll("element.stride", values.getElementStride());
    set("elemtype", constant(op.getElemType()));
    set("interleave.layout", constant(op.getInterleaveLayout()));
    set("swizzle.mode", constant(op.getSwizzleMode()));
    set("fill.mode", constant(op.getFillMode()));
  }

  /// Copies the map to global memory, and releases it to the accelerator: by a warp.
  void publish(Value to) { call(vendor::nvidia::publishTensorMap, {to, map}); }

private:
  uint32_t numLanes() const { return 1u << e.context.laneBits; }

  Value constant(int64_t value) {
    return LLVM::ConstantOp::create(e.builder, e.loc, e.builder.getI32Type(), value);
  }

  void set(StringRef field, ArrayRef<Value> operands) {
    SmallVector<Value> all = {map};
    llvm::append_range(all, operands);
    callIntrinsic(e, ("tensormap.replace." + field + ".p3").str(), all);
  }

  void setAll(StringRef field, ValueRange values) {
    for (auto [dim, value] : llvm::enumerate(values))
      set(field, {constant(static_cast<int64_t>(dim)), value});
  }

  void requireAlignmentOf(Value address, ValueRange strides) {
    Value all = address;
    for (Value stride : strides)
      all = e.create<LLVM::OrOp>(all, stride);
    Type type = all.getType();
    Value rest = e.create<LLVM::AndOp>(all, e.getInt(type, vendor::nvidia::tensorAlignment - 1));
    Value isAligned = e.create<LLVM::ICmpOp>(LLVM::ICmpPredicate::eq, rest, e.getInt(type, 0));
    call(vendor::nvidia::requireAlignment, isAligned);
  }

  /// A function of TensorMapFunctions.h.
  void call(StringRef name, ValueRange operands) {
    auto module = e.builder.getBlock()->getParentOp()->getParentOfType<ModuleOp>();
    if (!module.lookupSymbol(name)) {
      OpBuilder::InsertionGuard guard(e.builder);
      e.builder.setInsertionPointToStart(module.getBody());
      Type none = LLVM::LLVMVoidType::get(e.builder.getContext());
      auto function = LLVM::LLVMFuncOp::create(
          e.builder, module.getLoc(), name,
          LLVM::LLVMFunctionType::get(none, llvm::to_vector(operands.getTypes())));
      function.setConvergent(true);
      function.setNoUnwind(true);
    }
    LLVM::CallOp::create(e.builder, e.loc, TypeRange(), name, operands);
  }

  LoweringBuilder &e;
  Value map;
};

/// The one value of each operand.
SmallVector<Value> firstOfEach(ArrayRef<ValueRange> operands) {
  return llvm::map_to_vector(operands, [](ValueRange values) { return values[0]; });
}

/// The accelerator sees the map as it is then, if the threads that have it copied say that they
/// want it so: tensormap_fenceproxy_acquire.
struct MapCreatePattern final : LoweringPattern<ttng::TensormapCreateOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(ttng::TensormapCreateOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    std::optional<uint64_t> scratch = getScratchOffset(op);
    if (!scratch)
      return reject(op, rewriter, "before allocate-shared-memory has placed its scratch");
    const uint64_t offset = llvm::alignTo(*scratch, tensorMapBytes);
    MapWriter writer(e, e.addBytes(e.getSharedBase(), static_cast<int64_t>(offset)));
    const SmallVector<Value> operands = firstOfEach(adaptor.getOperands());
    emitForFirstWarp(e, rewriter, [&] {
      writer.clear();
      e.target.emitWarpBarrier(e.builder, e.loc);
      emitForOneLane(e, rewriter,
                     [&] { writer.setFields(op, ttng::TensormapCreateOp::Adaptor(operands, op)); });
      e.target.emitWarpBarrier(e.builder, e.loc);
      writer.publish(adaptor.getDescPtr()[0]);
    });
    rewriter.eraseOp(op);
    return success();
  }
};

/// The threads that send messages are not those that have made the map.
struct MapAcquirePattern final : LoweringPattern<ttng::TensormapFenceproxyAcquireOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(ttng::TensormapFenceproxyAcquireOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    e.emitGroupBarrier();
    auto generic = LLVM::LLVMPointerType::get(rewriter.getContext(), 0);
    Value map = e.create<LLVM::AddrSpaceCastOp>(generic, adaptor.getDescPtr()[0]);
    Value size = LLVM::ConstantOp::create(rewriter, op.getLoc(), rewriter.getI32Type(),
                                          static_cast<int32_t>(tensorMapBytes));
    callIntrinsic(e, "fence.proxy.tensormap_generic.acquire.gpu", {map, size});
    rewriter.eraseOp(op);
    return success();
  }
};

struct ReinterpretPattern final : LoweringPattern<ttng::ReinterpretTensorDescOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(ttng::ReinterpretTensorDescOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!isa<tt::TensorDescType>(op.getType()))
      return reject(op, rewriter, "to an image");
    auto generic = LLVM::LLVMPointerType::get(rewriter.getContext(), 0);
    Value address =
        LLVM::AddrSpaceCastOp::create(rewriter, op.getLoc(), generic, adaptor.getRawDesc()[0]);
    rewriter.replaceOpWithMultiple(op, {address});
    return success();
  }
};

} // namespace

void nvidia::addTensorMapPatterns(RewritePatternSet &patterns, const PatternServices &services) {
  patterns.add<MapCreatePattern, MapAcquirePattern, ReinterpretPattern>(
      services.converter, services.context, patterns.getContext());
}

void nvidia::registerTensorMapScratch(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, ttng::TritonNvidiaGPUDialect *) {
    attachScratch<ttng::TensormapCreateOp, getMapScratch>(*context);
  });
}
