//===- ProductLoads.h - Loads that products alone use ---------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_LAYOUT_CANDIDATES_PRODUCTLOADS_H
#define TILEWRIGHT_TRANSFORM_LAYOUT_CANDIDATES_PRODUCTLOADS_H

#include "ir/ttg/Dialect.h"
#include "llvm/ADT/DenseSet.h"

namespace tilewright::transform {

/// The results of those loads in loops of `function` from which nothing but operands of matrix
/// units in registers is computed, element by element or by changes of the shape. Such a load
/// becomes a copy to shared memory, from where threads load it in any layout.
llvm::DenseSet<mlir::Value> findProductLoads(tt::FuncOp function);

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_LAYOUT_CANDIDATES_PRODUCTLOADS_H
