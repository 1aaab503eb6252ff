//===- ExpandOperations.cpp - Expansion of operations that OpenCL SPIR-V lacks -===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/intel/emit/legalize/ExpandOperations.h"

#include "vendor/intel/emit/Builtins.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace tilewright;
using namespace tilewright::emit;

/// `type` with elements of type `element`.
static Type *withElement(Type *type, Type *element) {
  auto *vector = dyn_cast<VectorType>(type);
  return vector ? VectorType::get(element, vector->getElementCount()) : element;
}

/// An f64 has more than twice the bits of an f32 and two more, so that rounding the quotient or
/// root twice is rounding it once (S. Figueroa, When is Double Rounding Innocuous?, 1995).
static Value *computeInDouble(IRBuilderBase &builder, Type *type, ArrayRef<Value *> operands,
                              function_ref<Value *(ArrayRef<Value *>)> compute) {
  Type *wide = withElement(type, builder.getDoubleTy());
  auto widened =
      map_to_vector(operands, [&](Value *operand) { return builder.CreateFPExt(operand, wide); });
  return builder.CreateFPTrunc(compute(widened), type);
}

/// An integer as a wider type, with zeros in front. The back end keeps what has an odd number of
/// bits in a type that SPIR-V has, without clearing those in front.
static Value *zeroExtend(IRBuilderBase &builder, Value *value, Type *type) {
  const unsigned bits = value->getType()->getScalarSizeInBits();
  if (bits == type->getScalarSizeInBits())
    return value;
  auto *operation = dyn_cast<Instruction>(value);
  Value *wide;
  if (operation && isa<TruncInst>(operation))
    wide = builder.CreateZExtOrTrunc(operation->getOperand(0), type);
  else if (operation && operation->isBitwiseLogicOp())
    wide = builder.CreateBinOp(static_cast<Instruction::BinaryOps>(operation->getOpcode()),
                               zeroExtend(builder, operation->getOperand(0), type),
                               zeroExtend(builder, operation->getOperand(1), type));
  else
    wide = builder.CreateZExt(value, type);
  return builder.CreateAnd(wide, APInt::getLowBitsSet(type->getScalarSizeInBits(), bits));
}

/// Bits change places with those 1, 2, 4 .. further, in an integer whose width is a power of two.
static Value *reverseBits(IRBuilderBase &builder, Value *value) {
  Type *type = value->getType();
  const unsigned bits = type->getScalarSizeInBits();
  const unsigned width = std::max<unsigned>(8, PowerOf2Ceil(bits));
  Type *wide = withElement(type, builder.getIntNTy(width));
  value = zeroExtend(builder, value, wide);
  for (unsigned distance = 1; distance < width; distance *= 2) {
    // As many ones as zeros, alternating, with ones at the end.
    APInt low = APInt::getSplat(width, APInt::getLowBitsSet(2 * distance, distance));
    Constant *mask = ConstantInt::get(wide, low);
    Value *up = builder.CreateShl(builder.CreateAnd(value, mask), distance);
    Value *down = builder.CreateAnd(builder.CreateLShr(value, distance), mask);
    value = builder.CreateOr(up, down);
  }
  return builder.CreateTrunc(builder.CreateLShr(value, width - bits), type);
}

/// IEEE 754-2019, minimum and maximum: a NaN if there is one, and -0 is less than 0.
static Value *minimumOrMaximum(IRBuilderBase &builder, Value *a, Value *b, bool isMinimum) {
  Type *type = a->getType();
  Type *bits = withElement(type, builder.getIntNTy(type->getScalarSizeInBits()));
  Value *bitsOfA = builder.CreateBitCast(a, bits), *bitsOfB = builder.CreateBitCast(b, bits);
  // Equal numbers differ at most in the sign, as zeros.
  Value *ofEqual = builder.CreateBitCast(
      isMinimum ? builder.CreateOr(bitsOfA, bitsOfB) : builder.CreateAnd(bitsOfA, bitsOfB), type);
  Value *isA = isMinimum ? builder.CreateFCmpOLT(a, b) : builder.CreateFCmpOGT(a, b);
  Value *number =
      builder.CreateSelect(builder.CreateFCmpOEQ(a, b), ofEqual, builder.CreateSelect(isA, a, b));
  return builder.CreateSelect(builder.CreateFCmpUNO(a, b), builder.CreateFAdd(a, b), number);
}

/// The upper (`isLeft`) or lower half of a:b shifted, by a distance modulo the size of each.
static Value *shiftPair(IRBuilderBase &builder, Value *a, Value *b, Value *distance, bool isLeft) {
  Constant *last = ConstantInt::get(a->getType(), a->getType()->getScalarSizeInBits() - 1);
  distance = builder.CreateAnd(distance, last);
  Value *rest = builder.CreateSub(last, distance);
  // The other shift in two steps, as it may be by all bits.
  if (isLeft)
    return builder.CreateOr(builder.CreateShl(a, distance),
                            builder.CreateLShr(builder.CreateLShr(b, 1), rest));
  return builder.CreateOr(builder.CreateLShr(b, distance),
                          builder.CreateShl(builder.CreateShl(a, 1), rest));
}

