//===- MatrixInstructions.h - Products in LLVM IR -------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_EMIT_MATRIXINSTRUCTIONS_H
#define TILEWRIGHT_VENDOR_AMD_EMIT_MATRIXINSTRUCTIONS_H

#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

namespace tilewright::emit {

/// Whether `value` is the result of a matrix instruction (WMMA).
inline bool isProduct(const llvm::Value *value) {
  const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(value);
  return call && call->getCalledFunction()->getName().starts_with("llvm.amdgcn.wmma.");
}

/// Whether `instruction` may be executed elsewhere: its result depends on its operands alone.
inline bool isPure(const llvm::Instruction &instruction) {
  return !llvm::isa<llvm::PHINode>(instruction) && !instruction.isTerminator() &&
         !instruction.mayHaveSideEffects() && !instruction.mayReadFromMemory();
}

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_AMD_EMIT_MATRIXINSTRUCTIONS_H
