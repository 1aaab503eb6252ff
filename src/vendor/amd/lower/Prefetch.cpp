//===- Prefetch.cpp - Prefetches of cooperative matrices on AMD's GPUs --------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// From RDNA 4 on s_prefetch_data brings 1 to 32 lines of 128 bytes, from an address that a wave
// has in scalar registers ("RDNA4 Instruction Set Architecture", Scalar Memory): one for each row
// of a matrix, or for each column if these are contiguous. It ends at the row's last byte: an
// address of no memory is an error. Processors before have no such instruction.
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/lower/Prefetch.h"

#include "ir/tw/Dialect.h"
#include "lower/core/Patterns.h"
#include "lower/core/blocks/Branch.h"
#include "target/AmdProcessor.h"
#include "vendor/amd/lower/Intrinsics.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

namespace {

struct PrefetchPattern final : LoweringPattern<tw::CoopMatrixPrefetchOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(tw::CoopMatrixPrefetchOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    // The axis of the tensor in memory along which the matrix's elements are contiguous.
    const bool hasRows = matchPattern(op.getStride1(), m_One()),
               hasColumns = matchPattern(op.getStride0(), m_One());
    std::string reason;
    if (!target::amd::processorOf(e.target.getTarget()).hasPrefetch)
      reason = "the target has no instruction for it";
    else if (!hasRows && !hasColumns)
      reason = "neither its rows nor its columns are known to be contiguous";
    if (reason.empty()) {
      emit(e, rewriter, op, adaptor, /*inner=*/hasRows ? 1 : 0);
    } else {
      mlir::InFlightDiagnostic remark = op.emitRemark();
      remark << "the prefetch is not done: " << reason;
      remark.attachNote() << "leave it out, or give it a stride that is the constant 1, on gfx12";
    }
    rewriter.eraseOp(op);
    return success();
  }

private:
  static constexpr unsigned lineBytes = 128, maxLines = 32;

  void emit(LoweringBuilder &e, ConversionPatternRewriter &rewriter, tw::CoopMatrixPrefetchOp op,
            OneToNOpAdaptor adaptor, unsigned inner) const {
    const unsigned outer = 1 - inner;
    const auto type = cast<tw::CoopMatrixType>(op.getMatrix());
    const Type memoryType = e.getMemoryType(getTypeConverter()->convertType(type.getElementType()));
    // Along the axes in memory.
    std::array<int64_t, 2> extents = {type.getRows(), type.getColumns()};
    std::array<Value, 2> starts = {adaptor.getRow().front(), adaptor.getColumn().front()};
    std::array<bool, 2> isChecked = {op.getRowsChecked(), op.getColsChecked()};
    if (op.getTransposed()) {
      std::swap(extents[0], extents[1]);
      std::swap(starts[0], starts[1]);
      std::swap(isChecked[0], isChecked[1]);
    }
    auto sizeOf = [&](unsigned axis) { return adaptor.getShape()[axis].front(); };

    // The part of a row that is in bounds.
    Value first = starts[inner];
    Value end = e.create<LLVM::AddOp>(first, e.getI32(extents[inner])), isSome;
    if (isChecked[inner]) {
      first = e.create<LLVM::SMaxOp>(first, e.getI32(0));
      end = e.create<LLVM::SMinOp>(end, sizeOf(inner));
      isSome = e.create<LLVM::ICmpOp>(LLVM::ICmpPredicate::slt, first, end);
    }
    const Type i64 = e.builder.getI64Type();
    auto advance = [&](Value pointer, Value elements) -> Value {
      return e.create<LLVM::GEPOp>(pointer.getType(), memoryType, pointer, elements);
    };
    Value start = advance(adaptor.getBase().front(), e.create<LLVM::SExtOp>(i64, first));
    Value lastByte =
        e.create<LLVM::SubOp>(e.create<LLVM::MulOp>(e.create<LLVM::SubOp>(end, first),
                                                    e.getI32(e.getMemoryBytes(memoryType))),
                              e.getI32(1));
    Value stride = (outer == 0 ? adaptor.getStride0() : adaptor.getStride1()).front();
    for (int64_t i = 0; i < extents[outer]; ++i) {
      Value coordinate = starts[outer];
      if (i)
        coordinate = e.create<LLVM::AddOp>(coordinate, e.getI32(i));
      Value predicate = isSome;
      if (isChecked[outer]) {
        predicate = e.andPredicates(
            predicate, e.create<LLVM::ICmpOp>(LLVM::ICmpPredicate::sge, coordinate, e.getI32(0)));
        predicate = e.andPredicates(
            predicate, e.create<LLVM::ICmpOp>(LLVM::ICmpPredicate::slt, coordinate, sizeOf(outer)));
      }
      Value pointer =
          advance(start, e.create<LLVM::MulOp>(e.create<LLVM::SExtOp>(i64, coordinate), stride));
      auto prefetch = [&]() -> SmallVector<Value> {
        Value inLine =
            e.create<LLVM::AndOp>(e.create<LLVM::TruncOp>(e.builder.getI32Type(),
                                                          e.create<LLVM::PtrToIntOp>(i64, pointer)),
                                  e.getI32(lineBytes - 1));
        // One line less than there are.
        Value lines = e.create<LLVM::LShrOp>(e.create<LLVM::AddOp>(inLine, lastByte),
                                             e.getI32(llvm::Log2_32(lineBytes)));
        lines = e.create<LLVM::UMinOp>(lines, e.getI32(maxLines - 1));
        amd::callIntrinsic(e.builder, e.loc, "s.prefetch.data", Type(), {pointer, lines});
        return {};
      };
      if (predicate)
        emitBranch(e, rewriter, predicate, {}, prefetch);
      else
        prefetch();
    }
  }
};

} // namespace

void amd::addPrefetchPattern(RewritePatternSet &patterns, const PatternServices &services) {
  // Before the one for all targets, whose addresses are those of lanes.
  patterns.add<PrefetchPattern>(services.converter, services.context, patterns.getContext(),
                                /*benefit=*/2);
}
