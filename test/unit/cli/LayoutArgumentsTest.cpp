//===- LayoutArgumentsTest.cpp - Layout and tensor arguments ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cli/layout/LayoutArguments.h"

#include "gmock/gmock.h"

#include <random>

using namespace tilewright;
using namespace tilewright::cli;
using testing::ElementsAre;
using testing::HasSubstr;

static const char *const blocked = "#ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [8, 4], "
                                   "warpsPerCTA = [2, 1], order = [1, 0]}>";

TEST(LayoutArguments, ReadsATensor) {
  LayoutArguments arguments;
  auto tensor = arguments.parseTensor("--tensor", "tensor<16x8x!tt.ptr<f16>>");
  ASSERT_TRUE(tensor);
  EXPECT_THAT(tensor->shape, ElementsAre(16, 8));
  EXPECT_EQ(tensor->elementBits, 64u);
  EXPECT_EQ(arguments.parseTensor("--tensor", "tensor<4xi1>")->elementBits, 8u);
}

TEST(LayoutArguments, GivesTheMapOfALayout) {
  LayoutArguments arguments;
  auto layout = arguments.parseLayout("ATTR", blocked);
  ASSERT_TRUE(layout);
  auto tensor = arguments.parseTensor("--tensor", "tensor<16x8xf16>");
  auto map = arguments.distributedLayout(*layout, *tensor);
  ASSERT_TRUE(map);
  EXPECT_EQ(map->toString(), "{register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]"
                             ", warp = [[8, 0]], block = []} -> {dim0 = 16, dim1 = 8}");
  auto shared = arguments.sharedLayout(*layout, *tensor);
  ASSERT_FALSE(shared);
  EXPECT_THAT(shared.error().message, HasSubstr("Unsupported tensor layout attribute"));
}

TEST(LayoutArguments, ErrorsPointIntoTheText) {
  LayoutArguments arguments;
  auto unknown = arguments.parseLayout("-l", "#ttg.blocked<{sizePerThread = }>");
  ASSERT_FALSE(unknown);
  EXPECT_THAT(render(unknown.error()), HasSubstr("-l:1:30: error: Invalid layout attribute: "));

  auto large = arguments.parseTensor("--tensor", "tensor<4 x 1048576xf32>");
  ASSERT_FALSE(large);
  EXPECT_EQ(render(large.error()),
            "--tensor:1:12: error: Invalid tensor type argument: the tensor has too many elements\n"
            "    tensor<4 x 1048576xf32>\n"
            "               ^~~~~~~\n"
            "  at most 1048576 are allowed\n");

  auto tensor = arguments.parseTensor("--tensor", "tensor<4x15xf32>");
  ASSERT_TRUE(tensor);
  auto odd = arguments.distributedLayout(*arguments.parseLayout("-l", blocked), *tensor);
  ASSERT_FALSE(odd);
  EXPECT_THAT(render(odd.error()), HasSubstr("--tensor:1:10: error"));
  EXPECT_THAT(render(odd.error()), HasSubstr("use 16 and mask the elements past 15"));

  auto line = arguments.parseTensor("--tensor", "tensor<16xf32>");
  auto rank = arguments.distributedLayout(*arguments.parseLayout("-l", blocked), *line);
  ASSERT_FALSE(rank);
  EXPECT_THAT(render(rank.error()), HasSubstr("-l:1:1: error: Invalid layout attribute for "
                                              "tensor<16xf32>: "));
}

