//===- Replacer.h - Replacement of AMD's intrinsics -----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Meanings from "RDNA3" and "RDNA4 Instruction Set Architecture" (AMD), from LLVM's "User Guide
// for AMDGPU Backend", and, for the operands of intrinsics, from LLVM's IntrinsicsAMDGPU.td.
//
// All lanes of a wave take part in operations across lanes: what they do with lanes that are
// switched off is left to the hardware in too many ways to rely on. A lane that does not come is
// found as one that the others wait for.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_SIMULATE_REPLACER_H
#define TILEWRIGHT_VENDOR_AMD_SIMULATE_REPLACER_H

#include "simulate/instrument/CallReplacer.h"

namespace tilewright::simulate::amd {

class Replacer : public CallReplacer {
public:
  using CallReplacer::CallReplacer;

  /// The value in the call's place; null if the operation is not known.
  llvm::Value *replacement();

private:
  // The functions of one kind of intrinsic each; null where it is none of them.
  llvm::Value *threadNumber(llvm::Intrinsic::ID id);
  llvm::Value *synchronization(llvm::Intrinsic::ID id);
  llvm::Value *laneOperation(llvm::Intrinsic::ID id); // LaneOperations.cpp
  llvm::Value *reduction(llvm::Intrinsic::ID id);     // LaneOperations.cpp
  llvm::Value *arithmetic(llvm::Intrinsic::ID id);    // Arithmetic.cpp
  llvm::Value *dotProduct(llvm::Intrinsic::ID id);    // Arithmetic.cpp
  llvm::Value *conversion(llvm::Intrinsic::ID id);    // Conversions.cpp
  llvm::Value *bufferAccess(llvm::Intrinsic::ID id);  // BufferAccess.cpp
  llvm::Value *matrixProduct(llvm::Intrinsic::ID id); // MatrixProducts.cpp
  llvm::Value *mfmaProduct(llvm::Intrinsic::ID id);   // MfmaProducts.cpp

  /// The value of lane `source`, where the whole wave takes part.
  llvm::Value *fromLane(llvm::Value *value, llvm::Value *source) {
    return shuffle(allLanes(), value, source);
  }
  llvm::Value *dpp(llvm::Value *value, llvm::Value *old, unsigned firstOperand);
  llvm::Value *swizzle();
  llvm::Value *permuteRow(bool crossesRows, llvm::Value *select);
  llvm::Value *rowSelector();
  /// The lane number shifted to its row's first lane, of this row or of its neighbour.
  llvm::Value *rowBegin(bool crossesRows);

  llvm::Value *bufferLoadOrStore(bool loads);
  llvm::Value *transposingLoad();
  llvm::Value *watchedLoad(llvm::Value *pointer, llvm::Value *condition);
  std::pair<llvm::Value *, llvm::Value *> resourceOf(llvm::Value *pointer);
  void dropResource(unsigned index);
  llvm::Value *fractionOf(llvm::Value *value);
  llvm::Value *sineOfTurns(llvm::Intrinsic::ID sine);
  llvm::Value *median();
  /// The 32 bits of operand `index` as four bytes, extended to i64.
  llvm::Value *bytesOf(unsigned index, bool isSigned);
};

/// Functions that rewritten kernels call, of the files that are named so.
std::span<const RuntimeSymbol> laneOperationSymbols();
std::span<const RuntimeSymbol> conversionSymbols();
std::span<const RuntimeSymbol> bufferSymbols();
std::span<const RuntimeSymbol> matrixProductSymbols();
std::span<const RuntimeSymbol> mfmaSymbols();
/// LaunchBlocks.cpp.
std::span<const LaunchBlock> launchBlocks();

} // namespace tilewright::simulate::amd

#endif // TILEWRIGHT_VENDOR_AMD_SIMULATE_REPLACER_H
