//===- MapElementwise.cpp - Lowering of regions of scalars ------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/tt/Dialect.h"
#include "lower/collective/Combiner.h"
#include "lower/core/blocks/RegionPatterns.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

namespace {

struct MapElementwisePattern final : LoweringPattern<tt::MapElementwiseOp> {
  MapElementwisePattern(const TypeConverter &converter, LoweringContext &context,
                        const ScalarOps &scalarOps, MLIRContext *mlirContext)
      : LoweringPattern(converter, context, mlirContext), scalarOps(scalarOps) {}

  LogicalResult matchAndRewrite(tt::MapElementwiseOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    Combiner combiner(op.getScalarOp(), e, scalarOps, *getTypeConverter(), rewriter);
    if (Operation *unsupported = combiner.findUnsupported())
      return reject(op, rewriter,
                    "with " + unsupported->getName().getStringRef() + " in its region");
    const auto pack = static_cast<size_t>(op.getPack());
    SmallVector<Type> types;
    for (Type type : op.getResultTypes())
      types.append(pack, tt::getElementTypeOrSelf(type));

    const size_t registers = adaptor.getSrcs().front().size();
    SmallVector<SmallVector<Value>> results(op.getNumResults());
    for (size_t first = 0; first < registers; first += pack) {
      // A thread whose elements are no multiple of `pack` repeats its last.
      SmallVector<Value> arguments;
      for (ValueRange src : adaptor.getSrcs())
        for (size_t i = 0; i < pack; ++i)
          arguments.push_back(src[std::min(first + i, registers - 1)]);
      Item values = combiner.run(arguments, types);
      for (auto [i, result] : llvm::enumerate(results))
        result.append(values.begin() + i * pack,
                      values.begin() + i * pack + std::min(pack, registers - first));
    }
    if (combiner.failedOp)
      return reject(op, rewriter,
                    "with " + combiner.failedOp->getName().getStringRef() + " on these types");
    rewriter.replaceOpWithMultiple(op, std::move(results));
    return success();
  }

private:
  const ScalarOps &scalarOps;
};

} // namespace

void lower::addMapElementwisePattern(RewritePatternSet &patterns, const TypeConverter &converter,
                                     LoweringContext &context, const ScalarOps &scalarOps) {
  patterns.add<MapElementwisePattern>(converter, context, scalarOps, patterns.getContext());
}
