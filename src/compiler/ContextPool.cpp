//===- ContextPool.cpp - MLIR contexts, one for each thread at work ---------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "compiler/ContextPool.h"

#include "emit/Emit.h"
#include "ir/Dialects.h"
#include "ir/tt/Dialect.h"
#include "lower/core/Patterns.h"
#include "vendor/Vendors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::compiler;

static std::unique_ptr<MLIRContext> makeContext() {
  auto context = std::make_unique<MLIRContext>(MLIRContext::Threading::DISABLED);
  DialectRegistry registry;
  registry.insert<arith::ArithDialect, cf::ControlFlowDialect, math::MathDialect, scf::SCFDialect,
                  ub::UBDialect>();
  ir::registerDialects(registry);
  emit::registerTranslation(registry);
  vendor::registerAll(registry);
  lower::registerScratch(registry);
  context->appendDialectRegistry(registry);
  // Users see the line of their kernel, not the op that it became.
  context->printOpOnDiagnostic(false);
  // Loaded when they are first met: dialects that a kernel does not reach cost nothing.
  context->loadDialect<tt::TritonDialect>();
  return context;
}

ContextPool::Lease ContextPool::lease() {
  {
    std::lock_guard lock(mutex);
    if (!idle.empty()) {
      Lease lease(shared_from_this(), std::move(idle.back()));
      idle.pop_back();
      return lease;
    }
  }
  return Lease(shared_from_this(), makeContext());
}

ContextPool::Lease::~Lease() {
  if (!context)
    return;
  std::lock_guard lock(pool->mutex);
  pool->idle.push_back(std::move(context));
}
