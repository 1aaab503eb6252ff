//===- TestSupport.h - Compiling kernels in tests -------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TEST_UNIT_FRONTEND_TESTSUPPORT_H
#define TILEWRIGHT_TEST_UNIT_FRONTEND_TESTSUPPORT_H

#include "tilewright/Diagnostic.h"
#include "tilewright/InputFile.h"
#include "tilewright/Kernel.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <utility>
#include <vector>

namespace tilewright::test {

struct Compiled {
  /// The module as text, without locations unless asked for; empty after an error.
  std::string text;
  std::vector<Diagnostic> errors;
  std::vector<KernelArgument> arguments;
  /// MLIR's verifier accepts the module.
  bool verified = false;

  bool has(llvm::StringRef part) const { return llvm::StringRef(text).contains(part); }
  /// The errors as users see them.
  std::string rendered() const;
};

/// Compiles a source text. The name of its file is test.py.
Compiled compile(llvm::StringRef source, llvm::StringRef signature, llvm::StringRef kernel = "",
                 bool locations = false, bool assertions = false);

/// Compiles the file `name` of some files, which are there in memory only, for cuda:90.
struct FileSet {
  std::vector<std::pair<std::string, std::string>> files;
  std::vector<std::string> paths = {};
};
struct CompiledFiles : Compiled {
  std::vector<InputFile> inputs;
  std::vector<InputVariable> variables;
};
CompiledFiles compileFiles(const FileSet &files, const std::string &name, llvm::StringRef signature,
                           llvm::StringRef kernel = "");

/// Compiles statements as the body of a kernel k(x_ptr: *fp32, y_ptr: *fp16, i_ptr: *i32, n: i32,
/// f: fp32, u: u32, l: i64, B: constexpr = 128).
Compiled compileBody(llvm::StringRef body);

/// Statements of a kernel body, and the one diagnostic they give. The first line of the body is
/// line 8 of the file, column 5.
struct BodyDiagnostic {
  const char *body;
  int line;
  int column;
  /// Parts of its texts.
  const char *message;
  const char *remedy = "";
};

/// Expects that this is the only diagnostic of what compileBody made.
void expectDiagnostic(const Compiled &compiled, const BodyDiagnostic &expected, Severity severity);

/// The source that compileBody makes: its first body line is line 8.
std::string kernelWith(llvm::StringRef body);
inline constexpr llvm::StringLiteral bodySignature =
    "*fp32:16, *fp16:16, *i32:16, i32, fp32, u32, i64, 128";

/// A file of examples/.
std::string readExample(llvm::StringRef name);

} // namespace tilewright::test

#endif // TILEWRIGHT_TEST_UNIT_FRONTEND_TESTSUPPORT_H
