//===- VolatileLoads.cpp - Loads that see what others write ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "emit/intel/VolatileLoads.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

static constexpr unsigned globalSpace = 1;

/// `type` (of 32 or 64 bits) from `address`, for the whole system, in no order.
static Value *createAtomicLoad(IRBuilderBase &builder, Type *type, Value *address) {
  const unsigned bits = type->getPrimitiveSizeInBits();
  Type *word = builder.getIntNTy(bits), *i32 = builder.getInt32Ty();
  FunctionCallee callee = builder.GetInsertBlock()->getModule()->getOrInsertFunction(
      bits == 64 ? "_Z18__spirv_AtomicLoadPU3AS1lii" : "_Z18__spirv_AtomicLoadPU3AS1iii", word,
      address->getType(), i32, i32);
  auto *function = cast<Function>(callee.getCallee());
  function->setCallingConv(CallingConv::SPIR_FUNC);
  function->setDoesNotThrow();
  // SPIR-V Specification: scope CrossDevice, memory semantics None.
  CallInst *call = builder.CreateCall(callee, {address, builder.getInt32(0), builder.getInt32(0)});
  call->setCallingConv(CallingConv::SPIR_FUNC);
  return builder.CreateBitCast(call, type);
}

void tilewright::emit::makeVolatileLoadsAtomic(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *load = dyn_cast<LoadInst>(&instruction);
    if (!load || !load->isVolatile() || load->getPointerAddressSpace() != globalSpace)
      continue;
    Type *type = load->getType(), *element = type->getScalarType();
    const unsigned bits = element->getPrimitiveSizeInBits();
    if ((bits != 32 && bits != 64) || load->getAlign().value() * 8 < bits)
      continue;
    IRBuilder<> builder(load);
    Value *address = load->getPointerOperand(), *value;
    if (auto *vector = dyn_cast<FixedVectorType>(type)) {
      value = PoisonValue::get(vector);
      for (unsigned i = 0; i < vector->getNumElements(); ++i) {
        Value *part = i ? builder.CreateConstGEP1_64(element, address, i) : address;
        value = builder.CreateInsertElement(value, createAtomicLoad(builder, element, part), i);
      }
    } else {
      value = createAtomicLoad(builder, type, address);
    }
    load->replaceAllUsesWith(value);
    load->eraseFromParent();
  }
}
