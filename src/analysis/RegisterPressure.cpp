//===- RegisterPressure.cpp - Registers that values take ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "analysis/RegisterPressure.h"

#include "ir/ttg/Dialect.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilewright::transform {

unsigned getRegisterCount(Type type) {
  Type element = tt::getElementTypeOrSelf(type);
  if (!isa<IntegerType, IndexType, FloatType, tt::PointerType>(element))
    return 0;
  auto tensor = dyn_cast<RankedTensorType>(type);
  unsigned count = tensor && tt::getLayoutEncoding(tensor) ? ttg::getElementsPerThread(tensor) : 1;
  unsigned bits = isa<IndexType>(element) ? 64 : tt::getElementBits(element);
  return llvm::divideCeil(count * bits, 32);
}

unsigned getDistinctElements(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tt::getLayoutEncoding(tensor))
    return 1;
  return ttg::toLinearLayout(tensor)
      .removeZeroBasesAlong(layout::dims::Register)
      .inSize(layout::dims::Register);
}

unsigned getDistinctRegisters(Type type) {
  unsigned count = getRegisterCount(type);
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tt::getLayoutEncoding(tensor))
    return count;
  return llvm::divideCeil(count * getDistinctElements(type), ttg::getElementsPerThread(tensor));
}

} // namespace tilewright::transform
