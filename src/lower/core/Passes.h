//===- Passes.h - The passes of the lowering ------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// From ttg to the LLVM dialect, in this order:
//
//   tilewright-legalize-views     conversions where a view of a .ttgir moves elements
//   tilewright-set-access-width   how wide each load and store can be (while loops still
//                                 are scf: that is where the analysis sees most)
//   convert-scf-to-cf             MLIR's
//   allocate-shared-memory        where each op has its scratch memory, and barriers
//   convert-triton-gpu-to-llvm    everything else
//
// The module says what it is for: `ttg.target`, `ttg.num-warps`, `ttg.threads-per-warp`.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_CORE_PASSES_H
#define TILEWRIGHT_LOWER_CORE_PASSES_H

#include "mlir/Pass/Pass.h"

#include <memory>

namespace tilewright::lower {

/// Leaves only views that rename registers; ttg.convert_layout moves what others move.
std::unique_ptr<mlir::Pass> createLegalizeViewsPass();

/// Sets `ttg.access_width` on each tt.load, tt.store and tt.atomic_rmw of a tensor: the dimension
/// along which, and the number of elements that, one access of a thread takes.
std::unique_ptr<mlir::Pass> createSetAccessWidthPass();

/// Sets `allocation.offset` on the ops that need scratch in shared memory and `ttg.shared` on
/// the module, and puts a ttg.barrier wherever a scratch is used again while threads may
/// still be at its last use. Fails if a block would need more than the target has.
std::unique_ptr<mlir::Pass> createAllocateSharedMemoryPass();

/// Lowers a module of tt, ttg, arith, math and cf to the LLVM dialect for its target. Fails,
/// with an error at each op concerned, where the target cannot do what an op says.
std::unique_ptr<mlir::Pass> createConvertTritonGPUToLLVMPass();

/// Makes the passes known by name.
void registerLowerPasses();

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_CORE_PASSES_H
