//===- ProductLoads.cpp - Loads that products alone use -----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/layout/candidates/ProductLoads.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace tilewright::transform {

/// Values looked at for one load.
static constexpr unsigned maxVisited = 64;

/// Whether `use` is that of a product's operand in registers, while another one is in memory.
static bool isRegisterOperand(OpOperand &use) {
  auto type = dyn_cast<RankedTensorType>(use.get().getType());
  auto product = dyn_cast<ttg::SharedMemoryUser>(use.getOwner());
  return type && isa_and_nonnull<ttg::DotOperandEncodingAttr>(type.getEncoding()) && product &&
         product.getAsyncRole().queue == ttg::AsyncQueue::Products;
}

/// Whether `use` is that of a product that each warp does for itself, on a matrix unit.
static bool isWarpsOperand(OpOperand &use) {
  auto type = dyn_cast<RankedTensorType>(use.get().getType());
  auto encoding =
      type ? dyn_cast_or_null<ttg::DotOperandEncodingAttr>(type.getEncoding()) : nullptr;
  return encoding && isa<tt::DotOp>(use.getOwner()) &&
         !isa<ttg::BlockedEncodingAttr>(encoding.getParent());
}

/// Warps' own products count where the load is reshaped for them and nothing is computed: a
/// conversion right after a load is part of it already.
static bool feedsProductsAlone(tt::LoadOp load) {
  SmallVector<Value> open = {load.getResult()};
  llvm::SmallPtrSet<Operation *, 16> seen;
  bool isUsed = false, isUsedByWarps = false, isReshaped = false, isComputed = false;
  while (!open.empty()) {
    for (OpOperand &use : open.pop_back_val().getUses()) {
      if (isRegisterOperand(use)) {
        isUsed = true;
        continue;
      }
      if (isWarpsOperand(use)) {
        isUsedByWarps = true;
        continue;
      }
      Operation *op = use.getOwner();
      const tt::LayoutRule rule = tt::getLayoutRule(op);
      if (op->getBlock() != load->getBlock() ||
          (rule != tt::LayoutRule::SameLayout && rule != tt::LayoutRule::Inferred &&
           rule != tt::LayoutRule::Conversion))
        return false;
      if (!seen.insert(op).second)
        continue;
      isReshaped |= isa<tt::ReshapeOp>(op);
      isComputed |= rule == tt::LayoutRule::SameLayout;
      if (seen.size() > maxVisited)
        return false;
      llvm::append_range(open, op->getResults());
    }
  }
  return isUsedByWarps ? isReshaped && !isComputed : isUsed;
}

DenseSet<Value> findProductLoads(tt::FuncOp function) {
  DenseSet<Value> loads;
  function.walk([&](tt::LoadOp load) {
    if (isa<LoopLikeOpInterface>(load->getParentOp()) &&
        tt::getLayoutRule(load) == tt::LayoutRule::Anchor && feedsProductsAlone(load))
      loads.insert(load.getResult());
  });
  return loads;
}

} // namespace tilewright::transform