TEST(LayoutArguments, WrongTensors) {
  LayoutArguments arguments;
  for (const char *text : {"",
                           "tensor",
                           "tensor<",
                           "tensor<f32>",
                           "tensor<*xf32>",
                           "tensor<?x4xf32>",
                           "tensor<0xf32>",
                           "tensor<4x-1xf32>",
                           "tensor<[4]xf32>",
                           "tensor<1048576x1048576xf32>",
                           "vector<4xf32>",
                           "tensor<99999999999999999999999x1xf32>",
                           "tensor<4xvector<4xf32>>",
                           "tensor<4xindex>",
                           "tensor<4xtensor<4xf32>>",
                           "tensor<4xcomplex<f32>>",
                           "f32",
                           "tensor<4xf32> x",
                           "\xff\xfe",
                           "tensor<4xf32, #ttg.nothing<>>",
                           "tensor<4294967296x4294967296xf32>",
                           "memref<4xf32>"}) {
    auto tensor = arguments.parseTensor("--tensor", text);
    ASSERT_FALSE(tensor) << text;
    EXPECT_EQ(tensor.error().where.file, "--tensor") << text;
    EXPECT_FALSE(tensor.error().message.empty()) << text;
    EXPECT_FALSE(tensor.error().remedy.empty()) << text;
  }
}

TEST(LayoutArguments, DeepAndLongTexts) {
  LayoutArguments arguments;
  for (const std::string &part : {"[", "<", "(", "{", "#ttg.slice<{dim = 0, parent = "}) {
    std::string text = "#ttg.blocked<";
    for (int i = 0; i < 100; ++i)
      text += part;
    auto layout = arguments.parseLayout("ATTR", text);
    ASSERT_FALSE(layout);
    EXPECT_THAT(layout.error().message, HasSubstr("nest deeper"));
  }
  EXPECT_THAT(arguments.parseLayout("ATTR", "#a" + std::string(1 << 20, '-')).error().message,
              HasSubstr("bytes"));
  std::string minus = "#ttg.slice<{dim = affine_map<(d0) -> (" + std::string(4000, '-') + "d0)>}>";
  EXPECT_FALSE(arguments.parseLayout("ATTR", minus));
}

TEST(LayoutArguments, MutatedTextsAreRefusedOrMapped) {
  LayoutArguments arguments;
  std::mt19937 random(7);
  const std::string parts[] = {"0",     "1",      "64",    "[",  "]",   "{", "}",     "<",
                               ">",     ",",      "=",     "#",  "-",   " ", "order", "4294967295",
                               "65536", "[0, 0]", blocked, "\"", "i32", ":"};
  auto tensor = arguments.parseTensor("--tensor", "tensor<16x8xf16>");
  for (const std::string &seed :
       {std::string(blocked), std::string("#ttg.slice<{dim = 1, parent = ") + blocked + "}>",
        std::string("#ttg.linear<{register = [[0, 1]], lane = [[1, 0], [0, 2]], warp = [], block = "
                    "[]}>"),
        std::string("#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>")})
    for (int round = 0; round < 2000; ++round) {
      std::string text = seed;
      for (unsigned edit = random() % 4; edit-- > 0;)
        text.replace(random() % text.size(), random() % 6, parts[random() % std::size(parts)]);
      auto layout = arguments.parseLayout("ATTR", text);
      if (!layout)
        continue;
      (void)arguments.distributedLayout(*layout, *tensor);
      (void)arguments.sharedLayout(*layout, *tensor);
    }
}

TEST(LayoutArguments, AliasesOfAFile) {
  LayoutArguments arguments;
  std::string text = std::string("#b = ") + blocked +
                     "\n#s = #ttg.slice<{dim = 0, parent = #b}>\n#o = #foo.bar<baz>\n"
                     "module {\n  %0 = nobody.knows(%1 { \n";
  auto aliases = arguments.parseAliases("x.mlir", text);
  ASSERT_TRUE(aliases) << render(aliases.error());
  ASSERT_EQ(aliases->size(), 3u);
  EXPECT_EQ((*aliases)[0].name, "b");
  EXPECT_EQ(textOf((*aliases)[0].layout.attribute), blocked);
  EXPECT_EQ((*aliases)[1].name, "s");

  auto broken = arguments.parseAliases("x.mlir", "\n\n  #b = #ttg.blocked<{}>\n");
  ASSERT_FALSE(broken);
  EXPECT_THAT(render(broken.error()), HasSubstr("x.mlir:3:"));
  EXPECT_THAT(render(broken.error()), HasSubstr("Fail to parse the input file"));
}
