//===- SharedAddresses.h - Addresses of LDS in blocks of products ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Where rows of a tile are swizzled, the addresses that a lane accesses differ from each other in
// bits that no offset of an instruction reaches. LLVM computes them before the loop, and each keeps
// a register through it. Where products need that register, an address costs one instruction at its
// access instead:
//
//     to1 = to ^ 16                         for ..:
//     for ..:                       =>        load at to ^ 16
//       load at to1
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_EMIT_MATRIX_SHAREDADDRESSES_H
#define TILEWRIGHT_VENDOR_AMD_EMIT_MATRIX_SHAREDADDRESSES_H

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Instructions.h"

namespace tilewright::emit {

/// Addresses of LDS that a block, which is a loop, takes from elsewhere and that are another one
/// with bits changed.
class SharedAddresses {
public:
  explicit SharedAddresses(llvm::BasicBlock &block);

  /// How many registers of a lane they take.
  unsigned getCount() const { return changed.size(); }

  /// Computes them in the block, before the accesses as they stand by now.
  void computeAgain();

private:
  llvm::BasicBlock &block;
  /// The addresses without offsets that are part of instructions.
  llvm::SmallSetVector<llvm::Instruction *, 16> changed;
};

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_AMD_EMIT_MATRIX_SHAREDADDRESSES_H
