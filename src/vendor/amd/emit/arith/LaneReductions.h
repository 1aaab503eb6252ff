//===- LaneReductions.h - Maxima and sums of a lane's values --------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Attention takes the maximum of a lane's scores and the sum of their powers, in trees of two:
//
//     max(max(a, b), max(c, d))      =>     max3(max3(a, b, c), d, ..)
//     exp2 a; exp2 b; a + b; ..      =>     exp2 of all; ----; a + b, c + d; ..
//
// LLVM makes a maximum of three of a maximum in a maximum only where it finds one, and leaves
// others of two. It adds as powers come, one at a time, where two sums could be issued as one.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_EMIT_ARITH_LANEREDUCTIONS_H
#define TILEWRIGHT_VENDOR_AMD_EMIT_ARITH_LANEREDUCTIONS_H

namespace llvm {
class Function;
} // namespace llvm

namespace tilewright::emit {

/// Makes trees of three of the maxima of many f32 numbers in blocks of `function` with matrix
/// instructions, which changes no result, and has the scheduler leave all before their sums in
/// front of them. Blocks are left as they are that load from global memory after those: the loads
/// would come late.
void orderLaneReductions(llvm::Function &function);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_AMD_EMIT_ARITH_LANEREDUCTIONS_H
