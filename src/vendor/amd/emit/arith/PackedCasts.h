//===- PackedCasts.h - Two small integers at once as f16 ------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// An integer u below 1024, in the low bits of the f16 1024.0 (0x6400), makes 1024 + u; u times 16
// there makes 1024 + 16 u. So two integers of 8 or 4 bits become f16 by a byte permute, for 4 bits
// a mask, and one multiply-add of two halves:
//
//     permute    b0 64 b1 64                    b0 00 b1 00, masked: 0l 64 h0 64
//     subtract   1024 from each                 1024 from l; 64 from h / 16
//
// Numbers with a sign are made numbers without one before, by turning over their sign bits: u is
// 128 or 8 more than the number. All of it is exact. LLVM takes each byte out of its word, extends
// its sign, converts, and packs: 7 instructions for two numbers of 4 bits.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_EMIT_ARITH_PACKEDCASTS_H
#define TILEWRIGHT_VENDOR_AMD_EMIT_ARITH_PACKEDCASTS_H

#include "llvm/IR/IRBuilder.h"

#include <array>
#include <optional>

namespace tilewright::emit {

/// An integer of 8 or 4 bits of a byte of a vector, as f16.
struct SmallIntegerCast {
  /// A vector of i8 that is whole words.
  llvm::Value *vector = nullptr;
  unsigned byte = 0;
  /// The number's bits: 8 from 0, or 4 from 0 or 4.
  unsigned firstBit = 0, bits = 8;
  bool isSigned = false;
};

/// `value` as such a cast.
std::optional<SmallIntegerCast> matchSmallIntegerCast(llvm::Value *value);

/// Whether one multiply-add makes both of these, from one word.
bool canCastTogether(const SmallIntegerCast &low, const SmallIntegerCast &high);

/// Both as the halves of an i32. `word` is that of the vector which has their bytes.
llvm::Value *createPackedCast(llvm::IRBuilderBase &builder, llvm::Value *word,
                              const SmallIntegerCast &low, const SmallIntegerCast &high);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_AMD_EMIT_ARITH_PACKEDCASTS_H
