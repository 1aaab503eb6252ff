//===- DescriptorKernel.cpp - A kernel by hardware and by pointers ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "DescriptorKernel.h"

using namespace tilewright;
using namespace tilewright::test;
using simulate::AsyncCompletion;

namespace {

/// Compiled for its descriptors as tensor maps, or as pointers.
std::optional<CompiledKernel> compileWith(const DescriptorKernel &kernel, bool isByHardware,
                                          int stages) {
  static Compiler compiler;
  CompileOptions options = optionsFor(kernel.target);
  options.signature = replaceAll(kernel.signature, "@", std::to_string(stages));
  if (!isByHardware)
    options.signature = replaceAll(options.signature, ":16", "");
  options.numWarps = kernel.numWarps;
  noteRun();
  CompileResult result = compiler.compile({"test.py", imports + kernel.body}, options);
  for (const Diagnostic &diagnostic : result.diagnostics)
    ADD_FAILURE() << render(diagnostic) << kernel.body;
  if (!result)
    return std::nullopt;
  const bool hasCopies = result.compilation->ttgir.find("ttng.async_tma") != std::string::npos;
  EXPECT_EQ(hasCopies, isByHardware) << result.compilation->ttgir;
  return result.compilation->kernel;
}

/// The bytes of all arrays after the run.
std::vector<std::vector<std::byte>> runOf(const DescriptorKernel &kernel, bool isByHardware,
                                          int stages, AsyncCompletion completion) {
  std::vector<std::vector<std::byte>> arrays;
  std::optional<CompiledKernel> compiled = compileWith(kernel, isByHardware, stages);
  if (!compiled)
    return arrays;
  std::vector<ArgumentValue> arguments = kernel.arguments;
  if (auto done = runWith(completion, *compiled, arguments, kernel.grid); !done)
    ADD_FAILURE() << render(done.error());
  for (const ArgumentValue &argument : arguments)
    if (auto array = std::get_if<HostArray>(&argument))
      arrays.push_back(array->bytes);
  return arrays;
}

} // namespace

void test::checkSame(const DescriptorKernel &kernel) {
  const auto expected = runOf(kernel, false, 1, AsyncCompletion::Late);
  std::vector<std::vector<std::byte>> before;
  for (const ArgumentValue &argument : kernel.arguments)
    if (auto array = std::get_if<HostArray>(&argument))
      before.push_back(array->bytes);
  EXPECT_FALSE(expected == before);
  const bool hasStages = kernel.signature.find('@') != std::string::npos;
  for (int stages : hasStages ? std::vector{1, 2, 3, 4, 5} : std::vector{3})
    for (AsyncCompletion completion : allCompletions) {
      SCOPED_TRACE(std::to_string(stages) + " stages" +
                   (completion == AsyncCompletion::Early ? ", early" : ""));
      EXPECT_TRUE(runOf(kernel, true, stages, completion) == expected);
    }
}

HostArray test::filled(ElementType type, std::vector<int64_t> shape) {
  return quarters(type, shape, 7);
}

HostArray test::blank(ElementType type, std::vector<int64_t> shape) {
  HostArray array = quarters(type, shape, 1);
  std::ranges::fill(array.bytes, std::byte(0x55));
  return array;
}
