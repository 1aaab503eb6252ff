//===- Packing.h - Narrow elements in 32-bit words ------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Elements narrower than 32 bits are computed two or four to a register of the hardware:
// words of registers that follow each other. A conversion that moves other words than
// those has to put them together, and what it receives apart: byte permutations, each of
// which makes one word out of two.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PLAN_SHARED_PACKING_H
#define TILEWRIGHT_PLAN_SHARED_PACKING_H

#include "plan/Namespaces.h"
#include "support/Bits.h"

#include <span>

namespace tilewright::plan {

/// log2 of the elements in a word of 32 bits; 0 for those that fill it.
inline unsigned wordBitsOf(unsigned memoryBits) {
  return memoryBits < 32 ? log2Of(32 / memoryBits) : 0;
}

/// The byte permutations with which one thread puts all of its 2^registerBits registers
/// into pieces, or takes them out of pieces. A piece is what is moved together of one
/// word: the registers that `piece` spans (numbers of registers, in the order of the
/// elements); of more than `wordBits` the first count. An estimate: it takes the
/// elements to lie in words of consecutive registers before and after.
unsigned countPermutes(std::span<const uint64_t> piece, unsigned wordBits, unsigned registerBits);

} // namespace tilewright::plan

#endif // TILEWRIGHT_PLAN_SHARED_PACKING_H
