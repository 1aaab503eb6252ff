//===- WordPermutes.h - Words of narrow elements by byte permutes ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A thread that turns round a square of 16-bit elements makes each word of what it stores of two
// that it has loaded: one v_perm_b32. Of processors that address halves of registers LLVM moves
// halves, half as many again, as the words' registers are also wanted by others:
//
//     loaded     a0 a1 | b0 b1
//     stored     a0 b0 | a1 b1        v_perm, v_perm    or  v_mov_b16, v_mov_b16, v_mov_b16
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_EMIT_ARITH_WORDPERMUTES_H
#define TILEWRIGHT_VENDOR_AMD_EMIT_ARITH_WORDPERMUTES_H

namespace llvm {
class Function;
} // namespace llvm

namespace tilewright::emit {

/// Makes vectors of 8- and 16-bit elements that are stored to LDS or multiplied, each word of which
/// has elements of at most two words, of byte permutes; and words of two small integers as f16 as
/// PackedCasts.h says.
void permuteWords(llvm::Function &function);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_AMD_EMIT_ARITH_WORDPERMUTES_H