static Value *addOrSubtract(IRBuilderBase &builder, WithOverflowInst &operation) {
  Value *a = operation.getLHS(), *b = operation.getRHS();
  const bool isAdd = operation.getBinaryOp() == Instruction::Add;
  Value *result = isAdd ? builder.CreateAdd(a, b) : builder.CreateSub(a, b);
  Value *overflows;
  if (!operation.isSigned()) {
    overflows = isAdd ? builder.CreateICmpULT(result, a) : builder.CreateICmpULT(a, b);
  } else {
    // The result has a sign that neither operand of the sum has; a difference is a sum.
    Value *fromA = builder.CreateXor(result, a);
    Value *fromB = builder.CreateXor(isAdd ? result : a, b);
    overflows = builder.CreateICmpSLT(builder.CreateAnd(fromA, fromB),
                                      Constant::getNullValue(result->getType()));
  }
  Value *pair = builder.CreateInsertValue(PoisonValue::get(operation.getType()), result, 0);
  return builder.CreateInsertValue(pair, overflows, 1);
}

/// Calls OpenCL's function of the name for each element. `letters` are its operands' types, with
/// '?' for that of `x`.
static Value *callOpenCL(IRBuilderBase &builder, StringRef name, StringRef letters,
                         ArrayRef<Value *> operands) {
  auto call = [&](ArrayRef<Value *> scalars) -> Value * {
    Type *type = scalars[0]->getType();
    const char letter = type->isDoubleTy() ? 'd' : type->isFloatTy() ? 'f' : 'h';
    std::string mangled = ("_Z" + Twine(name.size()) + name).str();
    for (char c : letters)
      // Itanium C++ ABI: the half of C is Dh.
      mangled += c != '?' ? std::string(1, c) : letter == 'h' ? "Dh" : std::string(1, letter);
    return callBuiltin(builder, mangled, type, scalars);
  };
  auto *vector = dyn_cast<FixedVectorType>(operands[0]->getType());
  if (!vector)
    return call(operands);
  Value *result = PoisonValue::get(vector);
  for (unsigned i = 0; i < vector->getNumElements(); ++i) {
    auto scalars = map_to_vector(operands, [&](Value *operand) -> Value * {
      return operand->getType()->isVectorTy() ? builder.CreateExtractElement(operand, i) : operand;
    });
    result = builder.CreateInsertElement(result, call(scalars), i);
  }
  return result;
}

static Value *expandIntrinsic(IRBuilderBase &builder, IntrinsicInst &call) {
  auto operand = [&](unsigned i) { return call.getArgOperand(i); };
  switch (call.getIntrinsicID()) {
  case Intrinsic::sqrt:
    if (!call.getType()->getScalarType()->isFloatTy() || call.hasApproxFunc())
      return nullptr;
    return computeInDouble(builder, call.getType(), operand(0), [&](ArrayRef<Value *> wide) {
      return builder.CreateUnaryIntrinsic(Intrinsic::sqrt, wide[0]);
    });
  case Intrinsic::minimum:
    return minimumOrMaximum(builder, operand(0), operand(1), /*isMinimum=*/true);
  case Intrinsic::maximum:
    return minimumOrMaximum(builder, operand(0), operand(1), /*isMinimum=*/false);
  case Intrinsic::minimumnum:
    return builder.CreateBinaryIntrinsic(Intrinsic::minnum, operand(0), operand(1));
  case Intrinsic::maximumnum:
    return builder.CreateBinaryIntrinsic(Intrinsic::maxnum, operand(0), operand(1));
  case Intrinsic::fshl:
  case Intrinsic::fshr:
    return shiftPair(builder, operand(0), operand(1), operand(2),
                     call.getIntrinsicID() == Intrinsic::fshl);
  case Intrinsic::bitreverse:
    return reverseBits(builder, operand(0));
  case Intrinsic::sadd_with_overflow:
  case Intrinsic::uadd_with_overflow:
  case Intrinsic::ssub_with_overflow:
  case Intrinsic::usub_with_overflow:
    return addOrSubtract(builder, cast<WithOverflowInst>(call));
  case Intrinsic::exp10:
    return callOpenCL(builder, "exp10", "?", operand(0));
  case Intrinsic::ldexp:
    return callOpenCL(builder, "ldexp", "?i", {operand(0), operand(1)});
  default:
    return nullptr;
  }
}

static Value *expand(IRBuilderBase &builder, Instruction &operation) {
  if (auto *call = dyn_cast<IntrinsicInst>(&operation))
    return expandIntrinsic(builder, *call);
  if (operation.getOpcode() == Instruction::FDiv &&
      operation.getType()->getScalarType()->isFloatTy() && !operation.hasApproxFunc())
    return computeInDouble(
        builder, operation.getType(), {operation.getOperand(0), operation.getOperand(1)},
        [&](ArrayRef<Value *> wide) { return builder.CreateFDiv(wide[0], wide[1]); });
  return nullptr;
}

void tilewright::emit::expandOperations(Function &function) {
  for (Instruction &operation : make_early_inc_range(instructions(function))) {
    IRBuilder<> builder(&operation);
    if (Value *result = expand(builder, operation)) {
      operation.replaceAllUsesWith(result);
      operation.eraseFromParent();
    }
  }
}
