//===- MatrixInstructions.h - Products in LLVM IR -------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_EMIT_MATRIXINSTRUCTIONS_H
#define TILEWRIGHT_VENDOR_AMD_EMIT_MATRIXINSTRUCTIONS_H

#include "vendor/amd/emit/SchedulerBarrier.h"

#include "llvm/IR/IRBuilder.h"
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

/// Whether `instruction` loads from LDS, and may be moved to where nothing is written in between.
inline bool isSharedLoad(const llvm::Instruction &instruction) {
  constexpr unsigned sharedSpace = 3;
  const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  return load && load->isSimple() && load->getPointerAddressSpace() == sharedSpace;
}

/// Keeps products and accesses of LDS on their side of the place before `instruction` when LLVM
/// schedules; other arithmetic and accesses of global memory may pass.
inline void keepProductsInPlace(llvm::Instruction *instruction) {
  llvm::IRBuilder<> builder(instruction);
  createSchedulerBarrier(builder, may_pass::VectorArithmetic | may_pass::ScalarArithmetic |
                                      may_pass::GlobalMemory | may_pass::Transcendentals);
}

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_AMD_EMIT_MATRIXINSTRUCTIONS_H
