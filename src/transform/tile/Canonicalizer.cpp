//===- Canonicalizer.cpp - MLIR's canonicalizer without the broken patterns ---===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/tile/Canonicalizer.h"

#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectInterface.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

static constexpr const char *brokenPattern = "(anonymous namespace)::WhileMoveIfDown";

/// The canonicalization patterns of all ops that the context knows.
static FrozenRewritePatternSet collectPatterns(MLIRContext &context) {
  RewritePatternSet patterns(&context);
  for (Dialect *dialect : context.getLoadedDialects())
    dialect->getCanonicalizationPatterns(patterns);
  for (RegisteredOperationName op : context.getRegisteredOperations())
    op.getCanonicalizationPatterns(patterns, &context);
  return {std::move(patterns), /*disabledPatternLabels=*/{brokenPattern}};
}

namespace {
/// Keeps the patterns with the context, which compiles one kernel after another: to collect them
/// takes half as long as to apply them. As an interface of a dialect that all contexts have.
class KeptPatterns final : public DialectInterface::Base<KeptPatterns> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(KeptPatterns)

  explicit KeptPatterns(Dialect *dialect) : Base(dialect) {}

  /// Passes are prepared by one thread.
  static FrozenRewritePatternSet get(MLIRContext &context) {
    auto *dialect = context.getLoadedDialect<BuiltinDialect>();
    auto *kept = dialect->getRegisteredInterface<KeptPatterns>();
    if (!kept) {
      dialect->addInterfaces<KeptPatterns>();
      kept = dialect->getRegisteredInterface<KeptPatterns>();
    }
    // Dialects are loaded when they are first needed.
    const size_t dialects = context.getLoadedDialects().size();
    if (kept->dialects != dialects) {
      kept->patterns = collectPatterns(context);
      kept->dialects = dialects;
    }
    return kept->patterns;
  }

private:
  FrozenRewritePatternSet patterns;
  /// The number of dialects when the patterns were collected.
  size_t dialects = 0;
};

class Canonicalizer final : public PassWrapper<Canonicalizer, OperationPass<>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Canonicalizer)

  StringRef getName() const override { return "Canonicalizer"; }
  StringRef getArgument() const override { return "canonicalize"; }

private:
  LogicalResult initialize(MLIRContext *context) override {
    patterns = KeptPatterns::get(*context);
    return success();
  }

  void runOnOperation() override {
    // Without the search for blocks that are the same, which takes a tenth of a product's compile
    // time: LLVM joins what there is of them.
    const auto config =
        GreedyRewriteConfig().setRegionSimplificationLevel(GreedySimplifyRegionLevel::Normal);
    // What has not settled after some rounds is right all the same.
    (void)applyPatternsGreedily(getOperation(), patterns, config);
  }

  FrozenRewritePatternSet patterns;
};
} // namespace

std::unique_ptr<Pass> tilewright::transform::createCanonicalizer() {
  return std::make_unique<Canonicalizer>();
}
