//===- DataMovement.h - Which ops move data between threads ---------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_LOCALITY_DATAMOVEMENT_H
#define TILEWRIGHT_TRANSFORM_LOCALITY_DATAMOVEMENT_H

#include "ir/ttg/Dialect.h"
#include "layout/ConversionPlan.h"

namespace tilewright::transform {

/// The plan of the conversion of a tensor of type `from` to the layout of `to`. Both have a
/// layout encoding, one shape and one element type.
layout::ConversionPlan planConversion(mlir::RankedTensorType from, mlir::RankedTensorType to);

/// Whether elements that `reduce` combines are in different threads.
bool reducesAcrossThreads(tt::ReduceOp reduce);

/// Whether threads wait for one another in `op`: it moves data between the warps of a block.
bool synchronises(mlir::Operation *op);

/// 32-bit registers that a thread needs for a value of `type`.
unsigned getRegisterCount(mlir::Type type);

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_LOCALITY_DATAMOVEMENT_H
