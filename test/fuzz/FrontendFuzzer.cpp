//===- FrontendFuzzer.cpp - Any text as a Python kernel -----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The first line is the signature, the rest the source. It compiles to a module that
// verifies, or is refused with an error that can be shown.
//
//===--------------------------------------------------------------------------===//

#include "frontend/CompileKernel.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"

#include <cstdlib>

using namespace tilewright;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  auto [signature, source] = text.split('\n');
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  std::vector<KernelArgument> arguments;
  std::vector<Diagnostic> diagnostics;
  auto module = frontend::compileKernel(context, "fuzzed.py", source, "", signature, arguments,
                                        diagnostics, /*assertions=*/true);
  if (module ? mlir::failed(mlir::verify(*module))
             : diagnostics.empty() || diagnostics.front().severity != Severity::Error)
    std::abort();
  for (const Diagnostic &diagnostic : diagnostics)
    if (render(diagnostic).empty())
      std::abort();
  return 0;
}
