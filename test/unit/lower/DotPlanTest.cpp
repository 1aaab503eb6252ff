//===- DotPlanTest.cpp - Plans of products against brute force ----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/Dialects.h"
#include "lower/matrix/DotPlans.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

#include <set>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

namespace {

/// A product in a module of four warps; `layouts` defines #a, #b and #d.
struct Product {
  std::string layouts;
  std::string a, b, d;
  uint64_t maxBytes = 64 * 1024;
};

const char *const rowMajor = "#a = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], "
                             "warpsPerCTA = [4, 1], order = [1, 0]}>\n#b = #a\n";
const char *const columnMajor = "#a = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, "
                                "4], warpsPerCTA = [1, 4], order = [0, 1]}>\n#b = #a\n";
const char *const linear =
    "#a = #ttg.linear<{register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, "
    "0]], warp = [[4, 0], [16, 0]], block = []}>\n"
    "#b = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], "
    "order = [1, 0]}>\n";
const char *const square = "#d = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [4, 8], "
                           "warpsPerCTA = [2, 2], order = [1, 0]}>\n";

class DotPlans : public testing::TestWithParam<Product> {
protected:
  DotPlans() {
    DialectRegistry registry;
    ir::registerDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  OwningOpRef<ModuleOp> parse(const Product &product) {
    std::string a = "tensor<" + product.a + ", #a>", b = "tensor<" + product.b + ", #b>",
                d = "tensor<" + product.d + ", #d>";
    return parseSourceString<ModuleOp>(
        product.layouts +
            "module attributes {\"ttg.num-warps\" = 4 : i32, ttg.target = \"cuda:90\"} {\n"
            "tt.func private @f(%a: " +
            a + ", %b: " + b + ", %c: " + d + ") -> " + d + " {\n%d = tt.dot %a, %b, %c : " + a +
            " * " + b + " -> " + d + "\ntt.return %d : " + d + "\n}\n}\n",
        &context);
  }

  MLIRContext context;
};

// Each element has a place of its own in the scratch, and loads and stores take aligned vectors
// of neighbours.
TEST_P(DotPlans, ElementsHavePlacesOfTheirOwn) {
  OwningOpRef<ModuleOp> module = parse(GetParam());
  ASSERT_TRUE(module);
  module->walk([&](tt::DotOp dot) {
    target::ExchangeModel memory;
    memory.maxBytes = GetParam().maxBytes;
    plan::PlanCache plans(memory);
    const Result<plan::DotPlan> &planned = planDot(dot, plans);
    EXPECT_EQ(&planned, &planDot(dot, plans)) << "planned twice";
    ASSERT_TRUE(planned) << planned.error();
    const plan::DotPlan &plan = *planned;
    ASSERT_FALSE(plan.inRegisters);
    EXPECT_LE(plan.scratchBytes, memory.maxBytes);
    EXPECT_EQ(plan.k % plan.chunk, 0u);
    EXPECT_EQ(plan.chunk % plan.step, 0u);
    std::set<uint64_t> taken;
    for (unsigned i : {0, 1}) {
      const plan::DotOperandPlan &operand = plan.operands[i];
      auto type = cast<RankedTensorType>(dot->getOperand(i).getType());
      const uint64_t batches = operand.hasBatch ? type.getDimSize(0) : 1;
      const uint64_t inChunk = (uint64_t(1) << operand.chunkBits) - 1;
      for (uint64_t batch = 0; batch < batches; ++batch)
        for (int64_t row = 0; row < type.getDimSize(operand.rowDim); ++row)
          for (uint64_t k = 0; k < plan.k; ++k) {
            const uint64_t offset = operand.offset({batch, uint64_t(row), k});
            EXPECT_EQ(offset >> operand.chunkBits, k / plan.chunk);
            const uint64_t byte =
                operand.begin + operand.padded(offset & inChunk) * operand.elementBytes;
            EXPECT_LE(byte + operand.elementBytes, plan.scratchBytes);
            if (k < plan.chunk) {
              EXPECT_TRUE(taken.insert(byte).second) << i << ": " << batch << row << k;
            }
            if (operand.alongK && k % operand.loadVector == 0) {
              EXPECT_EQ(offset % operand.loadVector, 0u);
              EXPECT_EQ(operand.offset({batch, uint64_t(row), k + operand.loadVector - 1}),
                        offset + operand.loadVector - 1);
            }
          }
      EXPECT_EQ(operand.pad % operand.loadVector, 0u);
      EXPECT_EQ(operand.pad % operand.storeVector, 0u);
      EXPECT_LE(operand.loadVector * operand.elementBytes, memory.maxAccessBits / 8);
      EXPECT_LE(operand.storeVector * operand.elementBytes, memory.maxAccessBits / 8);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(
    Layouts, DotPlans,
    testing::Values(
        Product{std::string(rowMajor) + square, "64x64xf16", "64x64xf16", "64x64xf32"},
        Product{std::string(columnMajor) + square, "64x32xf32", "32x64xf32", "64x64xf32"},
        Product{std::string(linear) + square, "32x16xbf16", "16x128xbf16", "32x128xf32"},
        Product{std::string(rowMajor) + square, "32x64xi8", "64x32xi8", "32x32xi32"},
        Product{std::string(rowMajor) + square, "32x256xf64", "256x32xf64", "32x32xf64", 40 * 1024},
        Product{"#a = #ttg.blocked<{sizePerThread = [1, 1, 4], threadsPerWarp = [2, 4, 4], "
                "warpsPerCTA = [4, 1, 1], order = [2, 1, 0]}>\n#b = #a\n#d = "
                "#ttg.blocked<{sizePerThread = [1, 2, 4], threadsPerWarp = [1, 8, 4], warpsPerCTA "
                "= [2, 1, 2], order = [2, 1, 0]}>\n",
                "8x16x32xf16", "8x32x32xf16", "8x16x32xf32"}));

} // namespace
