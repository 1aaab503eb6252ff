//===- UniqueBlockNumbers.h - Block labels unique in a module -------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// LLVM 22's SPIR-V back end keeps its analysis of the module in a static variable. So only one
// thread at a time may use it; and of one module the next finds the ids of labels, by
// the address of a machine function and the number of a block in it, which both may come again.
// It would then give two blocks one id.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_INTEL_EMIT_MEMORY_UNIQUEBLOCKNUMBERS_H
#define TILEWRIGHT_VENDOR_INTEL_EMIT_MEMORY_UNIQUEBLOCKNUMBERS_H

#include <mutex>

namespace llvm {
class ModulePass;
} // namespace llvm

namespace tilewright::emit {

/// To be held while the SPIR-V back end runs.
std::unique_lock<std::mutex> lockSpirvGenerator();

/// Gives the blocks of a module numbers that no block has had in this process, until the pass
/// manager has run all its passes. It belongs before the printer of SPIR-V. Only where
/// the generator is locked.
llvm::ModulePass *createUniqueBlockNumbersPass();

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_INTEL_EMIT_MEMORY_UNIQUEBLOCKNUMBERS_H
