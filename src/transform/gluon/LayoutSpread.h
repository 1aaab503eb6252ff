//===- LayoutSpread.h - Layouts that follow from others -------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Ops say how the layouts of their tensors relate (tt::LayoutOp). A layout that is decided for one
// value spreads from there over all that have none yet, forwards and backwards:
//
//     %r = tt.make_range : #auto            #slice<1, #L>
//     %e = tt.expand_dims %r : #auto        #L
//     %s = gluon.set_auto_layout %e : #auto -> #L
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_GLUON_LAYOUTSPREAD_H
#define TILEWRIGHT_TRANSFORM_GLUON_LAYOUTSPREAD_H

#include "ir/ttg/Dialect.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tilewright::transform {

class LayoutSpread {
public:
  /// `isOpen` says of the encoding of a tensor whether its layout is still to be found.
  explicit LayoutSpread(llvm::function_ref<bool(mlir::Attribute)> isOpen) : isOpen(isOpen) {}

  /// Decides the layout of an open value; of a value that costs nothing to make anew, such as a
  /// constant, and that has another layout already, a copy gets this one for the use `use`.
  /// Fails, after a diagnostic, where two layouts are decided for one value.
  llvm::LogicalResult decide(mlir::Value value, mlir::Attribute layout,
                             mlir::OpOperand *use = nullptr);
  /// Spreads what has been decided over all open values that follow.
  llvm::LogicalResult spread();
  /// Gives the values their types.
  void rewrite();

private:
  llvm::LogicalResult spreadTo(mlir::Operation *op, mlir::Value from, mlir::Attribute layout);
  llvm::LogicalResult spreadBack(mlir::Value value, mlir::Attribute layout);
  llvm::LogicalResult spreadAlike(mlir::Operation *op, mlir::Attribute layout);
  llvm::LogicalResult spreadFlow(mlir::Value value, mlir::Attribute layout);
  bool isOpenValue(mlir::Value value) const;

  llvm::function_ref<bool(mlir::Attribute)> isOpen;
  llvm::MapVector<mlir::Value, mlir::Attribute> decided;
  llvm::SmallVector<mlir::Value> next;
};

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_GLUON_LAYOUTSPREAD_H
