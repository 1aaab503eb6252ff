//===- KernelAttributes.h - Implicit kernel arguments and launch bounds -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_EMIT_KERNELATTRIBUTES_H
#define TILEWRIGHT_VENDOR_AMD_EMIT_KERNELATTRIBUTES_H

namespace llvm {
class Module;
} // namespace llvm
namespace tilewright::target {
struct Target;
} // namespace tilewright::target

namespace tilewright::emit {

/// Marks the kernels of `module`, which is optimised, with what they do not ask for: hidden
/// arguments and the program's place in the grid. Otherwise the launch would hand it to them, in
/// scalar registers and 256 bytes of arguments.
void addKernelAttributes(llvm::Module &module, const target::Target &target);

/// Says that as many waves of the kernels of `module`, from 1 to 16, are to fit on a SIMD at the
/// same time, no fewer and no more: the registers of a wave follow from that.
void limitWaves(llvm::Module &module, unsigned wavesPerSimd);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_AMD_EMIT_KERNELATTRIBUTES_H
