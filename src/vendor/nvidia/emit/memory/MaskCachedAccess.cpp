//===- MaskCachedAccess.cpp - Cached accesses in masked form ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/emit/memory/MaskCachedAccess.h"

#include "emit/CachePolicy.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace tilewright;
using namespace tilewright::emit;

/// LLVM's own nontemporal counts too: instruction selection for PTX drops it.
static bool saysHowToCache(const Instruction &instruction) {
  return isa<LoadInst, StoreInst>(instruction) && !instruction.isVolatile() &&
         !instruction.isAtomic() &&
         (!getCachePolicy(instruction).empty() ||
          instruction.hasMetadata(LLVMContext::MD_nontemporal));
}

/// Replaces `access`, a load or a store. A scalar becomes a vector of one element: there are no
/// other masked accesses.
static void maskAccess(Instruction &access) {
  IRBuilder<> builder(&access);
  Type *type = getLoadStoreType(&access);
  auto *vector = dyn_cast<FixedVectorType>(type);
  const bool isScalar = !vector;
  if (isScalar)
    vector = FixedVectorType::get(type, 1);
  Value *mask = Constant::getAllOnesValue(
      FixedVectorType::get(builder.getInt1Ty(), vector->getNumElements()));
  Value *address = getLoadStorePointerOperand(&access);
  Align alignment = getLoadStoreAlignment(&access);
  CallInst *masked;
  if (auto *store = dyn_cast<StoreInst>(&access)) {
    Value *value = store->getValueOperand();
    if (isScalar)
      value = builder.CreateInsertElement(PoisonValue::get(vector), value, uint64_t(0));
    masked = builder.CreateMaskedStore(value, address, alignment, mask);
  } else {
    masked = builder.CreateMaskedLoad(vector, address, alignment, mask);
    access.replaceAllUsesWith(isScalar ? builder.CreateExtractElement(masked, uint64_t(0))
                                       : masked);
  }
  masked->copyMetadata(access);
  access.eraseFromParent();
}

void tilewright::emit::maskCachedAccesses(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (saysHowToCache(instruction))
      maskAccess(instruction);
}
