//===- BlockTransfer.h - The block messages of a tensor -------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_INTEL_PLAN_BLOCKTRANSFER_H
#define TILEWRIGHT_VENDOR_INTEL_PLAN_BLOCKTRANSFER_H

#include "ir/ttg/Dialect.h"
#include "plan/block2d/BlockMessages.h"

namespace tilewright::vendor::intel {

/// The messages that move a tensor, whose columns are contiguous in memory (`columnMajor`) or its
/// rows, on `target`: a matrix, or several, which are slices along the first of three dimensions.
/// Only those that SPIR-V has, on rows of memory that are the tensor's. An error that says why, if
/// none serve its layout.
///
/// Passes ask whether there are any, and the lowering emits them: the same question, the same
/// answer.
Result<plan::block2d::BlockMessagePlan> planTransfer(const target::Target &target,
                                                     mlir::RankedTensorType type, bool columnMajor,
                                                     plan::block2d::BlockAccess access);

} // namespace tilewright::vendor::intel

#endif // TILEWRIGHT_VENDOR_INTEL_PLAN_BLOCKTRANSFER_H
