//===- ConfigurationsTest.cpp - The configurations of a kernel ----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "tilewright/Tuner.h"

#include "gmock/gmock.h"

using namespace tilewright;
using namespace tilewright::tune;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

std::vector<std::string> textsOf(const std::vector<Configuration> &configurations) {
  std::vector<std::string> texts;
  for (const Configuration &configuration : configurations)
    texts.push_back(configuration.text());
  return texts;
}

Expected<Autotune> readDecorated(const std::string &before, const std::string &decorator) {
  return readAutotune(
      {"k.py", "import triton\nimport triton.language as tl\n" + before + "\n" + decorator +
                   "\n@triton.jit\ndef k(p, n, BLOCK: tl.constexpr):\n    tl.store(p, n)\n"},
      "k");
}

TEST(Configurations, ListsAreCombinedTheLastFastest) {
  auto parsed = parseConfigurations("BLOCK=[64, 2 ** 7], num_warps=[4, 8], P='ieee'");
  ASSERT_TRUE(parsed);
  EXPECT_THAT(textsOf(*parsed),
              ElementsAre("BLOCK=64, P='ieee', num_warps=4", "BLOCK=64, P='ieee', num_warps=8",
                          "BLOCK=128, P='ieee', num_warps=4", "BLOCK=128, P='ieee', num_warps=8"));
}

TEST(Configurations, TextErrorsHaveAPlace) {
  auto error = [](const std::string &text) {
    auto parsed = parseConfigurations(text);
    return parsed ? "none" : render(parsed.error());
  };
  EXPECT_THAT(error("BLOCK=64 +"), HasSubstr("<config>:1:11: error"));
  EXPECT_THAT(error("BLOCK=[64, x]"), HasSubstr("<config>:1:12: error: 'x' is not defined"));
  EXPECT_THAT(error("BLOCK=[64, x]"), HasSubstr("    BLOCK=[64, x]\n               ^\n"));
  EXPECT_THAT(error("64"), HasSubstr("is no list of NAME=VALUE"));
  EXPECT_THAT(error("BLOCK=[]"), HasSubstr("has no values"));
  EXPECT_THAT(error("num_warps='4'"), HasSubstr("num_warps is to be a positive number, got '4'"));
  EXPECT_THAT(error("A=range(200), B=range(200)"), HasSubstr("more than 10000 combinations"));
}

TEST(Configurations, DecoratorIsReadWithoutPython) {
  auto autotune = readDecorated(R"(
SIZES = [32 * i for i in (1, 2)]
def configs(warps):
    """Those of a kernel."""
    return [triton.Config({'BLOCK': b, 'EVEN': b % 64 == 0}, num_warps=w) for b in SIZES for w in warps]
)",
                                "@triton.autotune(configs=configs([1, 2]) + "
                                "[triton.Config(dict(BLOCK=16), 4, 5, pre_hook=None)], key=['n'])");
  ASSERT_TRUE(autotune) << render(autotune.error());
  EXPECT_THAT(textsOf(autotune->configurations),
              ElementsAre("BLOCK=32, EVEN=False, num_warps=1", "BLOCK=32, EVEN=False, num_warps=2",
                          "BLOCK=64, EVEN=True, num_warps=1", "BLOCK=64, EVEN=True, num_warps=2",
                          "BLOCK=16, num_warps=4, num_stages=5"));
  EXPECT_THAT(autotune->key, ElementsAre("n"));
}

TEST(Configurations, OptionsOfLaunchesAreNoConstants) {
  auto autotune =
      readDecorated("", "@triton.autotune([triton.Config({'BLOCK': 64, 'waves_per_eu': 2, "
                        "'kpack': 1}, num_stages=0, maxnreg=128), "
                        "triton.Config({'BLOCK': 64, 'enable_fp_fusion': False}, "
                        "maxnreg=None)], key=[])");
  ASSERT_TRUE(autotune) << render(autotune.error());
  EXPECT_THAT(textsOf(autotune->configurations),
              ElementsAre("BLOCK=64, num_stages=0, maxnreg=128, waves_per_eu=2, kpack=1",
                          "BLOCK=64, enable_fp_fusion=0"));
  CompileOptions base;
  base.signature = "*fp32, BLOCK, waves_per_eu";
  base.launch.maxRegisters = 40;
  auto options = specialize(base, autotune->configurations);
  ASSERT_TRUE(options) << render(options.error());
  // A parameter with an option's name has its value.
  EXPECT_EQ(options->front().signature, "*fp32,64,2");
  EXPECT_EQ(options->front().numStages, 0);
  LaunchOptions first, second;
  first.maxRegisters = 128;
  first.wavesPerEu = 2;
  first.kPack = 1;
  second.maxRegisters = 40;
  second.fuseMultiplyAdd = 0;
  EXPECT_EQ(options->front().launch, first);
  EXPECT_EQ(options->back().launch, second);
  auto parsed = parseConfigurations("maxnreg=[64, None], launch_pdl=True");
  ASSERT_TRUE(parsed) << render(parsed.error());
  EXPECT_THAT(textsOf(*parsed), ElementsAre("maxnreg=64, launch_pdl=1", "launch_pdl=1"));
  auto wrong = parseConfigurations("maxnreg=0");
  ASSERT_FALSE(wrong);
  EXPECT_THAT(render(wrong.error()), HasSubstr("maxnreg is to be a positive number, got 0"));
}

