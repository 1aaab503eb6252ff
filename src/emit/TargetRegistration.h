//===- TargetRegistration.h - Registration of LLVM's targets --------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_EMIT_TARGETREGISTRATION_H
#define TILEWRIGHT_EMIT_TARGETREGISTRATION_H

#include "llvm/ADT/StringRef.h"

#include <memory>
#include <mutex>

namespace llvm {
class Target;
class TargetMachine;
class Triple;
} // namespace llvm

namespace tilewright::emit {

struct EmitOptions;

/// LLVM's list of targets and its command-line options belong to the process, and LLVM does not
/// guard them. Whoever writes them holds this.
std::mutex &targetRegistrationMutex();

/// LLVM's target of `triple` after `initialize` has registered it; null if this LLVM was built
/// without it.
const llvm::Target *registerTarget(const llvm::Triple &triple, void (*initialize)());

/// A code generator of `backend` for `triple`; null if `backend` is. `processor` and `features` are
/// as LLVM names them.
std::unique_ptr<llvm::TargetMachine> createTargetMachine(const llvm::Target *backend,
                                                         const llvm::Triple &triple,
                                                         llvm::StringRef processor,
                                                         llvm::StringRef features,
                                                         const EmitOptions &options);

} // namespace tilewright::emit

#endif // TILEWRIGHT_EMIT_TARGETREGISTRATION_H
