//===- PackedHalves.cpp - Two f32 numbers as f16 in one word ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/arith/PackedHalves.h"

#include "vendor/amd/emit/matrix/MatrixInstructions.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace tilewright::emit;

/// Whether LLVM makes `value` and its rounding one instruction: a product, or with a sum.
static bool isRoundedAsItIsMade(const Value *value) {
  const auto isProduct = m_FMul(m_Value(), m_Value());
  return match(value, m_CombineOr(isProduct, m_Intrinsic<Intrinsic::fma>())) ||
         match(value, m_c_FAdd(isProduct, m_Value())) ||
         match(value, m_FSub(isProduct, m_Value())) || match(value, m_FSub(m_Value(), isProduct));
}

/// The rounding whose result `instruction` inserts into the upper half of a word, if the lower half
/// is inserted just before, from another one.
static FPTruncInst *getUpperRounding(Instruction &instruction) {
  Value *lower, *from;
  uint64_t place;
  auto *upper = dyn_cast_or_null<FPTruncInst>(
      isa<InsertElementInst>(instruction) ? instruction.getOperand(1) : nullptr);
  if (!upper || !upper->hasOneUse() || !upper->getType()->isHalfTy() ||
      !upper->getOperand(0)->getType()->isFloatTy() || isRoundedAsItIsMade(upper->getOperand(0)) ||
      !match(instruction.getOperand(2), m_ConstantInt(place)) || place % 2 == 0)
    return nullptr;
  const bool isBeside =
      match(instruction.getOperand(0),
            m_InsertElt(m_Value(), m_CombineAnd(m_FPTrunc(m_Value(from)), m_Value(lower)),
                        m_SpecificInt(place - 1)));
  return isBeside && lower != upper && from->getType()->isFloatTy() ? upper : nullptr;
}

/// 1.0 in a scalar register: by a number that LLVM knows it would not multiply.
static Value *createOne(Function &function) {
  IRBuilder<> builder(&function.getEntryBlock(), function.getEntryBlock().getFirstInsertionPt());
  auto *type = FunctionType::get(builder.getFloatTy(), {builder.getFloatTy()}, /*isVarArg=*/false);
  auto *call = builder.CreateCall(InlineAsm::get(type, "", "=s,0", /*hasSideEffects=*/false),
                                  {ConstantFP::get(builder.getFloatTy(), 1.0)});
  call->setDoesNotAccessMemory();
  return call;
}

void tilewright::emit::roundIntoUpperHalves(Function &function) {
  Value *one = nullptr;
  for (BasicBlock &block : function) {
    if (!hasProducts(block))
      continue;
    for (Instruction &instruction : block) {
      FPTruncInst *rounding = getUpperRounding(instruction);
      if (!rounding)
        continue;
      if (!one)
        one = createOne(function);
      IRBuilder<> builder(rounding);
      rounding->setOperand(0, builder.CreateFMA(rounding->getOperand(0), one,
                                                ConstantFP::getNegativeZero(builder.getFloatTy())));
    }
  }
}
