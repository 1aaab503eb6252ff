//===- ContextPool.h - MLIR contexts, one for each thread at work ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A context has the dialects, and keeps every type, attribute and location that a compilation made:
// the next one in it is faster. It may work for one thread at a time only.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_COMPILER_CONTEXTPOOL_H
#define TILEWRIGHT_COMPILER_CONTEXTPOOL_H

#include "mlir/IR/MLIRContext.h"

#include <memory>
#include <mutex>
#include <vector>

namespace tilewright::compiler {

/// The contexts that nobody works with at the moment. Safe to use in several threads.
class ContextPool : public std::enable_shared_from_this<ContextPool> {
public:
  /// The use of a context by one owner; the context goes back to the pool in the end.
  class Lease {
  public:
    Lease(Lease &&) = default;
    Lease &operator=(Lease &&) = delete;
    ~Lease();

    mlir::MLIRContext &operator*() const { return *context; }

  private:
    friend class ContextPool;
    Lease(std::shared_ptr<ContextPool> pool, std::unique_ptr<mlir::MLIRContext> context)
        : pool(std::move(pool)), context(std::move(context)) {}

    std::shared_ptr<ContextPool> pool;
    /// Null after a move.
    std::unique_ptr<mlir::MLIRContext> context;
  };

  /// A context that is idle, or else a new one.
  Lease lease();

private:
  std::mutex mutex;
  std::vector<std::unique_ptr<mlir::MLIRContext>> idle;
};

} // namespace tilewright::compiler

#endif // TILEWRIGHT_COMPILER_CONTEXTPOOL_H
