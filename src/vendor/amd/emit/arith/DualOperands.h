//===- DualOperands.h - Arithmetic that is issued in twos -----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// RDNA 3 and 4 issue two sums, products or moves of f32 as one instruction (RDNA3 Instruction Set
// Architecture, "Dual Issue VALU"), if the registers of the two are in different banks. What many
// instructions of a block take, as a row's maximum or the scale of its sums, is in one register, so
// that no two of them are. It gets a second one beside the first:
//
//     v_mul v2, v2, v9                  v_mov v10, v9
//     v_mul v3, v3, v9           =>     v_dual_mul v2, v2, v9 :: v_dual_mul v3, v3, v10
//
// A fused multiply-add of three different operands has no dual form. A product from which a sum is
// made, but something else as well, is therefore not fused there: the fused form would multiply
// again.
//
//     v_mul v1, s0, v0                      v_mul v1, s0, v0
//     v_max v8, v8, v1                      v_max v8, v8, v1
//     v_fma v2, s0, v0, -v9          =>     v_sub v2, v1, v9
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_EMIT_ARITH_DUALOPERANDS_H
#define TILEWRIGHT_VENDOR_AMD_EMIT_ARITH_DUALOPERANDS_H

namespace llvm {
class Function;
class TargetMachine;
} // namespace llvm

namespace tilewright::emit {

/// Lets LLVM fuse products and sums of `function` but for the products of f32 in blocks with matrix
/// instructions that have other uses than sums. LLVM's option that fuses all knows no exceptions.
void fuseButSharedProducts(llvm::Function &function);

/// Gives lanes' f32 numbers that many sums and products of a block with matrix instructions take a
/// second register.
void doubleSharedOperands(llvm::Function &function, llvm::TargetMachine &machine);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_AMD_EMIT_ARITH_DUALOPERANDS_H
