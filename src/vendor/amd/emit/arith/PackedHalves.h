//===- PackedHalves.h - Two f32 numbers as f16 in one word ----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// No instruction of RDNA 3 and 4 rounds two f32 numbers to the nearest f16 numbers. Where LLVM does
// not write halves of registers ("real-true16", of gfx11 alone by default), a third instruction
// packs what two have made. The multiply-add of mixed types writes either half, so that it takes
// the upper number there: multiplied by one, and -0 added, which changes no number.
//
//     v_cvt_f16_f32 v2, v0                    v_cvt_f16_f32 v2, v0
//     v_cvt_f16_f32 v3, v1             =>     v_fma_mixhi_f16 v2, v1, 1.0, -0
//     v_pack_b32_f16 v2, v2, v3
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_EMIT_ARITH_PACKEDHALVES_H
#define TILEWRIGHT_VENDOR_AMD_EMIT_ARITH_PACKEDHALVES_H

namespace llvm {
class Function;
} // namespace llvm

namespace tilewright::emit {

/// Rounds f32 numbers that `function` puts into upper halves of registers, beside ones that it
/// rounds as well, by multiply-adds of mixed types: in blocks with matrix instructions. Where
/// results are stored registers are short, and the second one of a pair would wait for the first.
void roundIntoUpperHalves(llvm::Function &function);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_AMD_EMIT_ARITH_PACKEDHALVES_H
