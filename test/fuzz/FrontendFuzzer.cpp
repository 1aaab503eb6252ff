//===- FrontendFuzzer.cpp - Fuzz target: Python kernels -----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The first line is the target, the second the signature, the rest the source. It is refused with
// an error that can be shown, or becomes a module that verifies; then it is compiled for the target
// and run on the simulator.
//
//===--------------------------------------------------------------------------===//

#include "KernelFuzzing.h"

#include "frontend/codegen/CompileKernel.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"

#include <cstdlib>

using namespace tilewright;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz::TargetLine line = fuzz::readTargetLine({reinterpret_cast<const char *>(data), size});
  auto [signature, source] = llvm::StringRef(line.rest).split('\n');
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  std::vector<KernelArgument> arguments;
  std::vector<Diagnostic> diagnostics;
  frontend::CompileFacts facts;
  facts.assertions = true;
  auto module = frontend::compileKernel(context, "fuzzed.py", source, "", signature, arguments,
                                        diagnostics, facts);
  if (!module) {
    fuzz::requireError(diagnostics);
    return 0;
  }
  if (mlir::failed(mlir::verify(*module)))
    std::abort();
  std::string text;
  llvm::raw_string_ostream(text) << *module;
  if (fuzz::hasLargeTensor(text))
    return 0;
  CompileOptions options;
  options.signature = signature.str();
  options.target = line.target;
  options.threadsPerWarp = line.threadsPerWarp;
  fuzz::compileAndRun({"fuzzed.py", source.str(), SourceLanguage::Python}, options);
  return 0;
}
