//===- LayoutOp.cpp - Layout relations of ops ---------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/tt/Dialect.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tt;

#include "ir/tt/OpInterfaces.cpp.inc"

LayoutRule tt::getLayoutRule(Operation *op) {
  if (op->hasAttr(anchorAttrName))
    return LayoutRule::Anchor;
  auto layoutOp = dyn_cast<LayoutOp>(op);
  return layoutOp ? layoutOp.getLayoutRule() : LayoutRule::Anchor;
}

LayoutRule tt::detail::getDefaultLayoutRule(Operation *op) {
  const bool isElementwise =
      op->hasTrait<OpTrait::Elementwise>() || op->hasTrait<tt::SameEncoding>();
  return isElementwise && op->getNumResults() > 0 && isMemoryEffectFree(op) ? LayoutRule::SameLayout
                                                                            : LayoutRule::Anchor;
}
