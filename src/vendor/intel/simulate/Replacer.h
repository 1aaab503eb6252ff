//===- Replacer.h - Replacement of OpenCL functions -----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Meanings from "The OpenCL C Specification" 3.0, the extensions cl_khr_subgroups,
// cl_khr_subgroup_shuffle, cl_intel_subgroups and cl_intel_subgroup_matrix_multiply_accumulate, and
// the SPIR-V specification for functions that are named as its instructions are ("__spirv_...").
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_INTEL_SIMULATE_REPLACER_H
#define TILEWRIGHT_VENDOR_INTEL_SIMULATE_REPLACER_H

#include "simulate/instrument/CallReplacer.h"
#include "vendor/intel/simulate/BuiltinName.h"

namespace tilewright::simulate::intel {

class Replacer : public CallReplacer {
public:
  Replacer(Instrumenter &instrumenter, llvm::CallInst &call, BuiltinName function)
      : CallReplacer(instrumenter, call, function.name.str()), function(function) {}

  /// The value in the call's place; null if the function is not known.
  llvm::Value *replacement();

private:
  // The functions of one kind each; null where it is none of them.
  llvm::Value *workItem();
  llvm::Value *synchronization();
  llvm::Value *shuffled();      // SubGroups.cpp
  llvm::Value *rotated();       // SubGroups.cpp
  llvm::Value *vote();          // SubGroups.cpp
  llvm::Value *reduction();     // SubGroups.cpp
  llvm::Value *matrixProduct(); // MatrixProducts.cpp
  llvm::Value *math();          // MathFunctions.cpp
  llvm::Value *powers(llvm::StringRef name);
  llvm::Value *integers();  // MathFunctions.cpp
  llvm::Value *converted(); // MathFunctions.cpp
  llvm::Value *printed();
  llvm::Value *blockMessage(); // BlockMessages.cpp

  /// The value of a lane, where the whole sub-group takes part.
  llvm::Value *fromLane(llvm::Value *value, llvm::Value *source) {
    return shuffle(allLanes(), value, source);
  }
  /// Whether operand `index` is the scope of a sub-group.
  bool isSubGroupScope(unsigned index);

  BuiltinName function;
};

/// Functions of MathFunctions.cpp, MatrixProducts.cpp and BlockMessages.cpp that rewritten kernels
/// call.
std::span<const RuntimeSymbol> mathSymbols();
std::span<const RuntimeSymbol> matrixProductSymbols();
std::span<const RuntimeSymbol> blockMessageSymbols();

} // namespace tilewright::simulate::intel

#endif // TILEWRIGHT_VENDOR_INTEL_SIMULATE_REPLACER_H
