//===- CoalescedLayouts.h - Layouts that accesses to memory want *- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Neighbouring lanes should touch neighbouring addresses. The dimension in which the pointers are
// contiguous comes first in the layout's order, and a thread takes as many neighbours in it as one
// access of the target can.
//
// Accesses of one function, shape and order share the widest such vector: what is computed from one
// and stored by another then needs no conversion. A store never takes more than one access's worth,
// as the gaps between its accesses would leave sectors half written; no more does an atomic
// operation. For the same reason neighbours that a mask separates, as that of a length of which
// nothing is known, go to lanes side by side - unless a product or a scan wants them in one thread,
// or another access of the shape takes them at once.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_LAYOUT_CANDIDATES_COALESCEDLAYOUTS_H
#define TILEWRIGHT_TRANSFORM_LAYOUT_CANDIDATES_COALESCEDLAYOUTS_H

#include "analysis/AxisInfo.h"
#include "target/Target.h"
#include "transform/layout/candidates/LayoutProvider.h"

#include <map>

namespace tilewright::transform {

/// A load, a store or an atomic operation through a tensor of pointers.
struct CoalescedAccess {
  mlir::Operation *op;
  mlir::RankedTensorType pointers;
  /// Dimensions, the one with the longest runs of neighbours first.
  llvm::SmallVector<unsigned> order;
  /// Elements of one vector access in the first dimension.
  unsigned width;
};

/// The loads, stores and atomic operations through tensors of pointers, in the program's order.
llvm::SmallVector<mlir::Operation *> findTensorAccesses(tt::FuncOp function);

class CoalescedLayouts {
public:
  /// `ops` are all such accesses of a function.
  CoalescedLayouts(llvm::ArrayRef<mlir::Operation *> ops, const AxisInfoAnalysis &axes);

  llvm::ArrayRef<CoalescedAccess> accesses() const { return list; }
  /// Neighbours that a thread is to have of what it accesses.
  unsigned widthOf(const CoalescedAccess &access) const;
  /// The layout in which a thread has `width` of them.
  static ttg::BlockedEncodingAttr layoutOf(const CoalescedAccess &access, unsigned width);

private:
  CoalescedAccess describe(mlir::Operation *op) const;
  unsigned maxAtOnce(const CoalescedAccess &access) const;

  using Key = std::pair<llvm::SmallVector<int64_t>, llvm::SmallVector<unsigned>>;
  const AxisInfoAnalysis &axes;
  /// Whether masks count for the width of accesses.
  bool splitsAtMasks = false;
  llvm::SmallVector<CoalescedAccess> list;
  std::map<Key, unsigned> widest;
};

/// Proposes for loads and stores the layouts of accesses of half the width and less, down to a word
/// of 32 bits, which is the least that an asynchronous copy takes; those of the function's other
/// accesses of the shape; and for a store that of the value.
class AccessLayouts final : public LayoutProvider {
public:
  AccessLayouts(tt::FuncOp function, const AxisInfoAnalysis &axes, const target::Target &target);
  void propose(mlir::Operation *op, llvm::SmallVectorImpl<LayoutProposal> &proposals) override;

private:
  const AxisInfoAnalysis &axes;
  const target::Target &target;
  CoalescedLayouts layouts;
};

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_LAYOUT_CANDIDATES_COALESCEDLAYOUTS_H
