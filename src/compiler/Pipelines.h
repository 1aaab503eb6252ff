//===- Pipelines.h - The passes of each stage -----------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A vendor's pipeline is three lists of passes, in one file of that vendor's name. Names
// and order follow Triton's for that vendor as far as our passes match. "ours" marks a pass that
// Triton does not have, "ours here" one that it does not run for that vendor or not at that place.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_COMPILER_PIPELINES_H
#define TILEWRIGHT_COMPILER_PIPELINES_H

#include "target/Target.h"

#include "mlir/Pass/PassManager.h"

namespace tilewright::compiler {

struct PipelineOptions {
  const target::Target *target;
  unsigned numWarps;
  unsigned threadsPerWarp;
  /// Stages of a loop that overlap; 1 for none.
  int numStages;
};

struct Pipeline {
  using AddPasses = void (*)(mlir::OpPassManager &passes, const PipelineOptions &options);
  /// tt -> tt: what needs no layouts.
  AddPasses addTTIRPasses;
  /// tt -> ttg -> ttg: gives tensors their layouts and removes conversions between them.
  AddPasses addTTGIRPasses;
  /// ttg -> LLVM dialect with the vendor's ops.
  AddPasses addLLVMPasses;
};

extern const Pipeline nvidiaPipeline, amdPipeline, intelPipeline;

/// That of the target's vendor.
const Pipeline &pipelineFor(const target::Target &target);

//===----------------------------------------------------------------------------===//
// What the lists share
//===----------------------------------------------------------------------------===//

/// The inliner, without a clean-up of its own: the canonicalizer comes right after it.
std::unique_ptr<mlir::Pass> createKernelInliner();

/// convert-triton-to-tritongpu for the target.
std::unique_ptr<mlir::Pass> createConversionToLayouts(const PipelineOptions &options);

/// All of addLLVMPasses, for vendors that have nothing of their own there.
void addCommonLLVMPasses(mlir::OpPassManager &passes, const PipelineOptions &options);

} // namespace tilewright::compiler

#endif // TILEWRIGHT_COMPILER_PIPELINES_H
