//===- HostCodeTest.cpp - The code beside kernels -----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/interpret/HostCode.h"

#include "gmock/gmock.h"

using namespace tilewright;
using namespace tilewright::frontend;
using testing::HasSubstr;

namespace {

/// A source with one kernel `k`, before which `before` and a decorator of `argument` stand.
struct Decorated {
  explicit Decorated(const std::string &before, const std::string &argument,
                     const std::string &target = "cuda:90", Imports *imports = nullptr)
      : module(ParsedModule::parse("k.py", "import triton\nimport triton.language as tl\n" +
                                               before + "\n@triton.autotune(" + argument +
                                               ")\n@triton.jit\ndef k(x):\n    pass\n")) {
    CompileFacts facts;
    facts.target = target;
    if (module)
      host = std::make_unique<HostCode>(**module, facts, imports);
  }

  /// The argument's repr, or the error's place and message.
  std::string evaluate() {
    if (!module)
      return module.error().message;
    const FunctionObject *kernel = host->findKernel("k");
    if (!kernel)
      return "no kernel";
    const auto *call = kernel->definition->decorators.begin()[0]->as<CallExpr>();
    auto value = host->evaluateBefore(*kernel, *call->arguments[0]);
    if (value)
      return value->repr();
    return std::to_string(value.error().where.line) + ":" +
           std::to_string(value.error().where.column) + ": " + value.error().message;
  }

  Expected<std::unique_ptr<const ParsedModule>> module;
  std::unique_ptr<HostCode> host;
};

std::string evaluate(const std::string &before, const std::string &argument,
                     const std::string &target = "cuda:90") {
  return Decorated(before, argument, target).evaluate();
}

/// The value of a text of the command line, or its error and remedy.
std::string evaluateText(const std::string &text, const Variables &names) {
  auto module = ParsedModule::parse("<text>", "value = " + text + "\n");
  if (!module)
    return module.error().message;
  HostCode host(**module);
  auto value = host.evaluateWith(names, *(*module)->find("value")->value);
  return value ? value->repr() : value.error().message + "; " + value.error().remedy;
}

TEST(HostCode, DecoratorsSeeTheNamesBeforeThem) {
  EXPECT_EQ(evaluate("X = 1\nX = X + 1", "X"), "2");
  EXPECT_THAT(evaluate("", "k"), HasSubstr("the name 'k' is not defined here"));
  EXPECT_EQ(evaluate("def f(n, m=2):\n    while n < 100:\n        n *= m\n    return n", "f(3)"),
            "192");
  EXPECT_EQ(evaluate("import torch", "torch.cuda.get_device_capability()", "cuda:80"), "(8, 0)");
  // A kernel is not called where nothing is compiled.
  EXPECT_THAT(evaluate("@triton.jit\ndef g(x):\n    return x", "g(1)"),
              HasSubstr("'g' is compiled for the kernel"));
}

TEST(HostCode, AnErrorIsNoneOfTheNextExpression) {
  Decorated decorated("", "1 // 0");
  EXPECT_THAT(decorated.evaluate(), HasSubstr("4:20: this divides the constant 1 by zero"));
  EXPECT_THAT(decorated.evaluate(), HasSubstr("4:20: this divides the constant 1 by zero"));
  const FunctionObject *kernel = decorated.host->findKernel("");
  ASSERT_TRUE(kernel);
  EXPECT_EQ(kernel->name(), "k");
  EXPECT_FALSE(decorated.host->findKernel("other"));
}

TEST(HostCode, ConfigsHaveTheAttributesOfTritons) {
  const std::string one = "C = triton.Config({'B': 64}, 8, num_stages=2)";
  EXPECT_EQ(evaluate(one, "C"), "Config({'B': 64}, num_warps=8, num_stages=2)");
  EXPECT_EQ(evaluate(one, "(C.kwargs['B'], C.num_warps, C.num_stages, C.num_ctas, C.maxnreg)"),
            "(64, 8, 2, 1, None)");
  EXPECT_EQ(evaluate(one, "(triton.Config({}).num_warps, triton.Config({}).num_stages)"), "(4, 3)");
  EXPECT_EQ(evaluate(one, "(hasattr(C, 'num_warps'), getattr(C, 'kwargs') == {'B': 64})"),
            "(True, True)");
  EXPECT_THAT(evaluate(one, "C.warps"), HasSubstr("a triton.Config has no attribute 'warps'"));
  EXPECT_THAT(evaluate(one, "triton.Config({}, 1, 2, 3, 4, 5, 6, 7)"),
              HasSubstr("takes no more than 7 arguments"));
  EXPECT_THAT(evaluate(one, "len(C)"), HasSubstr("a triton.Config"));
}

TEST(HostCode, FilesAreImported) {
  SourceFiles files([](const std::string &path) -> std::optional<std::string> {
    if (!llvm::StringRef(path).ends_with("settings.py"))
      return std::nullopt;
    return "SIZES = [16, 32]\n";
  });
  const std::vector<std::string> paths;
  Imports imports{files, paths};
  EXPECT_EQ(Decorated("from settings import SIZES", "SIZES", "", &imports).evaluate(), "[16, 32]");
  EXPECT_THAT(Decorated("from others import SIZES", "SIZES", "", &imports).evaluate(),
              HasSubstr("the module 'others' is not found"));
}

TEST(HostCode, TextsSeeTheirNamesAndTritons) {
  Variables names;
  names["n"] = Value::ofInteger(1000);
  names["BLOCK"] = Value::ofInteger(128);
  EXPECT_EQ(evaluateText("(cdiv(n, BLOCK), next_power_of_2(n), triton.cdiv(n, 3))", names),
            "(8, 1024, 334)");
  EXPECT_EQ(evaluateText("[math.floor(n / i) for i in range(1, 4)]", names), "[1000, 500, 333]");
  EXPECT_EQ(evaluateText("(lambda x: x + BLOCK)(n)", names), "1128");
  EXPECT_EQ(evaluateText("block", names), "the name 'block' is not defined; did you mean 'BLOCK'?");
  EXPECT_EQ(evaluateText("stride", names),
            "the name 'stride' is not defined; the names here are BLOCK, n");
  // Those of the text's own file are none.
  EXPECT_THAT(evaluateText("value", names), HasSubstr("'value' is not defined"));
}

} // namespace
