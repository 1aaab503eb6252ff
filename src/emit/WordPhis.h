//===- WordPhis.h - Narrow values that loops carry, as words --------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A matrix unit's operand is words of 32 bits with two or four elements each. Where a loop carries
// it from one iteration to the next, it does so element by element, so that each word would be
// taken apart at the end of an iteration and put together again in the next one:
//
//     %p0 = phi half [ %a0, .. ], [ %b0, .. ]        ; %b0 = extractelement <2 x half> %b, 0
//     %p1 = phi half [ %a1, .. ], [ %b1, .. ]        ; %b1 = extractelement <2 x half> %b, 1
//     insertelement %p0, insertelement %p1
//
// This pass makes them one phi of the word, of which the elements are extracted. LLVM's own
// combiner finds then that they are put together as they were.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_EMIT_WORDPHIS_H
#define TILEWRIGHT_EMIT_WORDPHIS_H

#include "llvm/IR/PassManager.h"

namespace tilewright::emit {

struct WordPhisPass : llvm::PassInfoMixin<WordPhisPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace tilewright::emit

#endif // TILEWRIGHT_EMIT_WORDPHIS_H
