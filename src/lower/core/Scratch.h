//===- SharedMemory.h - The block's shared memory -------------------*- C++ -*-===//
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

#ifndef TILEWRIGHT_LOWER_CORE_SCRATCH_H
#define TILEWRIGHT_LOWER_CORE_SCRATCH_H

#include "ir/ttg/Dialect.h"
#include "lower/core/TargetLowering.h"
#include "plan/conversion/ConversionPlan.h"

#include <optional>

namespace tilewright::lower {

/// The symbol of the array in a lowered module, and its alignment in bytes.
inline constexpr llvm::StringLiteral sharedMemorySymbol = "global_smem";
inline constexpr unsigned sharedMemoryAlignment = 16;

/// The scratch memory that one op needs, and how it uses it.
struct ScratchUse {
  uint64_t bytes = 0;
  /// There is a barrier of the block between its first store and its last load.
  bool hasBlockBarrier = true;
};

/// The scratch that `op` needs when lowered for a target with `memory`; none for most.
ScratchUse getScratchUse(mlir::Operation *op, const target::ExchangeModel &memory);

/// Where the scratch of `op` begins, as allocated; nothing where it was not.
std::optional<uint64_t> getScratchOffset(mlir::Operation *op);

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_CORE_SCRATCH_H
