//===- LayoutReportTest.cpp - Every view of every layout --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cli/layout/LayoutReport.h"

#include "gmock/gmock.h"

#include <random>

using namespace tilewright;
using namespace tilewright::cli;
using testing::EndsWith;

static const std::string dpas =
    "#ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, "
    "threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [2, 1]}>";
static const std::string mma = "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, "
                               "warpsPerCTA = [2, 1], instrShape = [16, 8]}>";
static const std::string blocked = "#ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [8, 4], "
                                   "warpsPerCTA = [2, 1], order = [1, 0], CGALayout = [[1, 0]]}>";

static const std::vector<std::string> layouts = {
    blocked,
    "#ttg.slice<{dim = 0, parent = " + blocked + "}>",
    mma,
    "#ttg.dot_op<{opIdx = 0, parent = " + mma + ", kWidth = 2}>",
    "#ttg.amd_wmma<{version = 2, ctaLayout = {warp = [[0, 1]]}}>",
    dpas,
    "#ttg.dot_op<{opIdx = 1, parent = " + dpas + ", kWidth = 2}>",
    "#ttg.linear<{register = [[0, 1], [8, 0]], lane = [[1, 0], [2, 0], [4, 0]], warp = [[0, 2]], "
    "block = []}>",
    "#ttg.generic_linear<{register = [[1]], lane = [[2], [4]], warp = [[8], [0]], block = []}>",
    "#ttg.swizzled_shared<{vec = 2, perPhase = 1, maxPhase = 4, order = [1, 0]}>",
    "#ttg.amd_rotating_shared<{vec = 1, perPhase = 1, maxPhase = 4, order = [1, 0]}>",
    "#ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, elementBitWidth = 16}>",
    "#ttg.padded_shared<[4:+1, 16:+2] {order = [1, 0], shape = [16, 16]}>",
    "#ttg.shared_linear<{offset = [[0, 1], [1, 0], [0, 2], [2, 0]], block = [[4, 0]]}, "
    "alignment = 16>",
    "#tw.coopmatrix<{use = matrix_a, subgroupSize = 16}>",
    "#ttg.shared_memory",
};

static const char *const tensors[] = {
    "tensor<16x16xf16>", "tensor<16xf32>",    "tensor<1x1xi1>",  "tensor<64x32xi8>",
    "tensor<16x15xf16>", "tensor<2x8x8xf16>", "tensor<8x4xf64>", "tensor<4x4x!tt.ptr<f32>>"};

/// Asks for everything; gives how many answers there were.
static unsigned describeAll(LayoutArguments &arguments, const LayoutArgument &layout) {
  unsigned answers = 0;
  for (const char *text : tensors) {
    auto tensor = arguments.parseTensor("--tensor", text);
    EXPECT_TRUE(tensor);
    for (auto view :
         {LayoutView::Tensor, LayoutView::Hardware, LayoutView::Bases, LayoutView::Access})
      for (auto format :
           {LayoutFormat::Text, LayoutFormat::Json, LayoutFormat::Svg, LayoutFormat::Cute}) {
        auto content = describeLayout(arguments, layout, *tensor, view, format);
        if (content) {
          ++answers;
          EXPECT_THAT(*content, EndsWith("\n"));
        } else {
          EXPECT_FALSE(content.error().message.empty());
          EXPECT_FALSE(content.error().remedy.empty()) << content.error().message;
          EXPECT_FALSE(content.error().sourceLine.empty());
        }
      }
  }
  return answers;
}

TEST(LayoutReport, EveryViewOfEveryLayout) {
  LayoutArguments arguments;
  for (const std::string &text : layouts) {
    auto layout = arguments.parseLayout("ATTR", text);
    ASSERT_TRUE(layout) << render(layout.error());
    EXPECT_EQ(describeAll(arguments, *layout) > 0, isLayout(layout->attribute)) << text;
  }
}

TEST(LayoutReport, MutatedLayoutsAreRefusedOrShown) {
  LayoutArguments arguments;
  std::mt19937 random(3);
  const std::string parts[] = {"0",  "1",     "2",  "64", "[0, 0]", "[[0, 1]]", "4294967295", "3",
                               "[]", "65536", "16", "",   "true",   "false",    "128",        "-1"};
  unsigned shown = 0;
  for (const std::string &seed : layouts)
    for (int round = 0; round < 150; ++round) {
      // A number is put in the place of another, mostly.
      std::string text = seed;
      for (unsigned edit = 1 + random() % 3; edit-- > 0;) {
        size_t at = text.find_first_of("0123456789", random() % text.size());
        if (at == std::string::npos || random() % 8 == 0)
          at = random() % text.size();
        text.replace(at, 1 + random() % 2, parts[random() % std::size(parts)]);
      }
      auto layout = arguments.parseLayout("ATTR", text);
      if (layout && isLayout(layout->attribute) && shown < 150)
        shown += describeAll(arguments, *layout) > 0;
      else if (layout)
        for (const char *type : tensors) {
          auto tensor = arguments.parseTensor("--tensor", type);
          (void)arguments.distributedLayout(*layout, *tensor);
          (void)arguments.sharedLayout(*layout, *tensor);
        }
    }
  EXPECT_GT(shown, 20u);
}
