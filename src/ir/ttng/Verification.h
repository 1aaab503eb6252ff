//===- Verification.h - Checks common to the verifiers of ttng ------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTNG_VERIFICATION_H
#define TILEWRIGHT_IR_TTNG_VERIFICATION_H

#include "ir/ttng/Dialect.h"

namespace tilewright::ttng {

/// Whether `type` is that of a barrier, or of one in each of a cluster's blocks: one dimension of
/// i64 in shared memory.
mlir::LogicalResult verifyBarrier(mlir::Operation *op, ttg::MemDescType type);

/// Whether `type` is in tensor memory.
mlir::LogicalResult verifyTensorMemory(mlir::Operation *op, ttg::MemDescType type);

/// The effect of reading or writing through `operand`, a !ttg.memdesc, on its memory; nothing for
/// another operand.
void addRead(mlir::OpOperand &operand,
             llvm::SmallVectorImpl<mlir::MemoryEffects::EffectInstance> &effects);
void addWrite(mlir::OpOperand &operand,
              llvm::SmallVectorImpl<mlir::MemoryEffects::EffectInstance> &effects);

} // namespace tilewright::ttng

#endif // TILEWRIGHT_IR_TTNG_VERIFICATION_H
