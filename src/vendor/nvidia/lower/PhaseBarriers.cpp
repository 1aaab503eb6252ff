//===- PhaseBarriers.cpp - Lowering of barriers in shared memory --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// PTX ISA, mbarrier. One thread of those that run an op makes and ends barriers, and arrives at
// them, or one of each warp; all of them wait.
//
//===--------------------------------------------------------------------------===//

#include "ir/ttng/Dialect.h"
#include "lower/core/Patterns.h"
#include "lower/core/blocks/Branch.h"
#include "lower/shared/LocalTransfer.h"
#include "vendor/nvidia/lower/ElectThread.h"
#include "vendor/nvidia/lower/Intrinsics.h"
#include "vendor/nvidia/lower/NvidiaPatterns.h"
#include "vendor/nvidia/lower/TensorMemory.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using namespace tilewright::lower::nvidia;

namespace {

/// The address of a barrier, whose view is of one element.
Value getBarrier(LoweringBuilder &e, ttg::MemDescType type, ValueRange view) {
  LocalView local(view);
  return LocalAddresses(e, type, local).get(e.getI32(0));
}

constexpr StringLiteral initFence = "fence.mbarrier_init.release.cluster";

struct InitBarrierPattern final : LoweringPattern<ttng::InitBarrierOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(ttng::InitBarrierOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    Value barrier = getBarrier(e, op.getAlloc().getType(), adaptor.getAlloc());
    emitForOneThread(e, rewriter, {}, [&] {
      callIntrinsic(e, "mbarrier.init.shared", {barrier, e.getI32(op.getCount())});
      // For units that copy, too, which see memory by another proxy than threads do.
      callIntrinsic(e, initFence, {});
    });
    rewriter.eraseOp(op);
    return success();
  }
};

struct InvalBarrierPattern final : LoweringPattern<ttng::InvalBarrierOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(ttng::InvalBarrierOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    Value barrier = getBarrier(e, op.getAlloc().getType(), adaptor.getAlloc());
    emitForOneThread(e, rewriter, {}, [&] { callIntrinsic(e, "mbarrier.inval.shared", barrier); });
    rewriter.eraseOp(op);
    return success();
  }
};

struct BarrierExpectPattern final : LoweringPattern<ttng::BarrierExpectOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(ttng::BarrierExpectOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    Value barrier = getBarrier(e, op.getAlloc().getType(), adaptor.getAlloc());
    emitForOneThread(e, rewriter, adaptor.getPred()[0], [&] {
      callIntrinsic(e, "mbarrier.arrive.expect.tx.scope.cta.space.cta",
                    {barrier, e.getI32(op.getSize())}, e.builder.getI64Type());
    });
    rewriter.eraseOp(op);
    return success();
  }
};

struct ArriveBarrierPattern final : LoweringPattern<ttng::ArriveBarrierOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(ttng::ArriveBarrierOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    Value barrier = getBarrier(e, op.getAlloc().getType(), adaptor.getAlloc());
    Value predicate = op.getPred() ? adaptor.getPred()[0] : Value();
    auto arrive = [&] {
      // Who waits may have tensor memory read or written then.
      if (usesTensorMemory(op))
        emitFenceBeforeSync(e);
      callIntrinsic(e, "mbarrier.arrive.scope.cta.space.cta", {barrier, e.getI32(op.getCount())},
                    e.builder.getI64Type());
    };
    if (op.getPerWarp())
      emitForEachWarp(e, rewriter, predicate, arrive);
    else
      emitForOneThread(e, rewriter, predicate, arrive);
    rewriter.eraseOp(op);
    return success();
  }
};

