//===- PlanSharingTest.cpp - Costs, allocation and lowering share plans -------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// What the layout solver has planned to know a cost, allocation and lowering do not plan again,
// also where each runs in a pass manager of its own.
//
//===--------------------------------------------------------------------------===//

#include "ir/Dialects.h"
#include "ir/ttg/query/Conversion.h"
#include "lower/core/Passes.h"
#include "transform/layout/Passes.h"
#include "vendor/Vendors.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tilewright;

namespace {

const char *const text = R"(
#a = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#b = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90",
                   "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>) {
    %i = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #a>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #a>
    %px = tt.addptr %xs, %i : tensor<512x!tt.ptr<f32>, #a>, tensor<512xi32, #a>
    %v = tt.load %px : tensor<512x!tt.ptr<f32>, #a>
    %w = arith.addf %v, %v : tensor<512xf32, #a>
    %c = ttg.convert_layout %w : tensor<512xf32, #a> -> tensor<512xf32, #b>
    %j = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #b>
    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #b>
    %py = tt.addptr %ys, %j : tensor<512x!tt.ptr<f32>, #b>, tensor<512xi32, #b>
    tt.store %py, %c : tensor<512x!tt.ptr<f32>, #b>
    tt.return
  }
}
)";

TEST(PlanSharing, OnePlanForCostScratchAndCode) {
  DialectRegistry registry;
  ir::registerDialects(registry);
  vendor::registerAll(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  ASSERT_TRUE(module);
  auto run = [&](std::unique_ptr<Pass> pass) {
    PassManager passes(&context);
    passes.addPass(std::move(pass));
    ASSERT_TRUE(succeeded(passes.run(*module)));
  };
  const plan::PlanCache &plans = ttg::getPlanCache(*module);

  run(transform::createTritonGPURemoveLayoutConversions());
  const plan::PlanCache::Counts ofSolver = plans.counts();
  EXPECT_GT(ofSolver.made, 0u);
  unsigned conversions = 0;
  module->walk([&](ttg::ConvertLayoutOp) { ++conversions; });
  ASSERT_EQ(conversions, 1u);

  run(lower::createAllocateSharedMemoryPass());
  const plan::PlanCache::Counts withAllocation = plans.counts();
  EXPECT_GT(withAllocation.asked, ofSolver.asked);
  EXPECT_EQ(withAllocation.made, ofSolver.made);

  run(lower::createConvertTritonGPUToLLVMPass());
  EXPECT_GT(plans.counts().asked, withAllocation.asked);
  EXPECT_EQ(plans.counts().made, ofSolver.made);
}

} // namespace
