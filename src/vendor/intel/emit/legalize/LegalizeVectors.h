//===- LegalizeVectors.h - Vector sizes that SPIR-V supports --------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// SPIR-V has vectors of 2, 3, 4, 8 and 16 elements (Vector16 capability), and truth values that
// have no bits: they are neither loaded nor stored nor cast. What lowering makes is mostly so,
// but for vectors of one element, and for what InstCombine thinks of: the low bit of a
// byte is an element of a loaded `<128 x i1>` to it.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_INTEL_EMIT_LEGALIZE_LEGALIZEVECTORS_H
#define TILEWRIGHT_VENDOR_INTEL_EMIT_LEGALIZE_LEGALIZEVECTORS_H

namespace llvm {
class Function;
class TargetMachine;
} // namespace llvm

namespace tilewright::emit {

/// Makes the vectors of `function`, which has no masked accesses any more, vectors of SPIR-V or
/// scalars. Loads and stores keep to as few messages as their alignment allows.
void legalizeVectors(llvm::Function &function, llvm::TargetMachine &machine);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_INTEL_EMIT_LEGALIZE_LEGALIZEVECTORS_H
