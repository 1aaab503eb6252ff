//===- CallReplacer.cpp - Replacement of a vendor's function call -------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "simulate/instrument/CallReplacer.h"

using namespace tilewright;
using namespace tilewright::simulate;
using llvm::Value;

bool CallReplacer::finish(Value *value) {
  if (!value)
    return false;
  if (!call.getType()->isVoidTy())
    call.replaceAllUsesWith(value);
  call.eraseFromParent();
  return true;
}

std::optional<uint64_t> CallReplacer::constantOperand(unsigned index) {
  auto *constant = llvm::dyn_cast<llvm::ConstantInt>(operand(index));
  return constant ? std::optional(constant->getZExtValue()) : std::nullopt;
}

Value *CallReplacer::machineCall(const char *symbol, llvm::Type *result,
                                 llvm::ArrayRef<Value *> values) {
  return instrumenter.callMachine(builder, symbol, result, instrumenter.addSite(call, operation),
                                  values);
}

Value *CallReplacer::hostCall(llvm::StringRef symbol, llvm::Type *result,
                              llvm::ArrayRef<Value *> values) {
  llvm::SmallVector<llvm::Type *, 4> types;
  for (Value *value : values)
    types.push_back(value->getType());
  llvm::CallInst *made =
      builder.CreateCall(instrumenter.module.getOrInsertFunction(
                             symbol, llvm::FunctionType::get(result, types, /*isVarArg=*/false)),
                         values);
  made->setDoesNotThrow();
  return made;
}

Value *CallReplacer::blockBarrier(bool ordersShared) {
  machineCall(runtime_call::blockBarrier, builder.getVoidTy(), {builder.getInt32(ordersShared)});
  return done();
}

Value *CallReplacer::warpBarrier(Value *members) {
  machineCall(runtime_call::warpBarrier, builder.getVoidTy(), {members});
  return done();
}

unsigned CallReplacer::bitsOf(llvm::Type *type) const {
  return instrumenter.module.getDataLayout().getTypeSizeInBits(type);
}

Value *CallReplacer::toWord(Value *value) {
  llvm::Type *bits = builder.getIntNTy(bitsOf(value->getType()));
  return builder.CreateZExt(builder.CreateBitCast(value, bits), builder.getInt64Ty());
}

Value *CallReplacer::fromWord(Value *word, llvm::Type *type) {
  return builder.CreateBitCast(builder.CreateTrunc(word, builder.getIntNTy(bitsOf(type))), type);
}

Value *CallReplacer::shuffle(Value *members, Value *value, Value *source) {
  llvm::Type *type = value->getType();
  unsigned bits = bitsOf(type);
  auto shuffleWord = [&](Value *word) {
    return machineCall(runtime_call::shuffle, builder.getInt64Ty(), {members, word, source});
  };
  if (bits <= 64)
    return fromWord(shuffleWord(toWord(value)), type);
  llvm::Type *whole = builder.getIntNTy(bits);
  Value *all = builder.CreateBitCast(value, whole);
  Value *result = llvm::ConstantInt::get(whole, 0);
  for (unsigned shift = 0; shift < bits; shift += 64) {
    Value *word = builder.CreateZExtOrTrunc(builder.CreateLShr(all, shift), builder.getInt64Ty());
    Value *moved = builder.CreateZExtOrTrunc(shuffleWord(word), whole);
    result = builder.CreateOr(result, builder.CreateShl(moved, shift));
  }
  return builder.CreateBitCast(result, type);
}

Value *CallReplacer::uniform(Value *members, Value *word) {
  if (llvm::isa<llvm::Constant>(word))
    return word;
  return machineCall(runtime_call::uniform, builder.getInt32Ty(), {members, word});
}

Value *CallReplacer::ballot(Value *members, Value *condition) {
  return machineCall(runtime_call::ballot, builder.getInt64Ty(),
                     {members, builder.CreateZExt(condition, builder.getInt32Ty())});
}

Value *CallReplacer::combineLanes(Value *members, Value *value, LaneCombination combination) {
  llvm::Type *type = value->getType();
  combination.bits = bitsOf(type);
  Value *word = machineCall(runtime_call::combineLanes, builder.getInt64Ty(),
                            {members, builder.getInt32(combination.code()), toWord(value)});
  return fromWord(word, type);
}
