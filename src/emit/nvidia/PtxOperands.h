//===- PtxOperands.h - Operands of PTX in inline assembly -----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// What the expansions to predicated PTX have in common.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_EMIT_NVIDIA_PTXOPERANDS_H
#define TILEWRIGHT_EMIT_NVIDIA_PTXOPERANDS_H

#include "llvm/ADT/StringRef.h"

#include <optional>

namespace llvm {
class DataLayout;
class Type;
} // namespace llvm

namespace tilewright::emit {

/// The state space of an address space as a suffix of instructions, such as ".global"; empty for
/// generic addresses, nothing for spaces that the expansions leave alone.
std::optional<llvm::StringRef> stateSpaceSuffix(unsigned addressSpace);

/// The constraint for a register that holds a value of `type`: float, double, i16, i32 or i64.
llvm::StringRef registerConstraint(const llvm::Type *type);

/// Likewise for a pointer of type `pointer`: shared memory's may have 32 bits.
llvm::StringRef addressConstraint(const llvm::DataLayout &layout, llvm::Type *pointer);

} // namespace tilewright::emit

#endif // TILEWRIGHT_EMIT_NVIDIA_PTXOPERANDS_H
