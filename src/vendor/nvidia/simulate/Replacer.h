//===- Replacer.h - Replacement of NVIDIA's intrinsics --------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Intrinsics are known by their IDs. Those of arithmetic and conversions, which are families with a
// member for each type, are looked up by name, after "llvm.nvvm." and without their suffixes for
// element types and for flushing of denormal numbers ("ftz"): "llvm.nvvm.fma.rn.ftz.f" is "fma.rn"
// with `flush` set. Their meanings are from the PTX ISA, in the sections on the instructions of the
// same names.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_SIMULATE_REPLACER_H
#define TILEWRIGHT_VENDOR_NVIDIA_SIMULATE_REPLACER_H

#include "simulate/instrument/CallReplacer.h"

#include <string>

namespace tilewright::simulate::nvidia {

struct ParsedName {
  std::string base;
  bool flush = false;
};

class Replacer : public CallReplacer {
public:
  using CallReplacer::CallReplacer;

  /// The value in the call's place; null if the operation is not known.
  llvm::Value *replacement();
  /// The same where the call is of inline assembly: instructions on pairs of f32.
  llvm::Value *packedArithmetic(); // Arithmetic.cpp

private:
  llvm::Value *intrinsicReplacement();

  // The intrinsics of one kind each; null where it is none of them.
  llvm::Value *threadNumber();
  llvm::Value *ordering();
  llvm::Value *barrier();                          // Barriers.cpp
  llvm::Value *asyncOperation();                   // AsyncCopies.cpp
  llvm::Value *phaseBarrier();                     // PhaseBarriers.cpp
  llvm::Value *tensorOperation();                  // TensorCopies.cpp
  llvm::Value *tensorMapOperation();               // TensorMapCalls.cpp
  llvm::Value *clusterOperation();                 // Clusters.cpp
  llvm::Value *laneOperation();                    // LaneOperations.cpp
  llvm::Value *matrixAccess();                     // MatrixAccess.cpp
  llvm::Value *warpGroupOperation();               // WarpGroup.cpp
  llvm::Value *tensorMemoryOperation();            // TensorMemoryCalls.cpp
  llvm::Value *matrixProduct();                    // MatrixProducts.cpp
  llvm::Value *integers(llvm::StringRef name);     // Arithmetic.cpp
  llvm::Value *arithmetic(const ParsedName &name); // Arithmetic.cpp
  llvm::Value *conversion(llvm::StringRef name);   // Conversions.cpp

  llvm::Value *asyncCopy(uint32_t bytes);
  llvm::Value *tensorCopy(llvm::StringRef name);
  llvm::Value *tensorMapField(llvm::StringRef name);
  llvm::Value *tensorMapCopy();
  bool plantMapCheck(llvm::Value *map, AccessKind kind);
  llvm::Value *tensorCopyOperation(llvm::StringRef name);
  llvm::Value *tensorProduct(llvm::StringRef name);
  uint32_t sharedWordSite(unsigned bytes);
  void plantEndChecks();
  llvm::Value *stackWords(unsigned count);
  void storeWords(llvm::ArrayRef<llvm::Value *> values, llvm::Value *words);
  llvm::Value *loadWords(llvm::Value *words);
  llvm::Value *shuffled();
  llvm::Value *vote();
  llvm::Value *reduction();
  llvm::Value *elected();

  /// The 32 bits of PTX's member masks as the machine takes them.
  llvm::Value *membersOf(llvm::Value *mask) {
    return builder.CreateZExt(mask, builder.getInt64Ty());
  }
  template <llvm::Intrinsic::ID id>
  static llvm::Value *callOf(Replacer &self, llvm::ArrayRef<llvm::Value *> values) {
    return self.intrinsic(id, values);
  }
  llvm::Value *one() { return llvm::ConstantFP::get(call.getType(), 1.0); }
  llvm::Value *flushed(llvm::Value *value);
};

/// Functions that rewritten kernels call, of the files that are named so.
std::span<const RuntimeSymbol> barrierSymbols();
std::span<const RuntimeSymbol> asyncCopySymbols();
std::span<const RuntimeSymbol> phaseBarrierSymbols();
std::span<const RuntimeSymbol> tensorCopySymbols();
std::span<const RuntimeSymbol> tensorMapSymbols();
std::span<const RuntimeSymbol> clusterSymbols();
std::span<const RuntimeSymbol> laneOperationSymbols();
std::span<const RuntimeSymbol> matrixAccessSymbols();
std::span<const RuntimeSymbol> matrixProductSymbols();
std::span<const RuntimeSymbol> conversionSymbols();
std::span<const RuntimeSymbol> warpGroupSymbols();
std::span<const RuntimeSymbol> tensorMemorySymbols();

} // namespace tilewright::simulate::nvidia

#endif // TILEWRIGHT_VENDOR_NVIDIA_SIMULATE_REPLACER_H
