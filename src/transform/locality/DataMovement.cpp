//===- DataMovement.cpp - Classification of ops that move data between threads -===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/locality/DataMovement.h"

#include "ir/ttg/SharedMemoryUser.h"
#include "ir/ttg/query/Conversion.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <array>

using namespace mlir;
using namespace tilewright;

/// Whether the locations of dimension `in` have different coordinates along the axis that `op`
/// combines.
static bool spreadsAxis(tt::ReduceOp op, layout::Dim in) {
  auto type = cast<RankedTensorType>(op.getSrcs().front().getType());
  if (!tt::getLayoutEncoding(type))
    return false;
  return !ttg::toLinearLayout(type).sublayoutIsZero({in}, {layout::Dim::tensor(op.getAxis())});
}

bool transform::reducesAcrossThreads(tt::ReduceOp reduce) {
  return llvm::any_of(std::array{layout::dims::Lane, layout::dims::Warp, layout::dims::Block},
                      [&](layout::Dim in) { return spreadsAxis(reduce, in); });
}

bool transform::synchronises(Operation *op) {
  auto user = dyn_cast<ttg::ScratchUser>(op);
  if (!user || isa<tt::DotOp>(op) || !isMemoryEffectFree(op))
    return false;
  const bool hasLayouts = llvm::all_of(op->getOperandTypes(), [](Type type) {
    return !isa<RankedTensorType>(type) || tt::getLayoutEncoding(type);
  });
  return hasLayouts && user.getScratch(ttg::getPlanCache(op)).bytes != 0;
}
