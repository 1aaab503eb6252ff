//===- LegalizeIntrinsics.cpp - Functions that SPIR-V has ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "emit/intel/LegalizeIntrinsics.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

/// The lesser (greater) number, or NaN where one operand is NaN.
static Value *createExtremum(IntrinsicInst *call, Intrinsic::ID ofNumbers, IRBuilderBase &builder) {
  Value *a = call->getArgOperand(0), *b = call->getArgOperand(1);
  Value *isNaN = builder.CreateFCmpUNO(a, b);
  return builder.CreateSelect(isNaN, builder.CreateFAdd(a, b),
                              builder.CreateBinaryIntrinsic(ofNumbers, a, b));
}

/// The upper (`isLeft`) or lower half of a:b shifted, by a distance modulo the size of each.
static Value *createFunnelShift(IntrinsicInst *call, bool isLeft, IRBuilderBase &builder) {
  Value *a = call->getArgOperand(0), *b = call->getArgOperand(1);
  Type *type = call->getType();
  Constant *last = ConstantInt::get(type, type->getScalarSizeInBits() - 1);
  Value *distance = builder.CreateAnd(call->getArgOperand(2), last);
  Value *rest = builder.CreateSub(last, distance);
  // The other shift in two steps, as it may be by all bits.
  if (isLeft)
    return builder.CreateOr(builder.CreateShl(a, distance),
                            builder.CreateLShr(builder.CreateLShr(b, 1), rest));
  return builder.CreateOr(builder.CreateLShr(b, distance),
                          builder.CreateShl(builder.CreateShl(a, 1), rest));
}

/// Swaps halves, then halves of these, down to single bits.
static Value *createBitReverse(IntrinsicInst *call, IRBuilderBase &builder) {
  Value *value = call->getArgOperand(0);
  const unsigned bits = value->getType()->getScalarSizeInBits();
  for (unsigned size = bits / 2; size > 0; size /= 2) {
    // The lower of two neighbours of `size` bits each.
    APInt lower = APInt::getSplat(bits, APInt::getLowBitsSet(2 * size, size));
    Constant *mask = ConstantInt::get(value->getType(), lower);
    Value *up = builder.CreateShl(builder.CreateAnd(value, mask), size);
    Value *down = builder.CreateAnd(builder.CreateLShr(value, size), mask);
    value = builder.CreateOr(up, down);
  }
  return value;
}

/// A call of OpenCL's function `name`, mangled as one of the type of the result and of `operands`,
/// where `letters` is the mangling of those after the first; null for types that it has not.
static Value *callBuiltin(IntrinsicInst *call, StringRef name, StringRef letters,
                          ArrayRef<Value *> operands, IRBuilderBase &builder) {
  Type *type = call->getType();
  StringRef letter = type->isFloatTy()    ? "f"
                     : type->isDoubleTy() ? "d"
                     : type->isHalfTy()   ? "Dh"
                                          : "";
  if (letter.empty())
    return nullptr;
  const std::string mangled = ("_Z" + Twine(name.size()) + name + letter + letters).str();
  SmallVector<Type *> types(map_range(operands, [](Value *value) { return value->getType(); }));
  FunctionCallee callee = call->getModule()->getOrInsertFunction(
      mangled, FunctionType::get(type, types, /*isVarArg=*/false));
  cast<Function>(callee.getCallee())->setCallingConv(CallingConv::SPIR_FUNC);
  CallInst *result = builder.CreateCall(callee, operands);
  result->setCallingConv(CallingConv::SPIR_FUNC);
  return result;
}

/// What stands for `call`; null if it may stay.
static Value *createReplacement(IntrinsicInst *call, IRBuilderBase &builder) {
  switch (call->getIntrinsicID()) {
  case Intrinsic::minimum:
    return createExtremum(call, Intrinsic::minnum, builder);
  case Intrinsic::maximum:
    return createExtremum(call, Intrinsic::maxnum, builder);
  case Intrinsic::minimumnum:
    return builder.CreateBinaryIntrinsic(Intrinsic::minnum, call->getArgOperand(0),
                                         call->getArgOperand(1));
  case Intrinsic::maximumnum:
    return builder.CreateBinaryIntrinsic(Intrinsic::maxnum, call->getArgOperand(0),
                                         call->getArgOperand(1));
  case Intrinsic::fshl:
    return createFunnelShift(call, /*isLeft=*/true, builder);
  case Intrinsic::fshr:
    return createFunnelShift(call, /*isLeft=*/false, builder);
  case Intrinsic::bitreverse:
    return createBitReverse(call, builder);
  case Intrinsic::exp10:
    return callBuiltin(call, "exp10", "", call->getArgOperand(0), builder);
  case Intrinsic::ldexp:
    return callBuiltin(call, "ldexp", "i",
                       {call->getArgOperand(0),
                        builder.CreateSExtOrTrunc(call->getArgOperand(1), builder.getInt32Ty())},
                       builder);
  default:
    return nullptr;
  }
}

void tilewright::emit::legalizeIntrinsics(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (auto *call = dyn_cast<IntrinsicInst>(&instruction)) {
      IRBuilder<> builder(call);
      if (Value *replacement = createReplacement(call, builder)) {
        call->replaceAllUsesWith(replacement);
        call->eraseFromParent();
      }
    }
}
