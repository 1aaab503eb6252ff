//===- MatrixInstructions.h - Products in LLVM IR -------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_EMIT_MATRIX_MATRIXINSTRUCTIONS_H
#define TILEWRIGHT_VENDOR_AMD_EMIT_MATRIX_MATRIXINSTRUCTIONS_H

#include "vendor/amd/emit/SchedulerBarrier.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/PatternMatch.h"

namespace tilewright::emit {

/// Whether `value` is the result of a matrix instruction (WMMA).
inline bool isProduct(const llvm::Value *value) {
  const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(value);
  return call && call->getCalledFunction()->getName().starts_with("llvm.amdgcn.wmma.");
}

inline bool hasProducts(const llvm::BasicBlock &block) {
  return llvm::any_of(block,
                      [](const llvm::Instruction &instruction) { return isProduct(&instruction); });
}

/// Whether `instruction` may be executed elsewhere: its result depends on its operands alone.
inline bool isPure(const llvm::Instruction &instruction) {
  return !llvm::isa<llvm::PHINode>(instruction) && !instruction.isTerminator() &&
         !instruction.mayHaveSideEffects() && !instruction.mayReadFromMemory();
}

/// Whether `value` is another number plus a constant, or with a zero in its upper half: as numbers
/// of rows are, of which a wave has many.
inline bool isOffset(const llvm::Value *value) {
  using namespace llvm::PatternMatch;
  return match(value, m_ZExt(m_Value())) || match(value, m_AddLike(m_Value(), m_ConstantInt()));
}

/// Whether `instruction` loads from LDS, and may be moved to where nothing is written in between.
inline bool isSharedLoad(const llvm::Instruction &instruction) {
  constexpr unsigned sharedSpace = 3;
  const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  return load && load->isSimple() && load->getPointerAddressSpace() == sharedSpace;
}

/// Whether `instruction` stores to global memory.
inline bool isGlobalStore(const llvm::Instruction &instruction) {
  constexpr unsigned globalSpace = 1;
  if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return store->getPointerAddressSpace() == globalSpace;
  const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return call && call->getIntrinsicID() == llvm::Intrinsic::amdgcn_raw_ptr_buffer_store;
}

/// Whether `block` writes to global memory.
inline bool storesResults(const llvm::BasicBlock &block) {
  return llvm::any_of(block, isGlobalStore);
}

/// Whether `instruction` is a barrier of the work-group, or has waves signal to one.
inline bool isBarrier(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return call && (call->getIntrinsicID() == llvm::Intrinsic::amdgcn_s_barrier ||
                  call->getIntrinsicID() == llvm::Intrinsic::amdgcn_s_barrier_signal);
}

/// Keeps products and accesses of LDS on their side of the place before `instruction` when LLVM
/// schedules; other arithmetic and accesses of global memory may pass.
inline void keepProductsInPlace(llvm::Instruction *instruction) {
  llvm::IRBuilder<> builder(instruction);
  createSchedulerBarrier(builder, may_pass::VectorArithmetic | may_pass::ScalarArithmetic |
                                      may_pass::GlobalMemory | may_pass::Transcendentals);
}

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_AMD_EMIT_MATRIX_MATRIXINSTRUCTIONS_H
