//===- BytePairLoads.h - Two-byte loads combined into one -----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A code generator for registers of 16 and 32 bits takes a loaded <2 x i8> apart at once, and
// builds the words that it goes into byte by byte: three permutations for each. Loaded as an i16
// the pair stays together. InstCombine turns such a load back into one of bytes; so this pass
// comes after it.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_EMIT_BYTEPAIRLOADS_H
#define TILEWRIGHT_EMIT_BYTEPAIRLOADS_H

#include "llvm/IR/PassManager.h"

namespace tilewright::emit {

struct BytePairLoadsPass : llvm::PassInfoMixin<BytePairLoadsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

} // namespace tilewright::emit

#endif // TILEWRIGHT_EMIT_BYTEPAIRLOADS_H
