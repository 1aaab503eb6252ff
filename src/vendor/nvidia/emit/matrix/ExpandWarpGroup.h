//===- ExpandWarpGroup.h - wgmma as PTX -----------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_EMIT_MATRIX_EXPANDWARPGROUP_H
#define TILEWRIGHT_VENDOR_NVIDIA_EMIT_MATRIX_EXPANDWARPGROUP_H

namespace llvm {
class Module;
} // namespace llvm

namespace tilewright::emit {

/// Replaces calls of the functions of plan/WarpGroupFunctions.h by inline assembly. An accumulator
/// and the result that takes its place are one register to it: ptxas keeps a product asynchronous
/// only if nothing moves what it is under way to.
void expandWarpGroupCalls(llvm::Module &module);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_NVIDIA_EMIT_MATRIX_EXPANDWARPGROUP_H
