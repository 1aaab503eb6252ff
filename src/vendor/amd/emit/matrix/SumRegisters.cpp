//===- SumRegisters.cpp - Registers for the sums of products --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/matrix/SumRegisters.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/IntrinsicInst.h"

#include <algorithm>

using namespace llvm;

static bool isMfma(const Value *value) {
  const auto *call = dyn_cast<IntrinsicInst>(value);
  return call && call->getCalledFunction()->getName().starts_with("llvm.amdgcn.mfma.");
}

/// Bits of the sums that `block` has alive at one time: those that it carries on, and those that it
/// begins.
static uint64_t countSums(const BasicBlock &block) {
  constexpr unsigned sumOperand = 2;
  uint64_t bits = 0;
  for (const Instruction &instruction : block) {
    bool isSum = false;
    if (const auto *phi = dyn_cast<PHINode>(&instruction))
      isSum = any_of(phi->incoming_values(), [](const Use &use) { return isMfma(use); });
    else if (isMfma(&instruction))
      isSum = !isMfma(instruction.getOperand(sumOperand)) &&
              !isa<PHINode>(instruction.getOperand(sumOperand));
    if (isSum)
      bits += instruction.getType()->getPrimitiveSizeInBits();
  }
  return bits;
}

void tilewright::emit::keepSumsInVectorRegisters(Function &function, unsigned registers) {
  uint64_t maxBits = 0;
  for (const BasicBlock &block : function)
    maxBits = std::max(maxBits, countSums(block));
  if (maxBits && maxBits <= uint64_t(registers) * 32)
    function.addFnAttr("amdgpu-agpr-alloc", "0");
}
