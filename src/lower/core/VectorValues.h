//===- VectorValues.h - Vectors of single values --------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_CORE_VECTORVALUES_H
#define TILEWRIGHT_LOWER_CORE_VECTORVALUES_H

#include "mlir/IR/ValueRange.h"

namespace tilewright::lower {

/// Returns the vector of which `values` are all elements in their order, as loads and products give
/// them one by one; null if there is none. To put it together again would be work for three
/// optimizers.
mlir::Value findUnpacked(mlir::ValueRange values);

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_CORE_VECTORVALUES_H
