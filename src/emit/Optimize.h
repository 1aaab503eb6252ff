//===- Optimize.h - LLVM IR optimization for kernels ----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_EMIT_OPTIMIZE_H
#define TILEWRIGHT_EMIT_OPTIMIZE_H

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace tilewright::emit {

/// Optimises `module`, whose triple and data layout are those of `machine`, with the few
/// passes that pay on lowered tile programs: straight-line code with thousands of values,
/// few loops, no memory of its own. docs/emit.md says how they were chosen. `driverOptimizes`:
/// Backend::driverOptimizes.
void optimize(llvm::Module &module, llvm::TargetMachine &machine, bool driverOptimizes);

} // namespace tilewright::emit

#endif // TILEWRIGHT_EMIT_OPTIMIZE_H
