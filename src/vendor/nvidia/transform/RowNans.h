//===- RowNans.h - Rows whose results are NaN in any case -----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_TRANSFORM_ROWNANS_H
#define TILEWRIGHT_VENDOR_NVIDIA_TRANSFORM_ROWNANS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilewright::vendor::nvidia {

/// Whether nobody sees other values of `changed`, computed in `loop` of the rows of `tile`, a
/// matrix of the same loop, in those rows of which `tile` has a NaN in some iteration: all that the
/// program stores of such a row has it by arithmetic that hands a NaN on, from `tile` through sums
/// and products of the row that the loop carries on.
bool isHiddenByNans(mlir::scf::ForOp loop, mlir::Value tile, llvm::ArrayRef<mlir::Value> changed);

} // namespace tilewright::vendor::nvidia

#endif // TILEWRIGHT_VENDOR_NVIDIA_TRANSFORM_ROWNANS_H
