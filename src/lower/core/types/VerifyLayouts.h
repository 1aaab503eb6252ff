//===- VerifyLayouts.h - Check that a module can be lowered ---------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_CORE_TYPES_VERIFYLAYOUTS_H
#define TILEWRIGHT_LOWER_CORE_TYPES_VERIFYLAYOUTS_H

#include "target/Target.h"

#include "mlir/IR/BuiltinOps.h"

namespace tilewright::lower {

/// Reports what the verifiers of ops cannot see: blocks, warps and lanes that the target does not
/// have, a tensor without a layout, a layout for other warps than those that run the op, a kernel
/// that takes a tensor, partitions whose warps cannot be divided so. The passes of src/lower rely
/// on it; modules that our own passes made are so, and modules that come from outside are to be
/// asked before anything is run on them.
mlir::LogicalResult verifyLayouts(mlir::ModuleOp module, const target::Target &target);

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_CORE_TYPES_VERIFYLAYOUTS_H
