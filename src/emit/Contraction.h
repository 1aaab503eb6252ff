//===- Contraction.h - Products and sums in one instruction ---------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_EMIT_CONTRACTION_H
#define TILEWRIGHT_EMIT_CONTRACTION_H

namespace llvm {
class Module;
} // namespace llvm

namespace tilewright::emit {

/// Makes of each multiply-add that may be fused one that is, or else a product and a sum that no
/// back end fuses. Those that a kernel asks for as one operation (llvm.fma) stay.
void settleContraction(llvm::Module &module, bool isAllowed);

} // namespace tilewright::emit

#endif // TILEWRIGHT_EMIT_CONTRACTION_H
