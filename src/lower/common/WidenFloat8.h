//===- WidenFloat8.h - 8-bit floats in 16 bits ----------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_COMMON_WIDENFLOAT8_H
#define TILEWRIGHT_LOWER_COMMON_WIDENFLOAT8_H

#include "lower/common/Emitter.h"

namespace tilewright::lower {

/// Whether `type` is a float of eight bits.
bool isFloat8(mlir::Type type);

/// The f16 equal to the float of `type`, e4m3 or e5m2, whose bits `bits` (i8) has: all of them
/// are exact in f16. Null for other types.
mlir::Value widenFloat8(Emitter &e, mlir::Value bits, mlir::FloatType type);

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_COMMON_WIDENFLOAT8_H
