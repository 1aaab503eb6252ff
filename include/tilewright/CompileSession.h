//===- CompileSession.h - One source, many specializations --------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A source that is parsed once and compiled for any number of signatures, targets and options, in
// any number of threads at once: what an autotuner does, or a program that compiles a kernel when
// it first meets a shape.
//
//   CompileSession session(*readSource("gemm.py"));
//   std::vector<CompileOptions> candidates = ...;
//   for (CompileResult &result : session.compileAll(candidates))
//     ...
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_COMPILESESSION_H
#define TILEWRIGHT_COMPILESESSION_H

#include "tilewright/Compiler.h"

#include <functional>
#include <memory>
#include <vector>

namespace tilewright {

namespace compiler {
class Session;
} // namespace compiler

/// One specialization is a CompileOptions: a kernel of the source, a signature with its constants,
/// a target, a number of warps and what else there is to choose. Each gives the bytes and the
/// diagnostics that `Compiler::compile` gives for it, whatever else is compiled before it or beside
/// it; an error of one disturbs no other.
///
/// A Python source is parsed when the first specialization needs it; a syntax error is then among
/// the diagnostics of every one. So is a file that it imports, which is read once: the session does
/// not see later changes of it. A source of IR is parsed once for each
/// thread that compiles at the same time.
class CompileSession {
public:
  /// A session on its own. `Compiler::open` makes one that shares what the compiler keeps.
  /// `reader` is as in Compiler::open, `cache` as in Compiler's constructor.
  explicit CompileSession(Source source, FileReader reader = {},
                          std::shared_ptr<Cache> cache = nullptr);
  CompileSession(CompileSession &&) noexcept;
  CompileSession &operator=(CompileSession &&) noexcept;
  ~CompileSession();

  /// Compiles one specialization. Any number of threads may call this at the same time.
  CompileResult compile(const CompileOptions &options);

  /// Compiles them all, at most `threads` at the same time (0: as many as the machine has), and
  /// returns the results in the order of the options. A folder for dumps should not be given twice.
  /// `onCompiled` is called after each with its index, in any thread, but in one at a time.
  std::vector<CompileResult> compileAll(const std::vector<CompileOptions> &specializations,
                                        unsigned threads = 0,
                                        const std::function<void(size_t index)> &onCompiled = {});

private:
  friend class Compiler;
  explicit CompileSession(std::unique_ptr<compiler::Session> session);

  std::unique_ptr<compiler::Session> session;
};

} // namespace tilewright

#endif // TILEWRIGHT_COMPILESESSION_H
