//===- CarriedValues.h - What one loop of a nest carries of another --*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Of a loop nest that becomes one loop, the outer loop's body computes values once that each
// iteration of the inner loop uses. Carried as they are, the rows and columns of a tile's addresses
// would take registers for every element that a thread holds:
//
//     %row = muli %pid, %BM               a number
//     %rows = splat %row + %range         a few registers
//     %offsets = broadcast %rows * %K     as many as the tile has elements
//
// So a tensor is computed again in each iteration if that takes little: by integer arithmetic from
// numbers, or by spreading a smaller tensor.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_TILE_CARRIEDVALUES_H
#define TILEWRIGHT_TRANSFORM_TILE_CARRIEDVALUES_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

namespace tilewright::transform {

struct CarriedValues {
  /// The values to carry, results of ops before the inner loop.
  llvm::SetVector<mlir::Value> carried;
  /// Ops before the inner loop that are computed again in each iteration. They use each other,
  /// what is carried, and what is there anyway: the values of the outer loop and around it.
  llvm::SetVector<mlir::Operation *> again;
};

/// The values before `inner`, a loop in the body of `outer`, that are used in it or after it.
CarriedValues findCarriedValues(mlir::scf::ForOp outer, mlir::scf::ForOp inner);

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_TILE_CARRIEDVALUES_H
