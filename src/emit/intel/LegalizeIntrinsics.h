//===- LegalizeIntrinsics.h - Functions that SPIR-V has -------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_EMIT_INTEL_LEGALIZEINTRINSICS_H
#define TILEWRIGHT_EMIT_INTEL_LEGALIZEINTRINSICS_H

namespace llvm {
class Function;
} // namespace llvm

namespace tilewright::emit {

/// Replaces the intrinsics in `function` that LLVM's SPIR-V back end cannot select, or takes for
/// something else: `minimum` and `maximum` for those that ignore a NaN, funnel shifts for
/// functions that shift by all bits.
void legalizeIntrinsics(llvm::Function &function);

} // namespace tilewright::emit

#endif // TILEWRIGHT_EMIT_INTEL_LEGALIZEINTRINSICS_H
