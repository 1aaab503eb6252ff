//===- RegisterFile.h - Choice of the register file size ------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A hardware thread has 128 registers, or 256 where the driver is asked to halve the threads of a
// core (docs/emit.md). Its compiler spills what does not fit; only whoever has the kernel built can
// ask, so the kernel's description has to say what is needed.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_INTEL_EMIT_REGISTERS_REGISTERFILE_H
#define TILEWRIGHT_VENDOR_INTEL_EMIT_REGISTERS_REGISTERFILE_H

#include "target/Target.h"

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <limits>

namespace llvm {
class Function;
} // namespace llvm

namespace tilewright::emit {

/// Asks for the large register file, in OpenCL's spelling.
inline constexpr llvm::StringLiteral largeRegisterFileOption = "-cl-intel-256-GRF-per-thread";

/// An estimate, in bytes, of the registers that a sub-group takes for what is alive at one time in
/// `function`, a legalised kernel. What is the same for all lanes is there once. An estimate above
/// `enough` may be too low.
uint64_t estimateRegisterBytes(const llvm::Function &function,
                               uint64_t enough = std::numeric_limits<uint64_t>::max());

/// Whether `function` probably spills with the register file that drivers choose.
bool needsLargeRegisterFile(const llvm::Function &function, const target::Target &target);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_INTEL_EMIT_REGISTERS_REGISTERFILE_H
