//===- UnitProduct.h - Matrix products by instructions --------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_MATRIX_UNITPRODUCT_H
#define TILEWRIGHT_LOWER_MATRIX_UNITPRODUCT_H

#include "ir/ttg/Dialect.h"
#include "plan/matrix/ProductTiling.h"

#include <optional>

namespace tilewright::lower {

/// A product as instructions of the target.
struct UnitProduct {
  const target::MmaAtom *atom = nullptr;
  /// The instructions compute the transposed product: B^T is their A, and A^T their B.
  bool isTransposed = false;
  /// The plan of the cache that was asked.
  const plan::ProductTiling *tiling = nullptr;
};

/// The product as the instruction that does it in the fewest cycles; nothing where the target has
/// none for its types and layouts: then it is done by multiply-adds (DotPlans.h).
std::optional<UnitProduct> planUnitProduct(tt::DotOp op, plan::PlanCache &plans);

/// Warns of a product that no instruction computes although its operands are laid out for one: what
/// its target lacks.
void warnOfMultiplyAdds(tt::DotOp op);

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_MATRIX_UNITPRODUCT_H
