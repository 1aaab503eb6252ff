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
// floats; or path, kernel and signature with tabs between them, of files that stay as they are: a
// process reads them once. What tl.static_print prints in the kernel, or the error, is printed, and
// then a line with 0 or 1.
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

/// Whether the kernel of a line compiles; what there is to say is printed.
static bool compile(const std::string &line) {
  std::vector<std::string> fields(1);
  for (char one : line)
    if (one == '\t')
      fields.emplace_back();
    else
      fields.back().push_back(one);
  const std::string &path = fields[0];
  const std::string kernel = fields.size() > 1 ? fields[1] : "k";
  const std::string signature = fields.size() > 2 ? fields[2] : "*fp32";
  static mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  static frontend::SourceFiles kept(readFile);
  frontend::SourceFiles changing(readFile);
  frontend::SourceFiles &sources = fields.size() > 1 ? kept : changing;
  const std::vector<std::string> paths;
  frontend::Imports imports{sources, paths};
  frontend::CompileFacts facts;
  facts.target = "cuda:90";
  std::vector<KernelArgument> arguments;
  std::vector<Diagnostic> errors;
  mlir::OwningOpRef<mlir::ModuleOp> module =
      frontend::compileKernel(context, path, readFile(path).value_or(""), kernel, signature,
                              arguments, errors, facts, &imports);
  for (const Diagnostic &error : errors)
    std::fputs(render(error).c_str(), stdout);
  return static_cast<bool>(module);
}

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    std::printf("%d\n", compile(line) ? 0 : 1);
    std::fflush(stdout);
  }
  return 0;
}
