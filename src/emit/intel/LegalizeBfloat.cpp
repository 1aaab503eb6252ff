//===- LegalizeBfloat.cpp - bfloat16 as bits ----------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// First every operation that computes with bfloat gets conversions around it. What is left
// only moves values: these change their type in place.
//
//===--------------------------------------------------------------------------===//

#include "emit/intel/LegalizeBfloat.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

static bool isBfloat(const Value *value) { return value->getType()->getScalarType()->isBFloatTy(); }

static bool usesBfloat(const Instruction &instruction) {
  return isBfloat(&instruction) ||
         any_of(instruction.operands(), [](Value *value) { return isBfloat(value); });
}

/// Whether values only pass through `instruction`.
static bool isMove(const Instruction &instruction) {
  return isa<LoadInst, StoreInst, PHINode, SelectInst, ExtractElementInst, InsertElementInst,
             ShuffleVectorInst, BitCastInst, FreezeInst>(instruction);
}

//===--------------------------------------------------------------------------===//
// Operations
//===--------------------------------------------------------------------------===//

/// `type` or a vector of it, as `like` is one.
static Type *shapedLike(Type *like, Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(like);
  return vector ? FixedVectorType::get(type, vector->getNumElements()) : type;
}

/// The f32 that a bfloat stands for.
static Value *widen(Value *value, IRBuilderBase &builder) {
  Type *type = value->getType();
  Value *bits = builder.CreateBitCast(value, shapedLike(type, builder.getInt16Ty()));
  bits = builder.CreateShl(builder.CreateZExt(bits, shapedLike(type, builder.getInt32Ty())), 16);
  return builder.CreateBitCast(bits, shapedLike(type, builder.getFloatTy()));
}

/// An f64 as an f32 from which it is rounded as if at once: where it is not exact, the number
/// before it in magnitude with its last bit set ("round to odd").
static Value *roundToOdd(Value *value, IRBuilderBase &builder) {
  Value *nearest = builder.CreateFPTrunc(value, builder.getFloatTy());
  Value *back = builder.CreateFPExt(nearest, value->getType());
  Value *inexact = builder.CreateFCmpONE(back, value);
  Value *exceeds = builder.CreateFCmpOGT(builder.CreateUnaryIntrinsic(Intrinsic::fabs, back),
                                         builder.CreateUnaryIntrinsic(Intrinsic::fabs, value));
  Type *word = builder.getInt32Ty();
  Value *bits = builder.CreateBitCast(nearest, word);
  bits = builder.CreateSub(bits, builder.CreateZExt(exceeds, word));
  bits = builder.CreateOr(bits, builder.CreateZExt(inexact, word));
  return builder.CreateBitCast(bits, builder.getFloatTy());
}

/// A scalar float of 16 to 64 bits, rounded to the nearest bfloat.
static Value *narrowScalar(Value *value, IRBuilderBase &builder) {
  if (value->getType()->isDoubleTy())
    value = roundToOdd(value, builder);
  else if (!value->getType()->isFloatTy())
    value = builder.CreateFPExt(value, builder.getFloatTy());
  // SPV_INTEL_bfloat16_conversion: OpConvertFToBF16INTEL, to the nearest, ties to even.
  Module &module = *builder.GetInsertBlock()->getModule();
  FunctionCallee convert = module.getOrInsertFunction("_Z27__spirv_ConvertFToBF16INTELf",
                                                      builder.getInt16Ty(), builder.getFloatTy());
  auto *function = cast<Function>(convert.getCallee());
  function->setCallingConv(CallingConv::SPIR_FUNC);
  CallInst *call = builder.CreateCall(convert, value);
  call->setCallingConv(CallingConv::SPIR_FUNC);
  return builder.CreateBitCast(call, builder.getBFloatTy());
}

static Value *narrow(Value *value, IRBuilderBase &builder) {
  auto *type = dyn_cast<FixedVectorType>(value->getType());
  if (!type)
    return narrowScalar(value, builder);
  Value *result = PoisonValue::get(shapedLike(type, builder.getBFloatTy()));
  for (unsigned i = 0; i < type->getNumElements(); ++i)
    result = builder.CreateInsertElement(
        result, narrowScalar(builder.CreateExtractElement(value, i), builder), i);
  return result;
}

