//===- Uniformity.h - The analysis of what lanes have in common -----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_EMIT_UNIFORMITY_H
#define TILEWRIGHT_VENDOR_AMD_EMIT_UNIFORMITY_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace tilewright::emit {

/// Adds LLVM's UniformityInfoAnalysis for a machine, and the analyses that it needs, those of
/// dominators and cycles among them.
void registerUniformity(llvm::FunctionAnalysisManager &analyses, llvm::TargetMachine &machine);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_AMD_EMIT_UNIFORMITY_H
