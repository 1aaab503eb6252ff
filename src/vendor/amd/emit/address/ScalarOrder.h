//===- ScalarOrder.h - Scalars that are computed where they are used -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A tile that goes through LDS before it is stored has its addresses before the barrier, since the
// source computes them first: the base of each row is in two scalar registers, its descriptor in
// four, and those of 32 rows are more than there are.
//
//     row0 = ..; row1 = ..; ..              barrier
//     barrier                         =>    row0 = ..; store at row0
//     store at row0; store at row1          row1 = ..; store at row1
//
// With many stores there are too many descriptors and masks even after the barrier: each is then
// computed right before the store that needs it.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_EMIT_ADDRESS_SCALARORDER_H
#define TILEWRIGHT_VENDOR_AMD_EMIT_ADDRESS_SCALARORDER_H

namespace llvm {
class Function;
class TargetMachine;
} // namespace llvm

namespace tilewright::emit {

/// Moves what a block of `function` computes in scalar registers, of nothing else, and uses only
/// after a barrier, to where it is used first. Where a block without matrix instructions still
/// takes more than `scalarRegisters`, of 32 bits, which a wave has, no barrier need be in between.
/// What LDS holds is no matter: loads stay.
void sinkScalars(llvm::Function &function, llvm::TargetMachine &machine, unsigned scalarRegisters);

/// In a `function` with matrix instructions, computes numbers in scalar registers that are others
/// plus a constant in the blocks that use them and store results, where LLVM has them all in front
/// of a loop over tiles.
void computeOffsetsAgain(llvm::Function &function, llvm::TargetMachine &machine);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_AMD_EMIT_ADDRESS_SCALARORDER_H
