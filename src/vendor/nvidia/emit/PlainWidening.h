//===- PlainWidening.h - f16 widened apart from sums ----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_EMIT_PLAINWIDENING_H
#define TILEWRIGHT_VENDOR_NVIDIA_EMIT_PLAINWIDENING_H

#include "emit/Step.h"

namespace tilewright::emit {

/// Whether the code generator would join a conversion from f16 to f32 with the sum that takes it
/// (add.f32.f16).
bool joinsWideningWithSums(const StepInput &input);

/// Makes conversions from f16 to f32 of which a sum or a difference takes a result instructions of
/// their own. The joined instruction takes more registers: a layer norm on a B200 goes from 64 to
/// 72, and from 58 to 90 us (github.com/triton-lang/triton/issues/11127).
void widenApartFromSums(llvm::Function &function);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_NVIDIA_EMIT_PLAINWIDENING_H
