//===- NvptxMachine.h - The NVPTX target machine --------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_EMIT_NVPTXMACHINE_H
#define TILEWRIGHT_VENDOR_NVIDIA_EMIT_NVPTXMACHINE_H

#include "emit/Emit.h"
#include "target/Target.h"

#include <memory>
#include <string>
#include <string_view>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace tilewright::emit {

/// The triple of every module that goes to the NVPTX back end.
inline constexpr std::string_view nvidiaTriple = "nvptx64-nvidia-cuda";

/// Its data layout: 64-bit pointers, but 32-bit ones in the address spaces that are
/// small (shared, constant, local), so that shared-memory addresses take one register.
const std::string &nvidiaDataLayout();

/// A code generator for `target`, a "cuda" one. Null if this LLVM was built without NVPTX.
/// Not to be shared between threads; costs microseconds.
std::unique_ptr<llvm::TargetMachine> createNvptxMachine(const target::Target &target,
                                                        const EmitOptions &options);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_NVIDIA_EMIT_NVPTXMACHINE_H
