//===- Patterns.h - Pattern base class and the lists of patterns ----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A tensor becomes the registers that one thread holds of it, as that many values, in the
// order of its layout's register dimension.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_CORE_PATTERNS_H
#define TILEWRIGHT_LOWER_CORE_PATTERNS_H

#include "lower/core/builder/LoweringBuilder.h"
#include "lower/core/builder/ScalarOps.h"
#include "lower/core/types/AccessWidth.h"

#include "mlir/Transforms/DialectConversion.h"

namespace tilewright::lower {

/// Tensors to registers; pointers to LLVM's; 8-bit floats to their bits, and bf16 where the target
/// has no such type.
class RegisterTypeConverter : public mlir::TypeConverter {
public:
  explicit RegisterTypeConverter(const TargetLowering &target);
};

/// A pattern for ops of one kind that shares the module's context.
template <typename Op> class LoweringPattern : public mlir::OpConversionPattern<Op> {
public:
  LoweringPattern(const mlir::TypeConverter &converter, LoweringContext &context,
                  mlir::MLIRContext *mlirContext, mlir::PatternBenefit benefit = 1)
      : mlir::OpConversionPattern<Op>(converter, mlirContext, benefit), context(context) {}

protected:
  /// Reports that `op` cannot be lowered. It is replaced by poison, so that the conversion
  /// goes on and finds other errors; the pass fails in the end. `remedy`: what to do, if anything.
  mlir::LogicalResult reject(mlir::Operation *op, mlir::ConversionPatternRewriter &rewriter,
                             const llvm::Twine &reason, llvm::StringRef remedy = {}) const;

  LoweringContext &context;
};

using RewriterRef = mlir::ConversionPatternRewriter &;

/// See LoweringPattern::reject.
mlir::LogicalResult rejectOp(LoweringContext &context, const mlir::TypeConverter &converter,
                             mlir::Operation *op, RewriterRef rewriter, const llvm::Twine &reason,
                             llvm::StringRef remedy = {});

template <typename Op>
mlir::LogicalResult LoweringPattern<Op>::reject(mlir::Operation *op, RewriterRef rewriter,
                                                const llvm::Twine &reason,
                                                llvm::StringRef remedy) const {
  return rejectOp(context, *this->getTypeConverter(), op, rewriter, reason, remedy);
}

void addElementwisePatterns(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &converter,
                            LoweringContext &context, const ScalarOps &scalarOps);
void addViewPatterns(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &converter,
                     LoweringContext &context);
void addMemoryPatterns(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &converter,
                       LoweringContext &context, const AccessWidths &widths);
void addAtomicPatterns(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &converter,
                       LoweringContext &context, const AccessWidths &widths);
void addLocalMemoryPatterns(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &converter,
                            LoweringContext &context);
void addAsyncCopyPatterns(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &converter,
                          LoweringContext &context, const AccessWidths &widths);
void addPrintPatterns(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &converter,
                      LoweringContext &context);
void addAssertPattern(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &converter,
                      LoweringContext &context);
void addInlineAsmPattern(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &converter,
                         LoweringContext &context);
void addControlFlowPatterns(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &converter,
                            LoweringContext &context);
void addReducePattern(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &converter,
                      LoweringContext &context, const ScalarOps &scalarOps);
void addDotPattern(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &converter,
                   LoweringContext &context);
void addUnitProductPattern(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &converter,
                           LoweringContext &context);
void addScanPattern(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &converter,
                    LoweringContext &context, const ScalarOps &scalarOps);
void addGatherPattern(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &converter,
                      LoweringContext &context);
void addHistogramPattern(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &converter,
                         LoweringContext &context);
void addConvertLayoutPattern(mlir::RewritePatternSet &patterns,
                             const mlir::TypeConverter &converter, LoweringContext &context);
/// Those of cooperative matrices, each of which becomes a lane's registers of it.
void addCoopMatrixPatterns(mlir::RewritePatternSet &patterns, mlir::TypeConverter &converter,
                           LoweringContext &context);

// The scratch memory that patterns need: each gives its ops their ttg::ScratchUser.
void attachReduceScratch(mlir::MLIRContext &context);
void attachScanScratch(mlir::MLIRContext &context);
void attachGatherScratch(mlir::MLIRContext &context);
void attachHistogramScratch(mlir::MLIRContext &context);
void attachAtomicScratch(mlir::MLIRContext &context);
void attachDotScratch(mlir::MLIRContext &context);
void attachConvertLayoutScratch(mlir::MLIRContext &context);
/// All of these, once the dialects are loaded.
void registerScratch(mlir::DialectRegistry &registry);

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_CORE_PATTERNS_H