/// Tries until the phase is over: each try waits for a while in hardware.
struct WaitBarrierPattern final : LoweringPattern<ttng::WaitBarrierOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(ttng::WaitBarrierOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    Value barrier = getBarrier(e, op.getAlloc().getType(), adaptor.getAlloc());
    Value phase = adaptor.getPhase()[0];
    auto wait = [&] {
      Block *before = rewriter.getInsertionBlock();
      Block *after = rewriter.splitBlock(before, rewriter.getInsertionPoint());
      Block *attempt = rewriter.createBlock(after);
      rewriter.setInsertionPointToEnd(before);
      e.create<LLVM::BrOp>(ValueRange(), attempt);
      rewriter.setInsertionPointToStart(attempt);
      Value isOver = callIntrinsic(e, "mbarrier.try.wait.parity.scope.cta.space.cta",
                                   {barrier, phase}, e.builder.getI1Type());
      e.create<LLVM::CondBrOp>(isOver, after, attempt);
      rewriter.setInsertionPointToStart(after);
      if (usesTensorMemory(op))
        emitFenceAfterSync(e);
      return SmallVector<Value>();
    };
    if (op.getPred())
      emitBranch(e, rewriter, adaptor.getPred()[0], {}, wait);
    else
      wait();
    rewriter.eraseOp(op);
    return success();
  }
};

/// Each thread for its own copies.
struct AsyncCopyArrivePattern final : LoweringPattern<ttng::AsyncCopyMbarrierArriveOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(ttng::AsyncCopyMbarrierArriveOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    Value barrier = getBarrier(e, op.getBarrier().getType(), adaptor.getBarrier());
    callIntrinsic(e,
                  op.getNoIncrement() ? "cp.async.mbarrier.arrive.noinc.shared"
                                      : "cp.async.mbarrier.arrive.shared",
                  barrier);
    rewriter.eraseOp(op);
    return success();
  }
};

struct FenceAsyncSharedPattern final : LoweringPattern<ttng::FenceAsyncSharedOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(ttng::FenceAsyncSharedOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    callIntrinsic(
        e, op.getBCluster() ? "fence.proxy.async.shared_cluster" : "fence.proxy.async.shared_cta",
        {});
    rewriter.eraseOp(op);
    return success();
  }
};

struct FenceBarrierInitPattern final : LoweringPattern<ttng::FenceMBarrierInitReleaseClusterOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(ttng::FenceMBarrierInitReleaseClusterOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    callIntrinsic(e, initFence, {});
    rewriter.eraseOp(op);
    return success();
  }
};

struct SetRegistersPattern final : LoweringPattern<ttng::SetRegistersOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(ttng::SetRegistersOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    e.create<NVVM::SetMaxRegisterOp>(op.getCount(), op.getIsMore()
                                                        ? NVVM::SetMaxRegisterAction::increase
                                                        : NVVM::SetMaxRegisterAction::decrease);
    rewriter.eraseOp(op);
    return success();
  }
};

/// In clusters of one block, which are all that kernels are launched in, a cluster's barrier is
/// that of the block. The threads that arrive wait later: what is in between others may see early,
/// and none of them writes what they read there, so that meeting once, at the wait, is enough.
template <typename Op> struct ClusterMeetingPattern final : LoweringPattern<Op> {
  using LoweringPattern<Op>::LoweringPattern;

  LogicalResult matchAndRewrite(Op op, typename LoweringPattern<Op>::OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(this->context, rewriter, op.getLoc());
    if constexpr (!std::is_same_v<Op, ttng::ClusterArriveOp>)
      e.emitGroupBarrier();
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void nvidia::addPhaseBarrierPatterns(RewritePatternSet &patterns, const PatternServices &services) {
  patterns.add<
      InitBarrierPattern, InvalBarrierPattern, BarrierExpectPattern, ArriveBarrierPattern,
      WaitBarrierPattern, AsyncCopyArrivePattern, FenceAsyncSharedPattern, SetRegistersPattern,
      FenceBarrierInitPattern, ClusterMeetingPattern<ttng::ClusterBarrierOp>,
      ClusterMeetingPattern<ttng::ClusterArriveOp>, ClusterMeetingPattern<ttng::ClusterWaitOp>>(
      services.converter, services.context, patterns.getContext());
}
