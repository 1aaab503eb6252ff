//===- FloatCasts.h - From one float format to another --------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Every result is the nearest number of the new format, ties to even, or the nearest towards
// zero: there is one rounding, whatever formats lie in between.
//
// In 8 bits a number too large for the format, and rounding to nearest also an infinity,
// becomes the largest finite one; a NaN becomes the NaN with all bits of the magnitude set
// (0x80 in formats that have no -0). Between wider formats they become infinite, and
// towards zero the largest finite number.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_COMMON_FLOATCASTS_H
#define TILEWRIGHT_LOWER_COMMON_FLOATCASTS_H

#include "lower/common/Emitter.h"

namespace tilewright::lower {

/// Converts numbers of the float type `from` (8-bit floats as i8) to the float type `to`: in
/// pairs, where the target has instructions for pairs of 8-bit floats.
llvm::SmallVector<mlir::Value> castFloats(Emitter &e, mlir::ValueRange values, mlir::FloatType from,
                                          mlir::FloatType to, bool towardZero);

/// Converts one number, without such instructions: `value`, of the float type `from` (8-bit floats
/// as i8), to the float type `to`.
mlir::Value castFloat(Emitter &e, mlir::Value value, mlir::FloatType from, mlir::FloatType to,
                      bool towardZero);

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_COMMON_FLOATCASTS_H
