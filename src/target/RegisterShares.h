//===- RegisterShares.h - Registers that warps hand to each other ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// All warps of a block begin with as many registers. Where a machine lets some give back what they
// do not need, others of the block may take it.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TARGET_REGISTERSHARES_H
#define TILEWRIGHT_TARGET_REGISTERSHARES_H

#include "target/Residency.h"

namespace tilewright::target {

/// The registers of a lane in a block whose warps are of two sets.
struct RegisterShares {
  unsigned main = 0, others = 0;

  friend bool operator==(const RegisterShares &, const RegisterShares &) = default;
};

/// The shares of a block that has `mainWarps` warps and `otherWarps` others, and its multiprocessor
/// for itself. The others keep `kept`, and the main ones, which take `max` at most, share what that
/// leaves of what all begin with.
RegisterShares shareRegisters(const Multiprocessor &multiprocessor, unsigned mainWarps,
                              unsigned otherWarps, unsigned kept, unsigned max);

} // namespace tilewright::target

#endif // TILEWRIGHT_TARGET_REGISTERSHARES_H
