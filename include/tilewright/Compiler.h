//===- Compiler.h - The compiler as a library -----------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// From the text of a kernel to machine code, in memory:
//
//   Compiler compiler;
//   CompileOptions options;
//   options.signature = "*fp32:16, *fp32:16, *fp32:16, i32, 1024";
//   auto result = compiler.compile(*readSource("add.py"), options);
//   if (!result)
//     for (const Diagnostic &d : result.diagnostics)
//       std::cerr << render(d);
//   else
//     use(result.compilation->kernel.nativeCode);
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_COMPILER_H
#define TILEWRIGHT_COMPILER_H

#include "tilewright/CompileOptions.h"
#include "tilewright/Diagnostic.h"
#include "tilewright/Expected.h"
#include "tilewright/InputFile.h"
#include "tilewright/Kernel.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tilewright {

/// The kind of a source text: Python with kernels in it, or the IR of a stage.
enum class SourceLanguage { Python, TTIR, TTGIR };

struct Source {
  /// The name that locations and errors give it. Of a Python source, also the path beside which
  /// the files lie that it imports; there need be no file of that name.
  std::string name;
  std::string text;
  SourceLanguage language = SourceLanguage::Python;
  /// Whether the Python text defines all that it names, so that no other file can give a name a
  /// value or change one: no file is looked for. Programs that Python has made are such texts.
  bool isSelfContained = false;
};

/// Reads a file; its language follows from its ending: .py, .ttir (or .mlir), .ttgir. Errors: the
/// file cannot be read, or its name ends otherwise.
Expected<Source> readSource(const std::string &path);

/// The time of one stage, in milliseconds.
struct StageTime {
  std::string stage;
  double milliseconds;
};

/// The outcome of every stage.
struct Compilation {
  CompiledKernel kernel;
  /// The IR before and after layouts, as text; ttir is empty when a TTGIR was compiled.
  std::string ttir;
  std::string ttgir;
  /// The assembly of kernel.nativeCode where that is a binary file; may be empty. assemblySuffix
  /// names its file.
  std::string assembly;
  /// The files besides the source on which the result depends, each once, ordered by their paths:
  /// those whose text was read, and those that were looked for and not found before one was.
  std::vector<InputFile> inputs;
  /// The variables of the environment on which it depends, ordered by their names.
  std::vector<InputVariable> inputVariables;
  /// Remarks of passes on their choices, with the reason and what would change it: an access
  /// that an instruction for whole tiles does not serve, for example. In the order in which they
  /// were made, each once.
  std::vector<Diagnostic> remarks;
  /// "frontend", "ttir", "ttgir", "llir" and the native stage ("ptx", "hsaco", "spv"), in that
  /// order.
  std::vector<StageTime> times;
};

struct CompileResult {
  /// Nothing if there were errors.
  std::optional<Compilation> compilation;
  /// Errors, and warnings of a compilation that went through; what tl.static_print prints is a
  /// note here.
  std::vector<Diagnostic> diagnostics;
  /// Whether it was found in a cache. Its only stage is then "cache".
  bool isCached = false;

  explicit operator bool() const { return compilation.has_value(); }
};

class Cache;
class CompileSession;

namespace compiler {
class ContextPool;
} // namespace compiler

/// Compiles kernels; what can be kept between them is. Any number of threads may use one compiler
/// at the same time.
class Compiler {
public:
  /// `cache`, if there is one, keeps the results (Cache.h).
  explicit Compiler(std::shared_ptr<Cache> cache = nullptr);
  ~Compiler();
  Compiler(const Compiler &) = delete;
  Compiler &operator=(const Compiler &) = delete;

  /// A session for a source that is to be compiled more than once (CompileSession.h). It may
  /// outlive the compiler. The files that the source imports are read by `reader`; from the disk
  /// if it is empty.
  CompileSession open(Source source, FileReader reader = {});

  /// A session with one specialization. All that is wrong with the source or the options is in the
  /// result's diagnostics; nothing is thrown, and the compiler can be used again. The same input
  /// gives the same bytes.
  CompileResult compile(const Source &source, const CompileOptions &options);

private:
  std::shared_ptr<compiler::ContextPool> contexts;
  std::shared_ptr<Cache> cache;
};

} // namespace tilewright

#endif // TILEWRIGHT_COMPILER_H
