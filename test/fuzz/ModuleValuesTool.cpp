//===- ModuleValuesTool.cpp - Runs the front end on kernels, one by one -------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
//   module-values < PATHS
//
// Each line of the standard input is the path of a Python file, whose kernel `k` takes a pointer to
// floats. What tl.static_print prints in it, or the error, is printed, and then a line with 0 or 1.
//
//===--------------------------------------------------------------------------===//

#include "frontend/codegen/CompileKernel.h"
#include "mlir/IR/MLIRContext.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <string>

using namespace tilewright;

static std::optional<std::string> readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

/// Whether the kernel of the file compiles; what there is to say is printed.
static bool compile(const std::string &path) {
  static mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  frontend::SourceFiles sources(readFile);
  const std::vector<std::string> paths;
  frontend::Imports imports{sources, paths};
  frontend::CompileFacts facts;
  facts.target = "cuda:90";
  std::vector<KernelArgument> arguments;
  std::vector<Diagnostic> errors;
  mlir::OwningOpRef<mlir::ModuleOp> module = frontend::compileKernel(
      context, path, readFile(path).value_or(""), "k", "*fp32", arguments, errors, facts, &imports);
  for (const Diagnostic &error : errors)
    std::fputs(render(error).c_str(), stdout);
  return static_cast<bool>(module);
}

int main() {
  for (std::string path; std::getline(std::cin, path);) {
    std::printf("%d\n", compile(path) ? 0 : 1);
    std::fflush(stdout);
  }
  return 0;
}
