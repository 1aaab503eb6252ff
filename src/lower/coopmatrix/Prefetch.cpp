//===- Prefetch.cpp - Prefetches of cooperative matrices ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// One prefetch a line of a cache: of a row, or of a column, whose elements are known to be
// contiguous, the first element, the last, and some between that are a line apart or less. These
// are dealt out over all threads. Where nothing is known to be contiguous, each element is a line
// of its own.
//
//===--------------------------------------------------------------------------===//

#include "ir/tw/Dialect.h"
#include "lower/coopmatrix/Patterns.h"
#include "lower/core/blocks/Branch.h"

#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

namespace {

struct PrefetchPattern final : LoweringPattern<tw::CoopMatrixPrefetchOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(tw::CoopMatrixPrefetchOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    const auto type = cast<tw::CoopMatrixType>(op.getMatrix());
    const Type memoryType = e.getMemoryType(getTypeConverter()->convertType(type.getElementType()));
    const std::array<int64_t, 2> extents = {type.getRows(), type.getColumns()};
    // Of the matrix's rows and columns.
    std::array<unsigned, 2> order = {0, 1};
    if (op.getTransposed())
      std::swap(order[0], order[1]);
    const std::array<Value, 2> given = {op.getStride0(), op.getStride1()},
                               converted = {adaptor.getStride0().front(),
                                            adaptor.getStride1().front()};
    const std::array<Value, 2> positions = {adaptor.getRow().front(), adaptor.getColumn().front()};
    auto isContiguous = [&](unsigned axis) { return matchPattern(given[order[axis]], m_One()); };

    // The axis along which a line has several elements; rows for nothing.
    const unsigned inner = isContiguous(1) ? 1 : 0, outer = 1 - inner;
    const int64_t step =
        isContiguous(inner) ? std::max<int64_t>(1, lineBytes / e.getMemoryBytes(memoryType)) : 1;
    const int64_t perLine = llvm::divideCeil(extents[inner] - 1, step) + 1;
    const int64_t total = perLine * extents[outer];

    for (int64_t first = 0; first < total; first += e.numThreads()) {
      Value index = e.getThreadId();
      if (first)
        index = e.create<LLVM::AddOp>(index, e.getI32(first));
      Value predicate;
      if (first + e.numThreads() > total)
        predicate = e.create<LLVM::ICmpOp>(LLVM::ICmpPredicate::slt, index, e.getI32(total));
      std::array<Value, 2> at;
      at[outer] = e.create<LLVM::UDivOp>(index, e.getI32(perLine));
      Value part = e.create<LLVM::URemOp>(index, e.getI32(perLine));
      at[inner] = e.create<LLVM::UMinOp>(e.create<LLVM::MulOp>(part, e.getI32(step)),
                                         e.getI32(extents[inner] - 1));
      Value pointer = adaptor.getBase().front();
      for (unsigned axis : {0, 1}) {
        Value coordinate = e.create<LLVM::AddOp>(positions[axis], at[axis]);
        if (axis == 0 ? op.getRowsChecked() : op.getColsChecked())
          predicate = e.andPredicates(
              predicate, isInside(e, coordinate, adaptor.getShape()[order[axis]].front()));
        Value wide = e.create<LLVM::SExtOp>(e.builder.getI64Type(), coordinate);
        Value elements = e.create<LLVM::MulOp>(wide, converted[order[axis]]);
        pointer = e.create<LLVM::GEPOp>(pointer.getType(), memoryType, pointer, elements);
      }
      auto prefetch = [&]() -> SmallVector<Value> {
        // To be read, and more than once; of data.
        e.create<LLVM::Prefetch>(pointer, /*rw=*/0u, /*hint=*/3u, /*cache=*/1u);
        return {};
      };
      if (predicate)
        emitBranch(e, rewriter, predicate, {}, prefetch);
      else
        prefetch();
    }
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// The shortest line of the GPUs' caches, Intel's.
  static constexpr int64_t lineBytes = 64;

  static Value isInside(LoweringBuilder &e, Value coordinate, Value size) {
    Value isFromZero = e.create<LLVM::ICmpOp>(LLVM::ICmpPredicate::sge, coordinate, e.getI32(0));
    Value isBelow = e.create<LLVM::ICmpOp>(LLVM::ICmpPredicate::slt, coordinate, size);
    return e.create<LLVM::AndOp>(isFromZero, isBelow);
  }
};

} // namespace

void lower::addCoopMatrixPrefetchPattern(RewritePatternSet &patterns,
                                         const TypeConverter &converter, LoweringContext &context) {
  patterns.add<PrefetchPattern>(converter, context, patterns.getContext());
}
