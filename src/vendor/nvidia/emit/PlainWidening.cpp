//===- PlainWidening.cpp - f16 widened apart from sums ------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/emit/PlainWidening.h"

#include "target/NvidiaProcessor.h"
#include "vendor/nvidia/emit/InlinePtx.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace tilewright;

bool emit::joinsWideningWithSums(const StepInput &input) {
  return target::nvidia::processorOf(input.target).hasMixedSums;
}

/// Whether a sum or a difference takes `value`, or an element of it.
static bool isAdded(const Value &value) {
  return any_of(value.users(), [](const User *user) {
    if (isa<ExtractElementInst>(user))
      return isAdded(*user);
    auto *operation = dyn_cast<BinaryOperator>(user);
    return operation && (operation->getOpcode() == Instruction::FAdd ||
                         operation->getOpcode() == Instruction::FSub);
  });
}

static Value *widen(Value *half, IRBuilder<> &builder) {
  emit::InlinePtx assembly(builder);
  const std::string result = assembly.addOutput(builder.getFloatTy(), /*isWrittenEarly=*/false);
  const std::string operand = assembly.addInput(builder.CreateBitCast(half, builder.getInt16Ty()));
  assembly.addLine("cvt.f32.f16 " + result + ", " + operand + ";");
  return assembly.getOutputs(assembly.emit(/*hasSideEffects=*/false)).front();
}

void emit::widenApartFromSums(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *extension = dyn_cast<FPExtInst>(&instruction);
    if (!extension || !extension->getSrcTy()->getScalarType()->isHalfTy() ||
        !extension->getDestTy()->getScalarType()->isFloatTy() || !isAdded(*extension))
      continue;
    IRBuilder<> builder(extension);
    Value *source = extension->getOperand(0);
    Value *result;
    if (auto *vector = dyn_cast<FixedVectorType>(extension->getDestTy())) {
      result = PoisonValue::get(vector);
      for (unsigned i = 0; i < vector->getNumElements(); ++i)
        result = builder.CreateInsertElement(
            result, widen(builder.CreateExtractElement(source, i), builder), i);
    } else {
      result = widen(source, builder);
    }
    extension->replaceAllUsesWith(result);
    extension->eraseFromParent();
  }
}
