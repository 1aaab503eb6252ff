//===- LayoutOp.h - Layout relations of ops -------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Every op says by which rule the layouts of its tensors relate (LayoutOp, OpInterfaces.td). Ops
// of other dialects get their rules in ForeignLayoutRules.cpp. A worked example: in
//
//     %e = tt.expand_dims %x {axis = 1}     Inferred: #ttg.slice<{dim = 1, parent = L}> -> L
//     %b = tt.broadcast %e                  SameLayout
//     %s = arith.addf %b, %y                SameLayout
//     tt.store %p, %s                       Anchor
//
// a store in layout L wants %s in L, so %b and %e in L, and %x in the slice of L: no conversion
// is left but that of %x, the smallest of the four.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TT_LAYOUTOP_H
#define TILEWRIGHT_IR_TT_LAYOUTOP_H

#include "ir/tt/ProgramScope.h"
#include "mlir/IR/OpDefinition.h"

namespace tilewright::tt {

enum class LayoutRule {
  AnyResult,  ///< No tensor operands; a result in any layout: splat, make_range, a constant.
  SameLayout, ///< One layout for all operands and results: arithmetic, broadcast.
  Inferred,   ///< The result's layout follows from the operands': expand_dims, trans, join, ..
  Collective, ///< As Inferred, but elements of several threads are combined: reduce, scan.
  AnyLayout,  ///< Operands in any one layout; results keep theirs: histogram, assert, ..
  AnyLayouts, ///< Operands in any layouts, each its own; results keep theirs: print.
  Conversion, ///< The result is the operand in another layout.
  Forwards,   ///< Passes values on as RegionBranchOpInterface says: scf.for, scf.yield, ..
  Anchor,     ///< Keeps the layouts it has, of operands and results.
};

/// Whether the layout of the operands goes with that of the results, for every op of the rule.
inline bool tiesLayouts(LayoutRule rule) {
  return rule == LayoutRule::SameLayout || rule == LayoutRule::Inferred ||
         rule == LayoutRule::Collective;
}

/// Whether the results stay in the layouts they have.
inline bool keepsResults(LayoutRule rule) {
  return rule == LayoutRule::Anchor || rule == LayoutRule::AnyLayout ||
         rule == LayoutRule::AnyLayouts;
}

/// On an op that is to be an anchor whatever its rule.
inline constexpr llvm::StringLiteral anchorAttrName = "ttg.keep_layout";

/// The rule of any op: an anchor where the op does not say.
LayoutRule getLayoutRule(mlir::Operation *op);

/// Gives the ops of arith, math, scf and ub their rules. The tt dialect does so when it is loaded.
void attachForeignLayoutRules(mlir::MLIRContext &context);

namespace detail {
LayoutRule getDefaultLayoutRule(mlir::Operation *op);
} // namespace detail

} // namespace tilewright::tt

#include "ir/tt/OpInterfaces.h.inc"

#endif // TILEWRIGHT_IR_TT_LAYOUTOP_H
