//===- NvidiaPatterns.cpp - Patterns of NVIDIA alone --------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/lower/NvidiaPatterns.h"

#include "ir/ttg/Dialect.h"
#include "lower/core/Patterns.h"
#include "target/NvidiaProcessor.h"
#include "vendor/nvidia/lower/TensorMemory.h"
#include "vendor/nvidia/lower/WarpGroupDot.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

namespace {

/// Before the common patterns, which take it that there is nothing to do.
constexpr unsigned beforeCommon = 2;

/// All copies that a thread has begun since the last group are a group.
struct AsyncCommitPattern final : LoweringPattern<ttg::AsyncCommitGroupOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(ttg::AsyncCommitGroupOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    NVVM::CpAsyncCommitGroupOp::create(rewriter, op.getLoc());
    rewriter.replaceOpWithMultiple(op, {ValueRange()});
    return success();
  }
};

/// The thread waits until at most so many of its groups are under way.
struct AsyncWaitPattern final : LoweringPattern<ttg::AsyncWaitOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(ttg::AsyncWaitOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    NVVM::CpAsyncWaitGroupOp::create(rewriter, op.getLoc(), op.getNum());
    rewriter.replaceOpWithMultiple(op, {ValueRange()});
    return success();
  }
};

/// The launch waits for those that it depends on, or lets those begin that depend on it.
template <typename Op, NVVM::GridDepActionKind kind>
struct GridDependencyPattern final : LoweringPattern<Op> {
  using LoweringPattern<Op>::LoweringPattern;

  LogicalResult matchAndRewrite(Op op, typename LoweringPattern<Op>::OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    NVVM::GriddepcontrolOp::create(rewriter, op.getLoc(), kind);
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void nvidia::populatePatterns(const target::Target &target, RewritePatternSet &patterns,
                              const PatternServices &services) {
  patterns.add<AsyncCommitPattern, AsyncWaitPattern>(services.converter, services.context,
                                                     patterns.getContext(), beforeCommon);
  populateWarpGroupPatterns(patterns, services);
  addIntegerCastPatterns(patterns, services);
  if (target::nvidia::processorOf(target).hasTensorCopies) {
    patterns.add<GridDependencyPattern<tt::GridDependencyWaitOp, NVVM::GridDepActionKind::wait>,
                 GridDependencyPattern<tt::GridDependencyLaunchOp,
                                       NVVM::GridDepActionKind::launch_dependents>>(
        services.converter, services.context, patterns.getContext(), beforeCommon);
    addPhaseBarrierPatterns(patterns, services);
    addTensorCopyPatterns(patterns, services);
    addTensorMapPatterns(patterns, services);
    addClusterPatterns(patterns, services);
  }
  if (hasTensorMemory(target)) {
    addTensorMemoryPatterns(patterns, services);
    addTensorProductPatterns(patterns, services);
  }
}
