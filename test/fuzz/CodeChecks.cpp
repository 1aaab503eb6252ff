//===- CodeChecks.cpp - Checks of the code that is made of fuzzed kernels -----===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "CodeChecks.h"

#include "SpirvValidation.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

using namespace tilewright;

[[noreturn]] static void fail(std::string_view what, std::string_view why) {
  std::fprintf(stderr, "%.*s: %.*s\n", static_cast<int>(what.size()), what.data(),
               static_cast<int>(why.size()), why.data());
  std::abort();
}

/// Runs `ptxas` on the text.
static void assemblePtx(const char *ptxas, std::string_view ptx, std::string_view target) {
  const std::string processor = "sm_" + std::string(target.substr(target.find(':') + 1)) +
                                (target == "cuda:90" || target == "cuda:100" ? "a" : "");
  FILE *pipe =
      popen(("'" + std::string(ptxas) + "' -arch=" + processor + " -o /dev/null -").c_str(), "w");
  if (!pipe || std::fwrite(ptx.data(), 1, ptx.size(), pipe) != ptx.size() || pclose(pipe) != 0)
    fail(ptxas, "refuses the PTX");
}

void fuzz::requireValidCode(const Compilation &compilation) {
  const std::string_view target = compilation.kernel.metadata.target;
  if (target.starts_with("cuda"))
    if (const char *ptxas = std::getenv("TILEWRIGHT_PTXAS"))
      assemblePtx(ptxas, compilation.kernel.nativeCode, target);
  if (target.starts_with("xpu"))
    if (const std::string faults = test::findSpirvFaults(compilation.kernel.nativeCode);
        !faults.empty())
      fail("the SPIR-V module is not valid", faults);
}

void fuzz::requireNoFault(const Diagnostic &error, const Source &source) {
  constexpr std::array<std::string_view, 2> assemblies = {"inline_asm", "asm_string"};
  const bool hasAssembly = std::ranges::any_of(assemblies, [&](std::string_view word) {
    return source.text.find(word) != std::string::npos;
  });
  auto says = [&](std::string_view text) { return error.message.find(text) != std::string::npos; };
  if (!hasAssembly && says("this is no assembly of"))
    fail("the assembler", error.message);
  if (error.remedy.find("please report this") != std::string::npos ||
      says("is not valid LLVM IR") || says("a fault of its own"))
    fail("the compiler", error.message);
}
