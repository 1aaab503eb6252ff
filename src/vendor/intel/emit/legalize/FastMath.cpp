//===- FastMath.cpp - Fast-math flags that SPIR-V supports --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/intel/emit/legalize/FastMath.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

void tilewright::emit::dropLoneReassociation(Function &function) {
  for (Instruction &instruction : instructions(function))
    if (isa<FPMathOperator>(instruction) && !instruction.isFast())
      instruction.setHasAllowReassoc(false);
}
