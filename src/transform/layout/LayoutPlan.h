//===- LayoutPlan.h - Choice of a layout for every tensor of a function -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The function is looked at as if it had no conversions: a converted tensor is the tensor.
// Planning then has two steps.
//
// Anchors, in program order. Ops that are anchors (wide loads above all) keep the layouts they
// have. Their results' layout is the *anchor* of these and of what is computed from them;
// where anchors meet, the one with the cheaper conversions wins. What depends on no anchor
// (addresses, masks, constants) has no anchor, nor has what products alone take from loads: it is
// loaded in the layout that they want.
//
// Versions, on demand. Anchors demand their operands in the layouts they have. A value that
// is wanted in a layout is either computed in it (it then has a *version* in that layout, and
// demands its operands accordingly) or converted from another version, whichever is
// cheaper: converting a broadcast's operand instead of its result, or recomputing addresses,
// follows from the same comparison. What has no anchor is computed in the first layout
// wanted. Loop-carried values are versions as a whole: the initial value, the argument,
// what is yielded and the result.
//
// Ops say themselves whether they are anchors, and how their layouts relate
// (tt::LayoutOp); the flow between regions comes from MLIR's RegionBranchOpInterface and
// LoopLikeOpInterface (analysis/RegionFlow.h). A region that neither passes values into, such
// as a partition of ttg.warp_specialize, has arguments that keep their layouts.
//
// Values are named by their keys (see keyOf).
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_LAYOUT_LAYOUTPLAN_H
#define TILEWRIGHT_TRANSFORM_LAYOUT_LAYOUTPLAN_H

#include "transform/layout/LayoutCost.h"
#include "transform/layout/LayoutTypes.h"

namespace tilewright::transform {

/// Returns the value of which `value` is a conversion, or `value` itself.
mlir::Value stripConversions(mlir::Value value);

/// The value that stands for all that must have the same versions: conversions of a value
/// for the value; a loop's result for the loop's argument; the first result of an op.
mlir::Value keyOf(mlir::Value value);

class LayoutPlan {
public:
  explicit LayoutPlan(tt::FuncOp function);

  /// The layouts in which the value is computed; none if it is not needed.
  llvm::ArrayRef<mlir::Attribute> versions(mlir::Value key) const;

  /// The version from which the value is converted to `layout`, which is none of its versions.
  mlir::Attribute conversionSource(mlir::Value key, mlir::Attribute layout) const;

  /// The layout that operand `number` of the op needs for results in layout `result`; null for
  /// scalars. For ops without tensor results, `result` is null.
  mlir::Attribute operandLayout(mlir::Operation *op, unsigned number, mlir::Attribute result) const;

private:
  // Anchors.
  void findAnchors(mlir::Region &region);
  void findAnchors(mlir::Operation *op);
  void findLoopAnchors(mlir::Operation *loop);
  mlir::Attribute chooseAnchor(mlir::Operation *op);
  mlir::Attribute anchor(mlir::Value value) const { return anchors.lookup(keyOf(value)); }
  void setAnchor(mlir::Value value, mlir::Attribute layout);

  // Versions.
  void demandOperandsOfAnchor(mlir::Operation *op);
  void demandAnyLayout(mlir::Operation *op);
  void demand(mlir::Value value, mlir::Attribute layout);
  void satisfyDemands();
  void satisfy(mlir::Value key, mlir::Attribute layout);
  void addVersion(mlir::Value key, mlir::Attribute layout);
  bool canCompute(mlir::Value key, mlir::Attribute layout);
  mlir::Attribute layoutNeeded(mlir::Operation *op, mlir::Attribute result) const;
  bool hasVersion(mlir::Value key, mlir::Attribute layout) const {
    return llvm::is_contained(versions(key), layout);
  }
  /// The layout the value has in the IR as it was.
  static mlir::Attribute originalLayout(mlir::Value value) { return getLayout(value.getType()); }
  mlir::Attribute preferredLayout(mlir::Value value) const;

  // Costs.
  using Visited = llvm::DenseSet<std::pair<mlir::Value, mlir::Attribute>>;
  /// Each is exact where it is less than `limit`, and at least that where it is not: then nobody
  /// looks further into what the value is computed from.
  Cost costOf(mlir::Value value, mlir::Attribute layout, Cost limit, Visited &visited);
  Cost costOfOperands(mlir::ValueRange values, mlir::Attribute layout, Cost limit,
                      Visited &visited);
  Cost costOfComputing(mlir::Value key, mlir::Attribute layout, Cost limit, Visited &visited);
  Cost costOfConverting(mlir::Value key, mlir::Attribute layout);

  LayoutCost costs;
  /// Loads that are read in any layout: their own is no anchor for what is computed from them.
  llvm::DenseSet<mlir::Value> productLoads;
  llvm::DenseMap<mlir::Value, mlir::Attribute> anchors;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Attribute, 1>> versionLists;
  llvm::DenseMap<std::pair<mlir::Value, mlir::Attribute>, mlir::Attribute> conversionSources;
  /// For ops without versions, which are anchors or take any layout: the layouts of the
  /// operands, null for scalars.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Attribute, 3>> ownOperandLayouts;
  /// For the other ops: the layout of the tensor operands for a layout of the results.
  llvm::DenseMap<std::pair<mlir::Operation *, mlir::Attribute>, mlir::Attribute> operandLayouts;
  llvm::SmallVector<std::pair<mlir::Value, mlir::Attribute>> demands;
};

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_LAYOUT_LAYOUTPLAN_H
