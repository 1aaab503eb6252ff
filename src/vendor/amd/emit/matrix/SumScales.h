//===- SumScales.h - Sums of products that a loop scales ------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Attention multiplies its sums by exp2(old - new) in each iteration, where `new` is the maximum of
// a row's scores so far and `old` the one before. The more iterations there have been, the fewer
// find a larger score: the factor is 1 then, in all rows of a wave, and the products are left out.
// That changes no number.
//
//     factor = exp2(old - new)              factor = exp2(old - new)
//     sum *= factor                  =>     if (factor != 1 in any lane) sum *= factor
//     sum = wmma a, b, sum                  sum = wmma a, b, sum
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_EMIT_MATRIX_SUMSCALES_H
#define TILEWRIGHT_VENDOR_AMD_EMIT_MATRIX_SUMSCALES_H

namespace llvm {
class Function;
} // namespace llvm

namespace tilewright::emit {

/// Puts products of sums of matrix instructions with such factors into branches. A block is two
/// after that, so what looks at blocks with matrix instructions comes before.
void skipScalesOfOne(llvm::Function &function);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_AMD_EMIT_MATRIX_SUMSCALES_H
