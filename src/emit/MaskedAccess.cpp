//===- MaskedAccess.cpp - Masked loads and stores and their operands ----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "emit/MaskedAccess.h"

#include "emit/VectorElements.h"

#include "llvm/Analysis/VectorUtils.h"

using namespace llvm;
using namespace tilewright;
using namespace tilewright::emit;

std::optional<MaskedAccess> tilewright::emit::matchMaskedAccess(Instruction &instruction) {
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  if (!call)
    return std::nullopt;
  unsigned address, mask, value;
  switch (call->getIntrinsicID()) {
  case Intrinsic::masked_load:
    address = 0, mask = 1, value = 2;
    break;
  case Intrinsic::masked_store:
    value = 0, address = 1, mask = 2;
    break;
  default:
    return std::nullopt;
  }
  auto *type = dyn_cast<FixedVectorType>(call->getArgOperand(value)->getType());
  if (!type)
    return std::nullopt;
  return MaskedAccess{call,
                      /*isLoad=*/call->getIntrinsicID() == Intrinsic::masked_load,
                      call->getArgOperand(address),
                      call->getArgOperand(mask),
                      call->getArgOperand(value),
                      type,
                      call->getParamAlign(address).valueOrOne()};
}

SmallVector<Value *> tilewright::emit::getLaneMasks(const MaskedAccess &access,
                                                    IRBuilderBase &builder) {
  SmallVector<Value *> masks;
  Value *splat = getSplatValue(access.mask);
  for (unsigned lane = 0; lane < access.type->getNumElements(); ++lane) {
    Value *mask = splat ? splat : getElement(access.mask, lane, builder);
    // An undefined mask may be taken as off.
    masks.push_back(isa<UndefValue>(mask) ? builder.getFalse() : mask);
  }
  return masks;
}
