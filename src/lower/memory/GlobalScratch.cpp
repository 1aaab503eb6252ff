//===- GlobalScratch.cpp - Global memory that one program uses ----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A kernel with such memory gets one more parameter, the last: a pointer to what a launch has set
// aside for all of its programs, one piece for each. Programs count with x the fastest.
//
//===--------------------------------------------------------------------------===//

#include "ir/tt/Dialect.h"
#include "ir/tw/Dialect.h"
#include "lower/core/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

namespace tilewright::lower {
#define GEN_PASS_DEF_ALLOCATEGLOBALSCRATCH
#include "lower/core/Passes.h.inc"
} // namespace tilewright::lower

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

/// What a launch's memory, and so each program's piece, is aligned to.
static constexpr int64_t pieceAlignment = 128;

/// The number of the program in its grid, i64.
static Value emitProgramNumber(OpBuilder &builder, Location loc) {
  Type i64 = builder.getI64Type();
  auto widened = [&](Value value) { return arith::ExtSIOp::create(builder, loc, i64, value); };
  auto position = [&](unsigned axis) { return widened(tt::createProgramId(builder, loc, axis)); };
  auto size = [&](unsigned axis) { return widened(tt::createNumPrograms(builder, loc, axis)); };
  Value number = position(2);
  for (unsigned axis : {1, 0}) {
    number = arith::MulIOp::create(builder, loc, number, size(axis));
    number = arith::AddIOp::create(builder, loc, number, position(axis));
  }
  // Each block of the cluster that runs a program has a piece.
  if (const unsigned blocks = ttg::getNumCTAs(builder.getBlock()->getParentOp()); blocks > 1) {
    Value count = arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(blocks));
    number = arith::MulIOp::create(builder, loc, number, count);
    number = arith::AddIOp::create(builder, loc, number,
                                   widened(tw::ClusterRankOp::create(builder, loc)));
  }
  return number;
}

namespace {

struct AllocateGlobalScratchPass
    : lower::impl::AllocateGlobalScratchBase<AllocateGlobalScratchPass> {
  void runOnOperation() override {
    int64_t bytes = 0;
    for (auto func : getOperation().getOps<tt::FuncOp>()) {
      SmallVector<ttg::GlobalScratchAllocOp> allocations;
      func.walk([&](ttg::GlobalScratchAllocOp op) { allocations.push_back(op); });
      if (allocations.empty())
        continue;
      if (!func.isPublic()) {
        allocations.front().emitOpError(
            "stands in a function that is called; only kernels have memory of a program's own");
        return signalPassFailure();
      }
      bytes = std::max(bytes, allocate(func, allocations));
    }
    if (bytes)
      getOperation()->setAttr(ttg::globalScratchBytesAttrName,
                              OpBuilder(&getContext()).getI32IntegerAttr(bytes));
  }

private:
  /// Returns the bytes of a program.
  static int64_t allocate(tt::FuncOp func, MutableArrayRef<ttg::GlobalScratchAllocOp> allocations) {
    SmallVector<int64_t> offsets;
    int64_t bytes = 0;
    for (ttg::GlobalScratchAllocOp op : allocations) {
      offsets.push_back(llvm::alignTo(bytes, op.getAlignment()));
      bytes = offsets.back() + op.getNbytes();
    }
    bytes = llvm::alignTo(bytes, pieceAlignment);

    OpBuilder builder(func.getContext());
    Location loc = NameLoc::get(builder.getStringAttr("global_scratch"), func.getLoc());
    Type type = allocations.front().getType();
    const unsigned index = func.getNumArguments();
    (void)func.insertArgument(index, type,
                              builder.getDictionaryAttr(builder.getNamedAttr(
                                  "tt.divisibility", builder.getI32IntegerAttr(pieceAlignment))),
                              loc);
    builder.setInsertionPointToStart(&func.getBody().front());
    auto constant = [&](int64_t value) {
      return arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value));
    };
    Value begin =
        arith::MulIOp::create(builder, loc, emitProgramNumber(builder, loc), constant(bytes));
    for (auto [op, offset] : llvm::zip_equal(allocations, offsets)) {
      Value at = arith::AddIOp::create(builder, loc, begin, constant(offset));
      op.replaceAllUsesWith(
          tt::AddPtrOp::create(builder, loc, type, func.getArgument(index), at).getResult());
    }
    // Not before: one of them may be where the builder stands.
    for (ttg::GlobalScratchAllocOp op : allocations)
      op.erase();
    return bytes;
  }
};

} // namespace

std::unique_ptr<Pass> lower::createAllocateGlobalScratchPass() {
  return std::make_unique<AllocateGlobalScratchPass>();
}
