//===- Session.h - One source and those who compile it --------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Shared by all threads, and never changed: the source, and of a Python source the parsed file.
// Owned by a worker, which serves one thread at a time: an MLIR context, and of a source of IR the
// module as parsed in that context.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_COMPILER_SESSION_H
#define TILEWRIGHT_COMPILER_SESSION_H

#include "compiler/ContextPool.h"
#include "frontend/names/modules/SourceFiles.h"
#include "frontend/names/scope/ParsedModule.h"
#include "tilewright/Compiler.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace tilewright::compiler {

struct Worker {
  explicit Worker(ContextPool::Lease context) : context(std::move(context)) {}

  ContextPool::Lease context;
  /// Null before the first compilation, and where the text has an error.
  mlir::OwningOpRef<mlir::ModuleOp> parsedIR;
};

/// Behind CompileSession. Safe to use in several threads.
class Session {
public:
  using ParsedPython = Expected<std::unique_ptr<const frontend::ParsedModule>>;

  /// An empty `reader` stands for the one that reads from the disk.
  Session(Source source, FileReader reader, std::shared_ptr<ContextPool> contexts,
          std::shared_ptr<Cache> cache);

  const Source source;
  const FileReader reader;
  /// Those that a Python source imports.
  frontend::SourceFiles files;

  /// The text of the source or of a file that it imports; nothing if it is none of these.
  std::optional<std::string_view> textOf(std::string_view file);

  /// The parsed file of a Python source, or its syntax error. The first caller parses it, and the
  /// others wait.
  const ParsedPython &parsedPython();

  CompileResult compile(const CompileOptions &options);

private:
  CompileResult compileAnew(const CompileOptions &options);
  /// An idle worker, or else a new one.
  std::unique_ptr<Worker> takeWorker();
  void giveBack(std::unique_ptr<Worker> worker);

  const std::shared_ptr<ContextPool> contexts;
  /// Null: nothing is kept.
  const std::shared_ptr<Cache> cache;
  std::once_flag parseOnce;
  std::optional<ParsedPython> parsed;
  std::mutex mutex;
  std::vector<std::unique_ptr<Worker>> idle;
};

class Observer;

/// Compiles one specialization of the session's source in the worker's context; `observer`, if
/// there is one, sees it.
CompileResult compileSpecialization(Session &session, Worker &worker, const CompileOptions &options,
                                    Observer *observer = nullptr);

} // namespace tilewright::compiler

#endif // TILEWRIGHT_COMPILER_SESSION_H
