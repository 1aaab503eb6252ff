//===- BackendErrors.h - LLVM's errors as diagnostics ---------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_EMIT_BACKENDERRORS_H
#define TILEWRIGHT_EMIT_BACKENDERRORS_H

#include "tilewright/Expected.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace tilewright::emit {

/// How a step of LLVM's went wrong.
struct BackendFailure {
  Diagnostic diagnostic;
  /// LLVM gave up in the middle of its work: its pass manager, module and context are in
  /// no state to be used again, nor to be destroyed.
  bool isFatal = false;
};

/// Runs `step`, which works on what belongs to `context`, and says whether LLVM reported
/// an error meanwhile. Errors that LLVM calls fatal, which otherwise end the process, end
/// the step only: `step` is then left without running the destructors of what is in it, so that it
/// must hold no lock. Safe to use in several threads, each with its own context.
std::optional<BackendFailure> runBackendStep(llvm::LLVMContext &context,
                                             llvm::function_ref<void()> step);

/// Sets the place of a failure that names an intrinsic alone: that of its first call in `module`.
void locateFailure(BackendFailure &failure, const llvm::Module &module);

} // namespace tilewright::emit

#endif // TILEWRIGHT_EMIT_BACKENDERRORS_H
