//===- FloatCasts.h - Casts between floating-point formats ----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Every result is the nearest number of the new format, ties to even, or the nearest toward
// zero: there is one rounding, whatever formats lie in between.
//
// In 8 bits a number too large for the format, and rounding to nearest also an infinity,
// becomes the largest finite one; a NaN becomes the NaN with all bits of the magnitude set
// (0x80 in formats that have no -0). Between wider formats they become infinite, and
// toward zero the largest finite number.
//
// Values of 8-bit floats are i8, their bits; those of bf16 are i16 where the target keeps them so
// (TargetLowering::storesBf16AsI16).
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_ELEMENTWISE_FLOATCASTS_H
#define TILEWRIGHT_LOWER_ELEMENTWISE_FLOATCASTS_H

#include "lower/core/builder/LoweringBuilder.h"

namespace tilewright::lower {

/// Converts numbers of the float type `from` to the float type `to`: in pairs, where the target has
/// instructions for pairs of 8-bit floats.
llvm::SmallVector<mlir::Value> castFloats(LoweringBuilder &e, mlir::ValueRange values,
                                          mlir::FloatType from, mlir::FloatType to,
                                          bool towardZero);

/// Converts one number, or all those of a vector, without such instructions.
mlir::Value castFloat(LoweringBuilder &e, mlir::Value value, mlir::FloatType from,
                      mlir::FloatType to, bool towardZero);

/// Converts all elements of a vector likewise, those of 8-bit floats in pairs where that takes
/// fewer operations.
mlir::Value castVector(LoweringBuilder &e, mlir::Value vector, mlir::FloatType from,
                       mlir::FloatType to, bool towardZero);

/// Converts an integer, or all those of a vector, to the float type `to`.
mlir::Value castInteger(LoweringBuilder &e, mlir::Value value, bool isSigned, mlir::FloatType to);

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_ELEMENTWISE_FLOATCASTS_H
