//===- KeptValues.cpp - Tensors that registers have to keep -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "analysis/KeptValues.h"

#include "analysis/RegisterPressure.h"
#include "ir/tt/Dialect.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::transform;

KeptValues::KeptValues(FunctionOpInterface function) {
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == function)
      return;
    for (Region &region : op->getRegions())
      for (BlockArgument argument : region.getArguments())
        add(argument, /*isView=*/false);
    // Anything that is read, and all that depends on it.
    if (op->getNumRegions() != 0 || !isPure(op) ||
        llvm::any_of(op->getOperands(), [&](Value value) { return derived.contains(value); }))
      for (Value result : op->getResults())
        add(result, isa<tt::BroadcastOp, tt::SplatOp, tt::ExpandDimsOp>(op));
  });
}

unsigned KeptValues::countRegisters() const {
  unsigned sum = 0;
  for (Value value : kept)
    sum += getDistinctRegisters(value.getType());
  return sum;
}

void KeptValues::add(Value value, bool isView) {
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  if (!isView && tensor && !isa<tt::PointerType>(tensor.getElementType()) &&
      !tensor.getElementType().isInteger(1))
    kept.insert(value);
  derived.insert(value);
}
