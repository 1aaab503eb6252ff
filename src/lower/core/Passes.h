//===- Passes.h - The passes of the lowering ------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// From ttg to the LLVM dialect, in this order; Passes.td says what each does:
//
//   tritongpu-global-scratch-memory-allocation
//                                 where the global memory of each program is
//   tilewright-legalize-views     conversions where a view of a .ttgir moves elements
//   tilewright-set-access-width   how wide each load and store can be (while loops still
//                                 are scf: that is where the analysis sees most)
//   convert-scf-to-cf             MLIR's
//   tilewright-allocate-memory-spaces
//                                 where pieces of other memories lie, and barriers
//   allocate-shared-memory        where each op has its scratch memory, and barriers
//   convert-triton-gpu-to-llvm    everything else
//
// The module says what it is for: `ttg.target`, `ttg.num-warps`, `ttg.threads-per-warp`.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_CORE_PASSES_H
#define TILEWRIGHT_LOWER_CORE_PASSES_H

#include "ir/ttg/Dialect.h"
#include "mlir/Pass/Pass.h"

#include <memory>

namespace tilewright::lower {

std::unique_ptr<mlir::Pass> createAllocateGlobalScratchPass();
std::unique_ptr<mlir::Pass> createLegalizeViewsPass();
std::unique_ptr<mlir::Pass> createSetAccessWidthPass();
std::unique_ptr<mlir::Pass> createTransposeLoadsPass();
std::unique_ptr<mlir::Pass> createAllocateMemorySpacesPass();
std::unique_ptr<mlir::Pass> createAllocateSharedMemoryPass();
std::unique_ptr<mlir::Pass> createConvertTritonGPUToLLVMPass();

#define GEN_PASS_REGISTRATION
#include "lower/core/Passes.h.inc"

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_CORE_PASSES_H
