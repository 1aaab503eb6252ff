//===- SharedMemoryUser.cpp - Shared memory effects of ops --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/Dialect.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::ttg;

#include "ir/ttg/OpInterfaces.cpp.inc"

void ttg::detail::getViewAccesses(Operation *op, SmallVectorImpl<ViewAccess> &accesses) {
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    return;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  for (const MemoryEffects::EffectInstance &effect : effects) {
    Value value = effect.getValue();
    auto type = value ? dyn_cast<MemDescType>(value.getType()) : MemDescType();
    if (!type)
      continue;
    if (isa<MemoryEffects::Read>(effect.getEffect()))
      accesses.push_back({value, /*isWrite=*/false});
    else if (isa<MemoryEffects::Write>(effect.getEffect()))
      accesses.push_back({value, /*isWrite=*/true});
  }
}
