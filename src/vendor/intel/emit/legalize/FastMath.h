//===- FastMath.h - Fast-math flags that SPIR-V supports ------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// SPIR-V's decoration FPFastMathMode has bits of the same meaning for four flags of LLVM IR, and
// one for all together (SPIR-V Specification, "FP Fast Math Mode"):
//
//   nnan, ninf, nsz, arcp       NotNaN, NotInf, NSZ, AllowRecip
//   reassoc                     none, but LLVM's back end writes Fast, which promises that there is
//                               neither a NaN nor an infinity, and permits everything else, too
//   contract, afn               none, and nothing is written
//
// So reassoc alone would break e.g. exp(-inf). By then LLVM's optimiser has reassociated.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_INTEL_EMIT_LEGALIZE_FASTMATH_H
#define TILEWRIGHT_VENDOR_INTEL_EMIT_LEGALIZE_FASTMATH_H

namespace llvm {
class Function;
} // namespace llvm

namespace tilewright::emit {

/// Takes reassoc from the operations of `function` that do not have all flags.
void dropLoneReassociation(llvm::Function &function);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_INTEL_EMIT_LEGALIZE_FASTMATH_H
