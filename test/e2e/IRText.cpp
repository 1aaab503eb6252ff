//===- IRText.cpp - Kernels as texts of TTGIR ---------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "IRText.h"

#include "Harness.h"

#include <random>

using namespace tilewright;
using namespace tilewright::test;

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

std::string test::pointersTo(const std::string &name, int rows, int columns,
                             const std::string &type) {
  std::string text = R"(
    %@row = tt.make_range {start = 0 : i32, end = ROWS : i32} : tensor<ROWSxi32, #ttg.slice<{dim = 1, parent = #b}>>
    %@re = tt.expand_dims %@row {axis = 1 : i32} : tensor<ROWSxi32, #ttg.slice<{dim = 1, parent = #b}>> -> tensor<ROWSx1xi32, #b>
    %@size = arith.constant dense<COLUMNS> : tensor<ROWSx1xi32, #b>
    %@rows = arith.muli %@re, %@size : tensor<ROWSx1xi32, #b>
    %@c = tt.make_range {start = 0 : i32, end = COLUMNS : i32} : tensor<COLUMNSxi32, #ttg.slice<{dim = 0, parent = #b}>>
    %@ce = tt.expand_dims %@c {axis = 0 : i32} : tensor<COLUMNSxi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1xCOLUMNSxi32, #b>
    %@rb = tt.broadcast %@rows : tensor<ROWSx1xi32, #b> -> tensor<ROWSxCOLUMNSxi32, #b>
    %@cb = tt.broadcast %@ce : tensor<1xCOLUMNSxi32, #b> -> tensor<ROWSxCOLUMNSxi32, #b>
    %@o = arith.addi %@rb, %@cb : tensor<ROWSxCOLUMNSxi32, #b>
    %@s = tt.splat %@ : !tt.ptr<TYPE> -> tensor<ROWSxCOLUMNSx!tt.ptr<TYPE>, #b>
    %@p = tt.addptr %@s, %@o : tensor<ROWSxCOLUMNSx!tt.ptr<TYPE>, #b>, tensor<ROWSxCOLUMNSxi32, #b>
)";
  text = replaceAll(text, "ROWS", std::to_string(rows));
  text = replaceAll(text, "COLUMNS", std::to_string(columns));
  return replaceAll(replaceAll(text, "TYPE", type), "@", name);
}

static runtime::ElementType typeNamed(const std::string &type) {
  using enum runtime::ElementType;
  const std::pair<const char *, runtime::ElementType> types[] = {
      {"f16", Float16}, {"bf16", BFloat16}, {"f32", Float32},      {"f8E4M3FN", Float8E4M3},
      {"i8", Int8},     {"i32", Int32},     {"f8E5M2", Float8E5M2}};
  for (auto [name, element] : types)
    if (type == name)
      return element;
  throw std::runtime_error(type);
}

HostArray test::integers(const std::string &type, int rows, int columns, unsigned seed) {
  HostArray array(typeNamed(type), {rows, columns});
  std::mt19937 generator(seed);
  for (size_t i = 0; i < array.size(); ++i)
    array.set(i, static_cast<int>(generator() % 5) - 2);
  return array;
}
