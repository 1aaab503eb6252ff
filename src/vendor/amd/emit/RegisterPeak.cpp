//===- RegisterPeak.cpp - The most registers alive in a block -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/RegisterPeak.h"

#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace tilewright::emit;

void RegisterPeak::change(const Value *value, bool isAlive) {
  // Parts of words are alive beside the word that they are from or go to.
  if (isa<ExtractElementInst>(value) && registers.getBits(value) < 32)
    return;
  // Elements of a vector are in its registers.
  while (isa<ExtractElementInst, BitCastInst>(value))
    value = cast<Instruction>(value)->getOperand(0);
  unsigned &users = held[value];
  if (isAlive ? users++ != 0 : --users != 0)
    return;
  const uint64_t own = isLeftOut(value) ? 0 : registers.getFilledBits(value);
  bits = isAlive ? bits + own : bits - own;
  maxBits = std::max(maxBits, bits);
}