/// The conversion `cast` from or to bfloat.
static Value *convert(CastInst *cast, IRBuilderBase &builder) {
  Value *source = cast->getOperand(0);
  if (isBfloat(source)) {
    source = widen(source, builder);
    if (cast->getDestTy() == source->getType())
      return source;
    if (!isBfloat(cast))
      return builder.CreateCast(cast->getOpcode(), source, cast->getDestTy());
  }
  if (isa<FPTruncInst>(cast))
    return narrow(source, builder);
  // From an integer: f64 has all those of 32 bits.
  Type *wide = shapedLike(cast->getDestTy(), builder.getDoubleTy());
  return narrow(builder.CreateCast(cast->getOpcode(), source, wide), builder);
}

/// The same as `instruction`, in f32; null where that is not known.
static Value *computeWide(Instruction *instruction, ArrayRef<Value *> operands,
                          IRBuilderBase &builder) {
  if (auto *binary = dyn_cast<BinaryOperator>(instruction))
    return builder.CreateBinOp(binary->getOpcode(), operands[0], operands[1]);
  if (auto *compare = dyn_cast<FCmpInst>(instruction))
    return builder.CreateFCmp(compare->getPredicate(), operands[0], operands[1]);
  if (auto *negation = dyn_cast<UnaryOperator>(instruction))
    return builder.CreateUnOp(negation->getOpcode(), operands[0]);
  if (auto *call = dyn_cast<IntrinsicInst>(instruction))
    return builder.CreateIntrinsic(call->getIntrinsicID(), {operands[0]->getType()}, operands);
  return nullptr;
}

/// Replaces an operation on bfloat by one on f32. What is not known stays: the back end says so.
static void replaceOperation(Instruction *instruction) {
  IRBuilder<> builder(instruction);
  Value *result;
  if (auto *conversion = dyn_cast<CastInst>(instruction)) {
    result = convert(conversion, builder);
  } else {
    if (isa<FPMathOperator>(instruction))
      builder.setFastMathFlags(instruction->getFastMathFlags());
    auto *call = dyn_cast<CallBase>(instruction);
    const unsigned count = call ? call->arg_size() : instruction->getNumOperands();
    SmallVector<Value *> operands;
    for (unsigned i = 0; i < count; ++i) {
      Value *operand = instruction->getOperand(i);
      operands.push_back(isBfloat(operand) ? widen(operand, builder) : operand);
    }
    result = computeWide(instruction, operands, builder);
    if (!result)
      return;
    if (isBfloat(instruction))
      result = narrow(result, builder);
  }
  instruction->replaceAllUsesWith(result);
  instruction->eraseFromParent();
}

//===--------------------------------------------------------------------------===//
// Types
//===--------------------------------------------------------------------------===//

/// i16 for bfloat, vectors likewise; other types stay.
static Type *toBits(Type *type) {
  return type->getScalarType()->isBFloatTy()
             ? shapedLike(type, Type::getInt16Ty(type->getContext()))
             : type;
}

static Constant *toBits(Constant *constant) {
  Type *type = toBits(constant->getType());
  if (isa<PoisonValue>(constant))
    return PoisonValue::get(type);
  if (isa<UndefValue>(constant))
    return UndefValue::get(type);
  if (auto *number = dyn_cast<ConstantFP>(constant); number && !type->isVectorTy())
    return ConstantInt::get(type, number->getValueAPF().bitcastToAPInt());
  auto *vector = dyn_cast<FixedVectorType>(type);
  if (!vector)
    return ConstantExpr::getBitCast(constant, type);
  SmallVector<Constant *> elements;
  for (unsigned i = 0; i < vector->getNumElements(); ++i)
    elements.push_back(toBits(constant->getAggregateElement(i)));
  return ConstantVector::get(elements);
}

static void changeTypes(Instruction &instruction) {
  for (Use &use : instruction.operands())
    if (auto *constant = dyn_cast<Constant>(use.get()); constant && isBfloat(constant))
      use.set(toBits(constant));
  instruction.mutateType(toBits(instruction.getType()));
  if (auto *address = dyn_cast<GetElementPtrInst>(&instruction)) {
    address->setSourceElementType(toBits(address->getSourceElementType()));
    address->setResultElementType(toBits(address->getResultElementType()));
  }
}

void tilewright::emit::legalizeBfloat(Function &function) {
  bool found = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    if (!usesBfloat(instruction))
      continue;
    found = true;
    if (!isMove(instruction))
      replaceOperation(&instruction);
  }
  for (Instruction &instruction : instructions(function))
    changeTypes(instruction);
  if (!found)
    return;
  // Casts between bfloat and i16 are none now.
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (auto *cast = dyn_cast<BitCastInst>(&instruction);
        cast && cast->getSrcTy() == cast->getDestTy()) {
      cast->replaceAllUsesWith(cast->getOperand(0));
      cast->eraseFromParent();
    }
}
