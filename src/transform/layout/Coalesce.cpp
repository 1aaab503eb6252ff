//===- Coalesce.cpp - Layouts of coalesced memory accesses --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Neighbouring lanes should touch neighbouring addresses. The dimension in which the
// pointers are contiguous comes first in the layout's order, and a thread takes as many
// neighbours in it as one access of the target can.
//
// Accesses of one function, shape and order share the widest such vector: what is computed
// from one and stored by another then needs no conversion. A store never takes more than
// one access's worth, as the gaps between its accesses would leave sectors half written; no
// more does an atomic operation.
//
//===--------------------------------------------------------------------------===//

#include "analysis/AxisInfo.h"
#include "ir/ttg/query/Conversion.h"
#include "target/Target.h"
#include "transform/layout/LayoutTypes.h"
#include "transform/layout/Passes.h"

#include <map>

using namespace mlir;

namespace tilewright::transform {

#define GEN_PASS_DEF_TRITONGPUCOALESCE
#include "transform/layout/Passes.h.inc"

namespace {

struct Access {
  Operation *op;
  RankedTensorType pointers;
  /// Dimensions, the one with the longest runs of neighbours first.
  SmallVector<unsigned> order;
  /// Elements of one vector access in the first dimension.
  unsigned width;
};

class Coalesce : public impl::TritonGPUCoalesceBase<Coalesce> {
public:
  void runOnOperation() override {
    for (auto function : getOperation().getOps<tt::FuncOp>())
      coalesce(function);
  }

private:
  static Access describe(Operation *op, const AxisInfoAnalysis &axes, unsigned maxBits) {
    Value pointer = op->getOperand(0);
    Access access{op, cast<RankedTensorType>(pointer.getType()), {}, 1};
    AxisInfo info = axes.get(pointer);
    // Where nothing is known, the last dimension: that of row-major data.
    access.order.assign(llvm::to_vector(llvm::seq<unsigned>(0, access.pointers.getRank())));
    llvm::sort(access.order, [&](unsigned a, unsigned b) {
      return std::pair(info.dims[a].contiguity, a) > std::pair(info.dims[b].contiguity, b);
    });
    access.width = axes.getVectorWidth(pointer, access.order.front(), maxBits);
    return access;
  }

  /// Elements that one access can take. Atomic operations change one, additions of floats as many
  /// as the target has, where the mask lets them.
  static unsigned maxAtOnce(const Access &access, const AxisInfoAnalysis &axes) {
    if (isa<tt::StoreOp>(access.op))
      return std::numeric_limits<unsigned>::max();
    auto atomic = dyn_cast<tt::AtomicRMWOp>(access.op);
    const unsigned bits =
        tt::getStorageBits(tt::getElementTypeOrSelf(tt::getPointeeType(access.pointers)));
    const target::Target *target = ttg::getTarget(access.op);
    if (!atomic || atomic.getAtomicRmwOp() != tt::RMWOp::FADD || !target || bits > 32 ||
        target->global.maxAtomicAddBits <= bits)
      return 1;
    return axes.getVectorWidth(atomic.getPtr(), atomic.getMask(), access.order.front(),
                               target->global.maxAtomicAddBits);
  }

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

  void coalesce(tt::FuncOp function) {
    coalesceBlocks(function);
    SmallVector<Operation *> ops;
    function.walk([&](Operation *op) {
      if (isa<tt::LoadOp, tt::StoreOp, tt::AtomicRMWOp, tt::AtomicCASOp>(op) &&
          getLayout(op->getOperand(0).getType()))
        ops.push_back(op);
    });
    if (ops.empty())
      return;
    AxisInfoAnalysis axes(function);
    const unsigned maxBits = ttg::getMaxAccessBits(function);
    SmallVector<Access> accesses;
    std::map<std::pair<SmallVector<int64_t>, SmallVector<unsigned>>, unsigned> widest;
    for (Operation *op : ops) {
      const Access &access = accesses.emplace_back(describe(op, axes, maxBits));
      unsigned &width = widest[{SmallVector<int64_t>(access.pointers.getShape()), access.order}];
      width = std::max(width, access.width);
    }

    const unsigned lanes = ttg::getThreadsPerWarp(function);
    for (const Access &access : accesses) {
      RankedTensorType type = access.pointers;
      const unsigned warps = ttg::getNumWarps(access.op);
      const int64_t threads = int64_t(warps) * lanes;
      unsigned width = widest[{SmallVector<int64_t>(type.getShape()), access.order}];
      width = std::min<int64_t>(width, std::max<int64_t>(1, type.getNumElements() / threads));
      if (!isa<tt::LoadOp>(access.op))
        width = std::min({width, access.width, maxAtOnce(access, axes)});
      SmallVector<unsigned> sizes(type.getRank(), 1);
      sizes[access.order.front()] = width;
      setAccessLayout(access.op,
                      ttg::BlockedEncodingAttr::getCovering(type.getContext(), type.getShape(),
                                                            sizes, access.order, warps, lanes));
    }
  }
};

} // namespace
} // namespace tilewright::transform
