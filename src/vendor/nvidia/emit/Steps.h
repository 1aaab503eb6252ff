//===- Steps.h - NVIDIA's steps over LLVM IR and in the code generator -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The tables of emit/Step.h: they read as this back end's table of contents.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_EMIT_STEPS_H
#define TILEWRIGHT_VENDOR_NVIDIA_EMIT_STEPS_H

#include "emit/Step.h"

namespace tilewright::emit::nvidia {

/// Put in what only hardware has, after the text for the simulator is printed.
llvm::ArrayRef<Step> targetSteps();
/// For the passes of LLVM's code generator.
llvm::ArrayRef<CodeGenRule> codeGenRules();

} // namespace tilewright::emit::nvidia

#endif // TILEWRIGHT_VENDOR_NVIDIA_EMIT_STEPS_H