TEST(Configurations, NoDecoratorNoConfigurations) {
  auto autotune = readDecorated("", "@triton.heuristics({})");
  ASSERT_TRUE(autotune);
  EXPECT_TRUE(autotune->configurations.empty());
}

TEST(Configurations, WhatARunningProgramKnowsIsAnErrorWithItsPlace) {
  auto error = [](const std::string &before, const std::string &configs) {
    auto autotune = readDecorated(before, "@triton.autotune(" + configs + ", key=[])");
    return autotune ? "none" : render(autotune.error());
  };
  EXPECT_THAT(error("import os", "os.environ['CONFIGS']"), HasSubstr("k.py:4:18: error"));
  EXPECT_THAT(error("X = 1\nX = 2", "[triton.Config({'BLOCK': X})]"),
              HasSubstr("'X' is not evaluated without Python"));
  EXPECT_THAT(error("def f():\n    x = []\n    return x", "f()"),
              HasSubstr("the function 'f' is not evaluated without Python"));
  EXPECT_THAT(error("def f(x):\n    return f(x)", "f(1)"), HasSubstr("nested too deeply"));
  EXPECT_THAT(error("X = Y\nY = X", "X"), HasSubstr("nested too deeply"));
  EXPECT_THAT(error("", "[i for i in range(10 ** 9)]"), HasSubstr("more than 100000 steps"));
  EXPECT_THAT(error("", "[1]"), HasSubstr("is to be a list of triton.Config, and has a int"));
}

TEST(Configurations, ConstantsTakeTheirPlaceInTheSignature) {
  CompileOptions base;
  base.signature = "*fp16:16, tensordesc<fp16[64, 32]>, i32, BLOCK, 'BLOCK, x', BLOCK_N";
  Configuration configuration{{{"BLOCK", "64"}, {"BLOCK_N", "'a'"}}, 8, {}, {}};
  auto options = specialize(base, std::array{configuration});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->front().signature,
            "*fp16:16, tensordesc<fp16[64, 32]>, i32,64, 'BLOCK, x','a'");
  EXPECT_EQ(options->front().numWarps, 8);
  EXPECT_EQ(options->front().numStages, base.numStages);

  Configuration other{{{"GROUP", "8"}}, {}, {}, {}};
  auto missing = specialize(base, std::array{other});
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, HasSubstr("no entry 'GROUP'"));
}

TEST(Configurations, OptionsThatChangeNothingAreLeftOut) {
  CompileOptions base;
  base.signature = "*fp32, BLOCK";
  Configuration configuration{
      {{"BLOCK", "64"}, {"schedule_hint", "'attention'"}, {"instrumentation_mode", "''"}},
      {},
      {},
      {}};
  std::vector<Diagnostic> warnings;
  auto options = specialize(base, std::array{configuration}, &warnings);
  ASSERT_TRUE(options);
  EXPECT_EQ(options->front().signature, "*fp32,64");
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].severity, Severity::Warning);
  EXPECT_THAT(warnings[0].message, HasSubstr("schedule_hint='attention' is passed over"));
}

TEST(Configurations, Grid) {
  Configuration configuration{{{"BLOCK", "128"}}, 4, {}, {}};
  auto grid = evaluateGrid("cdiv(n, BLOCK), num_warps", configuration, {{"n", 1000}});
  ASSERT_TRUE(grid);
  EXPECT_EQ(grid->x, 8u);
  EXPECT_EQ(grid->y, 4u);
  EXPECT_EQ(grid->z, 1u);
  for (const char *bad : {"n - 1000", "1, 2, 3, 4", "2 ** 40", "'a'", "n +", "m", "[]"}) {
    auto error = evaluateGrid(bad, configuration, {{"n", 1000}});
    ASSERT_FALSE(error) << bad;
    EXPECT_EQ(error.error().where.file, "<grid>") << bad;
  }
}

} // namespace
