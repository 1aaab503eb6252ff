//===- BlockFunctionsTest.cpp - Messages, their functions, and tensors --------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/intel/plan/BlockFunctions.h"

#include "ir/ttig/Dialect.h"
#include "plan/block2d/BlockLoadSteps.h"
#include "test/unit/ir/Parsing.h"
#include "vendor/intel/plan/BlockTransfer.h"

#include "mlir/IR/BuiltinTypes.h"

#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::plan::block2d;
using namespace tilewright::vendor::intel;
using target::Target;

TEST(BlockFunction, NamesSayAllOfAMessage) {
  const BlockMessage messages[] = {
      {.elementBits = 16, .width = 16, .height = 32, .blocks = 2},
      {.elementBits = 8, .width = 16, .height = 32, .blocks = 4, .vnni = true},
      {.elementBits = 32, .width = 8, .height = 16, .transpose = true},
      {.access = BlockAccess::Store, .elementBits = 32, .width = 16, .height = 8},
      {.access = BlockAccess::Prefetch, .elementBits = 8, .width = 32, .height = 1, .blocks = 2},
  };
  const char *names[] = {"read_16b_32r16x2c", "read_transform_8b_32r16x4c",
                         "read_transpose_32b_16r8x1c", "write_32b_8r16x1c", "prefetch_8b_1r32x2c"};
  const char *values[] = {"Pt", "Pj", "Pj", "Pj", ""};
  for (auto [message, name, value] : llvm::zip_equal(messages, names, values)) {
    const BlockFunction function = getBlockFunction(message);
    EXPECT_EQ(function.name, std::string("intel_sub_group_2d_block_") + name);
    EXPECT_EQ(function.parameters, std::string("PU3AS1viiiDv2_i") + value);
    EXPECT_EQ(parseBlockFunction(function.name), message);
  }
  for (const char *name : {"intel_sub_group_2d_block_read_16b_32r16x2", "read_16b_32r16x2c",
                           "intel_sub_group_2d_block_copy_16b_32r16x2c",
                           "intel_sub_group_2d_block_read_16b_32r16x2cc"})
    EXPECT_EQ(parseBlockFunction(name), std::nullopt) << name;
}

TEST(BlockFunction, LanesHavePaddedBlocks) {
  EXPECT_EQ(countLaneValues({.elementBits = 16, .width = 16, .height = 32, .blocks = 2}, 64, 16),
            64u);
  // A row of 32 bytes fills half a register.
  EXPECT_EQ(countLaneValues({.elementBits = 16, .width = 16, .height = 1}, 64, 16), 2u);
  EXPECT_EQ(countLaneValues(
                {.elementBits = 8, .width = 16, .height = 32, .blocks = 4, .vnni = true}, 64, 16),
            32u);
}

// What the passes ask and the lowering emits is what `tilewright blockload` prints: the messages of
// the steps, in their order, at their places.
TEST(BlockTransfer, MessagesAreThoseOfTheSteps) {
  const Target &target = *Target::find("xpu:pvc");
  unsigned compared = 0;
  for (unsigned opsPerChan : {1, 2, 4})
    for (unsigned repeatCount : {4, 8})
      for (auto [warpsM, warpsN] : {std::pair{1, 1}, {2, 2}, {8, 4}})
        for (auto [clusterM, clusterN] : {std::pair{1, 1}, {2, 1}, {4, 2}, {4, 4}})
          for (unsigned opIdx : {0, 1})
            for (MemoryOrder memory : {MemoryOrder::RowMajor, MemoryOrder::ColumnMajor}) {
              const unsigned bits = 32 / opsPerChan;
              auto number = [](unsigned value) { return std::to_string(value); };
              const std::string text =
                  "#ttg.dot_op<{opIdx = " + number(opIdx) +
                  ", parent = #ttig.dpas<{repeatCount = " + number(repeatCount) +
                  ", systolicDepth = 8, executionSize = 16, opsPerChan = " + number(opsPerChan) +
                  ", threadsPerWarp = 16, warpsPerCTA = [" + number(warpsM) + ", " +
                  number(warpsN) + "], repCluster = [" + number(clusterM) + ", " +
                  number(clusterN) +
                  "]}>, kWidth = " + number(opIdx ? opsPerChan : std::max(1u, opsPerChan / 2)) +
                  "}>";
              SCOPED_TRACE(text);
              auto layout = test::parse<ttg::DotOperandEncodingAttr>(text);
              const llvm::SmallVector<int64_t> shape =
                  opIdx ? llvm::SmallVector<int64_t>{64, 256} : llvm::SmallVector<int64_t>{256, 64};
              auto type = mlir::RankedTensorType::get(
                  shape, mlir::IntegerType::get(&test::context(), bits), layout);
              const layout::intel::Dpas parent =
                  llvm::cast<ttig::DpasEncodingAttr>(layout.getParent()).getLayout();
              Result<BlockLoadSteps> steps = planBlockLoadSteps(parent, opIdx, bits, shape, memory,
                                                                *blockMessageLimits(target));
              Result<BlockMessagePlan> plan =
                  planTransfer(target, type, memory == MemoryOrder::ColumnMajor, BlockAccess::Load);
              // SPIR-V has not all messages: where the sizes differ there is nothing to compare.
              if (!steps || !plan || !(plan->message == steps->message))
                continue;
              ++compared;
              ASSERT_EQ(plan->messageCount(), steps->loads.inSize(loadDim()));
              for (unsigned load = 0; load < plan->messageCount(); ++load) {
                const std::vector<uint64_t> origin = plan->originOf(load, 0, 0);
                const MemoryPosition first = steps->elements(load, 0, 0).front();
                const bool isTurned = memory == MemoryOrder::ColumnMajor;
                EXPECT_EQ(origin[isTurned], first.row) << load;
                EXPECT_EQ(origin[!isTurned], first.col) << load;
              }
            }
  EXPECT_GT(compared, 60u);
}
