//===- SchedulerBarrier.cpp - Places that LLVM's scheduler respects -----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/SchedulerBarrier.h"

#include "llvm/ADT/SmallVector.h"

using namespace llvm;

void tilewright::emit::limitSchedulerRegions(Function &function) {
  constexpr unsigned pieceLength = longBlock / 4;
  for (BasicBlock &block : function) {
    if (!hasNItemsOrMore(block, longBlock))
      continue;
    SmallVector<Instruction *> ends;
    unsigned length = 0;
    for (Instruction &instruction : block) {
      if (isa<PHINode>(instruction) || ++length < pieceLength)
        continue;
      ends.push_back(&instruction);
      length = 0;
    }
    for (Instruction *end : ends) {
      IRBuilder<> builder(end);
      createSchedulerBarrier(builder, 0);
    }
  }
}
