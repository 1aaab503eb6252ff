//===- TargetRegistration.cpp - LLVM's list of targets ------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "emit/TargetRegistration.h"

#include "llvm/MC/TargetRegistry.h"
#include "llvm/TargetParser/Triple.h"

#include <string>

std::mutex &tilewright::emit::targetRegistrationMutex() {
  static std::mutex mutex;
  return mutex;
}

const llvm::Target *tilewright::emit::registerTarget(const llvm::Triple &triple,
                                                     void (*initialize)()) {
  std::lock_guard lock(targetRegistrationMutex());
  initialize();
  std::string error;
  return llvm::TargetRegistry::lookupTarget(triple, error);
}
