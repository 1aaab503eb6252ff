//===- SpirvMachine.h - The SPIR-V target machine -------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_INTEL_EMIT_SPIRVMACHINE_H
#define TILEWRIGHT_VENDOR_INTEL_EMIT_SPIRVMACHINE_H

#include "emit/Emit.h"
#include "target/Target.h"

#include <memory>
#include <string_view>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace tilewright::emit {

/// The triple of every module that goes to the SPIR-V back end: SPIR-V 1.2, which all drivers and
/// validators know, with 64-bit addresses. No environment means that of OpenCL.
inline constexpr std::string_view spirvTriple = "spirv64v1.2-unknown-unknown";

/// A code generator. Modules declare those of the extensions in SpirvMachine.cpp that they use.
/// Null if this LLVM was built without SPIR-V. Not to be shared between threads.
std::unique_ptr<llvm::TargetMachine> createSpirvMachine(const EmitOptions &options);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_INTEL_EMIT_SPIRVMACHINE_H
