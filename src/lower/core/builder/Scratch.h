//===- Scratch.h - Scratch memory of ops ----------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The shared memory of a block is one array whose size is given at launch (`ttg.shared`
// bytes); `allocate-shared-memory` says where in it each op has its scratch.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_CORE_BUILDER_SCRATCH_H
#define TILEWRIGHT_LOWER_CORE_BUILDER_SCRATCH_H

#include "ir/ttg/Dialect.h"
#include "plan/cache/PlanCache.h"

#include <optional>

namespace tilewright::lower {

/// The symbol of the array in a lowered module, and its alignment in bytes.
inline constexpr llvm::StringLiteral sharedMemorySymbol = "global_smem";
inline constexpr unsigned sharedMemoryAlignment = 16;

/// Makes `scratchOf` the ttg::ScratchUser of `Op`.
template <typename Op, ttg::Scratch (*scratchOf)(Op, plan::PlanCache &)>
struct ScratchModel : ttg::ScratchUser::ExternalModel<ScratchModel<Op, scratchOf>, Op> {
  ttg::Scratch getScratch(mlir::Operation *op, plan::PlanCache &plans) const {
    return scratchOf(mlir::cast<Op>(op), plans);
  }
};

/// Gives `Op` the scratch that its pattern needs; once is enough, again does no harm.
template <typename Op, ttg::Scratch (*scratchOf)(Op, plan::PlanCache &)>
void attachScratch(mlir::MLIRContext &context) {
  Op::template attachInterface<ScratchModel<Op, scratchOf>>(context);
}

/// Returns the allocated start of `op`'s scratch; nothing if none was allocated.
std::optional<uint64_t> getScratchOffset(mlir::Operation *op);

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_CORE_BUILDER_SCRATCH_H
