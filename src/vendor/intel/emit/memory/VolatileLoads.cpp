//===- VolatileLoads.cpp - Loads that observe other threads' stores -----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/intel/emit/memory/VolatileLoads.h"

#include "vendor/intel/emit/Builtins.h"
#include "vendor/intel/lower/SpirvMemory.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace tilewright;
using namespace tilewright::emit;
using namespace tilewright::vendor::intel::spirv;

static constexpr unsigned globalSpace = 1;

/// `type` (of 32 or 64 bits) from `address`, for the whole system, in no order.
static Value *createAtomicLoad(IRBuilderBase &builder, Type *type, Value *address) {
  const unsigned bits = type->getPrimitiveSizeInBits();
  Value *scope = builder.getInt32(CrossDevice), *semantics = builder.getInt32(Relaxed);
  Value *word = callBuiltin(
      builder, bits == 64 ? "_Z18__spirv_AtomicLoadPU3AS1lii" : "_Z18__spirv_AtomicLoadPU3AS1iii",
      builder.getIntNTy(bits), {address, scope, semantics});
  return builder.CreateBitCast(word, type);
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
