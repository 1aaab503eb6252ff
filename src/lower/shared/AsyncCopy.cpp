//===- AsyncCopy.cpp - Lowering of copies from global to shared memory --------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A thread copies what it has pointers to, as many neighbours at once as are neighbours in both
// memories. Where the target has no copy of that size, or elements that are masked off are to
// be something else than zero, the copy is a load and a store.
//
//===--------------------------------------------------------------------------===//

#include "lower/core/Patterns.h"
#include "lower/core/blocks/Branch.h"
#include "lower/layout/EmitConversion.h"
#include "lower/memory/ThreadAccess.h"
#include "lower/shared/LocalTransfer.h"

#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

namespace {

bool isZero(Value value) {
  auto constant = value.getDefiningOp<LLVM::ConstantOp>();
  if (!constant)
    return false;
  if (auto integer = dyn_cast<IntegerAttr>(constant.getValue()))
    return integer.getValue().isZero();
  auto number = dyn_cast<FloatAttr>(constant.getValue());
  return number && number.getValue().isPosZero();
}

/// The registers of one access cut into runs of at most `width.elements()` that are neighbours in
/// global memory as well, in the same order.
SmallVector<ArrayRef<unsigned>> cutRuns(ArrayRef<unsigned> access, const AccessWidth &width) {
  auto isRun = [&](ArrayRef<unsigned> run) {
    for (auto [i, r] : llvm::enumerate(run)) {
      unsigned expected = run[0];
      for (auto [k, bit] : llvm::enumerate(width.registerBits))
        expected |= (i >> k & 1) << bit;
      if (r != expected)
        return false;
    }
    return true;
  };
  size_t length = std::min<size_t>(width.elements(), access.size());
  auto runsOf = [&](size_t length) {
    SmallVector<ArrayRef<unsigned>> runs;
    for (size_t first = 0; first < access.size(); first += length)
      runs.push_back(access.slice(first, length));
    return runs;
  };
  for (; length > 1; length /= 2)
    if (llvm::all_of(runsOf(length), isRun))
      break;
  return runsOf(length);
}

struct AsyncCopyPattern final : LoweringPattern<ttg::AsyncCopyGlobalToLocalOp> {
  AsyncCopyPattern(const TypeConverter &converter, LoweringContext &context,
                   const AccessWidths &widths, MLIRContext *mlirContext)
      : LoweringPattern(converter, context, mlirContext), widths(widths) {}

  LogicalResult matchAndRewrite(ttg::AsyncCopyGlobalToLocalOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    auto tensor = cast<RankedTensorType>(op.getSrc().getType());
    LocalTransfer transfer(e, rewriter, tensor, op.getResult().getType(),
                           LocalView(adaptor.getResult()));
    if (Result<void> planned =
            transfer.plan(plan::LocalDirection::Store, /*takesWholeWarps=*/false);
        !planned)
      return reject(op, rewriter, planned.error());
    Type memoryType = e.getMemoryType(
        getTypeConverter()->convertType(tt::getElementTypeOrSelf(tt::getPointeeType(tensor))));
    const unsigned bytes = e.getMemoryBytes(memoryType);
    ValueRange pointers = adaptor.getSrc(), mask = adaptor.getMask(), other = adaptor.getOther();
    Value takesPart = testCondition(e, transfer.getSteps().condition);

    for (const plan::SharedAccess &access : transfer.getSteps().accesses) {
      ArrayRef<unsigned> registers(access.registers.begin(), access.registers.size());
      Value start = transfer.pointerOf(access);
      for (ArrayRef<unsigned> run : cutRuns(registers, widths.get(op))) {
        const unsigned runBytes = bytes * run.size();
        Value source = pointers[run[0]], predicate = getPredicate(mask, run[0]);
        Value to = e.addBytes(start, bytes * (run.begin() - registers.begin()));
        const bool isOther = predicate && !other.empty() &&
                             !llvm::all_of(run, [&](unsigned r) { return isZero(other[r]); });
        const target::CopyAtom *atom = e.target.getTarget().findAsyncCopy(8 * runBytes);
        auto copy = [&] {
          if (atom && !isOther)
            e.target.emitAsyncCopy(e.builder, e.loc, *atom, to, source, predicate);
          else
            copyThroughRegisters(e, run, to, source, predicate, other, memoryType);
          return SmallVector<Value>();
        };
        if (takesPart)
          emitBranch(e, rewriter, takesPart, {}, copy);
        else
          copy();
      }
    }
    rewriter.replaceOpWithMultiple(op, {ValueRange()});
    return success();
  }

private:
  static void copyThroughRegisters(LoweringBuilder &e, ArrayRef<unsigned> run, Value target,
                                   Value source, Value predicate, ValueRange other,
                                   Type memoryType) {
    const unsigned bytes = e.getMemoryBytes(memoryType) * run.size();
    Value passThrough;
    if (predicate) {
      SmallVector<Value> others;
      for (unsigned r : run)
        others.push_back(other.empty() ? e.getZero(memoryType) : e.toMemory(other[r]));
      passThrough = e.packVector(others);
    }
    Value loaded = e.target.emitLoad(e.builder, e.loc, VectorType::get(run.size(), memoryType),
                                     source, bytes, predicate, passThrough, {});
    e.target.emitStore(e.builder, e.loc, loaded, target, bytes, Value(), {});
  }

  const AccessWidths &widths;
};

/// No copy is ever under way, where the vendor has no pattern of its own for these: its copies are
/// loads and stores.
template <typename Op> struct AsyncGroupPattern final : LoweringPattern<Op> {
  using LoweringPattern<Op>::LoweringPattern;

  LogicalResult matchAndRewrite(Op op, typename LoweringPattern<Op>::OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithMultiple(op, {ValueRange()});
    return success();
  }
};

} // namespace

void lower::addAsyncCopyPatterns(RewritePatternSet &patterns, const TypeConverter &converter,
                                 LoweringContext &context, const AccessWidths &widths) {
  patterns.add<AsyncCopyPattern>(converter, context, widths, patterns.getContext());
  patterns.add<AsyncGroupPattern<ttg::AsyncCommitGroupOp>, AsyncGroupPattern<ttg::AsyncWaitOp>>(
      converter, context, patterns.getContext());
}
