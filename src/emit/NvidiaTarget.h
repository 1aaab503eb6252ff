//===- NvidiaTarget.h - What the NVPTX back end is told ----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_EMIT_NVIDIATARGET_H
#define TILEWRIGHT_EMIT_NVIDIATARGET_H

#include <memory>
#include <string>
#include <string_view>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace tilewright::emit {

/// One GPU generation as LLVM and PTX name it.
struct NvidiaTarget {
  /// Ten times the compute capability: 90 for 9.0, as in "cuda:90".
  int capability;
  /// The value of PTX's `.target`. From 9.0 on it is the variant with the
  /// architecture-specific instructions ("sm_90a"): its PTX runs on that generation only,
  /// which is the one that the kernel was compiled for.
  const char *processor;
  /// LLVM's subtarget feature that sets PTX's `.version`: the lowest that knows the
  /// processor, so that the oldest driver that knows the GPU can load the text.
  const char *ptxFeature;
};

/// The target for a compute capability; null if there is none.
const NvidiaTarget *findNvidiaTarget(int capability);

/// The triple of every module that goes to the NVPTX back end.
inline constexpr std::string_view nvidiaTriple = "nvptx64-nvidia-cuda";

/// Its data layout: 64-bit pointers, but 32-bit ones in the address spaces that are
/// small (shared, constant, local), so that shared-memory addresses take one register.
const std::string &nvidiaDataLayout();

/// How NVPTX is to treat what the source leaves open.
struct NvidiaOptions {
  /// Fuse a multiplication and the addition of its result into one instruction that
  /// rounds once.
  bool fuseMultiplyAdd = true;

  bool operator==(const NvidiaOptions &) const = default;
};

/// A code generator for `target`. Not to be shared between threads; costs microseconds.
std::unique_ptr<llvm::TargetMachine> createTargetMachine(const NvidiaTarget &target,
                                                         const NvidiaOptions &options);

} // namespace tilewright::emit

#endif // TILEWRIGHT_EMIT_NVIDIATARGET_H
