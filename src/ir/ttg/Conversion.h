//===- Conversion.h - Conversion plans of tensor types --------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTG_CONVERSION_H
#define TILEWRIGHT_IR_TTG_CONVERSION_H

#include "ir/ttg/Dialect.h"
#include "plan/conversion/ConversionPlan.h"

namespace tilewright::ttg {

/// The shared memory of the target that the module around `op` names; where it names none, one
/// that every target has.
target::ExchangeModel getSharedMemory(mlir::Operation *op);

/// Bits of the widest access of one lane to memory there; what every target has where it names
/// none.
unsigned getMaxAccessBits(mlir::Operation *op);

/// The plan of the conversion of a tensor of type `from` to the layout of `to`, through a
/// memory like `memory` where it needs one. Both have a layout encoding, one shape and one
/// element type. Passes ask it for costs, the lowering emits it.
plan::ConversionPlan planConversion(mlir::RankedTensorType from, mlir::RankedTensorType to,
                                    const target::ExchangeModel &memory);

/// The plan of what `op` says.
plan::ConversionPlan planConversion(ConvertLayoutOp op, const target::ExchangeModel &memory);

} // namespace tilewright::ttg

#endif // TILEWRIGHT_IR_TTG_CONVERSION_H
