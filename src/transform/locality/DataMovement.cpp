//===- DataMovement.cpp - Which ops move data between threads -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/locality/DataMovement.h"

#include "ir/ttg/Conversion.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;

/// Whether the places of dimension `in` have different coordinates along the reduced axis.
static bool spreadsAxis(tt::ReduceOp reduce, layout::Dim in) {
  auto type = cast<RankedTensorType>(reduce.getSrcs().front().getType());
  if (!tt::getLayoutEncoding(type))
    return false;
  return !ttg::toLinearLayout(type).sublayoutIsZero({in}, {layout::Dim::tensor(reduce.getAxis())});
}

bool transform::reducesAcrossThreads(tt::ReduceOp reduce) {
  return spreadsAxis(reduce, layout::dims::Lane) || spreadsAxis(reduce, layout::dims::Warp) ||
         spreadsAxis(reduce, layout::dims::Block);
}

bool transform::synchronises(Operation *op) {
  if (auto reduce = dyn_cast<tt::ReduceOp>(op))
    return spreadsAxis(reduce, layout::dims::Warp) || spreadsAxis(reduce, layout::dims::Block);
  if (auto convert = dyn_cast<ttg::ConvertLayoutOp>(op))
    return ttg::planConversion(convert, ttg::getSharedMemory(op)).kind ==
           layout::ConversionPlan::Kind::SharedMemory;
  return false;
}

unsigned transform::getRegisterCount(Type type) {
  Type element = tt::getElementTypeOrSelf(type);
  if (!isa<IntegerType, IndexType, FloatType, tt::PointerType>(element))
    return 0;
  auto tensor = dyn_cast<RankedTensorType>(type);
  unsigned count = tensor && tt::getLayoutEncoding(tensor) ? ttg::getElementsPerThread(tensor) : 1;
  unsigned bits = isa<IndexType>(element) ? 64 : tt::getElementBits(element);
  return llvm::divideCeil(count * bits, 32);
}
