//===- IRFuzzer.cpp - Any text as a kernel in IR ------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// As TTGIR and as TTIR a text is compiled to native code, or refused with an error.
//
//===--------------------------------------------------------------------------===//

#include "tilewright/Compiler.h"

#include <cstdlib>

using namespace tilewright;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string text(reinterpret_cast<const char *>(data), size);
  for (SourceLanguage language : {SourceLanguage::TTGIR, SourceLanguage::TTIR}) {
    Compiler compiler;
    CompileResult result = compiler.compile({"fuzzed", text, language}, {});
    if (!result && result.diagnostics.empty())
      std::abort();
    for (const Diagnostic &diagnostic : result.diagnostics)
      if (render(diagnostic).empty())
        std::abort();
  }
  return 0;
}
