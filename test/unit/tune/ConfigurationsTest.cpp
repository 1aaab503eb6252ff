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

Expected<Autotune> readDecorated(const std::string &before, const std::string &decorator,
                                 const std::string &target = "cuda:90") {
  CompileOptions options;
  options.kernel = "k";
  options.target = target;
  return readAutotune(
      {"k.py", "import triton\nimport triton.language as tl\n" + before + "\n" + decorator +
                   "\n@triton.jit\ndef k(p, n, BLOCK: tl.constexpr):\n    tl.store(p, n)\n"},
      options);
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
  EXPECT_THAT(error("BLOCK=[64, x]"),
              HasSubstr("<config>:1:12: error: the name 'x' is not defined"));
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
  EXPECT_THAT(error("X = Y\nY = X", "X"),
              HasSubstr("k.py:3:5: error: the name 'Y' is not defined"));
  EXPECT_THAT(error("def f(x):\n    return f(x)", "f(1)"), HasSubstr("nested more than 50 deep"));
  EXPECT_THAT(error("def f():\n    while True:\n        pass", "f()"),
              HasSubstr("more than 1000000 steps"));
  EXPECT_THAT(error("", "[i for i in range(10 ** 9)]"), HasSubstr("this range has more than"));
  EXPECT_THAT(error("", "[1]"),
              HasSubstr("is to be a list of triton.Config, and has the constant 1"));
  EXPECT_THAT(error("", "7"), HasSubstr("is to be a list of triton.Config, not the constant 7"));
  EXPECT_THAT(error("", "[triton.Config([])]"), HasSubstr("takes a dict of constants, not a list"));
  EXPECT_THAT(error("", "[triton.Config({'BLOCK': (1, 2)})]"),
              HasSubstr("'BLOCK' is to be a number, a string, a type or None, not a tuple of 2"));
  // Hooks change what is measured, and Python would run them.
  EXPECT_THAT(error("def zero(args):\n    args['p'].zero_()",
                    "[triton.Config({'BLOCK': 16}, pre_hook=zero)]"),
              HasSubstr("k.py:5:18: error: a pre_hook runs in Python"));
  // What runs later, or who knows when, may change it.
  const std::string one = "C = [triton.Config({'BLOCK': 16}, num_warps=4)]\n";
  EXPECT_THAT(error(one + "C.append(X)", "C"),
              HasSubstr("k.py:4:1: error: what 'C' is after this statement is not known"));
  EXPECT_THAT(error(one + "C[0].kwargs['BLOCK'] = 32", "C"), HasSubstr("error"));
  EXPECT_THAT(error(one + "for c in C:\n    c.kwargs['BLOCK'] = 32", "C"), HasSubstr("error"));
  EXPECT_THAT(error(one + "C[0].num_warps = 8", "C"),
              HasSubstr("k.py:4:1: error: whether 'num_warps' has the value of its definition"));
  EXPECT_THAT(error(one + "for c in C:\n    c.num_warps = 8", "C"),
              HasSubstr("k.py:5:5: error: whether 'num_warps'"));
}

TEST(Configurations, ModulesAreFollowedAsPythonRunsThem) {
  auto texts = [](const std::string &before, const std::string &configs,
                  const std::string &target = "cuda:90") -> std::vector<std::string> {
    auto autotune = readDecorated(before, "@triton.autotune(" + configs + ", key=[])", target);
    if (!autotune)
      return {render(autotune.error())};
    return textsOf(autotune->configurations);
  };
  // The names are those that the decorator sees.
  EXPECT_THAT(texts("X = 1\nX = 2", "[triton.Config({'BLOCK': X})]"), ElementsAre("BLOCK=2"));
  // Functions with statements, tables, filters, as in Triton's tutorials.
  EXPECT_THAT(texts(R"(
TABLE = {'small': (16, 32), 'large': (64,)}
def make(which):
    configs = []
    for size in TABLE[which]:
        warps = 4 if size < 32 else 8
        configs += [triton.Config({'BLOCK': size, 'T': tl.float16}, num_warps=warps)]
    return configs
)",
                    "make('small') + make('large')"),
              ElementsAre("BLOCK=16, T=tl.float16, num_warps=4",
                          "BLOCK=32, T=tl.float16, num_warps=8",
                          "BLOCK=64, T=tl.float16, num_warps=8"));
  const std::string filtered = R"(
from triton import Config
import torch
configs = [Config({'BLOCK': b}, num_stages=s) for b in (32, 64) for s in (2, 3)]
def keep(conf):
    small = conf.kwargs['BLOCK'] < 64
    return not (torch.cuda.get_device_capability()[0] == 9 and small and conf.num_warps == 4 and
                conf.num_stages == 3 and conf.maxnreg is None)
)";
  EXPECT_THAT(
      texts(filtered, "list(filter(keep, configs))"),
      ElementsAre("BLOCK=32, num_stages=2", "BLOCK=64, num_stages=2", "BLOCK=64, num_stages=3"));
  EXPECT_THAT(texts(filtered, "list(filter(keep, configs))", "cuda:80"), testing::SizeIs(4));
  // The target chooses.
  const std::string chosen = R"(
def is_cuda():
    return triton.runtime.driver.active.get_current_target().backend == "cuda"
def get():
    if is_cuda():
        return [triton.Config({'BLOCK': 128}, num_warps=8)]
    return [triton.Config({'BLOCK': 64, 'waves_per_eu': 2})]
)";
  EXPECT_THAT(texts(chosen, "get()"), ElementsAre("BLOCK=128, num_warps=8"));
  EXPECT_THAT(texts(chosen, "get()", "hip:gfx1201"), ElementsAre("BLOCK=64, waves_per_eu=2"));
  // More than a tuple of a kernel may have.
  EXPECT_THAT(texts("", "[triton.Config({'A': a, 'B': b}) for a in range(60) for b in range(60)]"),
              testing::SizeIs(3600));
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
  // Triton's names, and constants of all kinds.
  auto wide =
      evaluateGrid("triton.cdiv(n, BLOCK) if P == 'ieee' and E is None else 1",
                   {{{"BLOCK", "64"}, {"P", "'ieee'"}, {"E", "None"}}, {}, {}, {}}, {{"n", 1000}});
  ASSERT_TRUE(wide) << render(wide.error());
  EXPECT_EQ(wide->x, 16u);
  for (const char *bad : {"n - 1000", "1, 2, 3, 4", "2 ** 40", "'a'", "n +", "m", "[]"}) {
    auto error = evaluateGrid(bad, configuration, {{"n", 1000}});
    ASSERT_FALSE(error) << bad;
    EXPECT_EQ(error.error().where.file, "<grid>") << bad;
  }
}

} // namespace
