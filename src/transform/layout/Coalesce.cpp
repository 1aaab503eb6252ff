//===- Coalesce.cpp - Layouts of coalesced memory accesses --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Gives accesses to memory the layouts that they want (CoalescedLayouts.h).
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/query/Conversion.h"
#include "transform/layout/LayoutTypes.h"
#include "transform/layout/Passes.h"
#include "transform/layout/candidates/CoalescedLayouts.h"

using namespace mlir;

namespace tilewright::transform {

#define GEN_PASS_DEF_TRITONGPUCOALESCE
#include "transform/layout/Passes.h.inc"

namespace {

class Coalesce : public impl::TritonGPUCoalesceBase<Coalesce> {
public:
  void runOnOperation() override {
    for (auto function : getOperation().getOps<tt::FuncOp>())
      coalesce(function);
  }

private:
  /// Blocks of descriptors that hardware copies: threads read and write them in shared memory, in
  /// rows.
  static void coalesceBlocks(tt::FuncOp function) {
    SmallVector<std::pair<Operation *, RankedTensorType>> blocks;
    function.walk([&](Operation *op) {
      if (isa<tt::DescriptorLoadOp, tt::DescriptorGatherOp>(op))
        blocks.push_back({op, cast<RankedTensorType>(op->getResult(0).getType())});
      else if (auto store = dyn_cast<tt::DescriptorStoreOp>(op))
        blocks.push_back({op, store.getSrc().getType()});
      else if (auto reduce = dyn_cast<tt::DescriptorReduceOp>(op))
        blocks.push_back({op, reduce.getSrc().getType()});
    });
    const unsigned lanes = ttg::getThreadsPerWarp(function);
    for (auto [op, type] : blocks) {
      const unsigned warps = ttg::getNumWarps(op);
      const int64_t most = std::max<int64_t>(1, type.getNumElements() / (int64_t(warps) * lanes));
      SmallVector<unsigned> sizes(type.getRank(), 1), order;
      for (unsigned dim = type.getRank(); dim-- > 0;)
        order.push_back(dim);
      sizes.back() =
          std::min({int64_t(ttg::getMaxAccessBits(op) / tt::getStorageBits(type.getElementType())),
                    type.getShape().back(), most});
      Attribute layout = ttg::BlockedEncodingAttr::getCovering(type.getContext(), type.getShape(),
                                                               sizes, order, warps, lanes);
      // The indices of rows have a layout of their own.
      if (isa<tt::DescriptorGatherOp>(op))
        setResultLayout(op, layout);
      else
        setAccessLayout(op, layout);
    }
  }

  static void coalesce(tt::FuncOp function) {
    coalesceBlocks(function);
    const SmallVector<Operation *> ops = findTensorAccesses(function);
    if (ops.empty())
      return;
    const AxisInfoAnalysis axes(function);
    const CoalescedLayouts layouts(ops, axes);
    for (const CoalescedAccess &access : layouts.accesses())
      setAccessLayout(access.op, CoalescedLayouts::layoutOf(access, layouts.widthOf(access)));
  }
};

} // namespace
} // namespace tilewright::transform
