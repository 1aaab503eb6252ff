//===- ProductOrder.h - When products load their operands from LDS --*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A product of tiles loads all its operands and then multiplies them, which takes more registers
// than there are: LLVM's scheduler loads as many as it can hold, and some that it cannot and has to
// store. Here the fragments of several products are loaded together, a few products before the
// first of these, as far as registers go, and one wait is for all. Barriers of the scheduler keep
// them there:
//
//     load b0, b1, a0                       load b0, b1, a0, a1
//     load a1                               ----
//     wmma a0, b0; wmma a0, b1       =>     wmma a0, b0; wmma a0, b1
//     wmma a1, b0; wmma a1, b1              ----
//                                           load the fragments of the next step of K
//                                           ----
//                                           wmma a1, b0; wmma a1, b1
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_EMIT_MATRIX_PRODUCTORDER_H
#define TILEWRIGHT_VENDOR_AMD_EMIT_MATRIX_PRODUCTORDER_H

#include "target/AmdProcessor.h"

namespace llvm {
class Function;
class TargetMachine;
} // namespace llvm

namespace tilewright::emit {

/// Places the loads from LDS that matrix instructions of `function` wait for, and what is computed
/// of them alone, and has waves wait for them in groups. A lane has `registers` of 32 bits.
void orderProductLoads(llvm::Function &function, llvm::TargetMachine &machine, unsigned registers,
                       target::amd::WaitFormat waits);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_AMD_EMIT_MATRIX_PRODUCTORDER_H
