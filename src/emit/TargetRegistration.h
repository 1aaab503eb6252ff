//===- TargetRegistration.h - LLVM's list of targets ----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_EMIT_TARGETREGISTRATION_H
#define TILEWRIGHT_EMIT_TARGETREGISTRATION_H

#include <mutex>

namespace llvm {
class Target;
class Triple;
} // namespace llvm

namespace tilewright::emit {

/// LLVM's list of targets and its command-line options belong to the process, and LLVM does not
/// guard them. Whoever writes them holds this.
std::mutex &targetRegistrationMutex();

/// LLVM's target of `triple` after `initialize` has registered it; null if this LLVM was built
/// without it.
const llvm::Target *registerTarget(const llvm::Triple &triple, void (*initialize)());

} // namespace tilewright::emit

#endif // TILEWRIGHT_EMIT_TARGETREGISTRATION_H
