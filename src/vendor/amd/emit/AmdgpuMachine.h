//===- AmdgpuMachine.h - The AMDGPU target machine ------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_EMIT_AMDGPUMACHINE_H
#define TILEWRIGHT_VENDOR_AMD_EMIT_AMDGPUMACHINE_H

#include "emit/Emit.h"
#include "target/Target.h"

#include <memory>
#include <string>

namespace llvm {
class Target;
class TargetMachine;
class Triple;
} // namespace llvm

namespace tilewright::emit {

/// That of every module that goes to the AMDGPU back end: for the HSA runtime, on which ROCm
/// stands.
const llvm::Triple &amdgpuTriple();

/// LLVM's AMDGPU back end, with its assembler; null if this LLVM was built without it.
const llvm::Target *amdgpu();

/// A code generator for `target`, a "hip" one; on RDNA work-groups use both compute units of a pair
/// (LLVM's default, and Triton's). Null if this LLVM was built without AMDGPU. Not
/// to be shared between threads. What it learns of the processor - its tables of registers and
/// operations - takes a tenth of a small kernel's time; so one that is no longer used waits for the
/// next kernel with the same options.
std::shared_ptr<llvm::TargetMachine> createAmdgpuMachine(const target::Target &target,
                                                         const EmitOptions &options);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_AMD_EMIT_AMDGPUMACHINE_H
