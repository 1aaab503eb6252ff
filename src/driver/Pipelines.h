//===- Pipelines.h - The passes of each stage -----------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_DRIVER_PIPELINES_H
#define TILEWRIGHT_DRIVER_PIPELINES_H

#include "target/Target.h"

#include "mlir/Pass/PassManager.h"

namespace tilewright::driver {

struct PipelineOptions {
  const target::Target *target;
  unsigned numWarps;
  /// Stages of a loop that overlap; 1 for none.
  int numStages;
};

/// tt -> tt: what is true of a tile program on any GPU.
void addTTIRPasses(mlir::OpPassManager &passes);

/// tt -> ttg -> ttg: gives tensors their layouts and removes conversions between them.
void addTTGIRPasses(mlir::OpPassManager &passes, const PipelineOptions &options);

/// ttg -> LLVM dialect with the vendor's ops.
void addLLVMPasses(mlir::OpPassManager &passes);

} // namespace tilewright::driver

#endif // TILEWRIGHT_DRIVER_PIPELINES_H
