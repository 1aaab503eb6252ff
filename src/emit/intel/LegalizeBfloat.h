//===- LegalizeBfloat.h - bfloat16 as bits --------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// SPIR-V without a recent extension has no type for bfloat16, and Intel's GPUs before Xe3 no
// arithmetic on it, but an instruction that rounds f32 to it (SPV_INTEL_bfloat16_conversion).
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_EMIT_INTEL_LEGALIZEBFLOAT_H
#define TILEWRIGHT_EMIT_INTEL_LEGALIZEBFLOAT_H

namespace llvm {
class Function;
} // namespace llvm

namespace tilewright::emit {

/// Makes values of `function`, which has none among its parameters, that are bfloat or vectors of
/// it i16 or vectors of that. What is computed with them is computed in f32 and
/// rounded, which for one operation gives what bfloat arithmetic gives.
void legalizeBfloat(llvm::Function &function);

} // namespace tilewright::emit

#endif // TILEWRIGHT_EMIT_INTEL_LEGALIZEBFLOAT_H
