//===- RegisterPressure.cpp - Registers that threads need and may have --------===//
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

/// Of the multiprocessor with the fewest.
static constexpr unsigned minRegistersPerMultiprocessor = 64 * 1024;
/// Registers of a thread that does anything.
static constexpr unsigned minRegistersPerThread = 32;

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

unsigned getRegisterBudget(const target::Target *target, unsigned threads, unsigned lanes) {
  if (!target)
    return minRegistersPerMultiprocessor / threads;
  return std::min(target->execution.maxRegistersPerThread * target->execution.threadsPerWarp /
                      lanes,
                  target->execution.registersPerMultiprocessor / threads);
}

unsigned getMaxResidentThreads(const target::Target &target) {
  return target.execution.registersPerMultiprocessor / minRegistersPerThread;
}

} // namespace tilewright::transform
