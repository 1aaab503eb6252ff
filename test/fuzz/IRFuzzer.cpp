//===- IRFuzzer.cpp - Fuzz target: kernels as IR ------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The first line is the target, the rest the text. As TTIR it is compiled for that target to native
// code and run on the simulator, or refused with an error; so it is as TTGIR, which names its
// target itself.
//
//===--------------------------------------------------------------------------===//

#include "KernelFuzzing.h"

using namespace tilewright;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz::TargetLine line = fuzz::readTargetLine({reinterpret_cast<const char *>(data), size});
  if (fuzz::hasLargeTensor(line.rest))
    return 0;
  std::string text(line.rest);
  fuzz::compileAndRun({"fuzzed", text, SourceLanguage::TTGIR}, {});
  CompileOptions options;
  options.target = line.target;
  options.threadsPerWarp = line.threadsPerWarp;
  fuzz::compileAndRun({"fuzzed", text, SourceLanguage::TTIR}, options);
  return 0;
}
