//===- Canonicalizer.cpp - MLIR's canonicalizer without the broken patterns ---===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/tile/Canonicalizer.h"

#include "mlir/Transforms/Passes.h"

using namespace mlir;

std::unique_ptr<Pass> tilewright::transform::createCanonicalizer() {
  // Without the search for blocks that are the same, which takes a tenth of a product's compile
  // time: LLVM joins what there is of them.
  auto config =
      GreedyRewriteConfig().setRegionSimplificationLevel(GreedySimplifyRegionLevel::Normal);
  return createCanonicalizerPass(config,
                                 /*disabledPatterns=*/{"(anonymous namespace)::WhileMoveIfDown"});
}
