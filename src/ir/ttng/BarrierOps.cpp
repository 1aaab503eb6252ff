//===- BarrierOps.cpp - Verifiers of mbarrier ops -----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/ttng/Verification.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::ttng;

void ttng::getViewAccesses(Operation *op, ValueRange barriers,
                           SmallVectorImpl<ttg::ViewAccess> &accesses) {
  ttg::detail::getViewAccesses(op, accesses);
  llvm::erase_if(accesses, [&](const ttg::ViewAccess &access) {
    return llvm::is_contained(barriers, access.view);
  });
  for (Value barrier : barriers)
    accesses.push_back({barrier, /*isWrite=*/false});
}

/// A count or size of an op on a barrier.
static LogicalResult verifyPositive(Operation *op, StringRef name, int32_t value) {
  if (value <= 0)
    return op->emitOpError() << "has `" << name << "` = " << value << ", which must be positive";
  return success();
}

/// PTX ISA, setmaxnreg: multiples of 8 from 24 to 256; by all warps of a warp group. A partition
/// may be a part of one: the others in it do likewise.
LogicalResult SetRegistersOp::verify() {
  constexpr int32_t min = 24, max = 256, unit = 8, warpsOfGroup = 4;
  if (const int32_t count = getCount(); count < min || count > max || count % unit != 0)
    return emitOpError() << "has `count` = " << count << ", which must be a multiple of " << unit
                         << " from " << min << " to " << max;
  if (const ttg::ThreadGroup group = ttg::getThreadGroup(*this);
      !group.partition && group.numWarps % warpsOfGroup != 0)
    return emitOpError() << "is run by " << group.numWarps
                         << " warps, which must be whole groups of " << warpsOfGroup;
  return success();
}

LogicalResult InitBarrierOp::verify() {
  if (failed(verifyBarrier(*this, getAlloc().getType())))
    return failure();
  return verifyPositive(*this, "count", getCount());
}

LogicalResult InvalBarrierOp::verify() { return verifyBarrier(*this, getAlloc().getType()); }

LogicalResult BarrierExpectOp::verify() {
  if (failed(verifyBarrier(*this, getAlloc().getType())))
    return failure();
  if (int32_t size = getSize(); size < 0)
    return emitOpError() << "has `size` = " << size << "; bytes are not negative";
  return success();
}

LogicalResult WaitBarrierOp::verify() { return verifyBarrier(*this, getAlloc().getType()); }

LogicalResult ArriveBarrierOp::verify() {
  if (failed(verifyBarrier(*this, getAlloc().getType())))
    return failure();
  return verifyPositive(*this, "count", getCount());
}

LogicalResult AsyncCopyMbarrierArriveOp::verify() {
  return verifyBarrier(*this, getBarrier().getType());
}

LogicalResult CLCTryCancelOp::verify() {
  ttg::MemDescType result = getResult().getType();
  if (!result.inSharedMemory() || result.getRank() != 1 || !result.getElementType().isInteger(64))
    return emitOpError() << "needs room for its answer, i64 in shared memory, got " << result;
  const layout::LinearLayout map = result.toLinearLayout();
  for (unsigned bit = 0; bit < map.inBits(layout::dims::Block); ++bit)
    if (map.basis(layout::dims::Block, bit))
      return emitOpError() << "gives its answer to each block of the cluster, whole, which share "
                              "the memory out in "
                           << result;
  return verifyBarrier(*this, getMbarrier().getType());
}
