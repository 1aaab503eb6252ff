//===- EarlyRoundings.h - Roundings before loads between products ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Where registers suffice for no tile ahead, attention loads V between its two products, beside the
// powers of its scores. Rounded, these take half the registers: the loads wait for that.
//
//     wmma; p = exp2(..)                    wmma; p = exp2(..); round p
//     load v; store v to LDS        =>      ----
//     round p; wmma p, v                    load v; store v to LDS; wmma p, v
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_EMIT_ARITH_EARLYROUNDINGS_H
#define TILEWRIGHT_VENDOR_AMD_EMIT_ARITH_EARLYROUNDINGS_H

namespace llvm {
class BasicBlock;
} // namespace llvm

namespace tilewright::emit {

/// Moves roundings of floats in `block` before the first load from global memory, after a product,
/// of what the block then stores to LDS, as far as what they round is there. Neither passes the
/// other in LLVM's scheduler.
void roundBeforeLoads(llvm::BasicBlock &block);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_AMD_EMIT_ARITH_EARLYROUNDINGS_H
