//===- TestSupport.cpp - Compiling kernels in tests ---------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "TestSupport.h"

#include <gtest/gtest.h>

#include "frontend/codegen/CompileKernel.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

#include <fstream>
#include <iterator>
#include <optional>

using namespace tilewright;

std::string test::Compiled::rendered() const {
  std::string all;
  for (const Diagnostic &error : errors)
    all += render(error);
  return all;
}

test::Compiled test::compile(llvm::StringRef source, llvm::StringRef signature,
                             llvm::StringRef kernel, bool locations, bool assertions) {
  static mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  Compiled compiled;
  frontend::CompileFacts facts;
  facts.assertions = assertions;
  facts.target = "cuda:90";
  mlir::OwningOpRef<mlir::ModuleOp> module = frontend::compileKernel(
      context, "test.py", source, kernel, signature, compiled.arguments, compiled.errors, facts);
  if (!module)
    return compiled;
  compiled.verified = mlir::succeeded(mlir::verify(*module));
  llvm::raw_string_ostream stream(compiled.text);
  mlir::OpPrintingFlags flags;
  if (locations)
    flags.enableDebugInfo(true, /*prettyForm=*/true);
  module->print(stream, flags);
  return compiled;
}

test::CompiledFiles test::compileFiles(const FileSet &files, const std::string &name,
                                       llvm::StringRef signature, llvm::StringRef kernel) {
  static mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  auto read = [&](const std::string &path) -> std::optional<std::string> {
    for (const auto &[one, text] : files.files)
      if (one == path)
        return text;
    return std::nullopt;
  };
  frontend::SourceFiles sources(read);
  frontend::Imports imports{sources, files.paths};
  frontend::CompileFacts facts;
  facts.target = "cuda:90";
  CompiledFiles compiled;
  mlir::OwningOpRef<mlir::ModuleOp> module =
      frontend::compileKernel(context, name, *read(name), kernel, signature, compiled.arguments,
                              compiled.errors, facts, &imports);
  compiled.inputs = std::move(imports.inputs);
  compiled.variables = std::move(imports.variables);
  if (!module)
    return compiled;
  compiled.verified = mlir::succeeded(mlir::verify(*module));
  llvm::raw_string_ostream stream(compiled.text);
  module->print(stream);
  return compiled;
}

void test::expectDiagnostic(const Compiled &compiled, const BodyDiagnostic &expected,
                            Severity severity) {
  ASSERT_EQ(compiled.errors.size(), 1u) << expected.body << "\n"
                                        << compiled.text << compiled.rendered();
  const Diagnostic &diagnostic = compiled.errors.front();
  const std::string shown = expected.body + std::string("\n") + compiled.rendered();
  EXPECT_EQ(diagnostic.severity, severity) << shown;
  EXPECT_NE(diagnostic.message.find(expected.message), std::string::npos) << shown;
  EXPECT_NE(diagnostic.remedy.find(expected.remedy), std::string::npos) << shown;
  EXPECT_EQ(diagnostic.where.file, "test.py");
  EXPECT_EQ(diagnostic.where.line, expected.line) << shown;
  EXPECT_EQ(diagnostic.where.column, expected.column) << shown;
  EXPECT_FALSE(diagnostic.sourceLine.empty()) << shown;
}

std::string test::kernelWith(llvm::StringRef body) {
  std::string source = "import triton\n"
                       "import triton.language as tl\n"
                       "\n"
                       "\n"
                       "@triton.jit\n"
                       "def k(x_ptr, y_ptr, i_ptr, n, f, u, l, B: tl.constexpr):\n"
                       "    o = tl.arange(0, B)\n";
  llvm::SmallVector<llvm::StringRef> lines;
  body.split(lines, '\n');
  for (llvm::StringRef line : lines)
    source += "    " + line.str() + "\n";
  return source;
}

test::Compiled test::compileBody(llvm::StringRef body) {
  return compile(kernelWith(body), bodySignature, "k");
}

std::string test::readExample(llvm::StringRef name) {
  std::ifstream file((llvm::StringRef(TILEWRIGHT_EXAMPLES) + "/" + name).str(), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
