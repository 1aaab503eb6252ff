//===- VerifyTypes.h - Types that kernels can have -------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_CORE_TYPES_VERIFYTYPES_H
#define TILEWRIGHT_LOWER_CORE_TYPES_VERIFYTYPES_H

#include "mlir/IR/BuiltinOps.h"

namespace tilewright::lower {

/// Reports the first value of `module` of a type that MLIR has and no kernel can have: tuples,
/// vectors, memory references, floats and integers of other widths. `index` is such a type where
/// `allowsIndex` is false: tilewright-replace-index takes it away.
mlir::LogicalResult verifyTypes(mlir::ModuleOp module, bool allowsIndex);

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_CORE_TYPES_VERIFYTYPES_H
