//===- IRText.cpp - Kernels as texts of TTGIR ---------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "IRText.h"

#include "Harness.h"

using namespace tilewright;

std::string test::replaceAll(std::string text, const std::string &from, const std::string &to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

std::string test::lineOf(const std::string &text, const std::string &part) {
  const size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return "test.ttgir:" + std::to_string(1 + std::count(text.begin(), text.begin() + at, '\n')) +
         ":";
}

CompileResult test::compileText(const std::string &text) {
  static Compiler compiler;
  test::noteRun();
  return compiler.compile({"test.ttgir", text, SourceLanguage::TTGIR}, {});
}

CompiledKernel test::compileGoodText(const std::string &text) {
  CompileResult result = compileText(text);
  for (const Diagnostic &diagnostic : result.diagnostics)
    ADD_FAILURE() << render(diagnostic);
  return result ? result.compilation->kernel : CompiledKernel();
}

Expected<void> test::runWith(simulate::AsyncCompletion completion, const CompiledKernel &compiled,
                             std::vector<ArgumentValue> &arguments, Grid grid) {
  simulate::SimulatorOptions options;
  options.asyncCompletion = completion;
  auto device = simulate::createSimulator(options);
  auto kernel = device->load(compiled);
  if (!kernel)
    return kernel.error();
  test::noteRun();
  if (auto done = runtime::run(*device, **kernel, grid, arguments); !done)
    return done.error();
  EXPECT_EQ(device->report().unawaitedCopies, 0u);
  return {};
}
