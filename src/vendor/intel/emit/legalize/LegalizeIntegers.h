//===- LegalizeIntegers.h - Integer widths that SPIR-V supports -----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// SPIR-V has integers of 8, 16, 32 and 64 bits. Lowering multiplies 64-bit integers in 128 bits
// where it wants the upper half of the product; InstCombine makes odd sizes of what it knows to
// have few bits.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_INTEL_EMIT_LEGALIZE_LEGALIZEINTEGERS_H
#define TILEWRIGHT_VENDOR_INTEL_EMIT_LEGALIZE_LEGALIZEINTEGERS_H

namespace llvm {
class Function;
} // namespace llvm

namespace tilewright::emit {

/// Makes scalar integers of other sizes up to 128 bits in `function` integers of those, two of 64
/// bits where one is too short. Not those in memory, divisions of more than 64 bits and shifts of
/// those by a number that is not constant: these are reported as errors to the context.
void legalizeIntegers(llvm::Function &function);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_INTEL_EMIT_LEGALIZE_LEGALIZEINTEGERS_H
